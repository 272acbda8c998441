package tensor_test

import (
	"errors"
	"sync"
	"testing"

	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/cpu"
	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/device/devicetest"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
	"github.com/stride0/stride0/tensor"
)

var along1 = kernels.Attr{Axes: kernels.Axes(1)}

// All launches of an operation read its operands as they were before the first.
func TestSoftmaxInPlaceAndOverlapping(t *testing.T) {
	for name, view := range map[string]func(x *tensor.Tensor) (dst, in *tensor.Tensor){
		"in place":   func(x *tensor.Tensor) (dst, in *tensor.Tensor) { return x, x },
		"transposed": func(x *tensor.Tensor) (dst, in *tensor.Tensor) { return x, x.T() },
		"backwards":  func(x *tensor.Tensor) (dst, in *tensor.Tensor) { return x, x.Flip(1) },
		"one row on": func(x *tensor.Tensor) (dst, in *tensor.Tensor) {
			return x.Slice(tensor.R(1, 40)), x.Slice(tensor.R(0, 39))
		},
	} {
		for _, op := range []kernels.Op{kernels.Softmax, kernels.LogSoftmax} {
			x := normal32(40, 40)
			dst, in := view(x)
			want := applied(t, op, in.Shape(), in.Clone(), 1)
			must(t, tensor.Into(dst, op.With(along1), in))
			if got := data[float32](t, dst); !equal(got, data[float32](t, want)) {
				t.Errorf("%v, %s: %v", op, name, got[:4])
			}
		}
	}
	x := normal32(5, 7)
	want := data[float32](t, x.LogSumExp(1))
	must(t, tensor.Into(x.Slice(tensor.All, tensor.R(3, 4)), kernels.LogSumExp.With(kernels.Attr{Axes: kernels.Axes(1), Keep: true}), x))
	wantData(t, x.Slice(tensor.All, tensor.R(3, 4)).Squeeze(), tensor.Shape{5}, want...)
}

func equal[T comparable](a, b []T) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func TestCompositesIntoOtherDTypesAndShapes(t *testing.T) {
	x := tensor.New([]float32{0, 0, 3, 3}, 2, 2)
	wide := tensor.Zeros(dtype.Float64, 2, 2)
	must(t, tensor.Into(wide, kernels.Softmax.With(along1), x))
	wantData(t, wide, tensor.Shape{2, 2}, 0.5, 0.5, 0.5, 0.5)
	must(t, tensor.Into(wide.T(), kernels.Softmax, x))
	wantError(t, tensor.Into(tensor.Zeros(dtype.Int32, 2, 2), kernels.Softmax, x), nil, "softmax: cannot write float32 into int32")
	wantError(t, tensor.Into(tensor.Zeros(dtype.Float32, 3, 2, 2), kernels.Softmax, x), nil, "the result has shape (2, 2), the destination (3, 2, 2)")
	wantError(t, tensor.Into(tensor.Zeros(dtype.Float32, 2, 1).BroadcastTo(2, 2), kernels.Softmax, x), tensor.ErrShared)
	var shape *broadcast.ShapeError
	if err := tensor.Into(x, kernels.LogSumExp.With(along1), x); !errors.As(err, &shape) {
		t.Errorf("%v is not a ShapeError", err)
	}
}

// failingPiece is a device that fails one launch of a kind.
type failingPiece struct {
	device.Base
	device.Device
	launches, fail int
}

func (d *failingPiece) Run(l *device.Launch) error {
	if d.launches++; d.launches == d.fail {
		return errors.New("no more")
	}
	return d.Device.Run(l)
}

// Whichever launch of an operation fails, nothing has been written.
func TestAFailedPieceWritesNothing(t *testing.T) {
	for launch := 1; launch <= 3; launch++ {
		dev := &failingPiece{Device: cpu.Default()}
		x := normal32(3, 50).To(cpu.Default())
		on := tensor.On(dev).Zeros(dtype.Float32, 3, 50)
		must(t, on.Fill(2))
		dev.launches, dev.fail = 0, launch
		err := tensor.Into(on, kernels.Softmax.With(along1), on)
		wantError(t, err, nil, "softmax: no more")
		dev.fail = 0
		for _, v := range data[float32](t, on) {
			if v != 2 {
				t.Fatalf("launch %d failed, and an element is %v", launch, v)
			}
		}
		if x.Softmax(1).Err() != nil {
			t.Error(x.Err())
		}
	}
}

// Temporaries are in the price, and what is priced is what is allocated, in
// one block.
func TestPriceOfTemporaries(t *testing.T) {
	dev := &counting{Device: cpu.Default(), MatMuler: cpu.Default()}
	x := tensor.On(dev).Ones(dtype.Float32, 100, 2050)
	for name, c := range map[string]struct {
		op   kernels.Op
		in   []*tensor.Tensor
		want tensor.Cost
	}{
		"softmax":   {kernels.Softmax, []*tensor.Tensor{x}, tensor.Cost{Result: 4 * 100 * 2050, Scratch: 2*448 + 100*3*4}},
		"logsumexp": {kernels.LogSumExp, []*tensor.Tensor{x}, tensor.Cost{Result: 400, Scratch: 2*448 + 128 + 100*3*4}}, // and a bool: whether it is finite
		"var":       {kernels.Var, []*tensor.Tensor{x, tensor.Scalar(1)}, tensor.Cost{Result: 400, Scratch: 448 + 100*3*4}},
	} {
		dev.bytes = 0
		got, err := tensor.PriceOf(c.op.With(along1), c.in...)
		if got != c.want || err != nil || dev.bytes != 0 {
			t.Errorf("%s: %+v, %v, want %+v; pricing allocated %d", name, got, err, c.want, dev.bytes)
		}
		out := x.Shape()
		if c.op != kernels.Softmax {
			out = out[:1]
		}
		dst := tensor.On(dev).Zeros(dtype.Float32, out...)
		dev.bytes = 0
		must(t, tensor.Into(dst, c.op.With(along1), c.in...))
		if dev.bytes != c.want.Scratch {
			t.Errorf("%s: running allocated %d bytes, want %d", name, dev.bytes, c.want.Scratch)
		}
	}
	empty := tensor.Zeros(dtype.Float32, 0, 3)
	if c, err := tensor.PriceOf(kernels.Softmax, empty); c != (tensor.Cost{}) || err != nil {
		t.Errorf("%+v, %v", c, err)
	}
	_, err := tensor.PriceOf(kernels.Softmax.With(kernels.Attr{Axes: kernels.Axes(5)}), x)
	wantError(t, err, nil, "softmax: axis 5 is out of range")
}

func TestCompositesConcurrently(t *testing.T) {
	x := normal32(30, 40)
	want := data[float32](t, x.Softmax(1))
	lag := x.To(lagging(t, devicetest.LagOptions{Seed: 3}))
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for range 20 {
				y := x
				if i%2 == 1 {
					y = lag
				}
				got, err := tensor.Data[float32](y.Softmax(1))
				if err != nil || !equal(got, want) {
					t.Error("another result", err)
					return
				}
			}
		})
	}
	wg.Wait()
}
