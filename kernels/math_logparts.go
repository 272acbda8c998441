package kernels

import (
	"math"

	"github.com/stride0/stride0/dtype"
)

// logPartsFormat is what logParts needs to know of a float type.
type logPartsFormat struct {
	float, integer  dtype.DType
	mantissa        uint
	least, up       float64 // the least normal number; what makes subnormal ones normal
	subnormal       float64 // minus the exponent of up
	ln2High, ln2Low float64 // log 2, the high part with room for an exponent
	series          []float64
}

// logSeries32 is Lg1 ... Lg4 of e_logf.c in FreeBSD's msun (Sun Microsystems,
// 1993; Ian Lance Taylor): logSeries for float32, error 2^-34.24.
var logSeries32 = []float64{0xaaaaaap-24, 0xccce13p-25, 0x91e9eep-25, 0xf89e26p-26}

var logParts32 = logPartsFormat{
	dtype.Float32, dtype.Int32, 23, 0x1p-126, 0x1p23, -23, 0x1.62e3p-1, 0x1.2fefa2p-17, logSeries32,
}

var logParts64 = logPartsFormat{
	dtype.Float64, dtype.Int64, 52, 0x1p-1022, 0x1p54, -54, 6.93147180369123816490e-01, 1.90821492927058770002e-10, logSeries,
}

// logParts returns log x = hi + lo to some bits more than a float has, for
// positive finite x, by the method of logFloat64: hi is k log 2 + f rounded,
// and lo, below 0.1, what that lost and the rest of the series. Elsewhere the
// result is some number.
func logParts(e *Emit, x V) (hi, lo V) {
	format := &logParts32
	if e.Type(x) == dtype.Float64 {
		format = &logParts64
	}
	return format.parts(e, x)
}

func (l *logPartsFormat) parts(e *Emit, x V) (hi, lo V) {
	num := func(v float64) V { return e.Const(l.float, v) }
	subnormal := e.Lt(x, num(l.least))
	bits := e.Cast(l.integer, e.Select(subnormal, e.Mul(x, num(l.up)), x))
	// The pattern less that of sqrt 1/2 has k in its exponent and sign bits.
	above := e.Sub(bits, e.Cast(l.integer, num(math.Sqrt2/2)))
	exponent := e.Shr(above, l.mantissa)
	k := e.Add(e.Convert(l.float, exponent), e.Select(subnormal, num(l.subnormal), num(0)))
	f := e.Sub(e.Cast(l.float, e.Sub(bits, e.Shl(exponent, l.mantissa))), num(1))

	s := e.Div(f, e.Add(f, num(2)))
	z, half := e.Mul(s, s), e.Mul(f, num(0.5))
	tail := e.Fma(s, e.Fma(e.Horner(z, l.series), z, e.Mul(half, f)), e.Mul(k, num(l.ln2Low)))
	hi = e.Fma(k, num(l.ln2High), f)
	lost := e.Add(e.Fma(k, num(l.ln2High), e.Neg(hi)), f)
	return hi, e.Sub(lost, e.Fma(half, f, e.Neg(tail)))
}
