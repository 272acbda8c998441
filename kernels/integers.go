package kernels

// divide returns the truncated quotient and the remainder of integers, both
// defined for all operands: by 0 the quotient is x, to be replaced, and the
// remainder 0; the least value by -1 gives itself, the remainder 0. The
// divisor returned is what was divided by.
func divide(e *Emit, x, y V) (quotient, remainder, divisor V) {
	d := e.Type(x)
	bad := e.Eq(y, e.Const(d, 0))
	if !e.unsigned(x) {
		least := e.Eq(x, e.Bits(d, 1<<(8*d.Size()-1)))
		bad = e.Or(bad, e.And(least, e.Eq(y, e.Const(d, -1))))
	}
	divisor = e.Select(bad, e.Const(d, 1), y)
	quotient = e.Quo(x, divisor)
	return quotient, e.Sub(x, e.Mul(quotient, divisor)), divisor
}

// opposite reports whether a remainder is not 0 and has another sign than the
// divisor, so that the quotient was rounded up.
func opposite(e *Emit, remainder, divisor V) V {
	zero := e.Const(e.Type(remainder), 0)
	return e.And(e.Ne(remainder, zero), e.Lt(e.Xor(remainder, divisor), zero))
}

func floorDiv(e *Emit, x, y V) V {
	d := e.Type(x)
	if d.IsFloat() {
		return floorDivFloat(e, x, y)
	}
	q, r, by := divide(e, x, y)
	if !e.unsigned(x) {
		q = e.Select(opposite(e, r, by), e.Sub(q, e.Const(d, 1)), q)
	}
	return e.Select(e.Eq(y, e.Const(d, 0)), e.Const(d, 0), q)
}

func mod(e *Emit, x, y V) V {
	if e.Type(x).IsFloat() {
		return modFloat(e, x, y)
	}
	_, r, by := divide(e, x, y)
	if e.unsigned(x) {
		return r
	}
	return e.Select(opposite(e, r, by), e.Add(r, by), r)
}

func rem(e *Emit, x, y V) V {
	if e.Type(x).IsFloat() {
		return remFloat(e, x, y)
	}
	_, r, _ := divide(e, x, y)
	return r
}

// shiftCount returns y where it is in 0..width-1 and else 0, and whether it is.
// The width fits in every integer type.
func shiftCount(e *Emit, y V) (count, inside V) {
	d := e.Type(y)
	zero := e.Const(d, 0)
	inside = e.And(e.Le(zero, y), e.Lt(y, e.Const(d, float64(8*d.Size()))))
	return e.Select(inside, y, zero), inside
}

func shiftLeft(e *Emit, x, y V) V {
	count, inside := shiftCount(e, y)
	return e.Select(inside, e.ShlBy(x, count), e.Const(e.Type(x), 0))
}

// shiftRightBy, of a count out of range leaves only the sign.
func shiftRightBy(e *Emit, x, y V) V {
	d := e.Type(x)
	count, inside := shiftCount(e, y)
	empty := e.Const(d, 0)
	if !e.unsigned(x) {
		empty = e.Shr(x, uint(8*d.Size()-1))
	}
	return e.Select(inside, e.ShrBy(x, count), empty)
}

// bitsOnly makes the expressions of a bitwise row: of integers and bools.
func bitsOnly(f func(e *Emit, x []V) V) Expr { return Expr{Int: f, Bool: f} }
