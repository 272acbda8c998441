package tensor_test

import (
	"errors"
	"math"
	"os"
	"testing"

	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
	"github.com/stride0/stride0/tensor"
)

// reductions are the methods that give one value for many elements.
var reductions = map[string]struct {
	all  func(t *tensor.Tensor, axes ...int) *tensor.Tensor
	keep func(t *tensor.Tensor, axes ...int) *tensor.Tensor
	list func(t *tensor.Tensor, axes []int) *tensor.Tensor
}{
	"sum":          {(*tensor.Tensor).Sum, (*tensor.Tensor).SumKeep, (*tensor.Tensor).SumAxes},
	"mean":         {(*tensor.Tensor).Mean, (*tensor.Tensor).MeanKeep, (*tensor.Tensor).MeanAxes},
	"prod":         {(*tensor.Tensor).Prod, (*tensor.Tensor).ProdKeep, (*tensor.Tensor).ProdAxes},
	"max":          {(*tensor.Tensor).Max, (*tensor.Tensor).MaxKeep, (*tensor.Tensor).MaxAxes},
	"min":          {(*tensor.Tensor).Min, (*tensor.Tensor).MinKeep, (*tensor.Tensor).MinAxes},
	"any":          {(*tensor.Tensor).Any, (*tensor.Tensor).AnyKeep, (*tensor.Tensor).AnyAxes},
	"all":          {(*tensor.Tensor).All, (*tensor.Tensor).AllKeep, (*tensor.Tensor).AllAxes},
	"countnonzero": {(*tensor.Tensor).CountNonzero, (*tensor.Tensor).CountNonzeroKeep, (*tensor.Tensor).CountNonzeroAxes},
	"var":          {(*tensor.Tensor).Var, (*tensor.Tensor).VarKeep, (*tensor.Tensor).VarAxes},
	"std":          {(*tensor.Tensor).Std, (*tensor.Tensor).StdKeep, (*tensor.Tensor).StdAxes},
	"norml1":       {(*tensor.Tensor).NormL1, (*tensor.Tensor).NormL1Keep, (*tensor.Tensor).NormL1Axes},
	"norml2":       {(*tensor.Tensor).NormL2, (*tensor.Tensor).NormL2Keep, (*tensor.Tensor).NormL2Axes},
	"norminf":      {(*tensor.Tensor).NormInf, (*tensor.Tensor).NormInfKeep, (*tensor.Tensor).NormInfAxes},
	"logsumexp":    {(*tensor.Tensor).LogSumExp, (*tensor.Tensor).LogSumExpKeep, (*tensor.Tensor).LogSumExpAxes},
}

func empty(sizes ...int) *tensor.Tensor { return tensor.Zeros(dtype.Float32, sizes...) }

func TestReductionsOfNothing(t *testing.T) {
	scalar, none := tensor.Shape{}, empty(0)
	wantData(t, none.Sum(), scalar, float32(0))
	wantData(t, none.Prod(), scalar, float32(1))
	wantData(t, none.Any(), scalar, false)
	wantData(t, none.All(), scalar, true)
	wantData(t, none.CountNonzero(), scalar, int64(0))
	wantData(t, none.Mean(), scalar, nan)
	wantData(t, none.Var(), scalar, nan)
	wantData(t, none.Std(), scalar, nan)
	wantData(t, none.NormL1(), scalar, float32(0))
	wantData(t, none.NormL2(), scalar, float32(0))
	wantData(t, none.LogSumExp(), scalar, -inf)
	wantData(t, none.Softmax(), tensor.Shape{0}, []float32{}...)
	wantData(t, tensor.Zeros(dtype.Int32, 0).Prod(), scalar, int64(1))
	for name, x := range map[string]*tensor.Tensor{"max": none.Max(), "min": none.Min(), "argmax": none.ArgMax(), "argmin": none.ArgMin(), "norminf": none.NormInf()} {
		wantError(t, x.Err(), nil, name+": no elements to choose from", "check for an empty tensor")
	}
}

// The axis that is empty need not be the one that is reduced.
func TestMinOverTheOtherAxisOfAnEmptyArray(t *testing.T) {
	x := empty(0, 5)
	wantData(t, x.Sum(0), tensor.Shape{5}, float32(0), 0, 0, 0, 0)
	wantData(t, x.LogSumExp(0), tensor.Shape{5}, -inf, -inf, -inf, -inf, -inf)
	for name, r := range reductions {
		if got := r.all(x, 1); got.Err() != nil || !got.Shape().Equal(tensor.Shape{0}) {
			t.Errorf("%s over axis 1 of (0, 5): %v, %v", name, got.Shape(), got.Err())
		}
	}
	wantData(t, x.ArgMin(1), tensor.Shape{0}, []int64{}...)
	wantError(t, x.Min(0).Err(), nil, "axis -2 of (0, 5) has size 0")
	wantError(t, empty(0, 0, 5).Max(1).Err(), nil, "axis -2 of (0, 0, 5) has size 0")
}

func TestAxesOfReductions(t *testing.T) {
	x := iota32(2, 3, 4)
	for name, r := range reductions {
		for shape, got := range map[*tensor.Tensor][]int{
			r.all(x): {}, r.keep(x): {1, 1, 1}, r.keep(x, 0, 2): {1, 3, 1}, r.all(x, -1, 0): {3}, r.list(x, []int{}): {2, 3, 4}, r.list(x, []int{1}): {2, 4},
		} {
			if shape.Err() != nil || !shape.Shape().Equal(got) {
				t.Errorf("%s: shape %v (%v), want %v", name, shape.Shape(), shape.Err(), got)
			}
		}
		for hint, bad := range map[string]*tensor.Tensor{
			"named twice": r.all(x, 0, 0), "axis 0 is named twice (as 0 and -3)": r.all(x, 0, -3), "axis 3 is out of range": r.all(x, 3),
			"axis -4 is out of range": r.keep(x, -4), "an axis is outside": r.list(x, []int{99}),
		} {
			wantError(t, bad.Err(), nil, name+": ", hint)
		}
		one := tensor.New([]float32{3}).Reshape()
		if r.all(one, 0).Err() != nil || r.all(one, -1).Err() != nil {
			t.Errorf("%s: rank 0 has an axis 0 and -1: %v", name, r.all(one, 0).Err())
		}
		wantError(t, r.all(one, 1).Err(), nil, "axis 1 is out of range for rank 0")
	}
}

func TestSumOfATransposedTensor(t *testing.T) {
	x := tensor.New([]float32{1, 2, 3, 4, 5, 6}, 2, 3)
	wantData(t, x.T().Sum(1), tensor.Shape{3}, float32(5), 7, 9)
	wantData(t, x.T().Prod(0), tensor.Shape{2}, float32(6), 120)
	wantData(t, x.T().ArgMin(0), tensor.Shape{2}, int64(0), 0)
	wantData(t, x.T().Flip(0).ArgMin(0), tensor.Shape{2}, int64(2), 2)
}

func TestIntegersReduceWide(t *testing.T) {
	wantData(t, tensor.Ones(dtype.Uint8, 300).Sum(), tensor.Shape{}, uint64(300))
	wantData(t, tensor.Ones(dtype.Uint8, 300).Sum().Cast(dtype.Uint8), tensor.Shape{}, uint8(44)) // the sum in 8 bits
	wantData(t, tensor.New([]uint8{200, 200}).Prod(), tensor.Shape{}, uint64(40000))
	wantData(t, tensor.New([]int8{-128, 127}).Prod(), tensor.Shape{}, int64(-16256))
	wantData(t, tensor.New([]uint64{1 << 63, 5}).Min(), tensor.Shape{}, uint64(5))
	wantData(t, tensor.New([]uint64{1 << 63, 5}).ArgMin(), tensor.Shape{}, int64(1))
	wantData(t, tensor.New([]bool{true, false}).Prod(), tensor.Shape{}, int64(0))
	wantData(t, tensor.New([]int64{math.MaxInt64, 2}).Prod(), tensor.Shape{}, int64(-2))
	wantData(t, tensor.New([]bool{true, false}).Mean(), tensor.Shape{}, float32(0.5))
	wantData(t, tensor.New([]int32{math.MaxInt32, math.MaxInt32}).Mean(), tensor.Shape{}, float32(math.MaxInt32))
	wantData(t, tensor.New([]int32{math.MinInt32, 5}).Min(), tensor.Shape{}, int32(math.MinInt32))
	wantData(t, tensor.New([]int64{math.MinInt64, math.MaxInt64}).Max(), tensor.Shape{}, int64(math.MaxInt64))
	wantData(t, tensor.New([]uint8{255, 0}).Max(), tensor.Shape{}, uint8(255))
	wantData(t, tensor.New([]uint8{255, 7}).ArgMin(), tensor.Shape{}, int64(1))
	wantData(t, tensor.New([]bool{true, false}).Min(), tensor.Shape{}, false)
	wantData(t, tensor.New([]int32{1, 2, 3, 4}).Var(), tensor.Shape{}, float32(1.25))
	wantData(t, tensor.New([]int32{3, -4}).NormL2(), tensor.Shape{}, float32(5))
}

// Halves are reduced in float32 and rounded once, however many launches an
// operation takes.
func TestHalvesReduceInFloat32(t *testing.T) {
	wide := func(x *tensor.Tensor) *tensor.Tensor { return x.Cast(dtype.Float32) }
	wantData(t, wide(tensor.Ones(dtype.BFloat16, 1000).Sum()), tensor.Shape{}, float32(1000))
	great := tensor.Full(dtype.Float16, 32000, 4)
	wantData(t, wide(great.Mean()), tensor.Shape{}, float32(32000))
	wantData(t, wide(great.Std()), tensor.Shape{}, float32(0))
	wantData(t, wide(great.NormL2()), tensor.Shape{}, float32(64000))
	both := tensor.New([]float32{32000, 32000, -32000, -32000}).Cast(dtype.Float16)
	wantData(t, wide(both.Sum()), tensor.Shape{}, float32(0))
	for _, d := range []dtype.DType{dtype.Float16, dtype.BFloat16} {
		x := tensor.NewRand(9).Normal(dtype.Float32, 5, 60).Cast(d)
		for name, f := range map[string]func(x *tensor.Tensor) *tensor.Tensor{
			"softmax":   func(x *tensor.Tensor) *tensor.Tensor { return x.Softmax(1) },
			"logsumexp": func(x *tensor.Tensor) *tensor.Tensor { return x.LogSumExp(0) },
			"var":       func(x *tensor.Tensor) *tensor.Tensor { return x.Var(1) },
		} {
			got, want := f(x), f(wide(x)).Cast(d)
			if got.DType() != d {
				t.Errorf("%s of %v is %v", name, d, got.DType())
			}
			wantData(t, wide(got), want.Shape(), data[float32](t, wide(want))...)
		}
	}
}

// A NaN decides at every position, and on every path: within a row, in its
// tail, in rows side by side, in a tree of several blocks.
func TestNaNAnywhere(t *testing.T) {
	const n = 70
	for _, name := range []string{"sum", "mean", "prod", "max", "min", "var", "std", "norml1", "norml2", "norminf", "logsumexp"} {
		for at := range n {
			x := make([]float32, n)
			x[at] = nan
			line := tensor.New(x)
			wantData(t, reductions[name].all(line), tensor.Shape{}, nan)
			wantData(t, reductions[name].all(line.Unsqueeze(1).BroadcastTo(n, 40).Clone(), 0).Slice(tensor.R(39, 40)), tensor.Shape{1}, nan)
		}
		long := make([]float32, 3000)
		long[2999] = nan
		wantData(t, reductions[name].all(tensor.New(long)), tensor.Shape{}, nan)
	}
	all := tensor.Full(dtype.Float32, math.NaN(), 40)
	wantData(t, all.Min(), tensor.Shape{}, nan)
	wantData(t, all.ArgMin(), tensor.Shape{}, int64(0))
}

func TestPositionsTakeTheFirst(t *testing.T) {
	wantData(t, tensor.New([]float32{1, nan, -3, nan}).ArgMin(), tensor.Shape{}, int64(1))
	wantData(t, tensor.New([]float32{3, 1, 1}).ArgMin(), tensor.Shape{}, int64(1))
	wantData(t, tensor.New([]float32{0, minus0}).ArgMin(), tensor.Shape{}, int64(0))
	wantData(t, tensor.New([]float32{inf, inf}).ArgMin(), tensor.Shape{}, int64(0))
	wantData(t, iota32(2, 3).ArgMinKeep(), tensor.Shape{1, 1}, int64(0))
	wantError(t, iota32(2, 3, 4).ArgMin(0, 1).Err(), nil, "argmin: a position along several axes")
}

func TestSignedZeros(t *testing.T) {
	wantData(t, tensor.New([]float32{minus0, minus0}).Sum(), tensor.Shape{}, float32(0))
	wantData(t, tensor.New([]float32{0, minus0}).Min(), tensor.Shape{}, minus0)
	wantData(t, tensor.New([]float32{minus0, 0}).Max(), tensor.Shape{}, float32(0))
	wantData(t, tensor.New([]float32{minus0, 1}).Prod(), tensor.Shape{}, minus0)
	wantData(t, tensor.New([]float32{nan, minus0}).Any(), tensor.Shape{}, true)
	wantData(t, tensor.New([]float32{minus0, 0}).Any(), tensor.Shape{}, false)
	wantData(t, tensor.New([]float32{nan, minus0}).All(), tensor.Shape{}, false)
	wantData(t, tensor.New([]float32{nan, minus0, 2}).CountNonzero(), tensor.Shape{}, int64(2))
}

func TestErrorOfSumsDoesNotDependOnTheAxis(t *testing.T) {
	n := 300_000
	if os.Getenv("STRIDE0_FULL") == "1" {
		n = 20_000_000
	}
	ones := tensor.Ones(dtype.Float32, n, 2)
	wantData(t, ones.Mean(0), tensor.Shape{2}, float32(1), 1)
	wantData(t, ones.T().Mean(1), tensor.Shape{2}, float32(1), 1)
	wantData(t, ones.Var(0), tensor.Shape{2}, float32(0), 0)
	wantData(t, ones.CountNonzero(0), tensor.Shape{2}, int64(n), int64(n))
	tenth := tensor.Full(dtype.Float32, 0.1, 100_000)
	want := 100_000 * float64(float32(0.1))
	for _, x := range []*tensor.Tensor{tenth.Sum(), tenth.Reshape(2, -1).T().Sum(0).Sum(), tenth.Reshape(-1, 4).Sum(1).Sum()} {
		if got := data[float32](t, x)[0]; math.Abs(float64(got)-want) > 0.004 { // half a unit of 1e4 is 0.0005
			t.Errorf("%v, want %v", got, want)
		}
	}
}

// An axis of size 1 reduces nothing, whatever it stands beside: elements of a
// stretched tensor are far more than its memory.
func TestReducingAnAxisOfOneOfManyElements(t *testing.T) {
	x := tensor.Ones(dtype.Uint8, 1).BroadcastTo(8, 1, 128, 1, 2048)
	got := x.Sum(1)
	if s := got.Shape(); !s.Equal(tensor.Shape{8, 128, 1, 2048}) || got.Err() != nil {
		t.Fatal(s, got.Err())
	}
	wantData(t, got.Min(), tensor.Shape{}, uint64(1))
	wantData(t, x.Sum(), tensor.Shape{}, uint64(8*128*2048))
}

func TestTinyAndFewOutputs(t *testing.T) {
	x := iota32(1, 64, 128, 4)
	rgb := x.Slice(tensor.All, tensor.All, tensor.All, tensor.R(0, 3))
	want := make([]float32, 64*128)
	for i := range want {
		want[i] = (float32(4*i) + float32(4*i+2) + float32(4*i+1)) / 3
	}
	wantData(t, rgb.Mean(-1), tensor.Shape{1, 64, 128}, want...)
	wantData(t, rgb.Mean(), tensor.Shape{}, data[float32](t, rgb.Clone().Mean())...)
	wantData(t, tensor.Ones(dtype.Float32, 1<<16, 4).Sum(0), tensor.Shape{4}, float32(1<<16), 1<<16, 1<<16, 1<<16)
}

func TestEveryReductionIntoASliceOfItsInput(t *testing.T) {
	for name, r := range reductions {
		op, _ := kernels.OpByName(name)
		x := iota32(4, 3).AddScalar(1)
		if got := r.all(x, 1); got.DType() != x.DType() {
			continue
		}
		want := data[float32](t, r.all(x, 1))
		in := []*tensor.Tensor{x}
		if len(op.Row().Params) > 0 {
			in = append(in, tensor.Scalar(0))
		}
		column := x.Slice(tensor.All, tensor.R(1, 2))
		must(t, tensor.Into(column, op.With(kernels.Attr{Axes: kernels.Axes(1), Keep: true}), in...))
		wantData(t, column.Squeeze(), tensor.Shape{4}, want...)
		wantError(t, tensor.Into(x, op.With(kernels.Attr{Axes: kernels.Axes(1)}), in...), nil, name+": the result has shape (4), the destination (4, 3)")
		var shape *broadcast.ShapeError
		if err := tensor.Into(x, op, in...); !errors.As(err, &shape) {
			t.Errorf("%s: %v is not a ShapeError", name, err)
		}
	}
}

// What other libraries have as options of a reduction: a mask is Where with the
// identity, and an initial value one more place along the axis.
func TestReductionsOfAMaskAndOfAnInitialValue(t *testing.T) {
	x, low := iota32(2, 3), tensor.Scalar(math.Inf(-1))
	mask := tensor.New([]bool{true, false, true, false, false, false}, 2, 3)
	wantData(t, mask.Where(x, tensor.Scalar(0)).Sum(1), tensor.Shape{2}, float32(2), 0)
	wantData(t, mask.Where(x, low).Max(1), tensor.Shape{2}, float32(2), -inf)
	initial := tensor.PadOpts{Sides: [][2]int{{1, 0}, {0, 0}}, Value: math.Inf(-1)}
	wantData(t, empty(0, 3).Pad(initial).Max(0), tensor.Shape{3}, -inf, -inf, -inf)
	wantData(t, x.Pad(initial).Max(0), tensor.Shape{3}, float32(3), 4, 5)
}
