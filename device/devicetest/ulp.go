package devicetest

import (
	"fmt"
	"math"

	"github.com/stride0/stride0/dtype"
)

// ulps returns how far the element got of a float type is from want, in units
// in the last place of want. Equal NaNs and infinities are 0 apart; a NaN or
// an infinity on one side only is infinitely far, except that an infinity
// counts as the next power of two where want is close to overflow.
func ulps(d dtype.DType, got uint64, want float64) float64 {
	g := toFloat(d, got)
	switch {
	case math.IsNaN(want) && math.IsNaN(g), g == want:
		return 0
	case math.IsNaN(want) || math.IsNaN(g):
		return math.Inf(1)
	}
	if r := toFloat(d, fromFloat(d, want)); math.IsInf(r, 0) && r == g {
		return 0
	}
	digits, least, top := precision(d)
	if math.IsInf(want, 0) {
		return math.Inf(1)
	}
	exp := min(max(exponent(want), least), top)
	unit := 1 - digits + exp
	if math.IsInf(g, 0) {
		g, want = math.Copysign(1, g), math.Ldexp(want, -top-1)
		return math.Abs(math.Ldexp(g-want, top+1-unit))
	}
	return math.Abs(math.Ldexp(g, -unit) - math.Ldexp(want, -unit))
}

// precision returns the digits of a float type's significand and the least and
// greatest exponents of its normal numbers.
func precision(d dtype.DType) (digits, least, top int) {
	switch d {
	case dtype.Float16:
		return 11, -14, 15
	case dtype.BFloat16:
		return 8, -126, 127
	case dtype.Float32:
		return 24, -126, 127
	}
	return 53, -1022, 1023
}

// exponent returns the e for which 2^e <= |x| < 2^(e+1), one below all others
// for 0.
func exponent(x float64) int {
	if x == 0 {
		return -1100
	}
	_, e := math.Frexp(x)
	return e - 1
}

// show prints an element with its bits.
func show(d dtype.DType, v uint64) string {
	if d.IsFloat() {
		return fmt.Sprintf("%v (%#x)", toFloat(d, v), v)
	}
	if d == dtype.Uint64 {
		return fmt.Sprint(v)
	}
	return fmt.Sprint(toInt(d, v))
}
