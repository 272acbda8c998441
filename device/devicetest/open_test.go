package devicetest

import (
	"testing"

	"github.com/stride0/stride0/device"
)

// outcome is a test that notes how it ended instead of ending.
type outcome struct {
	testing.TB
	how string
}

func (o *outcome) Helper()               {}
func (o *outcome) Fatalf(string, ...any) { o.how += "failed " }
func (o *outcome) Skipf(string, ...any)  { o.how += "skipped " }

func TestOpenSkipsUnlessRequired(t *testing.T) {
	for _, c := range []struct{ name, list, how string }{
		{"cpu", "", ""},
		{"cpu:0", "cpu", ""},
		{"abacus:1", "", "skipped "},
		{"abacus:1", "opencl,abacus2", "skipped "},
		{"abacus:1", "opencl,abacus", "failed "},
	} {
		t.Setenv("STRIDE0_REQUIRE", c.list)
		o := &outcome{TB: t}
		var dev device.Device = Open(o, c.name)
		if got := o.how[:min(len(o.how), len(c.how))]; got != c.how || (dev != nil) != (c.how == "") {
			t.Errorf("%s with %q required: %v, %s", c.name, c.list, dev, o.how)
		}
	}
}
