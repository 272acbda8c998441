package kernels

import "github.com/stride0/stride0/dtype"

// erfFormat is what the error functions need to know of a float type: erf and
// erfc are the polynomials of math_erf_poly.go, and above limit erfc rounds to 0.
type erfFormat struct {
	erf, erfc      []float64
	erfcLow, limit float64 // erfcLow is what rounding erfc[0] lost
}

var (
	erfFloat32 = erfFormat{erfPoly32, erfcPoly32, -0x1.21c802p-25, 10.1}
	erfFloat64 = erfFormat{erfPoly64, erfcPoly64, -0x1.a18fe282147cep-55, 27.3}
)

func erfOf(e *Emit, x V) *erfFormat {
	if e.Type(x) == dtype.Float64 {
		return &erfFloat64
	}
	return &erfFloat32
}

// above returns erfc a for a >= 0.
func (f *erfFormat) above(e *Emit, a V) V {
	y, p, m := f.tail(e, two{atMost(e, a, f.limit), e.Const(e.Type(a), 0)})
	return e.Mul(e.Mul(e.Add(y.hi, y.lo), p), m)
}

// tail returns erfc x as y·p·m for x >= 0, in two factors p·m, as halves does,
// since it may be far below the range. For a = x.hi it is e^-a² times a
// polynomial in (a-4)/(a+4) over 1 + 2a (Shepherd and Laframboise, Math. Comp.
// 36 (1981), with N. Juffa's choice of 4). a² is taken in two parts; e^-(s+t)
// is e^-s (1-t). So are the quotient and the product, for a >= 1/2 at least,
// where 2a >= 1. The logarithm of erfc falls by 2a + 1/a or so, which is
// 2a + √π g, times x.lo.
func (f *erfFormat) tail(e *Emit, x two) (y two, p, m V) {
	a := x.hi
	format := formatOf(e, a)
	d := format.float
	one, four := e.Const(d, 1), e.Const(d, 4)
	q := e.Div(e.Sub(a, four), e.Add(a, four))
	first := e.Const(d, f.erfc[0])
	slope := e.Horner(q, f.erfc[1:])
	n := e.Fma(slope, q, first)
	nl := e.Add(e.Fma(slope, q, e.Sub(first, n)), e.Const(d, f.erfcLow))
	twice := e.Fma(a, e.Const(d, 2), one)
	g := quotient(e, two{n, nl}, two{twice, e.Add(e.Fma(a, e.Const(d, 2), e.Neg(twice)), one)})

	s := e.Mul(a, a)
	slope = e.Fma(g.hi, e.Const(d, 1.772453850905516), e.Add(a, a))
	t := e.Fma(x.lo, slope, e.Fma(a, a, e.Neg(s)))
	big, small, k := format.parts(e, e.Neg(s))
	p, m = format.halves(e, k)
	z := twoProduct(e, big, g.hi)
	rest := e.Fma(big, g.lo, e.Fma(small, g.hi, z.lo))
	return two{z.hi, e.Fma(e.Neg(t), e.Fma(small, g.hi, z.hi), rest)}, p, m
}

// erf is the error function: x + x P(x²) below 1, from there on 1 - erfc |x|.
func erf(e *Emit, x V) V {
	f := erfOf(e, x)
	a := e.Abs(x)
	one := e.Const(e.Type(x), 1)
	below := e.Fma(a, e.Horner(e.Mul(a, a), f.erf), a)
	above := e.Fma(f.above(e, a), e.Const(e.Type(x), -1), one)
	return copySign(e, e.Select(e.Lt(a, one), below, above), x)
}

// erfc is 1 - erf x without its cancellation: below 1/2 that is (1 - x) less
// x P(x²), and for negative x 2 - erfc |x|.
func erfc(e *Emit, x V) V {
	f := erfOf(e, x)
	num := func(c float64) V { return e.Const(e.Type(x), c) }
	a := e.Abs(x)
	y := f.above(e, a)
	y = e.Select(e.Lt(x, num(0)), e.Fma(y, num(-1), num(2)), y)

	rest := e.Sub(num(1), x)
	lost := e.Sub(e.Sub(num(1), rest), x)
	near := e.Fma(e.Horner(e.Mul(x, x), f.erf), e.Neg(x), lost)
	return e.Select(e.Lt(a, num(0.5)), e.Add(rest, near), y)
}

// gelu is x Φ(x) = x/2 · erfc(-x/√2). The argument has two parts, as an error
// of it grows with x² where erfc decays, and so has erfc, which leaves the one
// rounding of the product; the power of two comes last. Below limit, -15 or
// -39.5, it rounds to -0.
func gelu(e *Emit, x V) V {
	f, format := erfOf(e, x), formatOf(e, x)
	d := format.float
	limit := 15.0
	if format.mantissa > 23 {
		limit = 39.5
	}
	high, low := format.constant(wideConst{0x1.6a09e667f3bcdp-1, -0x1.bdd3413b26456p-55}) // 1/√2
	c := format.between(e, x, -limit, limit)
	half := e.Mul(c, e.Const(d, 0.5))
	a := e.Abs(c)
	z := twoProduct(e, a, e.Const(d, high))
	z.lo = e.Fma(a, e.Const(d, low), z.lo)

	y, p, m := f.tail(e, z)
	below := e.Mul(e.Mul(e.Fma(half, y.hi, e.Mul(half, y.lo)), p), m)
	above := e.Fma(below, e.Const(d, -1), x)
	negative := e.Lt(x, e.Const(d, 0))

	// Below 9/16, from where on tail is more accurate, erfc -z is 1 + z + z P(z²).
	v := two{e.Select(negative, e.Neg(z.hi), z.hi), e.Select(negative, e.Neg(z.lo), z.lo)}
	w := fastTwoSum(e, e.Const(d, 1), v.hi)
	rest := e.Add(e.Fma(v.hi, e.Horner(e.Mul(v.hi, v.hi), f.erf), v.lo), w.lo)
	near := copySign(e, e.Abs(e.Fma(half, w.hi, e.Mul(half, rest))), x) // half may be 0
	return e.Select(e.Lt(z.hi, e.Const(d, 0.5625)), near, e.Select(negative, below, above))
}
