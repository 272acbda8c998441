package kernels

import "math"

// digamma is the derivative of lgamma. Near its positive zero it is as
// accurate as elsewhere; for negative x, where ψ(-a) = ψ(a+1) + π cot πa, the
// error is that of these terms. It is NaN at the negative integers, -Inf at 0
// and +Inf at -0, as the poles are seen from there.
func digamma(e *Emit, x V) V {
	f := gammaOf(e, x)
	zero := f.num(e, 0)
	reflect := e.Lt(x, zero)
	a := e.Abs(x)
	y := f.psi(e, e.Select(reflect, a, x), reflect)

	d, below := f.fraction(e, a)
	sin, sinLow, cos, cosLow := f.sineOfTurn(e, d)
	cot := quotient(e, fastTwoSum(e, cos, cosLow), fastTwoSum(e, sin, sinLow))
	pi, piLow := f.num(e, 2*trigOf(e, x).halfPi), f.num(e, 2*trigOf(e, x).halfPiLo)
	rest := e.Fma(cot.hi, piLow, e.Mul(cot.lo, pi))
	rest = e.Select(e.Lt(cot.hi, f.num(e, math.Inf(1))), rest, zero)
	sign := func(v V) V { return e.Select(below, e.Neg(v), v) }
	left := e.Fma(sign(cot.hi), pi, e.Add(y, sign(rest)))
	left = e.Select(e.Eq(d, zero), f.num(e, math.NaN()), left)
	y = e.Select(e.Eq(x, zero), flipSign(e, f.num(e, math.Inf(-1)), x), y)
	return e.Select(reflect, left, y)
}

// psi is ψ(v), or with next ψ(v+1), for v > 0. From 1 to 2 it is (v-v0) D(v),
// where v0 is the zero in two parts. Elsewhere up to 8, ψ(y+1) = ψ(y) + 1/y
// leads there, all reciprocals added as one fraction; from 8 on it is the
// asymptotic series log v - 1/(2v) - S(1/v²)/v².
func (f *gammaFormat) psi(e *Emit, v, next V) V {
	zero, one := f.num(e, 0), f.num(e, 1)
	low, high := e.Lt(v, one), e.Le(f.num(e, 8), v)
	y, n, d := v, e.Select(next, one, zero), e.Select(next, v, one)
	for range 6 { // above 2 and below 8: at most 6 steps
		less := e.Sub(y, one)
		step := e.Lt(f.num(e, 2), y)
		n = e.Select(step, e.Fma(n, less, d), n)
		d = e.Select(step, e.Mul(d, less), d)
		y = e.Select(step, less, y)
	}
	n, d = e.Select(low, e.Select(next, zero, f.num(e, -1)), n), e.Select(low, v, d)
	root := e.Select(low, f.num(e, f.zeroLess1), f.num(e, f.zero))
	rootLow := e.Select(low, f.num(e, f.zeroLess1Low), f.num(e, f.zeroLow))
	t := e.Sub(y, e.Select(low, f.num(e, 0.5), f.num(e, 1.5)))
	near := e.Fma(e.Sub(e.Sub(y, root), rootLow), e.Horner(t, f.digamma), e.Div(n, d))

	log := logFormatOf(e, v).log(e, v)
	inverse := e.Div(one, v)
	square := e.Mul(inverse, inverse)
	half := e.Select(next, f.num(e, 0.5), f.num(e, -0.5))
	rest := e.Fma(e.Neg(square), e.Horner(square, f.series), e.Fma(inverse, half, log.lo))
	far := e.Select(e.Eq(v, f.num(e, math.Inf(1))), v, e.Add(log.hi, rest))
	return e.Select(high, far, near)
}
