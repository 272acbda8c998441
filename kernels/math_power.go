package kernels

import "math"

// pow is x^y = e^(y log |x|), the logarithm and its product in two parts, with
// the sign of x where y is odd. Zeros and infinities of either operand come
// out of log 0 = -Inf and log Inf = Inf; the other cases of C99, F.9.4.4, are
// selected last.
func pow(e *Emit, x, y V) V {
	f := logFormatOf(e, x)
	zero, one := e.Const(f.float, 0), e.Const(f.float, 1)
	a := e.Abs(x)
	l := f.log(e, a)
	l.hi = logLimits(e, a, l.hi)
	l.lo = e.Select(e.And(finite(e, a), e.Lt(zero, a)), l.lo, zero)
	p := twoProduct(e, l.hi, y)
	r := f.expOf(e, two{p.hi, e.Fma(l.lo, y, p.lo)})
	r = e.Select(e.Eq(a, one), one, r)

	whole, odd := f.integral(e, y)
	r = e.Select(odd, copySign(e, r, x), r)
	undefined := e.And(e.And(e.Lt(x, zero), finite(e, a)), e.Not(whole))
	r = e.Select(undefined, e.Const(f.float, math.NaN()), r)
	return e.Select(e.Or(e.Eq(x, one), e.Eq(y, zero)), one, r)
}

// expOf returns e^(x.hi+x.lo), rounded. Beyond the limits x.lo may be NaN; it counts
// for nothing there.
func (f *expFormat) expOf(e *Emit, x two) V {
	inside := e.And(e.Lt(e.Const(f.float, f.low), x.hi), e.Lt(x.hi, e.Const(f.float, f.high)))
	lo := e.Select(inside, x.lo, e.Const(f.float, 0))
	h, k := f.expTwo(e, two{f.between(e, x.hi, f.low, f.high), lo})
	return f.scale(e, h.hi, k)
}

// integral reports whether y is an integer, and an odd one. Added to
// 2^mantissa, a smaller |y| is rounded to an integer whose lowest bit is the
// lowest of the pattern; from 2^mantissa on all are integers, from twice that
// all are even. Infinities are even integers, NaN is none.
func (f *logFormat) integral(e *Emit, y V) (whole, odd V) {
	a := e.Abs(y)
	ones := math.Ldexp(1, int(f.mantissa))
	large := e.Le(e.Const(f.float, ones), a)
	rounded := e.Add(a, e.Const(f.float, ones))
	whole = e.Or(large, e.Eq(e.Sub(rounded, e.Const(f.float, ones)), a))
	bits := e.Cast(f.integer, e.Select(large, a, rounded))
	low := e.Eq(e.And(bits, e.Const(f.integer, 1)), e.Const(f.integer, 1))
	odd = e.And(e.And(whole, low), e.Lt(a, e.Const(f.float, 2*ones)))
	return whole, odd
}

// logAddExp is log(e^x + e^y) = m + log(1 + e^-|x-y|), m the greater of x and
// y. Where m and the logarithm nearly cancel (m between -0.7 and 0), the error is
// 2^-11 units in the last place of m at most, however small the result.
func logAddExp(e *Emit, x, y V) V {
	f := logFormatOf(e, x)
	zero := e.Const(f.float, 0)
	less := e.Lt(x, y)
	m, l := e.Select(less, y, x), e.Select(less, x, y)
	d := twoSum(e, l, e.Neg(m))
	d.hi = e.Select(e.Eq(x, y), zero, d.hi)
	lo := e.Select(e.And(e.Lt(e.Const(f.float, f.low), d.hi), finite(e, m)), d.lo, zero)
	h, k := f.expTwo(e, two{f.between(e, d.hi, f.low, 0), lo})
	a, b := f.halves(e, k)
	t := two{product(e, e.Mul(h.hi, a), b), product(e, e.Mul(h.lo, a), b)}

	r := f.log1p(e, t, zero)
	s := twoSum(e, m, r.hi)
	sum := e.Select(finite(e, m), e.Add(s.hi, e.Add(s.lo, r.lo)), m)
	return e.Select(e.Eq(d.hi, d.hi), sum, e.Add(x, y)) // d is NaN where x or y is
}
