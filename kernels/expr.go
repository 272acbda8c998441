package kernels

import (
	"fmt"
	"math"

	"github.com/stride0/stride0/dtype"
)

// Prim is one of the closed set of exact primitives an expression is made of.
// Each gives the same bits on every device. Of float16 and bfloat16 there are
// only constants, selections and bit casts: see widen and narrow.
type Prim uint8

// The primitives. Arithmetic on integers wraps; comparisons are false for
// NaN; Select(m, a, b) is m ? a : b.
const (
	PrimArg     Prim = iota // the i-th argument (Bits = i)
	PrimConst               // Bits is the bit pattern
	PrimAdd                 // int, float
	PrimSub                 // int, float
	PrimMul                 // int, float
	PrimDiv                 // float, correctly rounded
	PrimSqrt                // float, correctly rounded
	PrimFma                 // float, a*b+c rounded once
	PrimLt                  // a < b
	PrimLe                  // a <= b
	PrimEq                  // a == b
	PrimSelect              // bool, T, T
	PrimAnd                 // int, bool
	PrimOr                  // int, bool
	PrimXor                 // int, bool
	PrimNot                 // int, bool
	PrimShl                 // int, by Bits
	PrimShr                 // int, by Bits: logical for unsigned, arithmetic for signed
	PrimQuo                 // int, truncated; never by 0, nor the least signed value by -1
	PrimShlBy               // int, by a count of the same type in 0..width-1
	PrimShrBy               // as PrimShlBy; logical for unsigned, arithmetic for signed
	PrimConvert             // to Type: wraps between integers, rounds to nearest even to a float, 0/1 from bool; float to integer truncates and must be in range
	PrimBits                // bit cast to Type of the same size
)

// V is a value in an expression: an index into Body.Nodes.
type V int32

// Node is one primitive applied.
type Node struct {
	Prim Prim
	Type dtype.DType // of the result
	Args [3]V
	NArg int
	Bits uint64 // PrimConst: pattern; PrimArg: which; shifts: count
}

// Body is an expression as SSA: nodes in an order in which arguments come
// first, and the values it yields.
type Body struct {
	Nodes []Node
	Outs  []V
}

// Emit builds a Body. Its methods take and return values; equal nodes are
// shared. The first misuse (mixed dtypes, say) is kept and returned by Body.
type Emit struct {
	nodes []Node
	seen  map[Node]V
	err   error
}

// NewEmit returns an Emit with no nodes.
func NewEmit() *Emit { return &Emit{seen: map[Node]V{}} }

func (e *Emit) add(n Node) V {
	if v, ok := e.seen[n]; ok {
		return v
	}
	v := V(len(e.nodes))
	e.nodes = append(e.nodes, n)
	e.seen[n] = v
	return v
}

func (e *Emit) fail(format string, args ...any) {
	if e.err == nil {
		e.err = fmt.Errorf("kernels: expression: "+format, args...)
	}
}

// Type returns the dtype of v.
func (e *Emit) Type(v V) dtype.DType {
	if v < 0 || int(v) >= len(e.nodes) {
		e.fail("value %d does not exist", v)
		return dtype.Invalid
	}
	return e.nodes[v].Type
}

// Arg returns the i-th argument, of type d.
func (e *Emit) Arg(i int, d dtype.DType) V {
	return e.add(Node{Prim: PrimArg, Type: d, Bits: uint64(i)})
}

// Bits returns a constant by its bit pattern.
func (e *Emit) Bits(d dtype.DType, pattern uint64) V {
	return e.add(Node{Prim: PrimConst, Type: d, Bits: pattern})
}

// Const returns the constant x rounded to a float type d, or x as an integer.
func (e *Emit) Const(d dtype.DType, x float64) V {
	switch d {
	case dtype.Float32:
		return e.Bits(d, uint64(math.Float32bits(float32(x))))
	case dtype.Float64:
		return e.Bits(d, math.Float64bits(x))
	case dtype.Float16, dtype.BFloat16:
		bits, _ := dtype.FloatNumber(x).Bits(d)
		return e.Bits(d, bits)
	}
	bits, err := dtype.IntNumber(int64(x)).Bits(d)
	if d == dtype.Bool {
		bits, err = dtype.BoolNumber(x != 0).Bits(d)
	}
	if err != nil || float64(int64(x)) != x {
		e.fail("constant %v is not a %v", x, d)
	}
	return e.Bits(d, bits)
}

func (e *Emit) op(p Prim, ok bool, t dtype.DType, args ...V) V {
	n := Node{Prim: p, Type: t, NArg: len(args)}
	copy(n.Args[:], args)
	if !ok {
		e.fail("%v of %v", p, e.types(args))
	}
	return e.add(n)
}

func (e *Emit) types(args []V) []dtype.DType {
	ts := make([]dtype.DType, len(args))
	for i, a := range args {
		ts[i] = e.Type(a)
	}
	return ts
}

func (e *Emit) same(args ...V) (dtype.DType, bool) {
	t := e.Type(args[0])
	for _, a := range args[1:] {
		if e.Type(a) != t {
			return t, false
		}
	}
	return t, true
}

func (e *Emit) numeric(p Prim, args ...V) V {
	t, ok := e.same(args...)
	return e.op(p, ok && t.Kind() > dtype.BoolKind && !t.IsHalf(), t, args...)
}

func (e *Emit) float(p Prim, args ...V) V {
	t, ok := e.same(args...)
	return e.op(p, ok && t.IsFloat() && !t.IsHalf(), t, args...)
}

func (e *Emit) compare(p Prim, a, b V) V {
	t, ok := e.same(a, b)
	return e.op(p, ok && !t.IsHalf() && (t != dtype.Bool || p == PrimEq), dtype.Bool, a, b)
}

func (e *Emit) bitwise(p Prim, args ...V) V {
	t, ok := e.same(args...)
	return e.op(p, ok && !t.IsFloat(), t, args...)
}

// Add returns a + b.
func (e *Emit) Add(a, b V) V { return e.numeric(PrimAdd, a, b) }

// Sub returns a - b.
func (e *Emit) Sub(a, b V) V { return e.numeric(PrimSub, a, b) }

// Mul returns a * b.
func (e *Emit) Mul(a, b V) V { return e.numeric(PrimMul, a, b) }

// Div returns a / b.
func (e *Emit) Div(a, b V) V { return e.float(PrimDiv, a, b) }

// Sqrt returns the square root of a.
func (e *Emit) Sqrt(a V) V { return e.float(PrimSqrt, a) }

// Fma returns a*b + c, rounded once.
func (e *Emit) Fma(a, b, c V) V { return e.float(PrimFma, a, b, c) }

// Lt returns a < b.
func (e *Emit) Lt(a, b V) V { return e.compare(PrimLt, a, b) }

// Le returns a <= b.
func (e *Emit) Le(a, b V) V { return e.compare(PrimLe, a, b) }

// Eq returns a == b.
func (e *Emit) Eq(a, b V) V { return e.compare(PrimEq, a, b) }

// Select returns a where m is true, else b.
func (e *Emit) Select(m, a, b V) V {
	t, ok := e.same(a, b)
	return e.op(PrimSelect, ok && e.Type(m) == dtype.Bool, t, m, a, b)
}

// And returns a & b.
func (e *Emit) And(a, b V) V { return e.bitwise(PrimAnd, a, b) }

// Or returns a | b.
func (e *Emit) Or(a, b V) V { return e.bitwise(PrimOr, a, b) }

// Xor returns a ^ b.
func (e *Emit) Xor(a, b V) V { return e.bitwise(PrimXor, a, b) }

// Not returns the complement of a: logical for a bool, of all bits for an integer.
func (e *Emit) Not(a V) V { return e.bitwise(PrimNot, a) }

func (e *Emit) shift(p Prim, a V, n uint) V {
	t := e.Type(a)
	if !t.IsInteger() || int(n) >= 8*t.Size() {
		e.fail("%v of %v by %d", p, t, n)
	}
	return e.add(Node{Prim: p, Type: t, Args: [3]V{a}, NArg: 1, Bits: uint64(n)})
}

// Shl returns a << n.
func (e *Emit) Shl(a V, n uint) V { return e.shift(PrimShl, a, n) }

// Shr returns a >> n, arithmetic when a is signed.
func (e *Emit) Shr(a V, n uint) V { return e.shift(PrimShr, a, n) }

func (e *Emit) integer(p Prim, a, b V) V {
	t, ok := e.same(a, b)
	return e.op(p, ok && t.IsInteger(), t, a, b)
}

// Quo returns the integer quotient a / b, truncated. The expression must make
// sure that b is not 0, and not -1 where a is the least value.
func (e *Emit) Quo(a, b V) V { return e.integer(PrimQuo, a, b) }

// ShlBy returns a << n. The expression must keep n in 0..width-1.
func (e *Emit) ShlBy(a, n V) V { return e.integer(PrimShlBy, a, n) }

// ShrBy returns a >> n, arithmetic when a is signed; n as for ShlBy.
func (e *Emit) ShrBy(a, n V) V { return e.integer(PrimShrBy, a, n) }

// Convert returns a as type d; see PrimConvert.
func (e *Emit) Convert(d dtype.DType, a V) V {
	if e.Type(a) == d {
		return a
	}
	return e.op(PrimConvert, d.Kind() != dtype.BoolKind && !d.IsHalf() && !e.Type(a).IsHalf(), d, a)
}

// Cast returns the bit pattern of a read as type d.
func (e *Emit) Cast(d dtype.DType, a V) V {
	if e.Type(a) == d {
		return a
	}
	return e.op(PrimBits, d.Size() == e.Type(a).Size(), d, a)
}

// Horner returns c[0] + c[1] x + c[2] x² + ..., by fma, in the type of x.
func (e *Emit) Horner(x V, c []float64) V {
	t := e.Type(x)
	p := e.Const(t, c[len(c)-1])
	for i := len(c) - 2; i >= 0; i-- {
		p = e.Fma(p, x, e.Const(t, c[i]))
	}
	return p
}

// Body returns the expression that yields outs, without the nodes they do not
// need, and the first misuse if there was one.
func (e *Emit) Body(outs ...V) (Body, error) {
	if e.err != nil {
		return Body{}, e.err
	}
	return schedule(e.nodes, outs), nil
}
