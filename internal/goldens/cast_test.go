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
	for _, from := range names(t, "cast") {
		x := golden(t, "cast_"+from+"_x", dtype.Invalid)
		for _, to := range names(t, "cast") {
			want := golden(t, "cast_"+from+"_"+to, dtype.Invalid)
			d := want.DType()
			got := x.Cast(d)
			if !d.IsInteger() {
				equalFloats(t, from, to, x, got, want)
				continue
			}
			in, g, w := x, whole(t, got), whole(t, want)
			for i, v := range values(t, in) {
				if x.DType().IsFloat() && undefined(d, v) {
					ruled++
					continue
				}
				if g[i] != w[i] {
					t.Errorf("%v as %v of %v is %d, the golden %d", from, to, v, int64(g[i]), int64(w[i]))
				}
			}
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

func equalFloats(t *testing.T, from, to string, x, got, want *tensor.Tensor) {
	t.Helper()
	g, in := values(t, got), values(t, x)
	for i, w := range values(t, want) {
		if units(got.DType(), g[i], w) != 0 {
			t.Errorf("%v as %v of %v is %v, the golden %v", from, to, in[i], g[i], w)
		}
	}
}

// What SEMANTICS of casts says where NumPy's answer depends on the machine.
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
