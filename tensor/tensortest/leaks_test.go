package tensortest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stride0/stride0/cpu"
	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/device/devicetest"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

// recorder is a test that only remembers what it is told.
type recorder struct {
	cleanups []func()
	errors   []string
}

func (r *recorder) Helper()          {}
func (r *recorder) Cleanup(f func()) { r.cleanups = append(r.cleanups, f) }
func (r *recorder) Errorf(format string, args ...any) {
	r.errors = append(r.errors, fmt.Sprintf(format, args...))
}

// end ends the test as package testing does: last registered, first run.
func (r *recorder) end() string {
	for i := len(r.cleanups) - 1; i >= 0; i-- {
		r.cleanups[i]()
	}
	return strings.Join(r.errors, "\n")
}

// held keeps tensors reachable.
var held []*tensor.Tensor

func TestCheckLeaks(t *testing.T) {
	const bytes = 1 << 20
	defer func(p time.Duration) { patience = p }(patience)
	patience /= 5
	lag := devicetest.Lagging(cpu.Default(), devicetest.LagOptions{Delay: time.Millisecond})
	for name, c := range map[string]struct {
		test func(on tensor.Place)
		leak string // a part of the report; empty: none
	}{
		"dropped": {func(on tensor.Place) { on.Zeros(dtype.Uint8, bytes).Exp() }, ""},
		"freed":   {func(on tensor.Place) { _ = on.Zeros(dtype.Uint8, bytes).Free() }, ""},
		"in a closed scope": {func(on tensor.Place) {
			s := tensor.NewScope()
			defer s.Close()
			held = append(held, on.Zeros(dtype.Uint8, bytes).In(s).Exp())
		}, ""},
		"held":           {func(on tensor.Place) { held = append(held, on.Zeros(dtype.Uint8, bytes)) }, "leaves 1.0 MB more live"},
		"held by a view": {func(on tensor.Place) { held = append(held, on.Zeros(dtype.Uint8, bytes).Index(0, 3)) }, "leaves 1.0 MB more live"},
		"held by a scope that stays open": {func(on tensor.Place) {
			s := tensor.NewScope()
			held = append(held, tensor.Scalar(1).In(s), on.Zeros(dtype.Uint8, bytes).In(s))
		}, "Close their Scope"},
	} {
		for _, dev := range []device.Device{cpu.Default(), lag} {
			t.Run(name+"/"+dev.Info().Name, func(t *testing.T) {
				r := new(recorder)
				CheckLeaks(r, dev)
				c.test(tensor.On(dev))
				got := r.end()
				held = nil
				if (got == "") != (c.leak == "") || !strings.Contains(got, c.leak) {
					t.Errorf("reported %q, want %q in it", got, c.leak)
				}
				if c.leak != "" && !strings.Contains(got, dev.Info().Name) {
					t.Errorf("%q does not name the device", got)
				}
			})
		}
	}
}

// What was live before the test is no leak of it.
func TestCheckLeaksSeesOnlyWhatIsNew(t *testing.T) {
	old := tensor.Zeros(dtype.Uint8, 1<<20)
	r := new(recorder)
	CheckLeaks(r, cpu.Default())
	tensor.Zeros(dtype.Uint8, 1<<20)
	if got := r.end(); got != "" {
		t.Errorf("reported %q", got)
	}
	if err := old.Free(); err != nil {
		t.Fatal(err)
	}
}

// A test registers its own cleanups after CheckLeaks; they run before it looks.
func TestCheckLeaksLooksLast(t *testing.T) {
	CheckLeaks(t, cpu.Default())
	x := tensor.Zeros(dtype.Uint8, 1<<20)
	held = append(held, x)
	t.Cleanup(func() { held = nil })
}

// blind is a device that tells nothing about its memory.
type blind struct{ device.Device }

func TestCheckLeaksOfWhatCannotBeWatched(t *testing.T) {
	r := new(recorder)
	CheckLeaks(r)
	CheckLeaks(r, blind{cpu.Default()})
	if got := r.end(); !strings.Contains(got, "no device to watch") || !strings.Contains(got, "cpu does not tell") {
		t.Errorf("reported %q", got)
	}
}
