package kernels

import (
	"math"

	"github.com/stride0/stride0/dtype"
)

// arcsine returns what asin and acos share: for a = |x| up to 1/2 asin a is
// z + rest with z = a; above, it is π/2 - 2 (z + rest) with z the root of
// (1-a)/2, whose rounding error rest contains. For a above 1 all is NaN.
func (f *trigFormat) arcsine(e *Emit, a V) (large, z, rest V) {
	zero, one, half := e.Const(f.float, 0), e.Const(f.float, 1), e.Const(f.float, 0.5)
	large = e.Lt(half, a)
	s := e.Select(large, e.Mul(e.Sub(one, a), half), e.Mul(a, a))
	root := e.Sqrt(s)
	twice := e.Add(root, root)
	lost := e.Div(e.Fma(e.Neg(root), root, s), e.Select(e.Eq(s, zero), one, twice))
	z = e.Select(large, root, a)
	lost = e.Select(large, lost, zero)
	return large, z, e.Fma(e.Mul(z, s), e.Horner(s, f.asin), lost)
}

// asin is the inverse of the sine, NaN outside [-1, 1].
func asin(e *Emit, x V) V {
	f := trigOf(e, x)
	large, z, rest := f.arcsine(e, e.Abs(x))
	two := e.Const(f.float, 2)
	quarter, low := e.Const(f.float, f.halfPi), e.Const(f.float, f.halfPiLo)
	twice := e.Add(z, z)
	top := e.Sub(quarter, twice)
	lost := e.Sub(e.Sub(quarter, top), twice)
	above := e.Add(top, e.Add(lost, e.Fma(e.Neg(two), rest, low)))
	return copySign(e, e.Select(large, above, e.Add(z, rest)), x)
}

// acos is the inverse of the cosine, NaN outside [-1, 1]: π/2 - asin x, or
// twice the arcsine of the root of (1-|x|)/2, taken from π for negative x.
func acos(e *Emit, x V) V {
	f := trigOf(e, x)
	large, z, rest := f.arcsine(e, e.Abs(x))
	negative := e.Lt(x, e.Const(f.float, 0))
	z, rest = e.Select(large, e.Add(z, z), z), e.Select(large, e.Add(rest, rest), rest)

	// The base is π/2 below 1/2, π below -1/2, and nothing above 1/2, where
	// what is added to it is positive.
	pick := func(whole float64) V {
		return e.Select(large, e.Select(negative, e.Const(f.float, 2*whole), e.Const(f.float, 0)), e.Const(f.float, whole))
	}
	plus := e.Xor(large, negative)
	z, rest = e.Select(plus, z, e.Neg(z)), e.Select(plus, rest, e.Neg(rest))
	base := pick(f.halfPi)
	sum := e.Add(base, z)
	lost := e.Select(e.Eq(base, e.Const(f.float, 0)), e.Const(f.float, 0), e.Sub(z, e.Sub(sum, base)))
	return e.Add(sum, e.Add(lost, e.Add(rest, pick(f.halfPiLo))))
}

// atan is the inverse of the tangent.
func atan(e *Emit, x V) V {
	f := trigOf(e, x)
	one := e.Const(f.float, 1)
	a := e.Abs(x)
	steep := e.Lt(one, a)
	z := e.Div(e.Select(steep, one, a), e.Select(steep, a, one))
	zero := e.Const(f.float, 0)
	base := e.Select(steep, e.Const(f.float, f.halfPi), zero)
	low := e.Select(steep, e.Const(f.float, f.halfPiLo), zero)
	return copySign(e, f.angle(e, z, base, low, steep), x)
}

// angle returns base + low + atan z, or less atan z, for z from 0 to 1.
func (f *trigFormat) angle(e *Emit, z, base, low, minus V) V {
	s := e.Mul(z, z)
	rest := e.Mul(s, e.Horner(s, f.atan))
	// The diagonals are π/4 and 3π/4 to the last place.
	rest = e.Select(e.Eq(z, e.Const(f.float, 1)), e.Const(f.float, math.Pi/4-1), rest)
	z = e.Select(minus, e.Neg(z), z)
	sum := e.Add(base, z)
	lost := e.Select(e.Eq(base, e.Const(f.float, 0)), low, e.Add(e.Sub(z, e.Sub(sum, base)), low))
	return e.Add(sum, e.Fma(z, rest, lost))
}

// atan2 is the angle of the point (x, y), the operands being y and x: the
// arctangent of the smaller magnitude over the larger one, placed in its
// octant. Two zeros count as 0/1 and two infinities as 1/1; a zero's sign
// says on which side of the axis it is.
func atan2(e *Emit, y, x V) V {
	f := trigOf(e, x)
	zero, one := e.Const(f.float, 0), e.Const(f.float, 1)
	ax, ay := e.Abs(x), e.Abs(y)
	steep := e.Lt(ax, ay)
	n, d := e.Select(steep, ax, ay), e.Select(steep, ay, ax)
	z := e.Div(n, e.Select(e.Eq(d, zero), one, d))
	z = e.Select(e.Eq(n, e.Bits(f.float, infinityOf(f.float))), one, z)

	u := f.pattern
	left := e.Le(e.Bits(u, 1<<(8*f.float.Size()-1)), e.Cast(u, x)) // the sign bit, also of -0
	pick := func(half float64) V {
		flat := e.Select(left, e.Const(f.float, 2*half), zero)
		return e.Select(steep, e.Const(f.float, half), flat)
	}
	minus := e.Xor(steep, left)
	r := copySign(e, f.angle(e, z, pick(f.halfPi), pick(f.halfPiLo), minus), y)
	numbers := e.And(e.Eq(x, x), e.Eq(y, y))
	return e.Select(numbers, r, e.Add(x, y))
}

// infinityOf is the pattern of infinity in the float type d.
func infinityOf(d dtype.DType) uint64 {
	if d == dtype.Float64 {
		return 0x7ff << 52
	}
	return 0xff << 23
}
