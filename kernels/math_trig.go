package kernels

import (
	"math"

	"github.com/stride0/stride0/dtype"
)

// trigFormat is what the trigonometric functions need to know of a float type.
type trigFormat struct {
	float, pattern   dtype.DType
	pi2, pi2Low      float64 // π/2 in two parts, times 2^-63
	sin, cos         []float64
	quadrants        func(e *Emit, a V) (hi, lo, q V)
	asin, atan       []float64
	halfPi, halfPiLo float64 // π/2 in two parts
}

var trigFloat32 = trigFormat{
	dtype.Float32, dtype.Uint32, 0x1.921fb6p-63, -0x1.777a5cp-88, sinPoly32, cosPoly32, quadrantsFloat32,
	asinPoly32, atanPoly32, 0x1.921fb6p0, -0x1.777a5cp-25,
}

var trigFloat64 = trigFormat{
	dtype.Float64, dtype.Uint64, 0x1.921fb54442d18p-63, 0x1.1a62633145c07p-117, sinPoly64, cosPoly64, quadrantsFloat64,
	asinPoly64, atanPoly64, 0x1.921fb54442d18p0, 0x1.1a62633145c07p-54,
}

// trigOf returns the format of the float type of x.
func trigOf(e *Emit, x V) *trigFormat {
	if e.Type(x) == dtype.Float64 {
		return &trigFloat64
	}
	return &trigFloat32
}

// turned is |x| as q quadrants and a rest r = hi + lo, |r| <= π/4, with the
// sine and cosine of the rest, each in two parts whose sum is not yet rounded.
type turned struct {
	finite                   V // whether x is
	odd                      V // whether q is, so that sine and cosine change places
	q                        V // uint64, of which the low two bits count
	sin, sinLow, cos, cosLow V
}

// turn reduces |x|. Below π/4 it is its own rest, which keeps every bit of the
// smallest numbers; what is not finite is replaced by 1, in order that the
// integers of the reduction stay in range.
func (f *trigFormat) turn(e *Emit, x V) (t turned) {
	zero, one := e.Const(f.float, 0), e.Const(f.float, 1)
	a := e.Abs(x)
	t.finite = e.Lt(a, e.Const(f.float, math.Inf(1)))
	a = e.Select(t.finite, a, one)
	hi, lo, q := f.quadrants(e, a)
	pi2 := e.Const(f.float, f.pi2)
	r := e.Fma(hi, pi2, zero) // not a product, which sine + rest must not be contracted with
	rl := e.Fma(lo, pi2, e.Fma(hi, e.Const(f.float, f.pi2Low), e.Fma(hi, pi2, e.Neg(r))))

	within := e.Le(a, e.Const(f.float, f.halfPi/2))
	r, rl = e.Select(within, a, r), e.Select(within, zero, rl)
	t.q = e.Select(within, e.Bits(dtype.Uint64, 0), q)
	t.odd = e.Eq(e.And(t.q, e.Bits(dtype.Uint64, 1)), e.Bits(dtype.Uint64, 1))
	f.kernels(e, r, rl, &t)
	return t
}

// kernels evaluates the sine and the cosine of r + rl: with s = r²,
// r + (s r P(s) + rl (1 - s/2)) and w + ((1 - w - s/2) + s² Q(s) - r rl), where
// w is 1 - s/2 rounded (as in k_sin.c and k_cos.c of FreeBSD's msun).
func (f *trigFormat) kernels(e *Emit, r, rl V, t *turned) {
	one, half := e.Const(f.float, 1), e.Const(f.float, -0.5)
	s := e.Mul(r, r)
	w := e.Fma(s, half, one)
	t.sin, t.sinLow = r, e.Fma(e.Mul(s, r), e.Horner(s, f.sin), e.Mul(rl, w))
	rest := e.Fma(e.Neg(r), rl, e.Fma(s, half, e.Sub(one, w)))
	t.cos, t.cosLow = w, e.Fma(e.Mul(s, s), e.Horner(s, f.cos), rest)
}

// signed returns y, or NaN when x is not finite, with its sign bit flipped by
// bit 1 of q.
func (f *trigFormat) signed(e *Emit, y, q, finite V) V {
	top := uint(8*f.float.Size() - 1)
	bit := e.Shl(e.Convert(f.pattern, e.And(q, e.Bits(dtype.Uint64, 2))), top-1)
	y = e.Cast(f.float, e.Xor(e.Cast(f.pattern, y), bit))
	return e.Select(finite, y, e.Const(f.float, math.NaN()))
}

// flipSign flips the sign bit of y where x has one.
func flipSign(e *Emit, y, x V) V {
	d := e.Type(x)
	u := patternOf(d)
	sign := e.And(e.Cast(u, x), e.Bits(u, 1<<(8*d.Size()-1)))
	return e.Cast(d, e.Xor(e.Cast(u, y), sign))
}

// sin is the sine of x for every finite x.
func sin(e *Emit, x V) V {
	f := trigOf(e, x)
	t := f.turn(e, x)
	y := e.Add(e.Select(t.odd, t.cos, t.sin), e.Select(t.odd, t.cosLow, t.sinLow))
	return flipSign(e, f.signed(e, y, t.q, t.finite), x)
}

// cos is the cosine of x: the sine of a quadrant further.
func cos(e *Emit, x V) V {
	f := trigOf(e, x)
	t := f.turn(e, x)
	y := e.Add(e.Select(t.odd, t.sin, t.cos), e.Select(t.odd, t.sinLow, t.cosLow))
	return f.signed(e, y, e.Add(t.q, e.Bits(dtype.Uint64, 1)), t.finite)
}

// tan is the quotient of both, of which numerator and denominator are taken to
// twice the significand. In odd quadrants it is
// -cos/sin.
func tan(e *Emit, x V) V {
	f := trigOf(e, x)
	t := f.turn(e, x)
	n := fastTwoSum(e, e.Select(t.odd, t.cos, t.sin), e.Select(t.odd, t.cosLow, t.sinLow))
	d := fastTwoSum(e, e.Select(t.odd, t.sin, t.cos), e.Select(t.odd, t.sinLow, t.cosLow))
	q := quotient(e, n, d)
	y := e.Add(q.hi, q.lo)
	odd := e.Shl(e.And(t.q, e.Bits(dtype.Uint64, 1)), 1)
	return flipSign(e, f.signed(e, y, odd, t.finite), x)
}
