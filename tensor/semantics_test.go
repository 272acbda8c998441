package tensor_test

import (
	"errors"
	"math"
	"testing"

	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
	"github.com/stride0/stride0/tensor"
)

var (
	nan    = float32(math.NaN())
	inf    = float32(math.Inf(1))
	minus0 = float32(math.Copysign(0, -1))
)

func TestBroadcastSizes(t *testing.T) {
	for _, c := range []struct {
		name       string
		a, b, want []int
	}{
		{"one stretches down to none", []int{1}, []int{0}, []int{0}},
		{"none is not a wildcard", []int{0}, []int{2}, nil},
		{"none in front", []int{0, 3}, []int{2, 3}, nil},
		{"rank 0 acts as any shape", []int{}, []int{2, 3, 4}, []int{2, 3, 4}},
		{"both stretch to none", []int{0, 1}, []int{1, 0}, []int{0, 0}},
		{"none and many", []int{3, 0}, []int{3, 1}, []int{3, 0}},
		{"alternating", []int{2, 2, 2, 2, 1, 2}, []int{1, 2, 1, 2, 2, 2}, []int{2, 2, 2, 2, 2, 2}},
		{"missing axes", []int{8, 1, 6, 1}, []int{7, 1, 5}, []int{8, 7, 6, 5}},
		{"aligned at the right", []int{2, 3}, []int{2}, nil},
		{"rank 8", []int{1, 2, 1, 1, 2, 2, 2, 2}, []int{2, 2, 2, 2, 1, 2, 2, 1}, []int{2, 2, 2, 2, 2, 2, 2, 2}},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, b := tensor.Ones(dtype.Float32, c.a...), tensor.Ones(dtype.Float32, c.b...)
			for _, r := range []*tensor.Tensor{a.Add(b), b.Add(a)} {
				if c.want == nil {
					wantError(t, r.Err(), nil, "cannot broadcast")
				} else if !r.Shape().Equal(c.want) || r.Err() != nil {
					t.Errorf("%v + %v = %v (%v), want %v", c.a, c.b, r.Shape(), r.Err(), c.want)
				}
			}
		})
	}
}

func TestRank32AndBeyond(t *testing.T) {
	sizes := make([]int, broadcast.MaxRank)
	for i := range sizes {
		sizes[i] = 1
	}
	sizes[0], sizes[31] = 2, 3
	x := tensor.Ones(dtype.Float32, sizes...)
	y := x.Add(iota32(3))
	wantData(t, y, sizes, float32(1), 2, 3, 1, 2, 3)
	wantData(t, y.Sum(0), sizes[1:], float32(2), 4, 6)
	wantError(t, x.Unsqueeze(0).Err(), nil, "33")
	wantError(t, tensor.Zeros(dtype.Float32, append(sizes, 1)...).Err(), nil, "33")
}

func TestSizesOverflowBeforeAllocation(t *testing.T) {
	const big = math.MaxInt/2 + 1
	for _, sizes := range [][]int{{big, 4}, {big, big}, {big, 2, 0}, {-1}} {
		if x := tensor.Zeros(dtype.Float64, sizes...); x.Err() == nil {
			t.Errorf("Zeros(%v) has no error", sizes)
		}
	}
	var shape *broadcast.ShapeError
	column := tensor.Zeros(dtype.Uint8, 1, 1).BroadcastTo(big, 1)
	if r := column.Add(tensor.Zeros(dtype.Uint8, 1, 4)); !errors.As(r.Err(), &shape) {
		t.Errorf("more elements than an int counts: %v", r.Err())
	}
	wide := tensor.Zeros(dtype.Float64, 1).BroadcastTo(math.MaxInt / 4)
	if r := wide.Add(wide); !errors.As(r.Err(), &shape) {
		t.Errorf("more bytes than an int counts: %v", r.Err())
	}
}

func TestPromotionOfTensors(t *testing.T) {
	for _, c := range []struct{ a, b, add, div dtype.DType }{
		{dtype.Bool, dtype.Bool, dtype.Bool, dtype.Float32},
		{dtype.Bool, dtype.Uint8, dtype.Uint8, dtype.Float32},
		{dtype.Uint8, dtype.Int32, dtype.Int32, dtype.Float32},
		{dtype.Int32, dtype.Int64, dtype.Int64, dtype.Float32},
		{dtype.Int64, dtype.Float32, dtype.Float32, dtype.Float32},
		{dtype.Float32, dtype.Float64, dtype.Float64, dtype.Float64},
		{dtype.Bool, dtype.Float64, dtype.Float64, dtype.Float64},
	} {
		for _, sizes := range [][]int{{}, {2}, {2, 1}} { // the rank does not matter
			a, b := tensor.Ones(c.a, 2), tensor.Ones(c.b, sizes...)
			if got := a.Add(b).DType(); got != c.add {
				t.Errorf("%v + %v%v = %v, want %v", c.a, c.b, sizes, got, c.add)
			}
			if got := b.Add(a).DType(); got != c.add {
				t.Errorf("%v%v + %v = %v, want %v", c.b, sizes, c.a, got, c.add)
			}
			if got := a.Div(b).DType(); got != c.div {
				t.Errorf("%v / %v%v = %v, want %v", c.a, c.b, sizes, got, c.div)
			}
			if got := a.Lt(b).DType(); got != dtype.Bool {
				t.Errorf("%v < %v = %v", c.a, c.b, got)
			}
		}
	}
}

func TestIntegersWrap(t *testing.T) {
	u := tensor.New([]uint8{255, 0, 200})
	wantData(t, u.AddScalar(1), tensor.Shape{3}, uint8(0), 1, 201)
	wantData(t, u.SubScalar(1), tensor.Shape{3}, uint8(254), 255, 199)
	least := tensor.New([]int32{math.MinInt32})
	wantData(t, least.Neg(), tensor.Shape{1}, int32(math.MinInt32))
	wantData(t, least.Abs(), tensor.Shape{1}, int32(math.MinInt32))
	wantData(t, tensor.New([]int64{math.MaxInt64}).AddScalar(1), tensor.Shape{1}, int64(math.MinInt64))
}

func TestBools(t *testing.T) {
	a, b := tensor.New([]bool{false, false, true, true}), tensor.New([]bool{false, true, false, true})
	wantData(t, a.Add(b), tensor.Shape{4}, false, true, true, true)
	wantData(t, a.Mul(b), tensor.Shape{4}, false, false, false, true)
	wantError(t, a.Sub(b).Err(), nil, "sub", "bool")
	wantError(t, a.Neg().Err(), nil, "neg", "bool")
	wantData(t, a.Sum(), tensor.Shape{}, int64(2))
	wantData(t, a.Mean(), tensor.Shape{}, float32(0.5))
}

func TestExtremesAndNaN(t *testing.T) {
	a := tensor.New([]float32{1, nan, 3, minus0, 0})
	b := tensor.New([]float32{nan, 2, 4, 0, minus0})
	wantData(t, a.Maximum(b), tensor.Shape{5}, nan, nan, 4, 0, 0)
	wantData(t, a.Minimum(b), tensor.Shape{5}, nan, nan, 3, minus0, minus0)
	wantData(t, tensor.New([]float32{minus0, nan, -1}).Relu(), tensor.Shape{3}, float32(0), nan, 0)
	wantData(t, tensor.New([]float32{minus0, minus0}).Sum(), tensor.Shape{}, float32(0))
	wantData(t, tensor.New([]float32{1, -1, 0}).Div(tensor.New([]float32{0, 0, 0})), tensor.Shape{3}, inf, -inf, nan)
	wantData(t, tensor.New([]float32{-1000, 1000}).Sigmoid(), tensor.Shape{2}, float32(0), 1)
	wantData(t, a.Max(), tensor.Shape{}, nan)
	wantData(t, tensor.New([]float32{1, nan, 3, nan}).ArgMax(), tensor.Shape{}, int64(1))
	wantData(t, tensor.New([]float32{minus0, 0}).ArgMax(), tensor.Shape{}, int64(0))
}

func TestCasts(t *testing.T) {
	f := tensor.New([]float32{-1.9, 300, nan, inf, -inf, 0, 0.1})
	wantData(t, f.Cast(dtype.Uint8), tensor.Shape{7}, uint8(0), 255, 0, 255, 0, 0, 0)
	wantData(t, f.Cast(dtype.Int32), tensor.Shape{7}, int32(-1), 300, 0, math.MaxInt32, math.MinInt32, 0, 0)
	wantData(t, f.Cast(dtype.Bool), tensor.Shape{7}, true, true, true, true, true, false, true)
	i := tensor.New([]int64{300, -1, 65536, 16777217})
	wantData(t, i.Cast(dtype.Uint8), tensor.Shape{4}, uint8(44), 255, 0, 1)
	wantData(t, i.Cast(dtype.Float32), tensor.Shape{4}, float32(300), -1, 65536, 16777216)
	if err := i.Cast(dtype.Invalid).Err(); err == nil {
		t.Error("a cast to no dtype has no error")
	}
	wantData(t, i.Cast(dtype.Uint32), tensor.Shape{4}, uint32(300), math.MaxUint32, 65536, 16777217)
	wantData(t, i.Cast(dtype.Int16), tensor.Shape{4}, int16(300), -1, 0, 1)
	wantData(t, i.Cast(dtype.BFloat16), tensor.Shape{4}, dtype.NewBF16(300), dtype.NewBF16(-1), dtype.NewBF16(65536), dtype.NewBF16(1<<24))
}

func TestReductionShapes(t *testing.T) {
	x := iota32(2, 3, 4)
	for _, c := range []struct {
		name string
		got  *tensor.Tensor
		want []int
	}{
		{"all", x.Sum(), []int{}},
		{"all kept", x.SumKeep(), []int{1, 1, 1}},
		{"two kept", x.SumKeep(0, 2), []int{1, 3, 1}},
		{"negative and positive", x.Sum(-1, 0), []int{3}},
		{"none", x.SumAxes([]int{}), []int{2, 3, 4}},
		{"listed", x.MeanAxes([]int{1}), []int{2, 4}},
		{"argmax of one", x.ArgMax(1), []int{2, 4}},
		{"argmax kept", x.ArgMaxKeep(-1), []int{2, 3, 1}},
		{"rank 0, axis 0", tensor.Ones(dtype.Float32).Sum(0), []int{}},
		{"rank 0, axis -1", tensor.Ones(dtype.Float32).Sum(-1), []int{}},
	} {
		if c.got.Err() != nil || !c.got.Shape().Equal(c.want) {
			t.Errorf("%s: %v (%v), want %v", c.name, c.got.Shape(), c.got.Err(), c.want)
		}
	}
	for name, r := range map[string]*tensor.Tensor{
		"sum: ":          x.Sum(3),
		"sum: axis":      x.Sum(-4),
		"named twice":    x.Sum(0, 0),
		"twice (as":      x.Sum(1, -2),
		"is not defined": x.ArgMax(0, 1),
		"out of range":   tensor.Ones(dtype.Float32).Sum(1),
	} {
		wantError(t, r.Err(), nil, name)
	}
	wantData(t, x.ArgMax(), tensor.Shape{}, int64(23))
	wantData(t, x.ArgMax(0, 1, 2), tensor.Shape{}, int64(23))
}

func TestReductionValues(t *testing.T) {
	m := tensor.New([]float32{1, 2, 3, 4, 5, 6}, 2, 3)
	wantData(t, m.Sum(0), tensor.Shape{3}, float32(5), 7, 9)
	wantData(t, m.T().Sum(1), tensor.Shape{3}, float32(5), 7, 9)
	wantData(t, m.Mean(1), tensor.Shape{2}, float32(2), 5)
	wantData(t, m.Flip(1).Max(0), tensor.Shape{3}, float32(6), 5, 4)
	wantData(t, m.Flip(1).ArgMax(1), tensor.Shape{2}, int64(0), 0)
	wantData(t, tensor.Ones(dtype.Uint8, 300).Sum(), tensor.Shape{}, uint64(300))
	wantData(t, tensor.New([]int32{math.MaxInt32, 1}).Sum(), tensor.Shape{}, int64(math.MaxInt32)+1)
	wantData(t, tensor.New([]int32{1, 2}).Mean(), tensor.Shape{}, float32(1.5))
}

func TestEmptyReductions(t *testing.T) {
	e := tensor.Zeros(dtype.Float32, 0, 5)
	wantData(t, e.Sum(0), tensor.Shape{5}, float32(0), 0, 0, 0, 0)
	wantData(t, e.Sum(), tensor.Shape{}, float32(0))
	wantData(t, e.Mean(), tensor.Shape{}, nan)
	wantData[float32](t, e.Sum(1), tensor.Shape{0})
	wantData[float32](t, e.Max(1), tensor.Shape{0})
	wantError(t, e.Max(0).Err(), nil, "max", "axis -2", "size 0")
	wantError(t, e.ArgMax().Err(), nil, "argmax", "size 0")
	wantError(t, tensor.Zeros(dtype.Float32, 0, 0, 5).Max(1).Err(), nil, "max")
}

func TestWhere(t *testing.T) {
	c := tensor.New([]bool{true, false}, 2, 1)
	wantData(t, c.Where(tensor.New([]float32{1, 2, 3}), tensor.Scalar(0)), tensor.Shape{2, 3}, float32(1), 2, 3, 0, 0, 0)
	wantData(t, c.Where(tensor.Scalar(1), tensor.Scalar(2)), tensor.Shape{2, 1}, int64(1), 2)
	wantData(t, c.Where(tensor.Scalar(1.5), tensor.Scalar(2)), tensor.Shape{2, 1}, float32(1.5), 2)
	wantData(t, tensor.Scalar(true).Where(iota32(2), tensor.Scalar(9)), tensor.Shape{2}, float32(0), 1)
	wantError(t, iota32(2).Where(c, c).Err(), nil, "where", "bool")
}

func TestNAryPromotionIgnoresOrder(t *testing.T) {
	c := tensor.New([]bool{true})
	i, f := tensor.New([]int64{1}), tensor.New([]float32{2})
	if a, b := c.Where(i, f).DType(), c.Where(f, i).DType(); a != dtype.Float32 || b != a {
		t.Errorf("where promotes to %v and %v", a, b)
	}
}

func TestIntoIsAnyOperation(t *testing.T) {
	x := iota32(2, 3)
	dst := tensor.Zeros(dtype.Float32, 3)
	if err := tensor.Into(dst, kernels.Sum.With(kernels.Attr{Axes: kernels.Axes(0)}), x); err != nil {
		t.Fatal(err)
	}
	wantData(t, dst, tensor.Shape{3}, float32(3), 5, 7)
	all := tensor.Zeros(dtype.Float64)
	if err := tensor.Into(all, kernels.Mean, x); err != nil {
		t.Fatal(err)
	}
	wantData(t, all, tensor.Shape{}, 2.5)
}
