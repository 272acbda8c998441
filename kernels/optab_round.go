package kernels

import (
	"math"

	"github.com/stride0/stride0/dtype"
)

// Rounding, signs and neighbours.
const (
	Floor Op = baseRound + iota
	Ceil
	Trunc
	Round
	Frac
	Sign
	Copysign
	Nextafter
	Signbit
	IsNaN
	IsInf
	IsFinite
)

var roundRows = map[Op]Row{
	Floor: {
		Name: "floor", Arity: 1, Rule: RulePromote, Kinds: AllKinds,
		Doc:  "the greatest integer not above x, as a float; integers stay",
		Expr: rounding(floorFloat),
		Ref:  Ref{on1(math.Floor), on1(refSame)},
	},
	Ceil: {
		Name: "ceil", Arity: 1, Rule: RulePromote, Kinds: AllKinds,
		Doc:  "the least integer not below x, as a float; integers stay",
		Expr: rounding(ceilFloat),
		Ref:  Ref{on1(math.Ceil), on1(refSame)},
	},
	Trunc: {
		Name: "trunc", Arity: 1, Rule: RulePromote, Kinds: AllKinds,
		Doc:  "x without its fraction; integers stay",
		Expr: rounding(truncFloat),
		Ref:  Ref{on1(math.Trunc), on1(refSame)},
	},
	Round: {
		Name: "round", Arity: 1, Rule: RulePromote, Kinds: AllKinds,
		Doc:  "the integer nearest to x, half to even, as a float; integers stay",
		Expr: rounding(roundFloat),
		Ref:  Ref{on1(math.RoundToEven), on1(refSame)},
	},
	Frac: {
		Name: "frac", Arity: 1, Rule: RulePromote, Kinds: Numeric,
		Doc: "x - trunc(x), exact, with the sign of x but for zeros, which are +0; NaN of infinities, 0 of integers",
		Expr: Expr{Float32: on1V(fracFloat), Float64: on1V(fracFloat),
			Int: func(e *Emit, x []V) V { return e.Const(e.Type(x[0]), 0) }},
		Ref: Ref{on1(refFrac), on1(func(int64) int64 { return 0 })},
	},
	Sign: {
		Name: "sign", Arity: 1, Rule: RulePromote, Kinds: AllKinds,
		Doc:     "-1, 0 or 1 as x is below, equal to or above 0; +0 of -0, NaN of NaN",
		Expr:    arithmetic(on1V(signNumber), same),
		Ref:     Ref{on1(refSign[float64]), on1(refSign[int64])},
		RefUint: on1(func(x uint64) uint64 { return min(x, 1) }),
	},
	Copysign: {
		Name: "copysign", Arity: 2, Rule: RuleFloat, Kinds: Floats,
		Doc:  "the magnitude of x with the sign of y, positive where y is NaN; integers become float32",
		Expr: floatsOnly(on2V(copysignFloat)),
		Ref:  Ref{Float: on2(refCopysign)},
	},
	Nextafter: {
		Name: "nextafter", Arity: 2, Rule: RulePromote, Kinds: Floats, Raw: true,
		Doc:  "the float next to x in the direction of y, y where they are equal",
		Expr: floatsOnly(on2V(nextafterFloat)),
	},
	Signbit: {
		Name: "signbit", Arity: 1, Rule: RuleCompare, Kinds: AllKinds,
		Doc: "whether x is negative, as -0 is; false for NaN",
		Expr: Expr{Float32: on1V(signBitOf), Float64: on1V(signBitOf), Bool: answer(0),
			Int: func(e *Emit, x []V) V { return e.Lt(x[0], e.Const(e.Type(x[0]), 0)) }},
		Ref:     Ref{on1(refSignbit), on1(func(x int64) int64 { return x & math.MinInt64 })},
		RefUint: on1(func(uint64) uint64 { return 0 }),
	},
	IsNaN: {
		Name: "isnan", Arity: 1, Rule: RuleCompare, Kinds: AllKinds,
		Doc:  "whether x is NaN",
		Expr: predicate(func(e *Emit, x V) V { return e.Ne(x, x) }, 0),
		Ref:  Ref{on1(func(x float64) float64 { return refTruth(math.IsNaN(x)) }), on1(func(int64) int64 { return 0 })},
	},
	IsInf: {
		Name: "isinf", Arity: 1, Rule: RuleCompare, Kinds: AllKinds,
		Doc:  "whether x is an infinity of either sign",
		Expr: predicate(func(e *Emit, x V) V { return e.Eq(e.Abs(x), e.Const(e.Type(x), math.Inf(1))) }, 0),
		Ref:  Ref{on1(func(x float64) float64 { return refTruth(math.IsInf(x, 0)) }), on1(func(int64) int64 { return 0 })},
	},
	IsFinite: {
		Name: "isfinite", Arity: 1, Rule: RuleCompare, Kinds: AllKinds,
		Doc:  "whether x is neither infinite nor NaN",
		Expr: predicate(func(e *Emit, x V) V { return e.Lt(e.Abs(x), e.Const(e.Type(x), math.Inf(1))) }, 1),
		Ref:  Ref{on1(func(x float64) float64 { return refTruth(x-x == 0) }), on1(func(int64) int64 { return 1 })},
	},
}

// rounding uses f for floats; integers and bools stay.
func rounding(f func(e *Emit, x V) V) Expr { return Expr{on1V(f), on1V(f), same, same} }

// predicate uses f for floats and gives the same answer for all else.
func predicate(f func(e *Emit, x V) V, otherwise uint64) Expr {
	return Expr{on1V(f), on1V(f), answer(otherwise), answer(otherwise)}
}

// answer is false (0) or true (1).
func answer(bit uint64) func(e *Emit, x []V) V {
	return func(e *Emit, _ []V) V { return e.Bits(dtype.Bool, bit) }
}
