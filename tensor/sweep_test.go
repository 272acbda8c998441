package tensor_test

import (
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/stride0/stride0/device"
	_ "github.com/stride0/stride0/device/all"
	"github.com/stride0/stride0/device/devicetest"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
	"github.com/stride0/stride0/tensor"
)

// TestEveryOpOnEveryView applies every operation of the table, at every dtype,
// to views, and to contiguous copies of these views: all results must have the
// same bits.
func TestEveryOpOnEveryView(t *testing.T) {
	for _, op := range kernels.Ops() {
		t.Run(op.String(), func(t *testing.T) {
			for _, d := range dtype.All() {
				sweep(t, cpuDevice(t), op, d)
			}
		})
	}
}

// TestEveryOpOnViewsOfOpenCL is the same on an OpenCL device, which compiles a
// kernel for each operation, dtypes and form: by default for one dtype each.
func TestEveryOpOnViewsOfOpenCL(t *testing.T) {
	dev := devicetest.Open(t, "opencl")
	all := dtype.All()
	for i, op := range kernels.Ops() {
		t.Run(op.String(), func(t *testing.T) {
			if os.Getenv("STRIDE0_FULL") != "1" {
				if i%8 != 0 {
					t.Skip("one operation in eight; all with STRIDE0_FULL=1")
				}
				all = []dtype.DType{dtype.Float32}
			}
			for _, d := range all {
				sweep(t, dev, op, d)
			}
		})
	}
}

func cpuDevice(t *testing.T) device.Device {
	dev, err := device.Open("cpu")
	if err != nil {
		t.Fatal(err)
	}
	return dev
}

// sweptViews make views of a tensor that is large enough for each.
var sweptViews = []struct {
	name string
	of   func(x *tensor.Tensor) *tensor.Tensor // x has shape (10, 12)
}{
	{"contiguous", func(x *tensor.Tensor) *tensor.Tensor { return x }},
	{"every second", func(x *tensor.Tensor) *tensor.Tensor { return x.Slice(tensor.All, tensor.R(1, tensor.End, 2)) }},
	{"both axes stepped", func(x *tensor.Tensor) *tensor.Tensor {
		return x.Slice(tensor.R(0, tensor.End, 2), tensor.R(0, tensor.End, 3))
	}},
	{"reversed", func(x *tensor.Tensor) *tensor.Tensor { return x.Flip(0, 1) }},
	{"last axis reversed", func(x *tensor.Tensor) *tensor.Tensor { return x.Flip(1) }},
	{"transposed", func(x *tensor.Tensor) *tensor.Tensor { return x.T() }},
	{"offset 1", func(x *tensor.Tensor) *tensor.Tensor { return x.Reshape(120).Slice(tensor.R(1, tensor.End, 1)) }},
	{"offset 2", func(x *tensor.Tensor) *tensor.Tensor { return x.Reshape(120).Slice(tensor.R(2, tensor.End, 1)) }},
	{"offset 3", func(x *tensor.Tensor) *tensor.Tensor { return x.Reshape(120).Slice(tensor.R(3, tensor.End, 1)) }},
	{"offset 5", func(x *tensor.Tensor) *tensor.Tensor { return x.Reshape(120).Slice(tensor.R(5, 68, 1)) }},
	{"offset 7", func(x *tensor.Tensor) *tensor.Tensor { return x.Reshape(120).Slice(tensor.R(7, 40, 1)) }},
	{"a row stretched", func(x *tensor.Tensor) *tensor.Tensor { return x.Index(0, 3).Expand(5, 12) }},
	{"a column stretched", func(x *tensor.Tensor) *tensor.Tensor { return x.Slice(tensor.All, tensor.R(2, 3, 1)).Expand(10, 7) }},
	{"stretched, transposed, sliced", func(x *tensor.Tensor) *tensor.Tensor {
		return x.Index(0, 3).Expand(5, 12).T().Slice(tensor.R(1, tensor.End, 2), tensor.All)
	}},
	{"a diagonal", func(x *tensor.Tensor) *tensor.Tensor { return x.Diagonal(1, 0, 1) }},
	{"rank 0", func(x *tensor.Tensor) *tensor.Tensor { return x.Index(0, 4).Index(0, 5) }},
	{"rank 8", func(x *tensor.Tensor) *tensor.Tensor {
		return x.Reshape(2, 1, 5, 3, 1, 2, 2, 1).Permute(3, 0, 1, 7, 2, 5, 4, 6)
	}},
	{"empty", func(x *tensor.Tensor) *tensor.Tensor { return x.Slice(tensor.R(2, 2, 1), tensor.All) }},
}

// sweep compares op on views with op on copies, at one dtype of operands.
func sweep(t *testing.T, dev device.Device, op kernels.Op, d dtype.DType) {
	row := op.Row()
	rng := rand.New(rand.NewPCG(uint64(op), uint64(d)))
	whole := make([]*tensor.Tensor, row.Arity)
	attrs := kernels.Attr{DType: dtype.Float32}
	for i := range whole {
		operand := d
		if i == 0 && row.Rule == kernels.RuleWhere || i == 1 && row.Rule == kernels.RuleMask {
			operand = dtype.Bool
		}
		whole[i] = anything(rng, operand).To(dev)
	}
	switch row.Rule {
	case kernels.RuleCast:
	case kernels.RuleBits:
		attrs.DType = signedOfSize(d)
	default:
		attrs.DType = dtype.Invalid
	}
	for _, v := range sweptViews {
		views, copies := make([]*tensor.Tensor, row.Arity), make([]*tensor.Tensor, row.Arity)
		for i, x := range whole {
			views[i] = v.of(x)
			copies[i] = views[i].Clone()
		}
		got, err := result(dev, op, attrs, views)
		want, wantErr := result(dev, op, attrs, copies)
		switch {
		case v.name == "empty" && err != nil && wantErr != nil: // the maximum of nothing
		case err != nil || wantErr != nil:
			t.Errorf("%v of %v %s: %v, of a copy: %v", op, d, v.name, err, wantErr)
		case got == nil: // the row does not take this dtype
		case !sameElements(t, got, want):
			t.Errorf("%v of %v %s:\n%v\nof a copy:\n%v", op, d, v.name, got, want)
		}
	}
}

// result applies op where it is defined for the operands, else it is nil.
// Reductions work over the last axis.
func result(dev device.Device, op kernels.Op, attr kernels.Attr, in []*tensor.Tensor) (*tensor.Tensor, error) {
	args := make([]kernels.Arg, len(in))
	for i, x := range in {
		args[i].DType = x.DType()
	}
	if rule := op.Row().Rule; rule == kernels.RuleArange || rule == kernels.RuleRandom {
		return nil, nil // they read an index, not a view
	}
	sig, err := kernels.Resolve(op, attr, args)
	if err != nil {
		return nil, nil
	}
	shape := in[0].Shape()
	if kept, reduces := keptShape(op, shape); reduces {
		shape, attr.Axes = kept, kernels.Axes(-1)
		in = operandsOf(op, in[0])
	} else if row := op.Row(); row.Expand != nil && len(row.Params) > 0 { // a value for every element, along axes
		attr.Axes, in = kernels.Axes(-1), operandsOf(op, in[0])
	}
	y := tensor.On(dev).Zeros(sig.Result, shape...)
	return y, tensor.Into(y, op.With(attr), in...)
}

// signedOfSize returns the signed integer type of d's size.
func signedOfSize(d dtype.DType) dtype.DType {
	for _, s := range []dtype.DType{dtype.Int8, dtype.Int16, dtype.Int32, dtype.Int64} {
		if s.Size() == d.Size() {
			return s
		}
	}
	return dtype.Invalid
}

// keptShape returns the shape of a reduction over the last axis, and whether
// op is one.
func keptShape(op kernels.Op, shape tensor.Shape) (tensor.Shape, bool) {
	b := kernels.NewBuilder()
	args := make([]kernels.Value, op.Row().Arity)
	for i := range args {
		args[i] = b.Input(dtype.Float32)
		if i > 0 && len(op.Row().Params) > 0 {
			args[i] = b.Scalar(dtype.Float32)
		}
	}
	if rule := op.Row().Rule; rule == kernels.RuleWhere || rule == kernels.RuleMask {
		return shape, false
	}
	v, err := b.Apply(op, kernels.Attr{DType: dtype.Float32}, args...)
	if err != nil {
		return shape, false
	}
	b.Output(v)
	p, err := b.Program()
	if err != nil || !p.Instrs[p.Outputs[0]].Reduced {
		return shape, false
	}
	return shape[:max(0, len(shape)-1)], true
}

// anything returns (10, 12) elements of d: special values and ordinary ones.
func anything(rng *rand.Rand, d dtype.DType) *tensor.Tensor {
	v := make([]float64, 120)
	special := []float64{0, math.Copysign(0, -1), 1, -1, 0.5, -0.5, 1.5, 2, 127, 128, 255, -128, 65504, 1e-40, -1e-40, 1e30, -1e30,
		72000, math.Inf(1), math.Inf(-1), math.NaN(), 0x1p31, -0x1p31, 0x1p63, math.Pi}
	for i := range v {
		if v[i] = rng.NormFloat64() * 20; rng.IntN(3) == 0 {
			v[i] = special[rng.IntN(len(special))]
		}
	}
	return tensor.New(v, 10, 12).Cast(d)
}
