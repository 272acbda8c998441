package kernels

import (
	"math"

	"github.com/stride0/stride0/dtype"
)

// reduceTwo is reduce for an argument in two parts, with r in two parts.
func (f *expFormat) reduceTwo(e *Emit, x two) (r two, k V) {
	round := e.Const(f.float, f.round)
	t := e.Fma(x.hi, e.Const(f.float, math.Log2E), round)
	n := e.Sub(t, round)
	high := e.Fma(n, e.Const(f.float, -f.ln2), x.hi) // exact
	r = twoSum(e, high, e.Fma(n, e.Const(f.float, -f.ln2Low), x.lo))
	return r, e.Sub(e.Cast(f.integer, t), e.Cast(f.integer, round))
}

// expTail is the Taylor series of (e^r - 1 - r - r²/2 - r³/6) / r⁴, 1/4! ...
// 1/16!: all of it for float64, seven terms for float32. The first term left
// out is 2^-42 of 1 in float32, 2^-73 in float64, at |r| = log 2 / 2.
var expTail = func() []float64 {
	c := make([]float64, 13)
	factorial := 6.0
	for i := range c {
		factorial *= float64(i + 4) // exact
		c[i] = 1 / factorial
	}
	return c
}()

var sixth = wideConst{0x1.5555555555555p-3, 1.0/6 - 0x1.5555555555555p-3}

// grown returns e^r - 1 for |r| <= log 2 / 2, within 2^-35 of 1 in float32 and
// 2^-64 in float64: x + x²/2 + x³ (1/6 + x·expTail) with x = r.hi, of which
// only expTail is a single float, and r.lo e^x.
func (f *expFormat) grown(e *Emit, r two) two {
	x, tail := r.hi, expTail
	if f.float == dtype.Float32 {
		tail = tail[:7]
	}
	half := e.Const(f.float, 0.5)
	square := e.Mul(x, x)
	squareLow := e.Fma(x, x, e.Neg(square))
	s := e.Fma(square, half, x)
	lo := e.Fma(squareLow, half, e.Fma(square, half, e.Sub(x, s)))

	high, low := f.constant(sixth)
	q, c := e.Horner(x, tail), e.Const(f.float, high)
	t := e.Fma(x, q, c)
	tl := e.Add(e.Fma(x, q, e.Sub(c, t)), e.Const(f.float, low))
	cube := e.Mul(x, square)
	cubeLow := e.Fma(x, squareLow, e.Fma(x, square, e.Neg(cube)))

	hi := e.Fma(cube, t, s)
	lo = e.Add(lo, e.Fma(cube, t, e.Sub(s, hi)))
	lo = e.Fma(cubeLow, t, e.Fma(cube, tl, lo))
	return fastTwoSum(e, hi, e.Add(lo, e.Fma(r.lo, hi, r.lo)))
}

// expTwo returns e^x = h·2^k, h from about 0.7 to 1.42.
func (f *expFormat) expTwo(e *Emit, x two) (h two, k V) {
	r, k := f.reduceTwo(e, x)
	g := f.grown(e, r)
	h = fastTwoSum(e, e.Const(f.float, 1), g.hi)
	return fastTwoSum(e, h.hi, e.Add(h.lo, g.lo)), k
}

// scale returns x·2^k, rounded in the last step only.
func (f *expFormat) scale(e *Emit, x, k V) V {
	a, b := f.halves(e, k)
	return e.Mul(e.Mul(x, a), b)
}

// between returns x within low and high; NaN stays.
func (f *expFormat) between(e *Emit, x V, low, high float64) V {
	bottom := e.Const(f.float, low)
	x = atMost(e, x, high)
	return e.Select(e.Lt(x, bottom), bottom, x)
}

// exp2 is 2^x = 2^k e^(r log 2) with k the integer nearest to x. r log 2 is
// exact in two parts, of which the second order needs the first.
func exp2(e *Emit, x V) V {
	f := formatOf(e, x)
	x = f.between(e, x, -f.bias-float64(f.mantissa)-2, f.bias+2)
	round, one, ln2 := e.Const(f.float, f.round), e.Const(f.float, 1), e.Const(f.float, f.ln2)
	t := e.Add(x, round)
	r := e.Sub(x, e.Sub(t, round))
	big := e.Fma(r, ln2, one)
	lost := e.Fma(r, e.Const(f.float, f.ln2Low), e.Fma(r, ln2, e.Sub(one, big)))
	h := e.Mul(r, ln2)
	small := e.Fma(e.Mul(h, h), f.poly(e, h), lost)
	return f.scale(e, e.Add(big, small), e.Sub(e.Cast(f.integer, t), e.Cast(f.integer, round)))
}

// expm1 is e^x - 1 = 2^k ((1 - 2^-k) + (e^r - 1)), both terms in two parts.
// Below low it is -1 to the last place; of -0 it is -0.
func expm1(e *Emit, x V) V {
	f := formatOf(e, x)
	zero, one := e.Const(f.float, 0), e.Const(f.float, 1)
	c := f.between(e, x, -float64(f.mantissa+6)*math.Ln2, f.high)
	r, k := f.reduceTwo(e, two{c, zero})
	grown := f.grown(e, r)

	back := f.pow2(e, e.Sub(e.Const(f.integer, 0), f.noMore(e, k)))
	t := twoSum(e, one, e.Neg(back))
	s := fastTwoSum(e, t.hi, grown.hi)
	y := e.Add(s.hi, e.Add(s.lo, e.Add(t.lo, grown.lo)))
	return copySign(e, e.Abs(f.scale(e, y, k)), x)
}

// noMore returns k, or twice the bits of the significand where that is less:
// beyond, 2^-k is nothing beside 1, even in two parts.
func (f *expFormat) noMore(e *Emit, k V) V {
	top := e.Const(f.integer, 2*float64(f.mantissa))
	return e.Select(e.Lt(k, top), k, top)
}
