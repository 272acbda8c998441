package tensor_test

import (
	"slices"
	"testing"

	"github.com/stride0/stride0/cpu"
	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
	"github.com/stride0/stride0/tensor"
)

// into runs an operation into dst, which must work.
func into(t *testing.T, dst *tensor.Tensor, op kernels.Applied, in ...*tensor.Tensor) {
	t.Helper()
	if err := tensor.Into(dst, op, in...); err != nil {
		t.Fatal(err)
	}
}

func TestIntoBroadcastsTheInputsNeverTheDestination(t *testing.T) {
	dst := tensor.Zeros(dtype.Float32, 2, 3)
	into(t, dst, kernels.Add, iota32(3), tensor.New([]float32{10, 20}, 2, 1))
	wantData(t, dst, tensor.Shape{2, 3}, float32(10), 11, 12, 20, 21, 22)
	into(t, dst, kernels.Copy, tensor.New([]float32{7}))
	wantData(t, dst, tensor.Shape{2, 3}, float32(7), 7, 7, 7, 7, 7)

	small := tensor.New([]float32{1, 2, 3})
	wantError(t, tensor.Into(small, kernels.Add, small, dst), nil, "add", "(2, 3) into (3)", "never enlarged")
	wantData(t, small, tensor.Shape{3}, float32(1), 2, 3)
	column := tensor.New([]float32{1, 2, 3}, 3, 1)
	wantError(t, tensor.Into(column, kernels.Add, column, small), nil, "add: cannot write (3, 3) into (3, 1): a destination is never enlarged; "+
		"unsqueeze (3) at axis 1 to make it (3, 1), or write into a tensor of shape (3, 3) (")
	wantData(t, column, tensor.Shape{3, 1}, float32(1), 2, 3)
	one := tensor.Zeros(dtype.Float32, 1)
	wantError(t, tensor.Into(one, kernels.Add, one, tensor.Zeros(dtype.Float32, 0)), nil, "(0) into (1)")
	wantError(t, tensor.Into(dst, kernels.Add, iota32(2), dst), nil, "cannot broadcast")
}

func TestIntoNeverStretchesReductions(t *testing.T) {
	x := iota32(1, 10)
	keep := kernels.Attr{Axes: kernels.Axes(-1), Keep: true}
	dst := tensor.Zeros(dtype.Float32, 3, 1)
	wantError(t, tensor.Into(dst, kernels.Sum.With(keep), x), nil, "sum", "(1, 1)", "(3, 1)")
	wantData(t, dst, tensor.Shape{3, 1}, float32(0), 0, 0)
	into(t, dst.Slice(tensor.R(1, 2)), kernels.Sum.With(keep), x)
	wantData(t, dst, tensor.Shape{3, 1}, float32(0), 45, 0)
}

func TestIntoKeepsTheDType(t *testing.T) {
	i := tensor.New([]int32{4, 5})
	wantError(t, tensor.Into(i, kernels.Add, i, tensor.Scalar(1.5)), nil, "add", "float32 into int32")
	wantError(t, tensor.Into(i, kernels.Div, i, tensor.Scalar(2)), nil, "div", "float32 into int32")
	wantError(t, tensor.Into(tensor.Zeros(dtype.Uint8, 2), kernels.Add, i, i), nil, "int32 into uint8")
	wantError(t, tensor.Into(tensor.Zeros(dtype.Bool, 2), kernels.Copy, i), nil, "int32 into bool")
	wantData(t, i, tensor.Shape{2}, int32(4), 5)

	f := tensor.Zeros(dtype.Float32, 2)
	into(t, f, kernels.Add, tensor.New([]float64{1, 2}), i)
	wantData(t, f, tensor.Shape{2}, float32(5), 7)
	into(t, f, kernels.Lt, i, tensor.Scalar(5))
	wantData(t, f, tensor.Shape{2}, float32(1), 0)
	into(t, i, kernels.Add, i, tensor.New([]int64{1 << 32, 1}))
	wantData(t, i, tensor.Shape{2}, int32(4), 6)
}

func TestIntoTouchesItsOwnElementsOnly(t *testing.T) {
	base := tensor.Zeros(dtype.Float32, 3, 4)
	into(t, base.Slice(tensor.All, tensor.R(1, tensor.End, 2)), kernels.Copy, tensor.Scalar(1))
	wantData(t, base, tensor.Shape{3, 4}, float32(0), 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1)
	into(t, base.Index(0, -1).Flip(), kernels.Copy, iota32(4))
	wantData(t, base.Index(0, 2), tensor.Shape{4}, float32(3), 2, 1, 0)
}

func TestIntoRefusesSharedCells(t *testing.T) {
	x := tensor.Ones(dtype.Float32, 1, 1)
	wantError(t, tensor.Into(x.BroadcastTo(4, 5), kernels.Add, x, x), tensor.ErrShared, "add", "axis 0", "Clone")
	wantData(t, x, tensor.Shape{1, 1}, float32(1))
	into(t, x.BroadcastTo(4, 5).Slice(tensor.R(0, 1), tensor.R(0, 1)), kernels.Copy, tensor.Scalar(3))
	wantData(t, x, tensor.Shape{1, 1}, float32(3))
}

func TestIntoWrongCalls(t *testing.T) {
	x := iota32(2)
	wantError(t, tensor.Into(x, nil, x), nil, "nil operation")
	wantError(t, tensor.Into(x, kernels.Add, x), nil, "add", "takes 2 operands, got 1")
	wantError(t, tensor.Into(x, kernels.Add), nil, "takes 2 operands, got 0")
	wantError(t, tensor.Into(x, kernels.Op(63), x), nil, "no such operation")
	for _, attr := range []kernels.Attr{{Axes: kernels.Axes(0)}, {Axes: kernels.NoAxes}, {Keep: true}} {
		wantError(t, tensor.Into(x, kernels.Add.With(attr), x, x), nil, "add: ", "takes no Attr.Axes or Keep; leave them out")
	}
	for _, op := range []kernels.Op{kernels.Sum, kernels.Mean, kernels.Exp} {
		wantError(t, tensor.Into(x, op.With(kernels.Attr{DType: dtype.Float64}), x), nil, op.String()+": ", "Cast(dtype.Float64) the operands first")
	}
	wantError(t, tensor.Into(nil, kernels.Add, x, x), tensor.ErrEmpty, "add")
	wantError(t, tensor.Into(x, kernels.Add, x, nil), tensor.ErrEmpty, "add")
	wantError(t, tensor.Into(x, kernels.Add, x, x, x, x), nil, "got 4")
}

// Overlap: the result is as if all operands had been read first.

func TestAddTransposedToItself(t *testing.T) {
	for _, n := range []int{3, 100, 200} {
		x := iota32(n, n).Cast(dtype.Float64)
		into(t, x, kernels.Add, x, x.T())
		wantData(t, x.Sub(x.T()).Abs().Max(), tensor.Shape{}, 0.0)
		want := float64(n*n) * float64(n*n-1)
		wantData(t, x.Sum(), tensor.Shape{}, want)
		if n == 100 && want != 99_990_000 {
			t.Errorf("the sum to expect is %v", want)
		}
	}
}

func TestShiftedOperands(t *testing.T) {
	v := func() *tensor.Tensor { return tensor.Arange(dtype.Int64, 1, 11, 1) }
	head, tail := tensor.R(0, -1), tensor.R(1, tensor.End)

	a := v()
	into(t, a.Slice(tail), kernels.Add, a.Slice(tail), a.Slice(head))
	wantData(t, a, tensor.Shape{10}, int64(1), 3, 5, 7, 9, 11, 13, 15, 17, 19)
	b := v()
	into(t, b.Slice(head), kernels.Copy, b.Slice(tail))
	wantData(t, b, tensor.Shape{10}, int64(2), 3, 4, 5, 6, 7, 8, 9, 10, 10)
	c := v()
	into(t, c.Slice(tail), kernels.Copy, c.Slice(head))
	wantData(t, c, tensor.Shape{10}, int64(1), 1, 2, 3, 4, 5, 6, 7, 8, 9)
	d := tensor.Arange(dtype.Int64, 0, 10, 1)
	into(t, d, kernels.Neg, d.Flip())
	wantData(t, d, tensor.Shape{10}, int64(-9), -8, -7, -6, -5, -4, -3, -2, -1, 0)
}

func TestOperandInsideTheResult(t *testing.T) {
	x := tensor.New([]float32{1, 2, 3, 4, 5})
	into(t, x, kernels.Add, x, x.Slice(tensor.R(2, 3)))
	wantData(t, x, tensor.Shape{5}, float32(4), 5, 6, 7, 8)
	into(t, x, kernels.Div, x, x.Index(0, 0))
	wantData(t, x, tensor.Shape{5}, float32(1), 1.25, 1.5, 1.75, 2)
}

func TestBlockTransposedIntoItself(t *testing.T) {
	a := iota32(4, 4)
	block := a.Slice(tensor.R(0, 3), tensor.R(0, 3))
	into(t, block, kernels.Copy, block.T())
	wantData(t, a, tensor.Shape{4, 4}, float32(0), 4, 8, 3, 1, 5, 9, 7, 2, 6, 10, 11, 12, 13, 14, 15)
}

func TestEitherOperandIsTheResult(t *testing.T) {
	for name, c := range map[string]func(a, b *tensor.Tensor) (dst *tensor.Tensor){
		"left":  func(a, b *tensor.Tensor) *tensor.Tensor { return a },
		"right": func(a, b *tensor.Tensor) *tensor.Tensor { return b },
	} {
		a, b := tensor.New([]float32{1, 2, 3, 4}), tensor.New([]float32{2, 2, 3, 3})
		dst := c(a, b)
		into(t, dst, kernels.Div, a, b)
		if got, want := data[float32](t, dst), []float32{.5, 1, 1, 4.0 / 3}; !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	x := tensor.New([]float32{2, 4})
	into(t, x, kernels.Div, x, x)
	wantData(t, x, tensor.Shape{2}, float32(1), 1)
	into(t, x, kernels.Sub, tensor.Scalar(0), x)
	wantData(t, x, tensor.Shape{2}, float32(-1), -1)
}

func TestReduceIntoASliceOfTheInput(t *testing.T) {
	x := tensor.New([]float32{1, 2, 3, 4, 5, 6}, 2, 3)
	into(t, x.Index(0, 0), kernels.Sum.With(kernels.Attr{Axes: kernels.Axes(0)}), x)
	wantData(t, x, tensor.Shape{2, 3}, float32(5), 7, 9, 4, 5, 6)
	into(t, x, kernels.Sum.With(kernels.Attr{Axes: kernels.NoAxes}), x)
	wantData(t, x, tensor.Shape{2, 3}, float32(5), 7, 9, 4, 5, 6)
}

// Two tensors over one Go slice overlap as two views of one tensor do.
func TestOverlapOfTensorsOverOneSlice(t *testing.T) {
	s := []int64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	head, tail := tensor.FromSlice(s[:9]), tensor.FromSlice(s[1:])
	into(t, tail, kernels.Add, tail, head)
	wantData(t, tensor.FromSlice(s), tensor.Shape{10}, int64(1), 3, 5, 7, 9, 11, 13, 15, 17, 19)
	into(t, tensor.FromSlice(s[:5]), kernels.Copy, tensor.FromSlice(s[5:]))
	wantData(t, tensor.FromSlice(s[:5]), tensor.Shape{5}, int64(11), 13, 15, 17, 19)
}

func TestConditionOverlapsTheResult(t *testing.T) {
	m := tensor.New([]bool{true, false, true})
	into(t, m.Slice(tensor.R(1, 3)), kernels.Where, m.Slice(tensor.R(0, 2)), tensor.Scalar(false), tensor.Scalar(true))
	wantData(t, m, tensor.Shape{3}, true, false, true)
}

func TestOverlapCopiesAreCounted(t *testing.T) {
	copies := func() int64 { return device.Stats(cpu.Default()).OverlapCopies }
	x := iota32(4, 6)
	before := copies()
	into(t, x, kernels.Add, x, x)
	into(t, x.Slice(tensor.All, tensor.R(0, tensor.End, 2)), kernels.Neg, x.Slice(tensor.All, tensor.R(1, tensor.End, 2)))
	into(t, x.Slice(tensor.R(0, 2)), kernels.Add, x.Slice(tensor.R(2, 4)), x.Slice(tensor.R(0, 2)))
	if n := copies() - before; n != 0 {
		t.Errorf("%d copies for operands that do not overlap or coincide", n)
	}
	into(t, x, kernels.Add, x, x.Flip())
	if n := copies() - before; n != 1 {
		t.Errorf("%d copies for one overlapping operand, want 1", n)
	}
}
