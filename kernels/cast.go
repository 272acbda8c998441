package kernels

import "github.com/stride0/stride0/dtype"

// castExpr returns x as type to. Between integers it wraps, to a float it
// rounds once to nearest even, from a float to an integer it truncates and
// saturates and makes 0 of NaN; what is not zero (NaN too) is true.
func castExpr(e *Emit, to dtype.DType, x V) V {
	from := e.Type(x)
	switch {
	case from == to:
		return x
	case from.IsHalf():
		return castExpr(e, to, e.widen(x))
	case to.IsHalf() && from.IsFloat():
		return e.narrow(to, x)
	case to.IsHalf():
		return e.intToHalf(to, x)
	case to == dtype.Bool:
		return e.Ne(x, e.Const(from, 0))
	case from.IsFloat() && to.IsInteger():
		return floatToInt(e, to, x)
	}
	return e.Convert(to, x)
}

// floatToInt converts only what is in range and selects the rest: what the
// bare conversion does out of range differs between devices. Both limits, the
// least value and one above the greatest, are powers of two or 0 and so
// exact in any float type. A fraction below the least value (-0.5 for an
// unsigned type) is out of range here and saturates to what it would truncate to.
func floatToInt(e *Emit, to dtype.DType, x V) V {
	from := e.Type(x)
	width := 8 * to.Size()
	low, high := 0.0, 2*float64(uint64(1)<<(width-1))
	least, greatest := uint64(0), ^uint64(0)>>(64-width)
	if to.Kind() == dtype.IntKind {
		low, high = -high/2, high/2
		least = 1 << (width - 1)
		greatest = least - 1
	}
	lo, hi := e.Const(from, low), e.Const(from, high)
	inside := e.And(e.Le(lo, x), e.Lt(x, hi))
	r := e.Convert(to, e.Select(inside, x, e.Const(from, 0)))
	r = e.Select(e.Le(hi, x), e.Bits(to, greatest), r)
	return e.Select(e.Lt(x, lo), e.Bits(to, least), r)
}
