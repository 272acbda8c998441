package tensor_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
	"github.com/stride0/stride0/tensor"
)

// comparisons are the six, with what they say of the sign of x - y.
var comparisons = []struct {
	name  string
	apply func(x, y *tensor.Tensor) *tensor.Tensor
	want  func(cmp int) bool
}{
	{"eq", (*tensor.Tensor).Eq, func(c int) bool { return c == 0 }},
	{"ne", (*tensor.Tensor).Ne, func(c int) bool { return c != 0 }},
	{"lt", (*tensor.Tensor).Lt, func(c int) bool { return c < 0 }},
	{"le", (*tensor.Tensor).Le, func(c int) bool { return c <= 0 }},
	{"gt", (*tensor.Tensor).Gt, func(c int) bool { return c > 0 }},
	{"ge", (*tensor.Tensor).Ge, func(c int) bool { return c >= 0 }},
}

// integersAtEdges returns the integers of type d around the limits of every
// integer type, as numbers and as a tensor.
func integersAtEdges(t *testing.T, d dtype.DType) (numbers []*big.Int, x *tensor.Tensor) {
	var u []uint64
	for _, shift := range []uint{0, 7, 8, 15, 16, 31, 32, 53, 63} {
		for off := -2; off <= 2; off++ {
			u = append(u, 1<<shift+uint64(int64(off)), -(1<<shift)+uint64(int64(off)))
		}
	}
	x = tensor.New(u).Cast(d)
	if d.Kind() == dtype.UintKind {
		for _, v := range data[uint64](t, x.Cast(dtype.Uint64)) {
			numbers = append(numbers, new(big.Int).SetUint64(v))
		}
		return numbers, x
	}
	for _, v := range data[int64](t, x.Cast(dtype.Int64)) {
		numbers = append(numbers, big.NewInt(v))
	}
	return numbers, x
}

// TestIntegersCompareExactly holds comparisons of all pairs of integer dtypes
// and bool to those of big integers.
func TestIntegersCompareExactly(t *testing.T) {
	for _, a := range dtype.All() {
		for _, b := range dtype.All() {
			if a.IsFloat() || b.IsFloat() {
				continue
			}
			xs, x := integersAtEdges(t, a)
			ys, y := integersAtEdges(t, b)
			for _, c := range comparisons {
				got := data[bool](t, c.apply(x.Unsqueeze(1), y))
				for i, v := range xs {
					for j, w := range ys {
						if want := c.want(v.Cmp(w)); got[i*len(ys)+j] != want {
							t.Fatalf("%s of %v %v and %v %v is %v", c.name, a, v, b, w, !want)
						}
					}
				}
			}
		}
	}
}

// TestIntegersCompareExactlyWithScalars does the same with weak scalars on
// either side, in and out of the range of the tensor, and with one another.
func TestIntegersCompareExactlyWithScalars(t *testing.T) {
	type weak struct {
		n *big.Int
		s *tensor.Tensor
	}
	var scalars []weak
	for _, v := range []int64{math.MinInt64, -1 << 40, -129, -128, -1, 0, 1, 127, 128, 255, 256, 65535, 65536, 1<<31 - 1, 1 << 31, math.MaxInt64} {
		scalars = append(scalars, weak{big.NewInt(v), tensor.Scalar(v)})
	}
	for _, v := range []uint64{1 << 63, 1<<63 + 1, math.MaxUint64} {
		scalars = append(scalars, weak{new(big.Int).SetUint64(v), tensor.Scalar(v)})
	}
	for _, c := range comparisons {
		for _, v := range scalars {
			for _, w := range scalars {
				if got := data[bool](t, c.apply(v.s, w.s))[0]; got != c.want(v.n.Cmp(w.n)) {
					t.Errorf("%s of the Scalars %v and %v is %v", c.name, v.n, w.n, got)
				}
			}
		}
		for _, d := range dtype.All() {
			if d.IsFloat() {
				continue
			}
			xs, x := integersAtEdges(t, d)
			for _, w := range scalars {
				left, right := data[bool](t, c.apply(x, w.s)), data[bool](t, c.apply(w.s, x))
				for i, v := range xs {
					if cmp := v.Cmp(w.n); left[i] != c.want(cmp) || right[i] != c.want(-cmp) {
						t.Fatalf("%s of %v %v and the Scalar %v: %v, the other way %v", c.name, d, v, w.n, left[i], right[i])
					}
				}
			}
		}
	}
}

// TestMixedComparisonsOnViewsAndInto compares uint64 with signed integers
// where operands are stretched and reversed and the result has a place.
func TestMixedComparisonsOnViewsAndInto(t *testing.T) {
	u := tensor.New([]uint64{0, 1 << 63, math.MaxUint64})
	i := tensor.New([]int64{math.MaxInt64, -1}, 2, 1)
	wantData(t, u.Flip(0).Gt(i), tensor.Shape{2, 3}, true, true, false, true, true, true)
	wantData(t, i.Lt(u), tensor.Shape{2, 3}, false, true, true, true, true, true)
	wantData(t, tensor.New([]int8{-1}).Eq(tensor.New([]uint64{math.MaxUint64})), tensor.Shape{1}, false)
	wantError(t, u.Add(i).Err(), nil, "add", "no integer type holds both", "cast one of them first")
	wantError(t, u.Maximum(i).Err(), nil, "maximum", "no integer type holds both")
	dst := tensor.Zeros(dtype.Float32, 2, 3)
	if err := tensor.Into(dst, kernels.Le, i, u); err != nil {
		t.Fatal(err)
	}
	wantData(t, dst, tensor.Shape{2, 3}, float32(0), 1, 1, 1, 1, 1)
}
