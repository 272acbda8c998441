package devicetest

import (
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/kernels"
)

func TestLaggingFreesInOrder(t *testing.T) {
	inner := newSim("")
	s := &suite{dev: Lagging(inner, LagOptions{})}
	d := s.dev.(*lagging)
	b := must(s.filled(constant(4, 1)))(t)
	gate := make(chan struct{})
	_, _ = d.queue.add("gate", func() error { <-gate; return nil })
	if err := s.line(kernels.Neg, 4, b, b); err != nil {
		t.Fatal(err)
	}
	b.Free()
	if live := inner.liveNow(); live != 1 {
		t.Errorf("inner has %d live buffers while the launch waits, want 1", live)
	}
	close(gate)
	if err := s.dev.Close(); err != nil {
		t.Error(err)
	}
	if live := inner.liveNow(); live != 0 {
		t.Errorf("inner has %d live buffers after Close, want 0", live)
	}
}

func (d *sim) liveNow() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.live
}

func TestLaggingClose(t *testing.T) {
	before := runtime.NumGoroutine()
	inner := newSim("")
	dev := Lagging(inner, LagOptions{Delay: 50 * time.Microsecond})
	s := &suite{dev: dev}
	b := must(s.filled(constant(4, 1)))(t)
	if err := dev.Close(); !errors.Is(err, device.ErrBusy) {
		t.Errorf("Close with a live buffer returned %v", err)
	}
	b.Free()
	if _, err := s.filled(constant(1000, 1)); err != nil { // dropped: Close must let the collector find it
		t.Fatal(err)
	}
	if err := dev.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
	if _, err := dev.Alloc(4); !errors.Is(err, device.ErrClosed) {
		t.Errorf("Alloc after Close returned %v", err)
	}
	for range 100 {
		if inner.liveNow() > 0 {
			runtime.GC()
			time.Sleep(time.Millisecond)
		}
	}
	if live := inner.liveNow(); live != 0 {
		t.Errorf("inner still has %d buffers of a closed device", live)
	}
	for range 100 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(time.Millisecond)
	}
	stacks := make([]byte, 1<<16)
	stacks = stacks[:runtime.Stack(stacks, true)]
	if strings.Contains(string(stacks), "lagQueue") {
		t.Errorf("a goroutine of the queue is left after Close:\n%s", stacks)
	}
}
