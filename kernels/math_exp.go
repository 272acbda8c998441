package kernels

import (
	"math"

	"github.com/stride0/stride0/dtype"
)

// expFormat is what the exponential and its kin need to know of a float type.
type expFormat struct {
	float, integer dtype.DType // the integer of the same width
	mantissa       uint        // stored bits of the significand
	bias           float64     // of the exponent
	round          float64     // added, rounds to an integer: 1.5 * 2^mantissa
	ln2, ln2Low    float64     // log 2 in two parts
	poly           func(e *Emit, r V) V
	high, low      float64 // e^high is infinite, e^low is 0
}

var expFloat32Format = expFormat{
	dtype.Float32, dtype.Int32, 23, 127, 0x1.8p23, float64(float32(math.Ln2)), math.Ln2 - float64(float32(math.Ln2)),
	func(e *Emit, r V) V { return e.HornerBits(r, expPoly) }, 89, -104,
}

var expFloat64Format = expFormat{
	dtype.Float64, dtype.Int64, 52, 1023, 0x1.8p52, math.Ln2, ln2Tail,
	func(e *Emit, r V) V { return e.Horner(r, expTaylor) }, 710, -746,
}

// ln2Tail is log 2 less its float64, rounded.
const ln2Tail = 0x1.abc9e3b39803fp-56

// formatOf returns the format of the float type of x.
func formatOf(e *Emit, x V) *expFormat {
	if e.Type(x) == dtype.Float64 {
		return &expFloat64Format
	}
	return &expFloat32Format
}

// reduce splits x = k log 2 + r with |r| <= log 2 / 2, for x between low and
// high. Adding round rounds x/log 2 to the nearest integer k and leaves it in
// the low bits of the sum, from where it is taken as an integer. With twoPart,
// log 2 is good to twice the significand. For NaN, r is NaN and k meaningless.
func (f *expFormat) reduce(e *Emit, x V, twoPart bool) (r, k V) {
	round := e.Const(f.float, f.round)
	t := e.Fma(x, e.Const(f.float, math.Log2E), round)
	n := e.Sub(t, round)
	r = e.Fma(n, e.Const(f.float, -f.ln2), x)
	if twoPart {
		r = e.Fma(n, e.Const(f.float, -f.ln2Low), r)
	}
	return r, e.Sub(e.Cast(f.integer, t), e.Cast(f.integer, round))
}

// parts returns e^x = (big + small) * 2^k, where big is about 1 + r and small
// about r²/2 (below 0.07) with the rounding error of big: the one rounding
// that matters is that of their sum.
func (f *expFormat) parts(e *Emit, x V) (big, small, k V) {
	r, k := f.reduce(e, x, true)
	one := e.Const(f.float, 1)
	big = e.Add(r, one)
	lost := e.Sub(r, e.Sub(big, one))
	return big, e.Fma(e.Mul(r, r), f.poly(e, r), lost), k
}

// pow2 returns 2^k for exponents of normal numbers.
func (f *expFormat) pow2(e *Emit, k V) V {
	return e.Cast(f.float, e.Shl(e.Add(k, e.Const(f.integer, f.bias)), f.mantissa))
}

// halves returns two numbers with the product 2^k, which itself may be far
// beyond the range. Multiplying by one and then the other rounds in the second
// step only, where the result is subnormal.
func (f *expFormat) halves(e *Emit, k V) (a, b V) {
	h := e.Shr(k, 1)
	return f.pow2(e, h), f.pow2(e, e.Sub(k, h))
}

// exp is e^x, within 0.80 ULP. Beyond the limits the result is Inf or 0.
func exp(e *Emit, x V) V {
	f := formatOf(e, x)
	high, low := e.Const(f.float, f.high), e.Const(f.float, f.low)
	x = e.Select(e.Lt(high, x), high, x)
	x = e.Select(e.Lt(x, low), low, x)
	big, small, k := f.parts(e, x)
	a, b := f.halves(e, k)
	return e.Mul(e.Mul(e.Add(big, small), a), b)
}

// sigmoid is 1/(1+t) or, for negative x, t/(1+t) with t = e^-|x|, within 0.80
// ULP.
func sigmoid(e *Emit, x V) V {
	f := formatOf(e, x)
	a := atMost(e, e.Abs(x), -f.low)
	big, small, k := f.parts(e, e.Neg(a))
	y, p, q := f.logistic(e, big, small, k, e.Lt(x, e.Const(f.float, 0)))
	return e.Mul(e.Mul(y, p), q)
}

// logistic returns 1/(1+t) or, where negative, t/(1+t) as y·p·q, with
// t = (big + small)·2^k <= 1. Both t and 1+t are carried in two parts and the
// reciprocal of 1+t is corrected by its residue, so that nearly the only
// rounding is that of y. p·q is 2^k or 1, in two factors as of halves.
func (f *expFormat) logistic(e *Emit, big, small, k, negative V) (y, p, q V) {
	zero, one := e.Const(f.float, 0), e.Const(f.float, 1)
	hi := e.Add(big, small)
	lo := e.Sub(small, e.Sub(hi, big))
	p, q = f.halves(e, k)

	// d + dl = 1 + (hi+lo) 2^k; the rounding error of d is exact, 1 being the
	// larger term (Dekker's Fast2Sum).
	scaled := e.Mul(hi, p)
	d := e.Fma(scaled, q, one)
	dl := e.Fma(e.Mul(lo, p), q, e.Fma(scaled, q, e.Sub(one, d)))

	// 1/(d+dl) = r + r·residue, but for its square, with residue = 1 - r·d - r·dl.
	r := e.Div(one, d)
	minus := e.Neg(r)
	rl := e.Mul(r, e.Fma(minus, dl, e.Fma(minus, d, one)))

	n, nl := e.Select(negative, hi, one), e.Select(negative, lo, zero)
	y = e.Fma(n, r, e.Fma(nl, r, e.Mul(n, rl)))
	return y, e.Select(negative, p, one), e.Select(negative, q, one)
}

// tanhAbove is tanh a for a from about 0.6 up: 1 - 2/(e^2a + 1), which is 1
// from limit on. NaN stays NaN.
func tanhAbove(e *Emit, a V, limit float64, twoPart bool) V {
	f := formatOf(e, a)
	one, two, top := e.Const(f.float, 1), e.Const(f.float, 2), e.Const(f.float, limit)
	c := e.Select(e.Lt(top, a), top, a)
	r, k := f.reduce(e, e.Add(c, c), twoPart)
	p := e.Add(e.Fma(e.Mul(r, r), f.poly(e, r), r), one)
	return e.Sub(one, e.Div(two, e.Fma(p, f.pow2(e, k), one)))
}

// copySign returns y, which has no sign bit, with the sign bit of x.
func copySign(e *Emit, y, x V) V {
	d := e.Type(x)
	u := patternOf(d)
	sign := e.And(e.Cast(u, x), e.Bits(u, 1<<(8*d.Size()-1)))
	return e.Cast(d, e.Or(e.Cast(u, y), sign))
}
