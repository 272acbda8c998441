package kernels

import "math/big"

// Arithmetic.
const (
	Add Op = baseArith + iota
	Sub
	Mul
	Div
	Neg
	Abs
	Sqrt
	Square
	Reciprocal
	Relu
	Lerp
	FMA
	AddCMul
)

var arithRows = map[Op]Row{
	Add: {
		Name: "add", Arity: 2, Rule: RulePromote, Kinds: AllKinds, Hot: true,
		Doc:   "x + y; integers wrap, of bools it is x or y",
		Expr:  arithmetic(on2V((*Emit).Add), on2V((*Emit).Or)),
		Ref:   Ref{exactly((*big.Float).Add), on2(func(x, y int64) int64 { return x + y })},
		Bound: rounded,
	},
	Sub: {
		Name: "sub", Arity: 2, Rule: RulePromote, Kinds: Numeric, Hot: true,
		Doc:   "x - y; integers wrap",
		Expr:  arithmetic(on2V((*Emit).Sub), nil),
		Ref:   Ref{exactly((*big.Float).Sub), on2(func(x, y int64) int64 { return x - y })},
		Bound: rounded,
	},
	Mul: {
		Name: "mul", Arity: 2, Rule: RulePromote, Kinds: AllKinds, Hot: true,
		Doc:   "x * y; integers wrap, of bools it is x and y",
		Expr:  arithmetic(on2V((*Emit).Mul), on2V((*Emit).And)),
		Ref:   Ref{exactly((*big.Float).Mul), on2(func(x, y int64) int64 { return x * y })},
		Bound: rounded,
	},
	Div: {
		Name: "div", Arity: 2, Rule: RuleFloat, Kinds: Floats, Hot: true,
		Doc:   "x / y, true division: integers become float32",
		Expr:  floatsOnly(on2V((*Emit).Div)),
		Ref:   Ref{Float: exactly((*big.Float).Quo)},
		Bound: rounded,
	},
	Neg: {
		Name: "neg", Arity: 1, Rule: RulePromote, Kinds: Numeric, Hot: true,
		Doc:  "-x; unsigned integers and the least signed one wrap; a bool is negated by LogicalNot",
		Expr: Expr{Float32: on1V((*Emit).Neg), Float64: on1V((*Emit).Neg), Int: negInt},
		Ref:  Ref{on1(func(x float64) float64 { return -1 * x }), on1(func(x int64) int64 { return -x })},
	},
	Abs: {
		Name: "abs", Arity: 1, Rule: RulePromote, Kinds: AllKinds, Hot: true,
		Doc:     "the magnitude of x; the least signed integer wraps to itself",
		Expr:    Expr{Float32: on1V((*Emit).Abs), Float64: on1V((*Emit).Abs), Int: absInt, Bool: same},
		Ref:     Ref{on1(func(x float64) float64 { return max(x, -1*x, 0) }), on1(func(x int64) int64 { return max(x, -x) })},
		RefUint: on1(func(x uint64) uint64 { return x }),
	},
	Sqrt: {
		Name: "sqrt", Arity: 1, Rule: RuleFloat, Kinds: Floats, Hot: true,
		Doc:   "the square root of x; NaN below zero, -0 of -0",
		Expr:  floatsOnly(on1V((*Emit).Sqrt)),
		Ref:   Ref{Float: exactly(func(z, x, _ *big.Float) *big.Float { return z.Sqrt(x) })},
		Bound: rounded,
	},
	Square: {
		Name: "square", Arity: 1, Rule: RulePromote, Kinds: AllKinds, Hot: true,
		Doc:   "x * x; integers wrap",
		Expr:  arithmetic(func(e *Emit, x []V) V { return e.Mul(x[0], x[0]) }, same),
		Ref:   Ref{exactly((*big.Float).Mul), on1(func(x int64) int64 { return x * x })},
		Bound: rounded,
	},
	Reciprocal: {
		Name: "reciprocal", Arity: 1, Rule: RuleFloat, Kinds: Floats, Hot: true,
		Doc:   "1 / x; integers become float32",
		Expr:  floatsOnly(func(e *Emit, x []V) V { return e.Div(e.Const(e.Type(x[0]), 1), x[0]) }),
		Ref:   Ref{Float: exactly(func(z, x, _ *big.Float) *big.Float { return z.Quo(big.NewFloat(1), x) })},
		Bound: rounded,
	},
	Relu: {
		Name: "relu", Arity: 1, Rule: RulePromote, Kinds: AllKinds, Hot: true,
		Doc:     "the greater of x and 0; +0 of -0, NaN of NaN",
		Expr:    arithmetic(relu, same),
		Ref:     Ref{on1(func(x float64) float64 { return max(x, 0) }), on1(func(x int64) int64 { return max(x, 0) })},
		RefUint: on1(func(x uint64) uint64 { return x }),
	},
	Lerp: {
		Name: "lerp", Arity: 3, Rule: RuleFloat, Kinds: Floats,
		Doc:   "x + z (y - x): x where the weight z is 0, y where it is 1, and x of equal x and y; integers become float32",
		Expr:  floatsOnly(func(e *Emit, x []V) V { return lerp(e, x[0], x[1], x[2]) }),
		Ref:   Ref{Float: refLerp},
		Terms: lerpTerms,
		Bound: Bound{2, 2},
	},
	FMA: {
		Name: "fma", Arity: 3, Rule: RulePromote, Kinds: Numeric,
		Doc:   "x * y + z, rounded once; integers wrap",
		Expr:  multiplyAdd(0, 1, 2),
		Ref:   Ref{refFMA, func(x []int64) int64 { return x[0]*x[1] + x[2] }},
		Bound: rounded,
	},
	AddCMul: {
		Name: "addcmul", Arity: 3, Rule: RulePromote, Kinds: Numeric,
		Doc:   "x + y * z, rounded once; integers wrap",
		Expr:  multiplyAdd(1, 2, 0),
		Ref:   Ref{func(x []float64) float64 { return refFMA([]float64{x[1], x[2], x[0]}) }, func(x []int64) int64 { return x[0] + x[1]*x[2] }},
		Bound: rounded,
	},
}

func negInt(e *Emit, x []V) V { return e.Sub(e.Const(e.Type(x[0]), 0), x[0]) }

func absInt(e *Emit, x []V) V {
	if e.unsigned(x[0]) {
		return x[0]
	}
	return e.Select(e.Lt(x[0], e.Const(e.Type(x[0]), 0)), negInt(e, x), x[0])
}

// relu replaces what is <= 0, so that -0 becomes +0 and NaN stays.
func relu(e *Emit, x []V) V {
	if e.unsigned(x[0]) {
		return x[0]
	}
	zero := e.Const(e.Type(x[0]), 0)
	return e.Select(e.Le(x[0], zero), zero, x[0])
}
