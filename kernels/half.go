package kernels

import (
	"math"

	"github.com/stride0/stride0/dtype"
)

// Conversions to and from float16 and bfloat16 are expressions like any other,
// so that they are the same on devices with and without instructions for them.

// floatLayout describes the pattern of a float type: a sign, an exponent with
// this bias, and a fraction of so many bits.
type floatLayout struct{ fraction, bias int }

func floatLayoutOf(d dtype.DType) floatLayout {
	switch d {
	case dtype.Float16:
		return floatLayout{10, 15}
	case dtype.BFloat16:
		return floatLayout{7, 127}
	case dtype.Float32:
		return floatLayout{23, 127}
	}
	return floatLayout{52, 1023}
}

// widen returns the value of the half x as a float32, exactly.
func (e *Emit) widen(x V) V {
	u := e.Convert(dtype.Uint32, e.Cast(dtype.Uint16, x))
	if e.Type(x) == dtype.BFloat16 {
		return e.Cast(dtype.Float32, e.Shl(u, 16))
	}
	bits := func(p uint64) V { return e.Bits(dtype.Uint32, p) }
	magnitude := e.And(u, bits(0x7fff))
	sign := e.Shl(e.And(u, bits(0x8000)), 16)
	// The exponent moves from bias 15 to 127; that of infinity and NaN, all
	// ones, twice as far. Subnormals are multiples of 2^-24.
	normal := e.Add(e.Shl(magnitude, 13), bits((127-15)<<23))
	normal = e.Select(e.Lt(magnitude, bits(0x7c00)), normal, e.Add(normal, bits((127-15)<<23)))
	small := e.Mul(e.Convert(dtype.Float32, e.Cast(dtype.Int32, magnitude)), e.Const(dtype.Float32, 0x1p-24))
	r := e.Select(e.Lt(magnitude, bits(0x0400)), e.Cast(dtype.Uint32, small), normal)
	return e.Cast(dtype.Float32, e.Or(r, sign))
}

// narrow returns the float x rounded to the half type to, once, ties to even.
//
// In the normal range it adds to the pattern just under half a unit, and the
// last bit that stays on top; a carry runs into the exponent, up to infinity.
// Below that range, a sum with a number whose last place is the smallest
// subnormal rounds to a multiple of that.
func (e *Emit) narrow(to dtype.DType, x V) V {
	from := e.Type(x)
	wide, slim, pattern := floatLayoutOf(from), floatLayoutOf(to), patternOf(from)
	bits := func(p uint64) V { return e.Bits(pattern, p) }
	width, dropped := 8*from.Size(), uint(wide.fraction-slim.fraction)
	sign := e.Shl(e.Shr(e.Cast(pattern, x), uint(width-1)), 15)
	u := e.Cast(pattern, e.Abs(x))

	rebiased := e.Sub(u, bits(uint64(wide.bias-slim.bias)<<wide.fraction))
	odd := e.And(e.Shr(rebiased, dropped), bits(1))
	r := e.Shr(e.Add(e.Add(rebiased, bits(1<<(dropped-1)-1)), odd), dropped)
	if wide.bias > slim.bias {
		least := math.Ldexp(1, 1-slim.bias-slim.fraction+wide.fraction)
		small := e.Sub(e.Cast(pattern, e.Add(e.Abs(x), e.Const(from, least))), e.Cast(pattern, e.Const(from, least)))
		r = e.Select(e.Lt(u, bits(uint64(wide.bias+1-slim.bias)<<wide.fraction)), small, r)
	}
	infinity := uint64(1<<(15-slim.fraction)-1) << slim.fraction
	beyond := bits(uint64(wide.bias+slim.bias+1) << wide.fraction)
	r = e.Select(e.Lt(u, beyond), r, bits(infinity))
	r = e.Select(e.Eq(x, x), r, bits(infinity|1<<(slim.fraction-1)))
	return e.Cast(to, e.Convert(dtype.Uint16, e.Or(r, sign)))
}

// intToHalf rounds the integer or bool x to the half type to, once.
//
// Up to 2^24 integers are exact in float32. For float16 those beyond are
// infinite, however float32 rounds them. For bfloat16 they lose 8 bits at a
// time, of which the last that stays stands for all: one bit that says that
// there is more keeps ties apart.
func (e *Emit) intToHalf(to dtype.DType, x V) V {
	from := e.Type(x)
	if from.Size() <= 2 || to == dtype.Float16 {
		return e.narrow(to, e.Convert(dtype.Float32, x))
	}
	u := dtype.Uint32
	if from.Size() == 8 {
		u = dtype.Uint64
	}
	negative := e.Bits(dtype.Bool, 0)
	a := x
	if from.Kind() == dtype.IntKind {
		negative = e.Lt(x, e.Const(from, 0))
		a = absInt(e, []V{x})
	}
	a = e.Cast(u, a)
	scale := e.Const(dtype.Float32, 1)
	for width := 8 * from.Size(); width > 24; width -= 8 {
		large := e.Le(e.Bits(u, 1<<24), a)
		more := e.Convert(u, e.Ne(e.And(a, e.Bits(u, 0xff)), e.Bits(u, 0)))
		a = e.Select(large, e.Or(e.Shr(a, 8), more), a)
		scale = e.Select(large, e.Mul(scale, e.Const(dtype.Float32, 256)), scale)
	}
	f := e.Mul(e.Convert(dtype.Float32, e.Convert(dtype.Int32, a)), scale)
	return e.narrow(to, e.Select(negative, e.Neg(f), f))
}
