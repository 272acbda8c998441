package tensor_test

import (
	"errors"
	"runtime"
	"runtime/debug"
	"sync"
	"testing"

	"github.com/stride0/stride0/device/devicetest"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
	"github.com/stride0/stride0/tensor"
)

// Operands whose last use is the call are not freed while it runs, or while it
// waits in a queue: the collector runs all the time here.
func TestFaultOperandsAreCollectedWhileTheyAreUsed(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(1))
	onEveryDevice(t, func(t *testing.T, p place) {
		stop := make(chan struct{})
		var wg sync.WaitGroup
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					runtime.GC()
				}
			}
		})
		rounds := 60
		for i := range rounds {
			x := p.put(tensor.Full(dtype.Float32, i, large))
			y := x.Add(p.put(tensor.Full(dtype.Float32, 1, large))).Reshape(-1, 2).T().MulScalar(2).Max()
			if v, err := tensor.Item[float32](y); v != float32(2*i+2) || err != nil {
				t.Errorf("round %d: %v, %v", i, v, err)
				break
			}
		}
		close(stop)
		wg.Wait()
	})
}

// What Free and Scope may meet, in every order: an error or nothing, and views
// that are not freed keep their elements.
func TestFaultFreeInEveryOrder(t *testing.T) {
	onEveryDevice(t, func(t *testing.T, p place) {
		for _, n := range []int{4, large} {
			for order := range 6 {
				base := p.iota(n)
				handles := []*tensor.Tensor{base, base.Slice(tensor.R(1, 3)), base.Flip()}
				want := []float32{0, 1, float32(n - 1)}
				freed := make([]bool, 3)
				for step := range 3 {
					i := [6][3]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}[order][step]
					must(t, handles[i].Free())
					freed[i] = true
					for k, h := range handles {
						if freed[k] {
							checkFreed(t, h)
							continue
						}
						wantData(t, h.Slice(tensor.R(0, 1)), tensor.Shape{1}, want[k])
					}
				}
			}
		}
	})
}

// checkFreed uses a freed tensor in every way there is.
func checkFreed(t *testing.T, x *tensor.Tensor) {
	t.Helper()
	one := iota32(1)
	_, dataErr := tensor.Data[float32](x)
	_, itemErr := tensor.Item[float32](x)
	_, listErr := tensor.BroadcastTensors(one, x)
	_, priceErr := tensor.PriceOf(kernels.Neg, x)
	nothing := func([]float32) error { return nil }
	for what, err := range map[string]error{
		"Err": x.Err(), "Free": x.Free(), "Add": x.Add(one).Err(), "right operand": one.Add(x).Err(), "Sum": x.Sum().Err(),
		"view": x.Flip().Err(), "Clone": x.Clone().Err(), "To": x.To(one.Device()).Err(), "Data": dataErr, "Item": itemErr,
		"WithData": tensor.WithData(x, nothing), "WithMutableData": tensor.WithMutableData(x, nothing),
		"Assign": x.Assign(one), "source": one.Assign(x), "Fill": x.Fill(1), "Set": x.Set(1, 0),
		"Into": tensor.Into(x, kernels.Neg, one), "from": tensor.Into(one, kernels.Neg, x), "MatMul": x.MatMul(x).Err(),
		"BroadcastTensors": listErr, "PriceOf": priceErr, "In": x.In(tensor.NewScope()).Err(), "like": tensor.ZerosLike(x).Err(),
	} {
		if !errors.Is(err, tensor.ErrFreed) {
			t.Errorf("%s of a freed tensor: %v", what, err)
		}
	}
	if x.Shape().Size() != 1 || x.Device() != nil || x.IsContiguous() {
		t.Errorf("a freed tensor has shape %v on %v", x.Shape(), x.Device())
	}
	_ = x.String()
	wantData(t, one, tensor.Shape{1}, float32(0))
}

// A lent slice stays valid while its tensor is freed inside the call.
func TestFaultFreeWhileLent(t *testing.T) {
	for _, n := range []int{4, large} {
		x := iota32(n)
		must(t, tensor.WithMutableData(x, func(v []float32) error {
			must(t, x.Free())
			other := tensor.Full(dtype.Float32, 9, n) // would get the memory
			v[0] = 5
			for i, e := range v[1:] {
				if e != float32(i+1) {
					t.Errorf("element %d is %v", i+1, e)
				}
			}
			wantData(t, other.Max(), tensor.Shape{}, float32(9))
			return nil
		}))
		checkFreed(t, x)
	}
}

// Memory that was freed with work in flight is not handed out to somebody else
// before that work is done.
func TestFaultMemoryIsReusedInOrder(t *testing.T) {
	onEveryDevice(t, func(t *testing.T, p place) {
		for i := range 40 {
			x := p.put(tensor.Full(dtype.Float32, i, large))
			y := x.AddScalar(1)
			must(t, x.Free())
			z := p.put(tensor.Full(dtype.Float32, -1, large)) // may get x's memory
			must(t, z.Fill(-2))
			wantData(t, y.Sub(z).Max(), tensor.Shape{}, float32(i+3))
			_, _ = y.Free(), z.Free()
		}
	})
}

// Free, Close of a scope and operations of many goroutines on one tensor: each
// operation gives the right result or ErrFreed.
func TestFaultFreeDuringUse(t *testing.T) {
	dev := lagging(t, devicetest.LagOptions{Seed: 9})
	for range 20 {
		s := tensor.NewScope()
		x := tensor.Ones(dtype.Float32, large).To(dev).In(s)
		base := x.Flip()
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				v, err := tensor.Item[float32](x.Add(base).Max())
				if err == nil && v != 2 || err != nil && !errors.Is(err, tensor.ErrFreed) {
					t.Errorf("%v, %v", v, err)
				}
			})
		}
		wg.Go(func() { _ = base.Free() })
		wg.Go(s.Close)
		wg.Go(func() { _ = x.Free() })
		wg.Wait()
		checkFreed(t, x)
		checkFreed(t, base)
	}
}

// Nothing is left of an operation that failed, at whatever step.
func TestFaultFailuresLeaveNothingLive(t *testing.T) {
	for _, opts := range []devicetest.LagOptions{{FailAlloc: 2}, {FailAlloc: 3}, {FailRun: 1}, {FailRun: 2}} {
		dev := lagging(t, opts)
		x := iota32(2, 1500).To(dev)
		settle()
		before := live()
		failed := 0
		for range 3 {
			r := x.Add(x.Flip()).Sum(1)
			if r.Err() != nil {
				failed++
				wantData(t, x.Index(1, 3), tensor.Shape{2}, float32(3), 1503)
			}
			if err := tensor.Into(x, kernels.Add, x.Flip(), tensor.Scalar(0)); err == nil {
				must(t, tensor.Into(x, kernels.Add, x.Flip(), tensor.Scalar(0)))
			}
		}
		if failed != 1 {
			t.Errorf("%+v: %d of 3 sums failed, want 1", opts, failed)
		}
		settle()
		if got := live(); got > before {
			t.Errorf("%+v: %d bytes are live, before %d", opts, got, before)
		}
		runtime.KeepAlive(x)
	}
}
