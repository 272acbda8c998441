package kernels

import (
	"math"

	"github.com/stride0/stride0/dtype"
)

// The polynomials of the float32 functions: minimax fits of the relative
// error of the function they serve (Lawson's iteration on Chebyshev nodes),
// the coefficients rounded to float32 one by one from the lowest, the rest
// fitted again after each. The lowest is first. The errors are those after
// rounding, evaluated exactly.
var (
	// expPoly: (e^r - 1 - r) / r² for |r| <= 0.346609 (log 2 / 2 and a margin
	// for the rounding of k), degree 4, error 2^-28.25 of e^r.
	expPoly = []uint32{0x3efffffe, 0x3e2aaa49, 0x3d2aac57, 0x3c091cc0, 0x3ab52794}

	// logPoly: (log(1+g) - g) / g² for |g| <= 1/3, degree 8, error 2^-27.68
	// of log(1+g).
	logPoly = []uint32{
		0xbf000000, 0x3eaaaa83, 0xbe7fff7d, 0x3e4ce82e, 0xbe2ace17,
		0x3e0f6a29, 0xbdf99e35, 0x3e0f3951, 0xbe03d52d,
	}

	// tanhPoly: (tanh(x)/x - 1) / x² as a polynomial in x² for |x| <= 1,
	// degree 7, error 2^-30.91 of tanh(x).
	tanhPoly = []uint32{
		0xbeaaaaa9, 0x3e08881e, 0xbd5cfb6d, 0x3cb26022,
		0xbc0c6db2, 0x3b47c316, 0xba57465d, 0x38f3b60b,
	}
)

// logFloat32 is log x within 0.94 ULP: x = m·2^k with m in [2/3, 4/3), so
// that nothing cancels near 1, and log x = k log 2 + log(1 + (m-1)).
func logFloat32(e *Emit, x V) V {
	const f32, i32 = dtype.Float32, dtype.Int32
	subnormal := e.Lt(x, e.Const(f32, 0x1p-126))
	bits := e.Cast(i32, e.Select(subnormal, e.Mul(x, e.Const(f32, 0x1p23)), x))
	// The pattern less that of 2/3 has k in its exponent and sign bits.
	exponent := e.And(e.Sub(bits, e.Cast(i32, e.Const(f32, 2.0/3))), e.Bits(i32, 0xff800000))
	g := e.Sub(e.Cast(f32, e.Sub(bits, exponent)), e.Const(f32, 1))
	base := e.Select(subnormal, e.Const(f32, -23), e.Const(f32, 0))
	k := e.Fma(e.Convert(f32, exponent), e.Const(f32, 0x1p-23), base)
	r := e.Fma(e.HornerBits(g, logPoly), e.Mul(g, g), g)
	return logLimits(e, x, e.Fma(k, e.Const(f32, math.Ln2), r))
}

// logLimits returns r, the logarithm where x is positive and finite, or what
// it is elsewhere: -Inf of zeros, NaN below, Inf and NaN of themselves.
func logLimits(e *Emit, x, r V) V {
	d := e.Type(x)
	zero := e.Const(d, 0)
	r = e.Select(e.Eq(x, zero), e.Const(d, math.Inf(-1)), r)
	r = e.Select(e.Lt(x, zero), e.Const(d, math.NaN()), r)
	return e.Select(e.Lt(x, e.Const(d, math.Inf(1))), r, x)
}

// tanhFloat32 is tanh x within 0.97 ULP, on |x| with the sign put back last:
// a polynomial below 1, else through e^2|x|.
func tanhFloat32(e *Emit, x V) V {
	a := e.Abs(x)
	s := e.Mul(a, a)
	below := e.Fma(e.Mul(e.HornerBits(s, tanhPoly), s), a, a)
	above := tanhAbove(e, a, 10, false)
	return copySign(e, e.Select(e.Lt(a, e.Const(dtype.Float32, 1)), below, above), x)
}
