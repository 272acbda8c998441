package kernels

// Integer division, bits and truth values.
const (
	FloorDiv Op = baseInt + iota
	Mod
	Rem
	BitAnd
	BitOr
	BitXor
	BitNot
	ShiftLeft
	ShiftRight
	LogicalAnd
	LogicalOr
	LogicalXor
	LogicalNot
)

var intRows = map[Op]Row{
	FloorDiv: {
		Name: "floordiv", Arity: 2, Rule: RulePromote, Kinds: Numeric,
		Doc:     "x / y rounded down; integers by zero are 0 and the least by -1 is itself; floats by zero as in div, NaN of an infinite x",
		Expr:    arithmetic(on2V(floorDiv), nil),
		Ref:     Ref{on2(refFloorDiv), on2(refFloorDivInt)},
		RefUint: on2(func(x, y uint64) uint64 { return refDivUint(y, x/max(y, 1)) }),
		Bound:   Bound{0.5, 1}, // of a tie beyond 2^mantissa either neighbour
	},
	Mod: {
		Name: "mod", Arity: 2, Rule: RulePromote, Kinds: Numeric,
		Doc:     "the remainder of x / y with the sign of y, also of zero; integers by zero are 0, floats NaN",
		Expr:    arithmetic(on2V(mod), nil),
		Ref:     Ref{on2(refMod), on2(refModInt)},
		RefUint: on2(func(x, y uint64) uint64 { return refDivUint(y, x%max(y, 1)) }),
		Bound:   rounded,
	},
	Rem: {
		Name: "rem", Arity: 2, Rule: RulePromote, Kinds: Numeric,
		Doc:     "the remainder of x / y with the sign of x, exact; integers by zero are 0, floats NaN",
		Expr:    arithmetic(on2V(rem), nil),
		Ref:     Ref{on2(refRem), on2(refRemInt)},
		RefUint: on2(func(x, y uint64) uint64 { return refDivUint(y, x%max(y, 1)) }),
	},
	BitAnd: {
		Name: "bitand", Arity: 2, Rule: RulePromote, Kinds: Integers | Bools,
		Doc:  "the bits that are set in both x and y",
		Expr: bitsOnly(on2V((*Emit).And)),
		Ref:  Ref{Int: on2(func(x, y int64) int64 { return x & y })},
	},
	BitOr: {
		Name: "bitor", Arity: 2, Rule: RulePromote, Kinds: Integers | Bools,
		Doc:  "the bits that are set in x or y",
		Expr: bitsOnly(on2V((*Emit).Or)),
		Ref:  Ref{Int: on2(func(x, y int64) int64 { return x | y })},
	},
	BitXor: {
		Name: "bitxor", Arity: 2, Rule: RulePromote, Kinds: Integers | Bools,
		Doc:  "the bits that are set in just one of x and y",
		Expr: bitsOnly(on2V((*Emit).Xor)),
		Ref:  Ref{Int: on2(func(x, y int64) int64 { return x ^ y })},
	},
	BitNot: {
		Name: "bitnot", Arity: 1, Rule: RulePromote, Kinds: Integers,
		Doc:  "the bits that are not set in x; of a bool LogicalNot serves",
		Expr: Expr{Int: on1V((*Emit).Not)},
		Ref:  Ref{Int: on1(func(x int64) int64 { return -1 - x })},
	},
	ShiftLeft: {
		Name: "shiftleft", Arity: 2, Rule: RulePromote, Kinds: Integers,
		Doc:  "x shifted left by y bits; 0 where y is negative or no less than the width",
		Expr: Expr{Int: on2V(shiftLeft)},
		Ref:  Ref{Int: on2(refShiftLeft)},
	},
	ShiftRight: {
		Name: "shiftright", Arity: 2, Rule: RulePromote, Kinds: Integers,
		Doc:     "x shifted right by y bits, keeping its sign; 0, or -1 of a negative x, where y is negative or no less than the width",
		Expr:    Expr{Int: on2V(shiftRightBy)},
		Ref:     Ref{Int: on2(refShiftRight)},
		RefUint: on2(func(x, n uint64) uint64 { return x >> n }),
	},
	LogicalAnd: {
		Name: "logicaland", Arity: 2, Rule: RuleLogical, Kinds: Bools,
		Doc:  "whether neither x nor y is 0; NaN is not",
		Expr: Expr{Bool: on2V((*Emit).And)},
		Ref:  Ref{Int: on2(func(x, y int64) int64 { return x * y })},
	},
	LogicalOr: {
		Name: "logicalor", Arity: 2, Rule: RuleLogical, Kinds: Bools,
		Doc:  "whether x or y is not 0; NaN is not",
		Expr: Expr{Bool: on2V((*Emit).Or)},
		Ref:  Ref{Int: on2(func(x, y int64) int64 { return max(x, y) })},
	},
	LogicalXor: {
		Name: "logicalxor", Arity: 2, Rule: RuleLogical, Kinds: Bools,
		Doc:  "whether just one of x and y is 0; NaN is not",
		Expr: Expr{Bool: on2V((*Emit).Xor)},
		Ref:  Ref{Int: on2(func(x, y int64) int64 { return max(x-y, y-x) })},
	},
	LogicalNot: {
		Name: "logicalnot", Arity: 1, Rule: RuleLogical, Kinds: Bools,
		Doc:  "whether x is 0; NaN is not",
		Expr: Expr{Bool: on1V((*Emit).Not)},
		Ref:  Ref{Int: on1(func(x int64) int64 { return 1 - x })},
	},
}
