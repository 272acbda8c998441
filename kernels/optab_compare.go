package kernels

import "math"

// Comparison and selection.
const (
	Minimum Op = baseCompare + iota
	Maximum
	Eq
	Ne
	Lt
	Le
	Gt
	Ge
	Where
	FMax
	FMin
	Clip
	MaskedFill
)

var compareRows = map[Op]Row{
	Minimum: {
		Name: "minimum", Arity: 2, Rule: RulePromote, Kinds: AllKinds, Hot: true,
		Doc:     "the lesser of x and y; NaN wins from either side, -0 is below +0",
		Expr:    everything(on2V(minimum)),
		Ref:     Ref{on2(func(x, y float64) float64 { return min(x, y) }), on2(func(x, y int64) int64 { return min(x, y) })},
		RefUint: on2(func(x, y uint64) uint64 { return min(x, y) }),
	},
	Maximum: {
		Name: "maximum", Arity: 2, Rule: RulePromote, Kinds: AllKinds, Hot: true,
		Doc:     "the greater of x and y; NaN wins from either side, -0 is below +0",
		Expr:    everything(on2V(maximum)),
		Ref:     Ref{on2(func(x, y float64) float64 { return max(x, y) }), on2(func(x, y int64) int64 { return max(x, y) })},
		RefUint: on2(func(x, y uint64) uint64 { return max(x, y) }),
	},
	Eq: {
		Name: "eq", Arity: 2, Rule: RuleCompare, Kinds: AllKinds, Hot: true,
		Doc:     "whether x equals y; false for NaN, true for -0 and +0",
		Expr:    everything(on2V((*Emit).Eq)),
		Ref:     byCmp(func(cmp int) bool { return cmp == 0 }, false),
		RefUint: uintCmp(func(cmp int) bool { return cmp == 0 }),
	},
	Ne: {
		Name: "ne", Arity: 2, Rule: RuleCompare, Kinds: AllKinds, Hot: true,
		Doc:     "whether x differs from y; true for NaN, false for -0 and +0",
		Expr:    everything(on2V((*Emit).Ne)),
		Ref:     byCmp(func(cmp int) bool { return cmp != 0 }, true),
		RefUint: uintCmp(func(cmp int) bool { return cmp != 0 }),
	},
	Lt: {
		Name: "lt", Arity: 2, Rule: RuleCompare, Kinds: AllKinds, Hot: true,
		Doc:     "whether x is below y; false for NaN, false is below true",
		Expr:    everything(on2V(less)),
		Ref:     byCmp(func(cmp int) bool { return cmp < 0 }, false),
		RefUint: uintCmp(func(cmp int) bool { return cmp < 0 }),
	},
	Le: {
		Name: "le", Arity: 2, Rule: RuleCompare, Kinds: AllKinds, Hot: true,
		Doc:     "whether x is below or equal to y; false for NaN",
		Expr:    everything(on2V(lessEqual)),
		Ref:     byCmp(func(cmp int) bool { return cmp <= 0 }, false),
		RefUint: uintCmp(func(cmp int) bool { return cmp <= 0 }),
	},
	Gt: {
		Name: "gt", Arity: 2, Rule: RuleCompare, Kinds: AllKinds, Hot: true,
		Doc:     "whether x is above y; false for NaN, true is above false",
		Expr:    everything(func(e *Emit, x []V) V { return less(e, x[1], x[0]) }),
		Ref:     byCmp(func(cmp int) bool { return cmp > 0 }, false),
		RefUint: uintCmp(func(cmp int) bool { return cmp > 0 }),
	},
	Ge: {
		Name: "ge", Arity: 2, Rule: RuleCompare, Kinds: AllKinds, Hot: true,
		Doc:     "whether x is above or equal to y; false for NaN",
		Expr:    everything(func(e *Emit, x []V) V { return lessEqual(e, x[1], x[0]) }),
		Ref:     byCmp(func(cmp int) bool { return cmp >= 0 }, false),
		RefUint: uintCmp(func(cmp int) bool { return cmp >= 0 }),
	},
	Where: {
		Name: "where", Arity: 3, Rule: RuleWhere, Kinds: AllKinds, Hot: true, Raw: true,
		Doc:  "x where the condition is true, else y",
		Expr: everything(func(e *Emit, x []V) V { return e.Select(x[0], x[1], x[2]) }),
		Ref:  Ref{refWhere[float64], refWhere[int64]},
	},
	FMax: {
		Name: "fmax", Arity: 2, Rule: RulePromote, Kinds: AllKinds,
		Doc:     "the greater of x and y, the other one where one is NaN; -0 is below +0",
		Expr:    everything(on2V(func(e *Emit, x, y V) V { return ignoringNaN(e, x, y, maximum) })),
		Ref:     Ref{on2(func(x, y float64) float64 { return refNumber(x, y, math.Max) }), on2(func(x, y int64) int64 { return max(x, y) })},
		RefUint: on2(func(x, y uint64) uint64 { return max(x, y) }),
	},
	FMin: {
		Name: "fmin", Arity: 2, Rule: RulePromote, Kinds: AllKinds,
		Doc:     "the lesser of x and y, the other one where one is NaN; -0 is below +0",
		Expr:    everything(on2V(func(e *Emit, x, y V) V { return ignoringNaN(e, x, y, minimum) })),
		Ref:     Ref{on2(func(x, y float64) float64 { return refNumber(x, y, math.Min) }), on2(func(x, y int64) int64 { return min(x, y) })},
		RefUint: on2(func(x, y uint64) uint64 { return min(x, y) }),
	},
	Clip: {
		Name: "clip", Arity: 3, Rule: RulePromote, Kinds: AllKinds,
		Doc:     "x, but y where x is below it, and then z where that is above it; NaN wins from any side",
		Expr:    everything(func(e *Emit, x []V) V { return minimum(e, maximum(e, x[0], x[1]), x[2]) }),
		Ref:     Ref{refClip[float64], refClip[int64]},
		RefUint: refClip[uint64],
	},
	MaskedFill: {
		Name: "maskedfill", Arity: 3, Rule: RuleMask, Kinds: AllKinds, Raw: true,
		Doc:  "the value where the mask is true, else x",
		Expr: everything(func(e *Emit, x []V) V { return e.Select(x[1], x[2], x[0]) }),
		Ref:  Ref{refMaskedFill[float64], refMaskedFill[int64]},
	},
}
