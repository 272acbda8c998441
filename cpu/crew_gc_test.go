package cpu

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// busyDevice adds two vectors of n float32 again and again on its own goroutine
// until stop is called.
func busyDevice(t testing.TB, n int) (stop func()) {
	t.Helper()
	build := kernels.NewBuilder()
	build.Output(must(build, kernels.Add, build.Input(dtype.Float32), build.Input(dtype.Float32)))
	p, err := build.Program()
	if err != nil {
		t.Fatal(err)
	}
	var over atomic.Bool
	var running sync.WaitGroup
	running.Go(func() {
		shape := broadcast.Shape{n}
		l := launch(p, shape, 0, []view{rowMajor(ramp(n), n), rowMajor(ramp(n), n)}, []view{rowMajor(make([]float32, n), n)})
		for !over.Load() {
			if err := Default().Run(l); err != nil {
				t.Error(err)
				return
			}
		}
	})
	return func() {
		over.Store(true)
		running.Wait()
	}
}

// TestGCBesideABusyDevice: neither loops in assembly nor helpers that spin keep
// the collector waiting. Measured on an idle machine it takes a millisecond or
// two; the bound allows for a machine with much else to do, and is far below
// what a loop takes that cannot be stopped.
func TestGCBesideABusyDevice(t *testing.T) {
	stop := busyDevice(t, 1<<22)
	defer stop()
	var took []time.Duration
	for range 9 {
		start := time.Now()
		runtime.GC()
		took = append(took, time.Since(start))
		time.Sleep(time.Millisecond)
	}
	slices.Sort(took)
	if median := took[len(took)/2]; median > time.Second {
		t.Errorf("a collection takes %v beside a busy device", median)
	}
}

func BenchmarkGCBesideABusyDevice(b *testing.B) {
	stop := busyDevice(b, 1<<22)
	defer stop()
	longest := time.Duration(0)
	for b.Loop() {
		start := time.Now()
		runtime.GC()
		longest = max(longest, time.Since(start))
	}
	b.ReportMetric(float64(longest.Microseconds()), "µs-longest")
}

// TestHelpersInATestingBubble: goroutines inside and outside a bubble of
// testing/synctest help each other, although its clock stands still.
func TestHelpersInATestingBubble(t *testing.T) {
	withProcs(t, 2)
	stop := busyDevice(t, 1<<18)
	defer stop()
	for range 3 {
		synctest.Test(t, func(t *testing.T) {
			for units := range 60 {
				checkUnits(t, units, func(work func(number, lo, hi int)) {
					share(workersFor(units, heavy), units, heavy, work)
				})
			}
		})
	}
}
