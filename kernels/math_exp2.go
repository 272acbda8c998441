package kernels

import "math"

// reduceTwo is reduce for an argument in two parts, with r in two parts.
func (f *expFormat) reduceTwo(e *Emit, x two) (r two, k V) {
	round := e.Const(f.float, f.round)
	t := e.Fma(x.hi, e.Const(f.float, math.Log2E), round)
	n := e.Sub(t, round)
	high := e.Fma(n, e.Const(f.float, -f.ln2), x.hi) // exact
	r = twoSum(e, high, e.Fma(n, e.Const(f.float, -f.ln2Low), x.lo))
	return r, e.Sub(e.Cast(f.integer, t), e.Cast(f.integer, round))
}

// partsTwo is parts for an argument in two parts.
func (f *expFormat) partsTwo(e *Emit, x two) (big, small, k V) {
	r, k := f.reduceTwo(e, x)
	one := e.Const(f.float, 1)
	big = e.Add(r.hi, one)
	lost := e.Fma(r.lo, big, e.Sub(r.hi, e.Sub(big, one)))
	return big, e.Fma(e.Mul(r.hi, r.hi), f.poly(e, r.hi), lost), k
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
	p := e.Fma(e.Mul(r.hi, r.hi), f.poly(e, r.hi), e.Fma(r.lo, r.hi, r.lo))
	grown := fastTwoSum(e, r.hi, p)

	back := f.pow2(e, e.Sub(e.Const(f.integer, 0), f.noMore(e, k)))
	t := e.Sub(one, back)
	tl := e.Sub(e.Sub(one, t), back)
	s := fastTwoSum(e, t, grown.hi)
	y := e.Add(s.hi, e.Add(s.lo, e.Add(tl, grown.lo)))
	return copySign(e, e.Abs(f.scale(e, y, k)), x)
}

// noMore returns k, or twice the bits of the significand where that is less:
// beyond, 2^-k is nothing beside 1, even in two parts.
func (f *expFormat) noMore(e *Emit, k V) V {
	top := e.Const(f.integer, 2*float64(f.mantissa))
	return e.Select(e.Lt(k, top), k, top)
}
