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

// above returns erfc a for a >= 0: e^-a² times a polynomial in (a-4)/(a+4)
// over 1 + 2a (Shepherd and Laframboise, Math. Comp. 36 (1981), with N.
// Juffa's choice of 4). a² is taken in two parts; e^-(s+t) = e^-s (1-t). So
// are the quotient and the product, for a >= 1/2 at least, where 2a >= 1.
func (f *erfFormat) above(e *Emit, a V) V {
	format := formatOf(e, a)
	d := format.float
	one, four, limit := e.Const(d, 1), e.Const(d, 4), e.Const(d, f.limit)
	a = e.Select(e.Lt(limit, a), limit, a)
	q := e.Div(e.Sub(a, four), e.Add(a, four))
	first := e.Const(d, f.erfc[0])
	slope := e.Horner(q, f.erfc[1:])
	n := e.Fma(slope, q, first)
	nl := e.Add(e.Fma(slope, q, e.Sub(first, n)), e.Const(d, f.erfcLow))
	twice := e.Fma(a, e.Const(d, 2), one)
	g, gl := quotientOf(e, n, nl, twice, e.Add(e.Fma(a, e.Const(d, 2), e.Neg(twice)), one))

	s := e.Mul(a, a)
	t := e.Fma(a, a, e.Neg(s))
	big, small, k := format.parts(e, e.Neg(s))
	p, m := format.halves(e, k)
	y := e.Mul(big, g)
	rest := e.Fma(big, gl, e.Fma(small, g, e.Fma(big, g, e.Neg(y))))
	// The product y enters a sum by fma, which nothing can contract.
	y = e.Fma(y, one, e.Fma(e.Neg(t), e.Fma(small, g, y), rest))
	return e.Mul(e.Mul(y, p), m)
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
