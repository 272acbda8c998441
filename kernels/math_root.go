package kernels

import (
	"math"

	"github.com/stride0/stride0/dtype"
)

// rsqrt is 1/sqrt(x): y = 1/sqrt(x) rounded twice, and one Newton step
// y + y/2 (1 - x y²), whose rest is exact to the last place but few.
func rsqrt(e *Emit, x V) V {
	d := e.Type(x)
	zero, one := e.Const(d, 0), e.Const(d, 1)
	y := e.Div(one, e.Sqrt(x))
	p := e.Mul(x, y)
	pl := e.Fma(x, y, e.Neg(p))
	rest := e.Fma(e.Neg(pl), y, e.Fma(e.Neg(p), y, one))
	step := e.Fma(e.Mul(y, e.Const(d, 0.5)), rest, y)
	return e.Select(e.Lt(zero, x), e.Select(finite(e, x), step, y), y)
}

// cbrtStart is a polynomial for the cube root on sqrt 1/2 to sqrt 2:
// interpolated at the Chebyshev nodes, degree 4, error 2^-16.15.
var cbrtStart = []float64{0x1.d093b8p-2, 0x1.cb2122p-1, -0x1.0c2b26p-1, 0x1.acbda0p-3, -0x1.26e9e0p-5}

// cbrt is the cube root of |x| = M·8^q, M = m·2^rest between 0.35 and 2.9,
// with the sign of x: a polynomial, one step of Halley's method for float64,
// and one Newton step with the rest t³ - M exact to the last place but few.
func cbrt(e *Emit, x V) V {
	f := logFormatOf(e, x)
	zero, third, round := e.Const(f.float, 0), e.Const(f.float, 1.0/3), e.Const(f.float, f.round)
	a := e.Abs(x)
	m, k := f.split(e, a)
	n := e.Fma(k, third, round)
	q := e.Sub(n, round)
	rest := e.Fma(q, e.Const(f.float, -3), k) // -1, 0 or 1
	up, down := e.Lt(zero, rest), e.Lt(rest, zero)
	choose := func(more, one, less float64) V {
		return e.Select(up, e.Const(f.float, more), e.Select(down, e.Const(f.float, less), e.Const(f.float, one)))
	}
	t := e.Mul(e.Horner(m, cbrtStart), choose(math.Cbrt(2), 1, math.Cbrt(0.5)))
	m = product(e, m, choose(2, 1, 0.5))
	if f.float == dtype.Float64 {
		t = halley(e, t, m)
	}
	square := e.Mul(t, t)
	over := e.Fma(e.Fma(t, t, e.Neg(square)), t, e.Fma(square, t, e.Neg(m)))
	t = e.Fma(e.Neg(over), e.Div(third, square), t)
	power := e.Sub(e.Cast(f.integer, n), e.Cast(f.integer, round))
	r := e.Mul(t, f.pow2(e, power))
	return e.Select(e.And(e.Lt(zero, a), finite(e, a)), copySign(e, r, x), x)
}

// halley improves t, about the cube root of m, to three times its bits:
// t - t (t³ - m)/(2t³ + m).
func halley(e *Emit, t, m V) V {
	cube := product(e, e.Mul(t, t), t)
	part := e.Div(e.Sub(cube, m), e.Add(e.Add(cube, cube), m))
	return e.Fma(e.Neg(t), part, t)
}

// hypot is sqrt(x² + y²). Large and small operands are scaled by a power of
// two, so that squares neither overflow nor lose their low parts.
func hypot(e *Emit, x, y V) V {
	d := e.Type(x)
	low, high, shift := 0x1p-40, 0x1p60, 0x1p100
	if d == dtype.Float64 {
		low, high, shift = 0x1p-400, 0x1p500, 0x1p800
	}
	c := func(v float64) V { return e.Const(d, v) }
	x, y = e.Abs(x), e.Abs(y)
	swap := e.Lt(x, y)
	a, b := e.Select(swap, y, x), e.Select(swap, x, y)
	isLow, isHigh := e.Lt(a, c(low)), e.Lt(c(high), a)
	scale := e.Select(isLow, c(shift), e.Select(isHigh, c(1/shift), c(1)))
	back := e.Select(isLow, c(1/shift), e.Select(isHigh, c(shift), c(1)))

	a, b = e.Mul(a, scale), e.Mul(b, scale)
	square := twoProduct(e, a, a)
	s := e.Fma(b, b, square.hi)
	sl := e.Add(e.Fma(b, b, e.Sub(square.hi, s)), square.lo)
	r := e.Sqrt(s)
	rest := e.Add(e.Fma(e.Neg(r), r, s), sl)
	r = e.Select(e.Eq(s, c(0)), s, e.Fma(rest, e.Div(c(0.5), r), r))
	inf := c(math.Inf(1))
	return e.Select(e.Or(e.Eq(x, inf), e.Eq(y, inf)), inf, e.Mul(r, back))
}
