package kernels

import (
	"math"

	"github.com/stride0/stride0/dtype"
)

// The float64 functions are expressions of exact primitives too: the same
// bits on every device, and right where libraries are not (Go's math.Exp on
// amd64 is Inf from 709.44 on, its math.Log wrong for subnormal numbers).

// expTaylor is the Taylor series of (e^r - 1 - r) / r², 1/2! ... 1/13!: the
// first term left out is 2^-57.7 at |r| = log 2 / 2.
var expTaylor = func() []float64 {
	c := make([]float64, 12)
	factorial := 1.0
	for i := range c {
		factorial *= float64(i + 2) // exact
		c[i] = 1 / factorial
	}
	return c
}()

// logSeries is Lg1 ... Lg7 of e_log.c in FreeBSD's msun (Sun Microsystems,
// 1993): (log((1+s)/(1-s)) - 2s) / s as a polynomial in s² without its
// constant, which is 0, for |s| <= 3 - 2 sqrt 2; error 2^-58.45.
var logSeries = []float64{
	6.666666666666735130e-01, 3.999999999940941908e-01, 2.857142874366239149e-01, 2.222219843214978396e-01,
	1.818357216161805012e-01, 1.531383769920937332e-01, 1.479819860511658591e-01,
}

// logFloat64 is log x within 1 ULP as in e_log.c: x = m·2^k with m in
// [sqrt 1/2, sqrt 2), f = m - 1, s = f/(2+f), and
// log x = k log 2 + f - (f²/2 - s (f²/2 + R(s²))). The high part of log 2 has
// 33 bits, so that its product with k is exact.
func logFloat64(e *Emit, x V) V {
	const f64, u64 = dtype.Float64, dtype.Uint64
	const ln2High, ln2Low = 6.93147180369123816490e-01, 1.90821492927058770002e-10
	num := func(v float64) V { return e.Const(f64, v) }
	subnormal := e.Lt(x, num(0x1p-1022))
	bits := e.Cast(u64, e.Select(subnormal, e.Mul(x, num(0x1p54)), x))

	// The pattern less that of sqrt 1/2 has k in its exponent bits; with the
	// bias it is positive, and read as the low bits of 2^52 + k + bias.
	above := e.Sub(bits, e.Cast(u64, num(math.Sqrt2/2)))
	biased := e.Shr(e.Add(above, e.Bits(u64, 1023<<52)), 52)
	bias := e.Select(subnormal, num(0x1p52+1023+54), num(0x1p52+1023))
	k := e.Sub(e.Cast(f64, e.Or(biased, e.Bits(u64, 0x433<<52))), bias)
	m := e.Sub(bits, e.And(above, e.Bits(u64, 0xfff<<52)))

	f := e.Sub(e.Cast(f64, m), num(1))
	s := e.Div(f, e.Add(f, num(2)))
	z, half := e.Mul(s, s), e.Mul(f, num(0.5))
	tail := e.Fma(s, e.Fma(e.Horner(z, logSeries), z, e.Mul(half, f)), e.Mul(k, num(ln2Low)))
	r := e.Fma(k, num(ln2High), e.Sub(f, e.Fma(half, f, e.Neg(tail))))
	return logLimits(e, x, r)
}

// tanhP and tanhQ are the rational function of tanh.c in Cephes (S. Moshier,
// 1984-2000): tanh(x) = x + x³ P(x²)/Q(x²) for |x| <= 0.625, the lowest
// coefficient first and the highest of Q, 1, left out; error 2^-56.
var (
	tanhP = []float64{-1.61468768441708447952e3, -9.92877231001918586564e1, -9.64399179425052238628e-1}
	tanhQ = []float64{4.84406305325125486048e3, 2.23548839060100448583e3, 1.12811678491632931402e2}
)

// tanhFloat64 is tanh x within 1 ULP, as tanhFloat32.
func tanhFloat64(e *Emit, x V) V {
	const f64 = dtype.Float64
	a := e.Abs(x)
	s := e.Mul(a, a)
	q := e.Fma(a, a, e.Const(f64, tanhQ[2]))
	for _, c := range []float64{tanhQ[1], tanhQ[0]} {
		q = e.Fma(q, s, e.Const(f64, c))
	}
	below := e.Fma(e.Mul(a, s), e.Div(e.Horner(s, tanhP), q), a)
	above := tanhAbove(e, a, 20, true)
	return copySign(e, e.Select(e.Lt(a, e.Const(f64, 0.625)), below, above), x)
}
