package kernels

import "github.com/stride0/stride0/dtype"

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
}

// maximum is that of IEEE 754-2019. Of equal floats it takes the bits that
// both have, which is +0 of -0 and +0; then only a NaN in y is missing: the
// comparison with a NaN in x is false and takes x.
func maximum(e *Emit, x, y V) V { return extremum(e, x, y, false) }

// minimum is that of IEEE 754-2019, with the bits that either zero has.
func minimum(e *Emit, x, y V) V { return extremum(e, x, y, true) }

func extremum(e *Emit, x, y V, least bool) V {
	d := e.Type(x)
	merge, first, second := (*Emit).And, x, y
	if least {
		merge, first, second = (*Emit).Or, y, x
	}
	switch {
	case d == dtype.Bool && least:
		return e.And(x, y)
	case d == dtype.Bool:
		return e.Or(x, y)
	case !d.IsFloat():
		return e.Select(e.Lt(first, second), y, x)
	}
	pattern := patternOf(d)
	both := e.Cast(d, merge(e, e.Cast(pattern, x), e.Cast(pattern, y)))
	r := e.Select(e.Lt(first, second), y, x)
	r = e.Select(e.Eq(x, y), both, r)
	return e.Select(e.Eq(y, y), r, y)
}

// less orders false below true.
func less(e *Emit, x, y V) V {
	if e.Type(x) == dtype.Bool {
		return e.And(e.Not(x), y)
	}
	return e.Lt(x, y)
}

func lessEqual(e *Emit, x, y V) V {
	if e.Type(x) == dtype.Bool {
		return e.Or(e.Not(x), y)
	}
	return e.Le(x, y)
}
