package kernels

import "math"

// The expressions below work on |x| and put the sign of x back, which keeps
// that of -0. Below 2^mantissa, adding and subtracting 2^mantissa rounds half
// to even; from there on every float is an integer.

// roundFloat is x rounded to an integer, half to even.
func roundFloat(e *Emit, x V) V {
	a, r, whole := wholePart(e, x)
	return e.Select(e.Lt(a, whole), copySign(e, r, x), x)
}

// wholePart returns a = |x|, r = |x| rounded half to even, and the least float
// from which on all are integers; r counts only below that.
func wholePart(e *Emit, x V) (a, r, whole V) {
	f := formatOf(e, x)
	whole = e.Const(f.float, math.Ldexp(1, int(f.mantissa)))
	a = e.Abs(x)
	return a, e.Sub(e.Add(a, whole), whole), whole
}

// truncFloat is x without its fraction.
func truncFloat(e *Emit, x V) V {
	a, r, whole := wholePart(e, x)
	r = e.Select(e.Lt(a, r), e.Sub(r, e.Const(e.Type(x), 1)), r)
	return e.Select(e.Lt(a, whole), copySign(e, r, x), x)
}

// floorFloat is the greatest integer not above x.
func floorFloat(e *Emit, x V) V {
	r := roundFloat(e, x)
	return e.Select(e.Lt(x, r), e.Sub(r, e.Const(e.Type(x), 1)), r)
}

// ceilFloat is the least integer not below x: -0 of what is above -1.
func ceilFloat(e *Emit, x V) V { return e.Neg(floorFloat(e, e.Neg(x))) }

// fracFloat is x less its whole part, which is exact.
func fracFloat(e *Emit, x V) V { return e.Sub(x, truncFloat(e, x)) }

// signFloat makes +0 of both zeros and leaves NaN.
func signFloat(e *Emit, x V) V {
	d := e.Type(x)
	zero := e.Const(d, 0)
	r := e.Select(e.Eq(x, zero), zero, x)
	r = e.Select(e.Lt(x, zero), e.Const(d, -1), r)
	return e.Select(e.Lt(zero, x), e.Const(d, 1), r)
}

// signNumber is signFloat for any kind.
func signNumber(e *Emit, x V) V {
	d := e.Type(x)
	zero, one := e.Const(d, 0), e.Const(d, 1)
	switch {
	case d.IsFloat():
		return signFloat(e, x)
	case e.unsigned(x):
		return e.Select(e.Eq(x, zero), zero, one)
	}
	r := e.Select(e.Lt(zero, x), one, zero)
	return e.Select(e.Lt(x, zero), e.Const(d, -1), r)
}

// signBitOf reports whether the sign bit of a float is set. That of a NaN
// counts as clear: which one arithmetic makes differs between processors.
func signBitOf(e *Emit, x V) V {
	d := e.Type(x)
	u := patternOf(d)
	top := e.Bits(u, 1<<(8*d.Size()-1))
	return e.And(e.Le(top, e.Cast(u, x)), e.Eq(x, x))
}

// copysignFloat is |x| with the sign of y, a NaN counting as positive.
func copysignFloat(e *Emit, x, y V) V {
	a := e.Abs(x)
	return e.Select(signBitOf(e, y), e.Neg(a), a)
}

// nextafterFloat works on patterns alone, so that it serves halves as they are:
// those of one sign are ordered as their magnitudes, and one step further is
// the next float.
func nextafterFloat(e *Emit, x, y V) V {
	d := e.Type(x)
	u := patternOf(d)
	sign := uint64(1) << (8*d.Size() - 1)
	top, one, inf := e.Bits(u, sign), e.Bits(u, 1), e.Bits(u, patternOfFloat(d, math.Inf(1)))
	bx, by := e.Cast(u, x), e.Cast(u, y)
	ax, ay := e.And(bx, e.Bits(u, sign-1)), e.And(by, e.Bits(u, sign-1))
	positive := e.Lt(bx, top)
	key := func(b V) V { // in the order of the floats
		return e.Select(e.Lt(b, top), e.Or(b, top), e.Not(b))
	}
	up := e.Lt(key(bx), key(by))
	r := e.Select(e.Xor(up, positive), e.Sub(bx, one), e.Add(bx, one))
	zero := e.Bits(u, 0)
	r = e.Select(e.Eq(ax, zero), e.Or(one, e.And(by, top)), r)
	same := e.Or(e.Eq(bx, by), e.Eq(e.Or(ax, ay), zero))
	r = e.Select(same, by, r)
	unordered := e.Or(e.Lt(inf, ax), e.Lt(inf, ay))
	return e.Cast(d, e.Select(unordered, e.Bits(u, patternOfFloat(d, math.NaN())), r))
}
