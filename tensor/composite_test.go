package tensor_test

import (
	"math"
	"testing"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
	"github.com/stride0/stride0/tensor"
)

// normal32 returns numbers around 0 as float32 with the given sizes.
func normal32(sizes ...int) *tensor.Tensor {
	return tensor.NewRand(7).Normal(dtype.Float32, sizes...).MulScalar(3)
}

// operandsOf are the operands of a row that reduces x: parameters are 1.
func operandsOf(op kernels.Op, x *tensor.Tensor) []*tensor.Tensor {
	in := []*tensor.Tensor{x}
	for len(in) < op.Row().Arity {
		in = append(in, tensor.Scalar(1))
	}
	return in
}

// applied returns op over axes of x into a fresh tensor, by Into: the shape is
// that of out.
func applied(t *testing.T, op kernels.Op, out tensor.Shape, x *tensor.Tensor, axes ...int) *tensor.Tensor {
	t.Helper()
	r := tensor.On(x.Device()).Zeros(x.DType(), out...)
	must(t, tensor.Into(r, op.With(kernels.Attr{Axes: kernels.Axes(axes...)}), operandsOf(op, x)...))
	return r
}

// Every composite, in float32 and float64, against the row's own reference.
// Errors are measured in units in the last place of the greatest number on the
// way: LogSumExp and LogSoftmax add what may cancel.
func TestCompositesAgreeWithTheirReference(t *testing.T) {
	const rows, n = 3, 1100
	x := tensor.NewRand(3).Normal(dtype.Float64, rows, n).MulScalar(4)
	for _, op := range []kernels.Op{kernels.NormL1, kernels.NormL2, kernels.NormInf, kernels.Var, kernels.Std, kernels.LogSumExp, kernels.Softmax, kernels.LogSoftmax, kernels.Standardize, kernels.RMSNormalize} {
		for _, d := range []dtype.DType{dtype.Float32, dtype.Float64} {
			unit, bound, y := 0x1p-52, op.Row().Bound.Float64, x.Cast(d)
			if d == dtype.Float32 {
				unit, bound = 0x1p-23, op.Row().Bound.Float32
			}
			full := op >= kernels.Softmax
			out := tensor.Shape{rows}
			if full {
				out = y.Shape()
			}
			in, got := data[float64](t, y.Cast(dtype.Float64)), data[float64](t, applied(t, op, out, y, 1).Cast(dtype.Float64))
			for i, g := range got {
				if full && i%811 != 0 {
					continue
				}
				var row []float64
				if full {
					at := i % n
					row = in[i/n*n:][:n:n]
					row = append([]float64{row[at]}, append(row[:at:at], row[at+1:]...)...)
				} else {
					row = in[i*n:][:n:n]
				}
				for range op.Row().Params {
					row = append(row, 1)
				}
				want := op.Row().Ref.Float(row)
				if off, most := math.Abs(g-want), bound*unit*max(math.Abs(want), greatest(op, row)); off > most {
					t.Fatalf("%v of %v, result %d: %v is %v from %v, %v is allowed", op, d, i, g, off, want, most)
				}
			}
		}
	}
}

// greatest returns the greatest number that the logarithms add, or the terms of a row.
func greatest(op kernels.Op, row []float64) (m float64) {
	if terms := op.Row().Terms; terms != nil {
		return terms(row)
	}
	if op == kernels.LogSumExp || op == kernels.LogSoftmax {
		for _, v := range row {
			m = max(m, math.Abs(v))
		}
	}
	return 2 * m
}

func TestLogSumExpOfAMaskedRow(t *testing.T) {
	x := tensor.New([]float32{1, 2, -inf, -inf, 1000, 1000, inf, inf, inf, -inf, -1e30, 1e30, nan, inf, -1000, -1000}, 8, 2)
	wantData(t, x.LogSumExp(1), tensor.Shape{8}, float32(2.3132617), -inf, 1000+math.Ln2, inf, inf, 1e30, nan, -1000+math.Ln2)
	wantData(t, tensor.New([]float32{5}).LogSumExp(), tensor.Shape{}, float32(5))
}

func TestSoftmaxIsStable(t *testing.T) {
	x := tensor.New([]float32{1000, 1000, -1e30, 1e30, -1000, -1000, -inf, 3, -inf, -inf, inf, 1, nan, 1}, 7, 2)
	wantData(t, x.Softmax(1), tensor.Shape{7, 2}, float32(0.5), 0.5, 0, 1, 0.5, 0.5, 0, 1, nan, nan, nan, nan, nan, nan)
	ln2 := float32(math.Ln2)
	wantData(t, x.LogSoftmax(-1), tensor.Shape{7, 2}, -ln2, -ln2, -2e30, 0, -ln2, -ln2, -inf, 0, nan, nan, nan, nan, nan, nan)
	wantData(t, tensor.Zeros(dtype.Float32, 2, 2).Softmax(), tensor.Shape{2, 2}, float32(0.25), 0.25, 0.25, 0.25)
	wantData(t, tensor.Zeros(dtype.Int32, 2, 2).Softmax(0, 1), tensor.Shape{2, 2}, float32(0.25), 0.25, 0.25, 0.25)
	wantData(t, tensor.Zeros(dtype.Float32, 3, 0).Softmax(1), tensor.Shape{3, 0}, []float32{}...)
	wantData(t, tensor.Zeros(dtype.Float32, 0, 3).LogSoftmax(1), tensor.Shape{0, 3}, []float32{}...)
	wantData(t, tensor.New([]float32{7}).Reshape().Softmax(-1), tensor.Shape{}, float32(1))
	wantError(t, x.Softmax(2).Err(), nil, "softmax: axis 2 is out of range", "composite_test.go")
	wantError(t, x.Softmax(0, -2).Err(), nil, "softmax: axis 0 is named twice")
}

func TestVarianceTakesTwoPasses(t *testing.T) {
	wantData(t, tensor.New([]float64{1e8, 1e8 + 1, 1e8 + 2}).Var(), tensor.Shape{}, 2.0/3)
	wantData(t, tensor.New([]float32{10000, 10001, 10002}).Var(), tensor.Shape{}, float32(2.0/3))
	wantData(t, tensor.Full(dtype.Float32, 1e8, 70_000).Std(), tensor.Shape{}, float32(0))
	wantData(t, tensor.New([]float32{1, inf}).Var(), tensor.Shape{}, nan)
}

func TestVarianceOfASample(t *testing.T) {
	x := tensor.New([]float32{1, 2, 3, 4, 6, 8}, 2, 3)
	one := tensor.VarOpts{Axes: []int{1}, Correction: 1}
	wantData(t, x.VarWith(one), tensor.Shape{2}, float32(1), 4)
	wantData(t, x.StdWith(one), tensor.Shape{2}, float32(1), 2)
	wantData(t, x.VarWith(tensor.VarOpts{Axes: []int{-1}, Correction: 0.5, Keep: true}), tensor.Shape{2, 1}, float32(0.8), 3.2)
	wantData(t, x.VarWith(tensor.VarOpts{Correction: 6}), tensor.Shape{}, inf)
	wantData(t, x.VarWith(tensor.VarOpts{Correction: 99}), tensor.Shape{}, inf)
	wantData(t, x.VarWith(tensor.VarOpts{Axes: []int{}, Correction: 1}), tensor.Shape{2, 3}, nan, nan, nan, nan, nan, nan)
	wantData(t, x.VarAxes(nil), tensor.Shape{2, 3}, make([]float32, 6)...)
	wantData(t, tensor.Scalar(3).Var().Cast(dtype.Float32), tensor.Shape{}, float32(0))
	wantError(t, tensor.Into(tensor.Zeros(dtype.Float32), kernels.Var, x, tensor.New([]float32{1})), nil, "var: correction is a tensor of shape (1); give a tensor.Scalar")
	wantError(t, tensor.Into(tensor.Zeros(dtype.Float32), kernels.Var, x), nil, "var: takes 2 operands, got 1")
}

// The sum of squares that overflows is Inf, as the documentation says.
func TestNormOfGreatNumbers(t *testing.T) {
	x := tensor.New([]float32{3e30, 4e30})
	wantData(t, x.NormL2(), tensor.Shape{}, inf)
	wantData(t, x.Cast(dtype.Float64).NormL2().Cast(dtype.Float32), tensor.Shape{}, float32(5e30))
	wantData(t, x.NormInf(), tensor.Shape{}, float32(4e30))
	wantData(t, tensor.New([]float32{-inf, nan}).NormInf(), tensor.Shape{}, nan)
}

// Numbers without a width stay so.
func TestCompositesOfScalars(t *testing.T) {
	for _, got := range []*tensor.Tensor{tensor.Scalar(3).NormL1(), tensor.Scalar(-3).NormInf(), tensor.Scalar(3).LogSumExp()} {
		if v, err := tensor.Item[float64](got); v != 3 || err != nil {
			t.Errorf("%v, %v", v, err)
		}
	}
}
