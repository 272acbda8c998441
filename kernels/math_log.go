package kernels

import (
	"math"

	"github.com/stride0/stride0/dtype"
)

// The logarithms below are two-part values, within 2^-35 of the result in
// float32 and 2^-64 in float64, so that what is made of them (a logarithm to
// another base, a power, an inverse hyperbolic function) is rounded once.

// logFormat is what they need to know of a float type.
type logFormat struct {
	*expFormat
	least            float64 // the least normal number
	ln2High, ln2Rest float64 // log 2: products of ln2High and exponents are exact
	series           []float64
}

// The series are polynomials in z = s² for (log(1+g)/s - 1 - z/12) / z² with
// s = 2g/(2+g) and m = 1+g between sqrt 1/2 and sqrt 2: interpolated at the
// Chebyshev nodes of 0 <= z <= 0.11775, the coefficients rounded. The exact
// ones are 1/(5·4²), 1/(7·4³), ...; the errors are of log(1+g), after rounding.
var (
	// Degree 3, error 2^-38.4.
	logFloat32Format = logFormat{
		&expFloat32Format, 0x1p-126, 0x1.62e4p-1, math.Ln2 - 0x1.62e4p-1,
		[]float64{0x1.99999ap-7, 0x1.24928ep-9, 0x1.c6c0ecp-12, 0x1.8795c0p-14},
	}
	// Degree 7, error 2^-66.4.
	logFloat64Format = logFormat{
		&expFloat64Format, 0x1p-1022, 0x1.62e42fefa3p-1, math.Ln2 - 0x1.62e42fefa3p-1,
		[]float64{
			0x1.999999999999ap-7, 0x1.2492492492521p-9, 0x1.c71c71c6eaa8ap-12, 0x1.745d177a8f41ap-14,
			0x1.3b1395d4ebd8ap-16, 0x1.1118c74b1ff6bp-18, 0x1.df7ce906d1d6fp-21, 0x1.e02d20046aa17p-23,
		},
	}
)

// wideConst is a constant in two float64 parts.
type wideConst [2]float64

var (
	twelfth = wideConst{0x1.5555555555555p-4, 1.0/12 - 0x1.5555555555555p-4}
	log2E   = wideConst{0x1.71547652b82fep+0, math.Log2E - 0x1.71547652b82fep+0}
	log10E  = wideConst{0x1.bcb7b1526e50ep-2, math.Log10E - 0x1.bcb7b1526e50ep-2}
)

// constant returns c in two parts of the format.
func (f *expFormat) constant(c wideConst) (high, low float64) {
	if f.float == dtype.Float64 {
		return c[0], c[1]
	}
	high = float64(float32(c[0]))
	return high, c[0] - high
}

func logFormatOf(e *Emit, x V) *logFormat {
	if e.Type(x) == dtype.Float64 {
		return &logFloat64Format
	}
	return &logFloat32Format
}

// apart splits a positive normal number into m·2^k, m in [sqrt 1/2, sqrt 2).
// The pattern less that of sqrt 1/2 has k in its exponent and sign bits.
func (f *logFormat) apart(e *Emit, x V) (m, k V) {
	bits := e.Cast(f.integer, x)
	k = e.Shr(e.Sub(bits, e.Cast(f.integer, e.Const(f.float, math.Sqrt2/2))), f.mantissa)
	return e.Cast(f.float, e.Sub(bits, e.Shl(k, f.mantissa))), k
}

// split is apart for all positive numbers, with k as a float.
func (f *logFormat) split(e *Emit, x V) (m, k V) {
	subnormal := e.Lt(x, e.Const(f.float, f.least))
	up := float64(f.mantissa) + 1
	m, power := f.apart(e, e.Select(subnormal, e.Mul(x, e.Const(f.float, math.Ldexp(1, int(up)))), x))
	lift := e.Select(subnormal, e.Const(f.float, up), e.Const(f.float, 0))
	return m, e.Sub(e.Convert(f.float, power), lift)
}

// near returns log(1+g) for g from sqrt 1/2 - 1 to sqrt 2 - 1, |g.lo| within
// the last place of g.hi. With s = 2g/(2+g) and z = s² it is
// s + s·z·(1/12 + z·series(z)), of which only the series is a single float.
// g over 1+g/2, not 2g over 2+g, keeps the last place of a subnormal g.
func (f *logFormat) near(e *Emit, g two) two {
	half, one := e.Const(f.float, 0.5), e.Const(f.float, 1)
	d := e.Fma(g.hi, half, one)
	s := quotient(e, g, two{d, e.Fma(g.lo, half, e.Fma(g.hi, half, e.Sub(one, d)))})

	z := e.Mul(s.hi, s.hi)
	zl := e.Fma(e.Add(s.hi, s.hi), s.lo, e.Fma(s.hi, s.hi, e.Neg(z)))
	high, low := f.constant(twelfth)
	c, p := e.Const(f.float, high), e.Horner(z, f.series)
	t := e.Fma(z, p, c)
	tl := e.Add(e.Fma(z, p, e.Sub(c, t)), e.Const(f.float, low))
	u := e.Mul(z, t)
	ul := e.Fma(z, tl, e.Fma(zl, t, e.Fma(z, t, e.Neg(u))))

	hi := e.Fma(s.hi, u, s.hi)
	lo := e.Fma(s.hi, ul, e.Fma(s.hi, u, e.Sub(s.hi, hi)))
	return two{hi, e.Add(e.Fma(s.lo, u, lo), s.lo)}
}

// scaled returns m + k log 2, m the logarithm of a number near 1.
func (f *logFormat) scaled(e *Emit, m two, k V) two {
	s := fastTwoSum(e, product(e, k, e.Const(f.float, f.ln2High)), m.hi)
	return fastTwoSum(e, s.hi, e.Add(s.lo, e.Fma(k, e.Const(f.float, f.ln2Rest), m.lo)))
}

// log returns log x for positive finite x.
func (f *logFormat) log(e *Emit, x V) two {
	m, k := f.split(e, x)
	g := two{e.Sub(m, e.Const(f.float, 1)), e.Const(f.float, 0)} // exact
	return f.scaled(e, f.near(e, g), k)
}

// log1p returns log(1+w) + extra·log 2 for finite w above -1: 1+w is exact in
// two parts, which 2^-k brings near 1. Where 1+w is so large that 2^-k has no
// place in the exponent, its low part does not matter.
func (f *logFormat) log1p(e *Emit, w two, extra V) two {
	one, zero := e.Const(f.float, 1), e.Const(f.float, 0)
	u := twoSum(e, one, w.hi)
	m, k := f.apart(e, u.hi)
	moderate := e.Lt(k, e.Const(f.integer, f.bias-20))
	down := e.Sub(e.Const(f.integer, 0), e.Select(moderate, k, e.Const(f.integer, 0)))
	scale, low := f.pow2(e, down), e.Select(moderate, e.Add(u.lo, w.lo), zero)
	m = e.Sub(m, one)
	g := e.Fma(low, scale, m)
	near := f.near(e, two{g, e.Fma(low, scale, e.Sub(m, g))})
	return f.scaled(e, near, e.Add(e.Convert(f.float, k), extra))
}

// log1p is log(1+x), good for small x.
func log1p(e *Emit, x V) V {
	f := logFormatOf(e, x)
	zero, one := e.Const(f.float, 0), e.Const(f.float, 1)
	r := f.log1p(e, two{x, zero}, zero).hi
	r = logLimits(e, e.Add(x, one), r)
	return copySign(e, e.Abs(r), x)
}

// log2 is exact for powers of two: k joins the logarithm of m last.
func log2(e *Emit, x V) V {
	f := logFormatOf(e, x)
	m, k := f.split(e, x)
	t := f.near(e, two{e.Sub(m, e.Const(f.float, 1)), e.Const(f.float, 0)})
	high, low := f.constant(log2E)
	c := e.Const(f.float, high)
	r := e.Fma(t.hi, c, k)
	rest := e.Fma(t.hi, e.Const(f.float, low), e.Fma(t.lo, c, e.Fma(t.hi, c, e.Sub(k, r))))
	return logLimits(e, x, e.Add(r, rest))
}

func log10(e *Emit, x V) V {
	f := logFormatOf(e, x)
	high, low := f.constant(log10E)
	return logLimits(e, x, f.log(e, x).times(e, high, low))
}
