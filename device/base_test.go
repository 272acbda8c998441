package device

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
)

func TestBaseDown(t *testing.T) {
	var d fakeDevice
	if err := d.Down(); err != nil {
		t.Fatalf("a new device is down: %v", err)
	}
	d.Recent.Enqueued("add")
	d.Recent.Enqueued("exp")
	first := d.SetLost("toy:0", errors.New("illegal address"))
	d.Recent.Enqueued("mul")
	second := d.SetLost("toy:0", errors.New("another"))
	d.SetClosed("toy:0")
	var lost *LostError
	if !errors.As(d.Down(), &lost) || !errors.Is(d.Down(), ErrLost) {
		t.Fatalf("Down is %v, want the *LostError", d.Down())
	}
	if first != second || d.Down() != first {
		t.Error("later faults replace the first")
	}
	if lost.Device != "toy:0" || !slices.Equal(lost.Ops, []string{"add", "exp"}) || lost.Err.Error() != "illegal address" {
		t.Errorf("%+v", lost)
	}
}

func TestBaseClosed(t *testing.T) {
	var d fakeDevice
	d.SetClosed("toy:0")
	if err := d.Down(); !errors.Is(err, ErrClosed) || err.Error() != "toy:0: device is closed" {
		t.Errorf("Down is %v", err)
	}
}

func TestAllowHost(t *testing.T) {
	d, other := &fakeDevice{}, &fakeDevice{}
	if HostAllowed(d) {
		t.Error("allowed before anyone said so")
	}
	AllowHost(d)
	if !HostAllowed(d) || HostAllowed(other) {
		t.Error("the mark is not on its device alone")
	}
	d.Close()
	if HostAllowed(d) {
		t.Error("the mark outlives the device")
	}
	bare := baseless{other}
	AllowHost(bare)
	if HostAllowed(bare) || HostAllowed(nil) {
		t.Error("what has no Base cannot be marked")
	}
}

// pooled is a device that reports its memory.
type pooled struct{ fakeDevice }

func (*pooled) PoolStats() PoolStats { return PoolStats{Live: 7} }
func (*pooled) Trim() int64          { return 9 }

func TestTrim(t *testing.T) {
	if n := Trim(&pooled{}); n != 9 {
		t.Errorf("%d bytes, want what the device says, 9", n)
	}
	if n := Trim(&fakeDevice{}); n != 0 {
		t.Errorf("%d bytes of a device that keeps none", n)
	}
}

func TestDeviceStats(t *testing.T) {
	d := &pooled{}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 100 {
				CountHostFallback(d, 10)
				CountOverlapCopy(d, 3)
			}
			CountOverlapCopy(d, 1)
		})
	}
	wg.Wait()
	want := DeviceStats{
		Pool:          PoolStats{Live: 7},
		HostFallbacks: 400, HostBytes: 4000, OverlapCopies: 404, OverlapBytes: 1204,
	}
	if got := Stats(d); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	CountHostFallback(baseless{d}, 1)
	CountOverlapCopy(nil, 1)
	if got := Stats(baseless{&fakeDevice{}}); got != (DeviceStats{}) {
		t.Errorf("a device without Base or Pool has %+v", got)
	}
}

func TestRecent(t *testing.T) {
	labels := func(from, to int) []string {
		var s []string
		for i := from; i < to; i++ {
			s = append(s, fmt.Sprint(i))
		}
		return s
	}
	for _, tt := range []struct {
		name           string
		before, after  int // operations enqueued before and after the mark
		done           bool
		wantFrom, want int
	}{
		{"nothing", 0, 0, true, 0, 0},
		{"one", 1, 0, false, 0, 1},
		{"one, done", 1, 0, true, 0, 0},
		{"full", 16, 0, false, 0, 16},
		{"one more than full", 17, 0, false, 1, 17},
		{"many times round", 1000, 3, false, 987, 1003},
		{"enqueued during the wait", 5, 3, true, 5, 8},
		{"more than full during the wait", 5, 20, true, 9, 25},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var r Recent
			for i := range tt.before {
				r.Enqueued(fmt.Sprint(i))
			}
			mark := r.Mark()
			for i := range tt.after {
				r.Enqueued(fmt.Sprint(tt.before + i))
			}
			if tt.done {
				r.Done(mark)
				r.Done(0) // an older mark changes nothing
			}
			if got, want := r.Ops(), labels(tt.wantFrom, tt.want); !slices.Equal(got, want) {
				t.Errorf("%v, want %v", got, want)
			}
		})
	}
}

func TestRecentConcurrently(t *testing.T) {
	var r Recent
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 1000 {
				r.Enqueued("op")
				if n := len(r.Ops()); n > recentOps {
					t.Errorf("%d operations", n)
				}
				r.Done(r.Mark())
			}
		})
	}
	wg.Wait()
	if ops := r.Ops(); len(ops) != 0 {
		t.Errorf("%v are left", ops)
	}
}
