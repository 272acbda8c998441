package kernels

import "math"

// remFloat is the remainder of x/y with the sign of x, C's fmod: exact for all
// finite x and y. x is NaN for an infinite x or a y of 0, and x itself for an
// infinite y.
//
// With |x| = m·2^i and |y| = n·2^j, both significands filled to their top bit,
// the remainder is (m·2^k mod n)·2^j with k = i-j. 2^k mod n is the binary
// power: 2^(k >> s) directly, which is below n, then s squarings, each doubled
// where the next bit of k is set. So five products modulo n serve float32
// (k <= 276) and seven float64 (k <= 2,097), where long division would take a
// step for each bit of the quotient.
func remFloat(e *Emit, x, y V) V {
	f := formatOf(e, x)
	a, b := e.Abs(x), e.Abs(y)
	one, inf := e.Const(f.float, 1), e.Const(f.float, math.Inf(1))
	ordinary := e.And(e.Lt(a, inf), e.And(e.Lt(e.Const(f.float, 0), b), e.Lt(b, inf)))
	m, i := f.significand(e, e.Select(ordinary, a, one))
	n, j := f.significand(e, e.Select(ordinary, b, one))
	zero, k := e.Const(f.integer, 0), e.Sub(i, j)
	k = e.Select(e.Lt(k, zero), zero, k) // then |x| < |y|

	mod := modulus{e, f, n, e.Div(one, e.Convert(f.float, n))}
	squarings := uint(4)
	if f.mantissa > 23 {
		squarings = 6
	}
	unit := e.Const(f.integer, 1)
	p := e.ShlBy(unit, e.Shr(k, squarings))
	for s := int(squarings) - 1; s >= 0; s-- {
		bit := e.And(e.Shr(k, uint(s)), unit)
		p = mod.once(e.ShlBy(mod.mul(p, p), bit), n)
	}
	r := e.Convert(f.float, mod.mul(mod.once(m, n), p))

	first, second := f.halves(e, e.Sub(j, e.Const(f.integer, f.bias+float64(f.mantissa))))
	r = copySign(e, e.Mul(e.Mul(r, first), second), x)
	r = e.Select(ordinary, r, e.Const(f.float, math.NaN()))
	return e.Select(e.Lt(a, b), x, r)
}

// significand returns a positive, finite a as m·2^(exp-bias-mantissa) with the
// top bit of m set: subnormal numbers are scaled up first.
func (f *expFormat) significand(e *Emit, a V) (m, exp V) {
	up := float64(f.mantissa + 1)
	subnormal := e.Lt(a, e.Const(f.float, math.Ldexp(1, 1-int(f.bias))))
	scaled := e.Mul(a, e.Const(f.float, math.Ldexp(1, int(up))))
	bits := e.Cast(f.integer, e.Select(subnormal, scaled, a))
	top := uint64(1) << f.mantissa
	m = e.Or(e.And(bits, e.Bits(f.integer, top-1)), e.Bits(f.integer, top))
	lift := e.Select(subnormal, e.Const(f.integer, up), e.Const(f.integer, 0))
	return m, e.Sub(e.Shr(bits, f.mantissa), lift)
}

// modulus multiplies modulo n, an integer with as many bits as a significand.
type modulus struct {
	e       *Emit
	f       *expFormat
	n       V
	inverse V // 1/n as a float
}

// mul returns a·b mod n for a and b below n. The quotient, computed in
// floats, is off by less than 4 (its three roundings are half a unit each in
// the last place of a number below 2^(mantissa+1), and it is truncated): it
// lies between 4 below and 3 above. So with a quotient 3 less, what is left of
// the product is between 0 and 7n; products wrap, the rest fits.
func (m modulus) mul(a, b V) V {
	e := m.e
	product := e.Mul(e.Convert(m.f.float, a), e.Convert(m.f.float, b))
	q := e.Convert(m.f.integer, e.Mul(product, m.inverse))
	q = e.Sub(q, e.Const(m.f.integer, 3))
	r := e.Sub(e.Mul(a, b), e.Mul(q, m.n))
	r = m.once(r, e.Shl(m.n, 2))
	r = m.once(r, e.Shl(m.n, 1))
	return m.once(r, m.n)
}

// once subtracts n from r where r is not below it.
func (m modulus) once(r, n V) V {
	return m.e.Select(m.e.Lt(r, n), r, m.e.Sub(r, n))
}

// modFloat is the remainder with the sign of y, as of a quotient rounded down:
// that of remFloat, to which y is added where the signs differ. The sum is
// rounded once. A zero has the sign of y.
func modFloat(e *Emit, x, y V) V {
	zero := e.Const(e.Type(x), 0)
	r := remFloat(e, x, y)
	apart := e.And(e.Ne(r, zero), e.Xor(e.Lt(r, zero), e.Lt(y, zero)))
	r = e.Select(apart, e.Add(r, y), r)
	return e.Select(e.Eq(r, zero), copySign(e, zero, y), r)
}

// floorDivFloat is x/y rounded down to an integer. The rounded quotient q
// rounds down to t; where q was rounded up to an integer, x - t·y, of which
// one Fma gives the right sign, has the sign that y does not have. From
// 2^mantissa on floats are too far apart for that to matter: q is then as near
// to the integer below x/y as any float. Of an infinite x it is NaN, as x has
// no remainder; a y of 0 gives an infinity, as division does.
func floorDivFloat(e *Emit, x, y V) V {
	f := formatOf(e, x)
	zero, one, inf := e.Const(f.float, 0), e.Const(f.float, 1), e.Const(f.float, math.Inf(1))
	q := e.Div(x, y)
	t := floorFloat(e, q)
	rest := e.Fma(e.Neg(t), y, x)
	rest = e.Select(e.Eq(e.Abs(y), inf), x, rest) // 0·Inf has no value
	above := e.And(e.Ne(rest, zero), e.Xor(e.Lt(rest, zero), e.Lt(y, zero)))
	above = e.And(above, e.Lt(e.Abs(t), e.Const(f.float, math.Ldexp(1, int(f.mantissa)+1))))
	r := e.Select(above, e.Sub(t, one), t)
	noRest := e.And(e.Eq(e.Abs(x), inf), e.Ne(y, zero))
	return e.Select(noRest, e.Const(f.float, math.NaN()), r)
}
