package tensor_test

import (
	"os"
	"runtime"
	"testing"

	"github.com/stride0/stride0/cpu"
	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
	"github.com/stride0/stride0/tensor"
)

// steps is how often a program takes a step, as in training: a million with
// STRIDE0_FULL=1.
func steps() int {
	switch {
	case os.Getenv("STRIDE0_FULL") == "1":
		return 1_000_000
	case raced:
		return 1000
	}
	return 5000
}

// stepper takes steps with tensors of the pool and of the Go heap, with views,
// results, writes and an operation that fails.
type stepper struct{ x, row, small *tensor.Tensor }

func newStepper() stepper {
	return stepper{tensor.Ones(dtype.Float32, 32, 32), tensor.Ones(dtype.Float32, 32), tensor.Ones(dtype.Float32, 2, 3)}
}

// step is given operands that are equal to those of s, and returns everything
// that it made.
func (s stepper) step(x, row, small *tensor.Tensor) []*tensor.Tensor {
	moved := x.T()
	scaled := moved.Mul(row)
	less := scaled.MulScalar(0.5)
	mean := less.Mean()
	sum := small.Add(small)
	bad := small.Add(row)
	_ = tensor.Into(scaled, kernels.Sub, scaled, mean)
	flipped := scaled.T()
	_ = scaled.AddAssign(flipped)
	_ = less.Set(1, 2, 3)
	return []*tensor.Tensor{moved, scaled, flipped, mean, less, sum, bad}
}

// A long loop takes no more memory at its end than at its beginning, whether
// results are dropped, freed, or left to a scope.
func TestStepsAreFlat(t *testing.T) {
	for name, once := range map[string]func(t *testing.T, s stepper){
		"dropped": func(t *testing.T, s stepper) { s.step(s.x, s.row, s.small) },
		"freed": func(t *testing.T, s stepper) {
			before := live()
			for _, made := range s.step(s.x, s.row, s.small) {
				_ = made.Free() // of the failed one too
			}
			if n := live(); n > before { // nothing is left to the garbage collector
				t.Fatalf("freed tensors left %s", device.Bytes(n-before))
			}
		},
		"in a scope": func(t *testing.T, s stepper) {
			scope := tensor.NewScope()
			defer scope.Close()
			made := s.step(s.x.In(scope), s.row.In(scope), s.small.In(scope))
			scope.Keep(made[3])
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStepper()
			const most = 512 << 20 // bytes live at once: the pool paces itself far below
			run := func(n int) {
				for i := range n {
					once(t, s)
					if i%1000 == 0 && live() > most {
						t.Fatalf("%s live after %d steps", device.Bytes(live()), i)
					}
				}
			}
			n := steps()
			run(n / 10)
			first := inUse()
			run(n - n/10)
			last := inUse()
			if grown := last.live - first.live; grown > 1<<16 {
				t.Errorf("live memory grew by %s in %d steps", device.Bytes(grown), n-n/10)
			}
			if grown := last.heap - first.heap; grown > 1<<20 {
				t.Errorf("the Go heap grew by %s in %d steps", device.Bytes(grown), n-n/10)
			}
			if v := data[float32](t, s.x.Sum()); v[0] != 32*32 {
				t.Errorf("the operand has changed: its sum is %v", v[0])
			}
		})
	}
}

// usage is memory in use, in bytes, without garbage.
type usage struct{ live, heap int64 }

func inUse() usage {
	settle()
	device.Trim(cpu.Default())
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return usage{live(), int64(m.HeapAlloc)}
}
