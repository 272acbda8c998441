package goldens_test

import (
	"math"
	"testing"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

// Casts agree with NumPy's, except where C leaves them undefined: there NaN is
// 0 and the rest saturates, on every device.
func TestCasts(t *testing.T) {
	ruled := 0
	for _, to := range names(t, "cast") {
		all := golden(t, "cast_to_"+to, dtype.Invalid) // of all operands, one after another
		d, from := all.DType(), 0
		for _, name := range names(t, "cast") {
			x := golden(t, "cast_"+name+"_x", dtype.Invalid)
			want := all.Slice(tensor.R(from, from+x.Size()))
			from += x.Size()
			if d.IsInteger() {
				ruled += equalIntegers(t, x, x.Cast(d), want)
			} else {
				equalFloats(t, x, x.Cast(d), want)
			}
		}
		if from != all.Size() {
			t.Errorf("the golden has %d casts to %v, want %d", all.Size(), d, from)
		}
	}
	if ruled == 0 {
		t.Error("no cast is undefined in C: the goldens lack them")
	}
}

// undefined reports whether C leaves the conversion of v to the integer type d
// undefined.
func undefined(d dtype.DType, v float64) bool {
	least, most := 0.0, math.Ldexp(1, 8*d.Size())
	if d.Kind() == dtype.IntKind {
		least, most = -most/2, most/2
	}
	v = math.Trunc(v)
	return !(v >= least && v < most)
}

// equalIntegers compares casts of x and returns how many C leaves undefined.
func equalIntegers(t *testing.T, x, got, want *tensor.Tensor) (ruled int) {
	t.Helper()
	g, w := whole(t, got), whole(t, want)
	for i, v := range values(t, x) {
		switch {
		case x.DType().IsFloat() && undefined(got.DType(), v):
			ruled++
		case g[i] != w[i]:
			t.Errorf("%v %v as %v is %d, the golden %d", x.DType(), v, got.DType(), int64(g[i]), int64(w[i]))
		}
	}
	return ruled
}

func equalFloats(t *testing.T, x, got, want *tensor.Tensor) {
	t.Helper()
	g, in := values(t, got), values(t, x)
	for i, w := range values(t, want) {
		if units(got.DType(), g[i], w) != 0 {
			t.Errorf("%v %v as %v is %v, the golden %v", x.DType(), in[i], got.DType(), g[i], w)
		}
	}
}

// Where NumPy's answer depends on the machine, casts saturate and NaN is 0.
func TestCastsThatCLeavesUndefined(t *testing.T) {
	x := tensor.New([]float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e300, -3, 300.7})
	for d, want := range map[dtype.DType][]int64{
		dtype.Int8:   {0, 127, -128, 127, -3, 127},
		dtype.Uint8:  {0, 255, 0, 255, 0, 255},
		dtype.Int32:  {0, math.MaxInt32, math.MinInt32, math.MaxInt32, -3, 300},
		dtype.Uint32: {0, math.MaxUint32, 0, math.MaxUint32, 0, 300},
		dtype.Int64:  {0, math.MaxInt64, math.MinInt64, math.MaxInt64, -3, 300},
	} {
		for i, v := range whole(t, x.Cast(d)) {
			if int64(v) != want[i] {
				t.Errorf("element %d as %v is %d, want %d", i, d, int64(v), want[i])
			}
		}
	}
}
