package tensor_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

func TestCumulative(t *testing.T) {
	x := tensor.New([]float32{1, 2, 3, 4, 5, 6}, 2, 3)
	exclusive, reverse, both := tensor.CumOpts{Exclusive: true}, tensor.CumOpts{Reverse: true}, tensor.CumOpts{Exclusive: true, Reverse: true}
	negZero := float32(math.Copysign(0, -1))
	for _, c := range []struct {
		name  string
		got   *tensor.Tensor
		shape tensor.Shape
		want  []float32
	}{
		{"along rows", x.CumSum(1), tensor.Shape{2, 3}, []float32{1, 3, 6, 4, 9, 15}},
		{"along columns", x.CumSum(0), tensor.Shape{2, 3}, []float32{1, 2, 3, 5, 7, 9}},
		{"exclusive", x.CumSum(-1, exclusive), tensor.Shape{2, 3}, []float32{0, 1, 3, 0, 4, 9}},
		{"reverse", x.CumSum(1, reverse), tensor.Shape{2, 3}, []float32{6, 5, 3, 15, 11, 6}},
		{"exclusive and reverse", x.CumSum(1, both), tensor.Shape{2, 3}, []float32{5, 3, 0, 11, 6, 0}},
		{"of a flipped transpose", x.T().Flip(0).CumSum(0), tensor.Shape{3, 2}, []float32{3, 6, 5, 11, 6, 15}},
		{"of a stretched view", tensor.New([]float32{2}).BroadcastTo(4).CumSum(0), tensor.Shape{4}, []float32{2, 4, 6, 8}},
		{"products", x.CumProd(1), tensor.Shape{2, 3}, []float32{1, 2, 6, 4, 20, 120}},
		{"products, exclusive and reverse", x.CumProd(0, both), tensor.Shape{2, 3}, []float32{4, 5, 6, 1, 1, 1}},
		{"maxima keep NaN", tensor.New([]float32{1, 3, nan, 9}).CumMax(0), tensor.Shape{4}, []float32{1, 3, nan, nan}},
		{"minima order zeros", tensor.New([]float32{0, negZero, 1}).CumMin(0), tensor.Shape{3}, []float32{0, negZero, negZero}},
		{"maxima, exclusive", tensor.New([]float32{1, 3}).CumMax(0, exclusive), tensor.Shape{2}, []float32{-inf, 1}},
		{"of -0", tensor.New([]float32{negZero, negZero}).CumSum(0), tensor.Shape{2}, []float32{0, 0}},
		{"no elements", tensor.Zeros(dtype.Float32, 2, 0).CumSum(1, reverse), tensor.Shape{2, 0}, nil},
		{"no lines", tensor.Zeros(dtype.Float32, 0, 3).CumSum(1), tensor.Shape{0, 3}, nil},
	} {
		t.Run(c.name, func(t *testing.T) { wantData(t, c.got, c.shape, c.want...) })
	}
	wantError(t, tensor.Full(dtype.Float32, 1).CumSum(0).Err(), nil, "cumsum: axis 0 is out of range for ()")
	wantError(t, x.CumSum(0, reverse, reverse).Err(), nil, "one at most")
}

// The dtype of a running sum is that of Sum; minima and maxima keep theirs.
func TestCumulativeDTypes(t *testing.T) {
	for _, d := range dtype.All() {
		x := tensor.New([]int{1, 0, 1}).Cast(d)
		for name, c := range map[string]struct {
			got  *tensor.Tensor
			want []int64
			d    dtype.DType
		}{
			"sum":  {x.CumSum(0), []int64{1, 1, 2}, x.Sum().DType()},
			"prod": {x.CumProd(0), []int64{1, 0, 0}, x.Sum().DType()},
			"max":  {x.CumMax(0), []int64{1, 1, 1}, d},
			"min":  {x.CumMin(0), []int64{1, 0, 0}, d},
		} {
			t.Run(name+" of "+d.String(), func(t *testing.T) {
				if c.got.DType() != c.d {
					t.Errorf("dtype %v, want %v", c.got.DType(), c.d)
				}
				wantData(t, c.got.Cast(dtype.Int64), tensor.Shape{3}, c.want...)
			})
		}
	}
	wantData(t, tensor.New([]uint8{200, 100}).CumSum(0), tensor.Shape{2}, uint64(200), 300)
	wantData(t, tensor.New([]int64{math.MaxInt64, 1}).CumSum(0), tensor.Shape{2}, int64(math.MaxInt64), math.MinInt64)
}

// Running sums of halves are rounded once each: in float16 alone this one
// would stay at 2048.
func TestCumSumOfHalvesRoundsOnce(t *testing.T) {
	x := tensor.Ones(dtype.Float16, 4096).CumSum(0)
	wantData(t, x.Slice(tensor.R(4095, tensor.End)), tensor.Shape{1}, dtype.NewF16(4096))
}

// Float32 accumulates in float64: a tenth, twenty million times, is off by no
// more than a rounding.
func TestCumSumKeepsSmallTerms(t *testing.T) {
	const n = 1 << 20
	x := tensor.New([]float32{0.1}).BroadcastTo(n).CumSum(0)
	wantData(t, x.Slice(tensor.R(n-1, tensor.End)), tensor.Shape{1}, float32(float64(float32(0.1))*n))
}

func TestSorts(t *testing.T) {
	negZero := float32(math.Copysign(0, -1))
	down := tensor.SortOpts{Descending: true}
	x := tensor.New([]float32{3, nan, 0, negZero, -inf, nan, negZero, 0, inf, 3})
	wantData(t, x.Sort(0), tensor.Shape{10}, -inf, 0, negZero, negZero, 0, 3, 3, inf, nan, nan)
	wantData(t, x.ArgSort(0), tensor.Shape{10}, int64(4), 2, 3, 6, 7, 0, 9, 8, 1, 5)
	wantData(t, x.Sort(0, down), tensor.Shape{10}, inf, 3, 3, 0, negZero, negZero, 0, -inf, nan, nan)
	wantData(t, x.ArgSort(0, down), tensor.Shape{10}, int64(8), 0, 9, 2, 3, 6, 7, 4, 1, 5)

	values, at := x.TopK(3, 0, true)
	wantData(t, values, tensor.Shape{3}, inf, 3, 3)
	wantData(t, at, tensor.Shape{3}, int64(8), 0, 9)
	values, at = x.TopK(9, -1, false)
	wantData(t, values, tensor.Shape{9}, -inf, 0, negZero, negZero, 0, 3, 3, inf, nan)
	wantData(t, at, tensor.Shape{9}, int64(4), 2, 3, 6, 7, 0, 9, 8, 1)

	m := tensor.New([]int32{5, 1, 4, 2, 9, 0}, 2, 3)
	wantData(t, m.Sort(0), tensor.Shape{2, 3}, int32(2), 1, 0, 5, 9, 4)
	wantData(t, m.T().Sort(1, down), tensor.Shape{3, 2}, int32(5), 2, 9, 1, 4, 0)
	wantData(t, m.TakeAlongAxis(1, m.ArgSort(1)), tensor.Shape{2, 3}, data[int32](t, m.Sort(1))...)
	wantData(t, tensor.New([]bool{true, false, true}).ArgSort(0), tensor.Shape{3}, int64(1), 0, 2)
	wantData(t, tensor.New([]uint64{1 << 63, 1, math.MaxUint64}).ArgSort(0), tensor.Shape{3}, int64(1), 0, 2)
	wantData(t, tensor.New([]int64{math.MinInt64, math.MaxInt64, -1}).Sort(0, down), tensor.Shape{3}, int64(math.MaxInt64), -1, math.MinInt64)
}

func TestSortsOfNothing(t *testing.T) {
	x := tensor.Zeros(dtype.Float32, 3, 0)
	wantData[float32](t, x.Sort(1), tensor.Shape{3, 0})
	wantData[int64](t, x.ArgSort(0), tensor.Shape{3, 0})
	values, at := iota32(3).TopK(0, 0, true)
	wantData[float32](t, values, tensor.Shape{0})
	wantData[int64](t, at, tensor.Shape{0})
}

func TestSortsRefuse(t *testing.T) {
	x := iota32(2, 3)
	wantError(t, x.Sort(2).Err(), nil, "sort: axis 2 is out of range for (2, 3); axes are -2 to 1")
	wantError(t, tensor.Scalar(1).ArgSort(0).Err(), nil, "argsort: axis 0")
	wantError(t, x.Sort(0, tensor.SortOpts{}, tensor.SortOpts{}).Err(), nil, "one at most")
	for _, k := range []int{-1, 4} {
		values, at := x.TopK(k, 1, true)
		wantError(t, values.Err(), nil, "topk: no "+itoa(k)+" elements along axis 1 of (2, 3)", "0 to 3", "order_test.go:")
		wantError(t, at.Err(), nil, "topk")
	}
	failed := x.Sort(2)
	if values, at := failed.TopK(1, 0, true); values != failed || at != failed {
		t.Error("a failed tensor is not returned as it is")
	}
}

// Sorting agrees with the standard library for lines of all lengths, through
// every way in which the device sorts, on every kind of device.
func TestSortOfRandomLines(t *testing.T) {
	for name, dev := range indexDevices(t) {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(11, 12))
			for _, n := range []int{1, 2, 17, 100, 255, 256, 1000} {
				v := make([]int32, 3*n)
				for i := range v {
					v[i] = rng.Int32N(int32(n)) - int32(n/2) // with ties
				}
				x := to(dev)(tensor.New(v, 3, n))
				var want []int32
				for r := range 3 {
					row := slices.Clone(v[r*n : (r+1)*n])
					slices.Sort(row)
					want = append(want, row...)
				}
				wantData(t, x.Sort(1), tensor.Shape{3, n}, want...)
				wantData(t, x.TakeAlongAxis(1, x.ArgSort(1)), tensor.Shape{3, n}, want...)
				few, _ := x.TopK(1+n/20, 1, false)
				wantData(t, few, tensor.Shape{3, 1 + n/20}, data[int32](t, tensor.New(want, 3, n).Slice(tensor.All, tensor.R(0, 1+n/20)))...)
			}
		})
	}
}
