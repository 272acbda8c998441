package kernels

import (
	"math"
	"math/big"
)

// References of rows of three operands, and of extrema that ignore NaN.

// refFMA is exact and rounded once; where a factor is not finite, float64 has
// the same infinities and NaN.
func refFMA(x []float64) float64 {
	plain := x[0]*x[1] + x[2]
	switch finite := func(v float64) bool { return v-v == 0 }; {
	case !finite(x[0]) || !finite(x[1]):
		return plain
	case !finite(x[2]):
		return x[2]
	}
	z := new(big.Float).SetPrec(2*exactPrec).Mul(big.NewFloat(x[0]), big.NewFloat(x[1]))
	r, _ := z.Add(z, big.NewFloat(x[2])).Float64()
	if r == 0 && z.Sign() == 0 {
		return plain // which zero
	}
	return r
}

// refLerp is exact and rounded once. An infinite operand has a result only
// where the formula of the row needs no difference of infinities.
func refLerp(x []float64) float64 {
	a, b, w := x[0], x[1], x[2]
	for _, v := range x {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return plainLerp(a, b, w)
		}
	}
	big1 := func() *big.Float { return new(big.Float).SetPrec(2 * exactPrec) }
	d := big1().Sub(big.NewFloat(b), big.NewFloat(a))
	d.Add(d.Mul(d, big.NewFloat(w)), big.NewFloat(a))
	if d.Sign() == 0 {
		return plainLerp(a, b, w) // which zero
	}
	r, _ := d.Float64()
	return r
}

func plainLerp(a, b, w float64) float64 {
	switch {
	case (a < 0) != (b < 0):
		return w*b + (a - w*a)
	case w < 0.5:
		return a + w*(b-a)
	}
	return b + (w-1)*(b-a)
}

// lerpTerms is the magnitude of what lerp adds up.
func lerpTerms(x []float64) float64 {
	return math.Abs(x[0]) + max(1, math.Abs(x[2]))*(math.Abs(x[0])+math.Abs(x[1]))
}

func refNumber(x, y float64, extremum func(x, y float64) float64) float64 {
	switch {
	case math.IsNaN(x):
		return y
	case math.IsNaN(y):
		return x
	}
	return extremum(x, y)
}

func refClip[T float64 | int64 | uint64](x []T) T { return min(max(x[0], x[1]), x[2]) }

func refMaskedFill[T float64 | int64](x []T) T {
	if x[1] != 0 {
		return x[2]
	}
	return x[0]
}
