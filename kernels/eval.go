package kernels

import (
	"math"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/internal/exact"
)

// Eval interprets b: it is what every spelling of b must agree with, to the
// bit but for NaN patterns. args[i] is the bit pattern of argument i
// in its low bits, false and true are 0 and 1; so are the results. Too few
// args panic.
func (b Body) Eval(args []uint64) []uint64 {
	vals := b.evalAll(args)
	outs := make([]uint64, len(b.Outs))
	for i, v := range b.Outs {
		outs[i] = vals[v]
	}
	return outs
}

// evalAll returns the value of every node.
func (b Body) evalAll(args []uint64) []uint64 {
	vals := make([]uint64, len(b.Nodes))
	for i := range b.Nodes {
		vals[i] = b.evalNode(&b.Nodes[i], args, vals)
	}
	return vals
}

func (b Body) evalNode(n *Node, args, vals []uint64) uint64 {
	var x [3]uint64
	for i, a := range n.args() {
		x[i] = vals[a]
	}
	switch n.Prim {
	case PrimArg:
		return args[n.Bits]
	case PrimConst:
		return n.Bits
	case PrimBits:
		return x[0]
	case PrimSelect:
		if x[0] != 0 {
			return x[1]
		}
		return x[2]
	case PrimLt, PrimLe, PrimEq:
		return truth(evalCompare(n.Prim, b.Nodes[n.Args[0]].Type, x[0], x[1]))
	case PrimConvert:
		return evalConvert(b.Nodes[n.Args[0]].Type, n.Type, x[0])
	}
	switch n.Type {
	case dtype.Float32:
		return uint64(math.Float32bits(evalFloat32(n.Prim, float32Of(x[0]), float32Of(x[1]), float32Of(x[2]))))
	case dtype.Float64:
		return math.Float64bits(evalFloat64(n.Prim, math.Float64frombits(x[0]), math.Float64frombits(x[1]), math.Float64frombits(x[2])))
	}
	return wrap(n.Type, evalInt(n, x[0], x[1]))
}

// evalFloat32 converts every result: the compiler may fuse what it can see
// together.
func evalFloat32(p Prim, x, y, z float32) float32 {
	switch p {
	case PrimAdd:
		return float32(x + y)
	case PrimSub:
		return float32(x - y)
	case PrimMul:
		return float32(x * y)
	case PrimDiv:
		return float32(x / y)
	case PrimSqrt:
		return float32(math.Sqrt(float64(x)))
	case PrimFma:
		return exact.FMA32(x, y, z)
	}
	return float32(math.NaN())
}

func evalFloat64(p Prim, x, y, z float64) float64 {
	switch p {
	case PrimAdd:
		return float64(x + y)
	case PrimSub:
		return float64(x - y)
	case PrimMul:
		return float64(x * y)
	case PrimDiv:
		return float64(x / y)
	case PrimSqrt:
		return math.Sqrt(x)
	case PrimFma:
		return math.FMA(x, y, z)
	}
	return math.NaN()
}

// evalInt serves integers of any width and bool: the low bits of a result
// depend on the low bits of the operands alone, but for quotients and shifts to
// the right.
func evalInt(n *Node, x, y uint64) uint64 {
	switch n.Prim {
	case PrimAdd:
		return x + y
	case PrimSub:
		return x - y
	case PrimMul:
		return x * y
	case PrimAnd:
		return x & y
	case PrimOr:
		return x | y
	case PrimXor:
		return x ^ y
	case PrimNot:
		return ^x
	case PrimShl:
		return x << n.Bits
	case PrimShr:
		return shiftRight(n.Type, x, n.Bits)
	case PrimQuo:
		return evalQuo(n.Type, x, y)
	case PrimShlBy:
		return x << y
	case PrimShrBy:
		return shiftRight(n.Type, x, y)
	}
	return 0
}

func shiftRight(d dtype.DType, x, n uint64) uint64 {
	if d.Kind() == dtype.IntKind {
		return uint64(signed(d, x) >> n)
	}
	return x >> n
}

func evalQuo(d dtype.DType, x, y uint64) uint64 {
	if d.Kind() == dtype.IntKind {
		return uint64(signed(d, x) / signed(d, y))
	}
	return x / y
}

func evalCompare(p Prim, d dtype.DType, x, y uint64) bool {
	switch d.Kind() {
	case dtype.FloatKind:
		return compare(p, floatOf(d, x), floatOf(d, y))
	case dtype.IntKind:
		return compare(p, signed(d, x), signed(d, y))
	}
	return compare(p, x, y)
}

func compare[T uint64 | int64 | float64](p Prim, x, y T) bool {
	switch p {
	case PrimLt:
		return x < y
	case PrimLe:
		return x <= y
	}
	return x == y
}

// evalConvert extends x to 64 bits and rounds or wraps that.
func evalConvert(from, to dtype.DType, x uint64) uint64 {
	switch {
	case from.IsFloat() && to.IsFloat():
		return patternOfFloat(to, floatOf(from, x))
	case from.IsFloat() && to == dtype.Uint64:
		return uint64(floatOf(from, x))
	case from.IsFloat():
		return wrap(to, uint64(int64(floatOf(from, x))))
	case from.Kind() == dtype.IntKind && to == dtype.Float32:
		return uint64(math.Float32bits(exact.Float32FromInt64(signed(from, x))))
	case from.Kind() == dtype.IntKind && to == dtype.Float64:
		return math.Float64bits(float64(signed(from, x)))
	case to == dtype.Float32:
		return uint64(math.Float32bits(exact.Float32FromUint64(x)))
	case to == dtype.Float64:
		return math.Float64bits(float64(x))
	case from.Kind() == dtype.IntKind:
		return wrap(to, uint64(signed(from, x)))
	}
	return wrap(to, x)
}

// wrap keeps the low bits that a value of type d has.
func wrap(d dtype.DType, x uint64) uint64 {
	if d == dtype.Bool {
		return x & 1
	}
	return x & (math.MaxUint64 >> (64 - 8*d.Size()))
}

// signed extends the sign of the pattern x of the signed type d.
func signed(d dtype.DType, x uint64) int64 {
	shift := 64 - 8*d.Size()
	return int64(x<<shift) >> shift
}

// floatOf returns the float of type d with the pattern x.
func floatOf(d dtype.DType, x uint64) float64 { return d.FloatOf(x) }

// patternOfFloat returns the pattern of x rounded to the float type d.
func patternOfFloat(d dtype.DType, x float64) uint64 { return d.PatternOf(x) }

func float32Of(x uint64) float32 { return math.Float32frombits(uint32(x)) }

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
