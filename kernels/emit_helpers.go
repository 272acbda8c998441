package kernels

import "github.com/stride0/stride0/dtype"

// Ne returns a != b, true for NaN.
func (e *Emit) Ne(a, b V) V { return e.Not(e.Eq(a, b)) }

// Neg returns a with its sign bit flipped, also of zeros and NaN.
func (e *Emit) Neg(a V) V { return e.signBit(PrimXor, a) }

// Abs returns a with its sign bit cleared, also of zeros and NaN.
func (e *Emit) Abs(a V) V { return e.signBit(PrimAnd, a) }

// signBit works on the pattern of the float a: comparisons cannot see the
// sign of zeros and NaN, and arithmetic keeps neither.
func (e *Emit) signBit(p Prim, a V) V {
	d := e.Type(a)
	if !d.IsFloat() {
		e.fail("sign bit of %v", d)
		return a
	}
	mask := uint64(1) << (8*d.Size() - 1)
	if p == PrimAnd {
		mask--
	}
	u := patternOf(d)
	return e.Cast(d, e.bitwise(p, e.Cast(u, a), e.Bits(u, mask)))
}

// HornerBits is Horner for float32 coefficients given as bit patterns.
func (e *Emit) HornerBits(x V, c []uint32) V {
	p := e.Bits(dtype.Float32, uint64(c[len(c)-1]))
	for i := len(c) - 2; i >= 0; i-- {
		p = e.Fma(p, x, e.Bits(dtype.Float32, uint64(c[i])))
	}
	return p
}

func (e *Emit) unsigned(v V) bool { return e.Type(v).Kind() == dtype.UintKind }

// patternOf is the unsigned type of the bit patterns of the float type d.
func patternOf(d dtype.DType) dtype.DType {
	switch d.Size() {
	case 8:
		return dtype.Uint64
	case 2:
		return dtype.Uint16
	}
	return dtype.Uint32
}

// The functions below make the fields of a Row from methods of Emit.

func on1V(f func(e *Emit, x V) V) func(e *Emit, x []V) V {
	return func(e *Emit, x []V) V { return f(e, x[0]) }
}

func on2V(f func(e *Emit, x, y V) V) func(e *Emit, x []V) V {
	return func(e *Emit, x []V) V { return f(e, x[0], x[1]) }
}

func same(_ *Emit, x []V) V { return x[0] }

// everything uses f for all kinds.
func everything(f func(e *Emit, x []V) V) Expr { return Expr{f, f, f, f} }

// arithmetic uses f for floats and integers, b for bools.
func arithmetic(f, b func(e *Emit, x []V) V) Expr { return Expr{f, f, f, b} }

// floatsOnly uses f for floats only.
func floatsOnly(f func(e *Emit, x []V) V) Expr { return Expr{Float32: f, Float64: f} }

// rounded is the Bound of correctly rounded results.
var rounded = Bound{0.5, 0.5}
