package devicetest

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/kernels"
)

// lag opens a lagging sim that the test closes.
func lag(t *testing.T, opts LagOptions) *suite {
	t.Helper()
	dev := Lagging(newSim(""), opts)
	t.Cleanup(func() {
		if err := dev.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return &suite{dev: dev, declined: map[string]bool{}}
}

// must returns the result of a call, or ends the test: must(f())(t).
func must[T any](v T, err error) func(t *testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func TestLaggingPrintsAsItsName(t *testing.T) {
	dev := lag(t, LagOptions{}).dev
	if got, want := fmt.Sprintf("%+v", dev), dev.Info().Name; got != want {
		t.Errorf("prints %q, want %q", got, want)
	}
}

func TestLaggingIsAsynchronous(t *testing.T) {
	s := lag(t, LagOptions{})
	d := s.dev.(*lagging)
	gate := make(chan struct{})
	if _, err := d.queue.add("gate", func() error { <-gate; return nil }); err != nil {
		t.Fatal(err)
	}
	src := constant(4, 1)
	b := must(s.dev.Alloc(16))(t)
	defer b.Free()
	if err := s.dev.Write(b, 0, src); err != nil {
		t.Fatal(err)
	}
	clear(src)
	for range 3 {
		if err := s.line(kernels.Add, 4, b, b, b); err != nil {
			t.Fatal(err)
		}
	}
	read := make(chan error)
	go func() { read <- s.holds(b, constant(4, 8)) }()
	select {
	case err := <-read:
		t.Fatalf("Read returned (%v) while earlier work was waiting", err)
	case <-time.After(20 * time.Millisecond):
	}
	close(gate)
	if err := <-read; err != nil {
		t.Error(err)
	}
}

func TestLaggingAbilities(t *testing.T) {
	plain := Lagging(newSim(""), LagOptions{})
	muls := Lagging(&simMuler{sim: newSim("")}, LagOptions{})
	dropped := Lagging(&simMuler{sim: newSim("")}, LagOptions{DropAbilities: true})
	for _, c := range []struct {
		name string
		dev  device.Device
		want bool
	}{{"inner has none", plain, false}, {"inner multiplies", muls, true}, {"dropped", dropped, false}} {
		if _, ok := c.dev.(device.MatMuler); ok != c.want {
			t.Errorf("%s: MatMuler is %v, want %v", c.name, ok, c.want)
		}
		if _, ok := c.dev.(device.Mapper); ok {
			t.Errorf("%s: a lagging device is a Mapper", c.name)
		}
		b := must(c.dev.Alloc(4))(t)
		if b.Device() != c.dev {
			t.Errorf("%s: a buffer's Device is not the device", c.name)
		}
		b.Free()
	}
	if got := plain.Info().Name; got != "lagging(sim)" {
		t.Errorf("Info().Name is %q", got)
	}
}

func TestLaggingOutOfMemory(t *testing.T) {
	s := lag(t, LagOptions{FailAlloc: 2})
	one := must(s.dev.Alloc(8))(t)
	_, err := s.dev.Alloc(8)
	var oom *device.OutOfMemoryError
	if !errors.As(err, &oom) || oom.Need != 8 {
		t.Errorf("the second Alloc returned %v", err)
	}
	three := must(s.dev.Alloc(8))(t)
	one.Free()
	three.Free()
}

func TestLaggingFailsAtOnce(t *testing.T) {
	s := lag(t, LagOptions{FailRun: 2})
	b := must(s.filled(constant(4, 1)))(t)
	defer b.Free()
	errs := []error{s.line(kernels.Neg, 4, b, b), s.line(kernels.Neg, 4, b, b), s.line(kernels.Neg, 4, b, b)}
	var e *device.Error
	if errs[0] != nil || errs[2] != nil || !errors.As(errs[1], &e) || errors.Is(errs[1], device.ErrLost) {
		t.Errorf("three launches returned %v, want the second to fail", errs)
	}
	if err := s.holds(b, constant(4, 1)); err != nil {
		t.Errorf("the failed launch had an effect: %v", err)
	}
}

func TestLaggingFault(t *testing.T) {
	s := lag(t, LagOptions{FaultRun: 21})
	b := must(s.filled(constant(4, 1)))(t)
	if err := s.dev.Sync(); err != nil {
		t.Fatal(err)
	}
	d := s.dev.(*lagging)
	gate := make(chan struct{})
	_, _ = d.queue.add("gate", func() error { <-gate; return nil })
	for i := range 21 {
		op := []kernels.Op{kernels.Neg, kernels.Square}[i/20]
		if err := s.line(op, 4, b, b); err != nil {
			t.Fatalf("launch %d: %v", i, err)
		}
	}
	close(gate)
	checkLost(t, s, b, append(slices.Repeat([]string{"neg"}, 14), "square", "sync"))
	b.Free()
	b.Free()
	if err := s.dev.Close(); err != nil {
		t.Errorf("a lost device does not close: %v", err)
	}
	if err := s.dev.Sync(); !errors.Is(err, device.ErrLost) {
		t.Errorf("Sync on a lost, closed device returned %v", err)
	}
}

// checkLost uses a lost device in every way. The first use lists ops.
func checkLost(t *testing.T, s *suite, b device.Buffer, ops []string) {
	t.Helper()
	err := s.dev.Sync()
	var lost *device.LostError
	if !errors.As(err, &lost) || !errors.Is(err, errInjected) {
		t.Fatalf("Sync after a fault returned %v", err)
	}
	if !slices.Equal(lost.Ops, ops) && !slices.Equal(lost.Ops, append([]string{"neg"}, ops[:len(ops)-1]...)) {
		t.Errorf("the suspects are %v, want %v", lost.Ops, ops)
	}
	_, alloc := s.dev.Alloc(4)
	uses := s.uses(b, b)
	uses["Alloc"], uses["Sync"] = alloc, s.dev.Sync()
	for call, err := range uses {
		if !errors.Is(err, device.ErrLost) {
			t.Errorf("%s on a lost device returned %v", call, err)
		}
	}
}

func TestLaggingSyncModeNamesTheOperation(t *testing.T) {
	t.Setenv("STRIDE0_SYNC", "1")
	s := lag(t, LagOptions{FaultRun: 2})
	b := must(s.filled(constant(4, 1)))(t)
	defer b.Free()
	if err := s.line(kernels.Neg, 4, b, b); err != nil {
		t.Fatal(err)
	}
	err := s.line(kernels.Square, 4, b, b)
	var lost *device.LostError
	if !errors.As(err, &lost) || !slices.Equal(lost.Ops, []string{"square"}) {
		t.Errorf("the faulty launch itself returned %v, want a LostError of square alone", err)
	}
}

func TestLaggingUnsupportedIsSynchronous(t *testing.T) {
	dev := Lagging(newSim("supports nothing"), LagOptions{})
	defer dev.Close()
	s := &suite{dev: dev}
	b := must(s.filled(constant(4, 1)))(t)
	defer b.Free()
	for range 2 { // the second answer comes from memory
		if err := s.line(kernels.Neg, 4, b, b); !errors.Is(err, device.ErrUnsupported) {
			t.Errorf("Run returned %v, want ErrUnsupported", err)
		}
	}
	if err := dev.Sync(); err != nil {
		t.Errorf("a declined launch lost the device: %v", err)
	}
}

func TestLaggingPassesLate(t *testing.T) {
	for _, delay := range []time.Duration{0, time.Millisecond} {
		t.Run(fmt.Sprint(delay), func(t *testing.T) {
			s := lag(t, LagOptions{Delay: delay, Seed: 1})
			for _, c := range slices.Concat(contractChecks(), orderChecks(), programChecks()[:1]) {
				if err := c.run(s); err != nil {
					t.Errorf("%s: %v", c.name, err)
				}
			}
		})
	}
}

// An asynchronous device must not be spared what a synchronous one would hide.
func TestLaggingCopiesTheLaunch(t *testing.T) {
	s := lag(t, LagOptions{})
	c := must(single(kernels.Square, 100))(t)
	d := s.dev.(*lagging)
	gate := make(chan struct{})
	if err := d.rehearse(c.program); err != nil {
		t.Fatal(err)
	}
	_, _ = d.queue.add("gate", func() error { <-gate; return nil })
	bufs := must(c.enqueue(s.dev))(t) // spoils the Launch and the Plan on return
	defer bufs.free()
	close(gate)
	o := must(newOracle(c.program))(t)
	if _, err := c.compare(s.dev, bufs, o.results(c)); err != nil {
		t.Error(err)
	}
}
