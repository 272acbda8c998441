package conform

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stride0/stride0/cpu"
	"github.com/stride0/stride0/device"
	_ "github.com/stride0/stride0/device/all"
)

// unsupported says which operators may be unsupported, and why: short, and
// each without an entry in the tables, or with one that refuses some forms.
var unsupported = map[string]string{
	"Loop": "its body is a graph, which the files do not hold",
}

// An operator that the tables have needs no excuse, but where it refuses forms.
func TestUnsupportedIsNotMapped(t *testing.T) {
	for op, why := range unsupported {
		if _, ok := operators[op]; ok && why == notInTensor {
			t.Errorf("%s is in the tables: take it off the list of what is unsupported", op)
		}
	}
}

const notInTensor = "package tensor has no such operation"

// folder returns where the files of cases are: outside the module.
func folder() string {
	if dir := os.Getenv("STRIDE0_CONFORM"); dir != "" {
		return dir
	}
	return "../../../shared/data" // beside the repository, seen from this package
}

// openDevice returns the device to run on.
func openDevice(t *testing.T) device.Device {
	name := os.Getenv("STRIDE0_DEVICE")
	if name == "" || name == "cpu" {
		return cpu.Default()
	}
	dev, err := device.Open(name)
	if err != nil {
		t.Fatalf("STRIDE0_DEVICE=%s: %v", name, err)
	}
	device.AllowHost(dev)
	return dev
}

// Every case of every file, one subtest each.
func TestConformance(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(folder(), "*.json.gz"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skipf("no *.json.gz in %s; STRIDE0_CONFORM names another folder", folder())
	}
	dev := openDevice(t)
	counts := tally{}
	for _, file := range files {
		cases, err := Read(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range cases {
			t.Run(c.Name, func(t *testing.T) { counts.run(t, c, dev) })
		}
	}
	t.Log(counts)
}

// A tally counts outcomes per operator.
type tally map[string]*[3]int

// The outcomes of a case.
const (
	passed = iota
	failed
	missing // unsupported
)

// run checks a case and counts it.
func (y tally) run(t *testing.T, c *Case, dev device.Device) {
	if y[c.Op] == nil {
		y[c.Op] = new([3]int)
	}
	err := c.Check(dev)
	var u *UnsupportedError
	why, excused := "", false
	if errors.As(err, &u) {
		why, excused = unsupported[u.Op]
	}
	switch {
	case err == nil:
		y[c.Op][passed]++
	case excused:
		y[c.Op][missing]++
		t.Skipf("%v (%s)", err, why)
	case u != nil:
		y[c.Op][missing]++
		t.Errorf("unsupported: %v", err)
	default:
		y[c.Op][failed]++
		t.Error(err)
	}
}

// String returns the summary: the operators with failed or unsupported cases,
// and the sums.
func (y tally) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-26s %6s %6s %11s\n", "operator", "passed", "failed", "unsupported")
	var all [3]int
	for _, op := range slices.Sorted(maps.Keys(y)) {
		n := y[op]
		for i := range n {
			all[i] += n[i]
		}
		fmt.Fprintf(&b, "%-26s %6d %6d %11d\n", op, n[passed], n[failed], n[missing])
	}
	fmt.Fprintf(&b, "%-26s %6d %6d %11d", "all", all[passed], all[failed], all[missing])
	return b.String()
}
