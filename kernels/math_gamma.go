package kernels

import (
	"math"

	"github.com/stride0/stride0/dtype"
)

// gammaFormat is what the gamma functions need to know of a float type: the
// polynomials of math_gamma_poly.go, constants in two parts, and 2^mantissa,
// from where on all numbers are integers.
type gammaFormat struct {
	float                                  dtype.DType
	lgamma, stirling, digamma, series      []float64
	logPi                                  float64
	zero, zeroLow, zeroLess1, zeroLess1Low float64 // of digamma, and 1 less
	whole                                  float64
}

var gammaFloat32 = gammaFormat{
	dtype.Float32, lgammaPoly32, stirlingPoly32, digammaPoly32, digammaSeries32,
	0x1.250d04p0,
	0x1.762d86p0, 0x1.ab5f2p-27, 0x1.d8b618p-2, 0x1.ab5f2p-27, 0x1p23,
}

var gammaFloat64 = gammaFormat{
	dtype.Float64, lgammaPoly64, stirlingPoly64, digammaPoly64, digammaSeries64,
	0x1.250d048e7a1bdp0,
	0x1.762d86356be3fp0, 0x1.b86a722197829p-54, 0x1.d8b618d5af8fep-2, -0x1.1e563779a1f5bp-56, 0x1p52,
}

func gammaOf(e *Emit, x V) *gammaFormat {
	if e.Type(x) == dtype.Float64 {
		return &gammaFloat64
	}
	return &gammaFloat32
}

func (f *gammaFormat) num(e *Emit, x float64) V { return e.Const(f.float, x) }

// fraction returns the distance d of a > 0 from the nearest integer, which is
// exact, and whether a is below that integer.
func (f *gammaFormat) fraction(e *Emit, a V) (d, below V) {
	whole := f.num(e, f.whole)
	a = e.Select(e.Lt(whole, a), whole, a)
	d = e.Sub(a, e.Sub(e.Add(a, whole), whole))
	return e.Abs(d), e.Lt(d, f.num(e, 0))
}

// sineOfTurn returns sine and cosine of πd for d from 0 to 1/2, each in two
// parts: from the one of d and 1/2 - d that is at most 1/4.
func (f *gammaFormat) sineOfTurn(e *Emit, d V) (sin, sinLow, cos, cosLow V) {
	trig, half := trigOf(e, d), f.num(e, 0.5)
	fold := e.Lt(f.num(e, 0.25), d)
	d = e.Select(fold, e.Sub(half, d), d)
	pi := f.num(e, 2*trig.halfPi)
	r := e.Fma(d, pi, f.num(e, 0)) // as in turn
	rl := e.Fma(d, f.num(e, 2*trig.halfPiLo), e.Fma(d, pi, e.Neg(r)))
	var t turned
	trig.kernels(e, r, rl, &t)
	return e.Select(fold, t.cos, t.sin), e.Select(fold, t.cosLow, t.sinLow),
		e.Select(fold, t.sin, t.cos), e.Select(fold, t.sinLow, t.cosLow)
}

// lgamma is the logarithm of |Γ(x)|. Near its zeros at 1 and 2 it is as
// accurate as elsewhere; near those of negative x the error is that of the
// terms of the reflection log(π/|x sin πx|) - lgamma(-x). It is infinite at
// zero and the negative integers.
func lgamma(e *Emit, x V) V {
	f := gammaOf(e, x)
	inf := f.num(e, math.Inf(1))
	reflect := e.Lt(x, f.num(e, -0.125))
	v := e.Select(reflect, e.Neg(x), x)
	y := f.logGamma(e, v)
	y = e.Select(e.Eq(x, f.num(e, 0)), inf, y)

	d, _ := f.fraction(e, e.Abs(x))
	sine, sineLow, _, _ := f.sineOfTurn(e, d)
	log := logFormatOf(e, x).log(e, e.Mul(e.Abs(x), e.Add(sine, sineLow)))
	left := e.Sub(e.Sub(e.Sub(f.num(e, f.logPi), log.hi), log.lo), y)
	left = e.Select(e.Eq(d, f.num(e, 0)), inf, left)
	return e.Select(reflect, left, y)
}

// logGamma is lgamma for v > -1/8. Between 7/8 and 17/8 it is
// (v-1) (v-2) P(v), below that lgamma(v+1) - log |v|; up to 8 it is led back
// by lgamma(y+1) = lgamma(y) + log y, and from there on Stirling's formula.
func (f *gammaFormat) logGamma(e *Emit, v V) V {
	one := f.num(e, 1)
	low, high := e.Lt(v, f.num(e, 0.875)), e.Le(f.num(e, 8), v)
	y, product := v, one
	for range 6 { // at least 17/8 and below 8: at most 6 steps
		less := e.Sub(y, one)
		step := e.Le(f.num(e, 2.125), y)
		product = e.Select(step, e.Mul(product, less), product)
		y = e.Select(step, less, y)
	}
	first := e.Select(low, v, e.Sub(y, one))
	zeros := e.Mul(first, e.Sub(first, one))
	poly := e.Horner(e.Sub(first, f.num(e, 0.5)), f.lgamma)

	log := logFormatOf(e, v).log(e, e.Select(low, e.Abs(v), e.Select(high, v, product)))
	sign := func(x V) V { return e.Select(low, e.Neg(x), x) }
	near := e.Add(sign(log.hi), e.Fma(zeros, poly, sign(log.lo)))
	return e.Select(high, f.stirlingFormula(e, v, log), near)
}

// stirlingFormula is (v-1/2) (log v - 1) + (log 2π - 1)/2 + S(1/v²)/v, where
// log v - 1 is exact but for the low part of the logarithm; infinite where v is.
func (f *gammaFormat) stirlingFormula(e *Emit, v V, log two) V {
	inverse := e.Div(f.num(e, 1), v)
	rest := e.Fma(e.Horner(e.Mul(inverse, inverse), f.stirling), inverse, f.num(e, stirlingConstant))
	shifted := e.Sub(v, f.num(e, 0.5))
	r := e.Fma(shifted, e.Sub(log.hi, f.num(e, 1)), e.Fma(shifted, log.lo, rest))
	return e.Select(e.Eq(v, f.num(e, math.Inf(1))), v, r)
}

// stirlingConstant is (log 2π - 1) / 2.
const stirlingConstant = 0x1.acfe390c97d69p-2
