package kernels

// Copies, conversions and generated data.
const (
	Copy Op = baseData + iota
	Cast
	Arange
	Random
	RandomNormal
	BitCast
)

var dataRows = map[Op]Row{
	Copy: {
		Name: "copy", Arity: 1, Rule: RuleCopy, Kinds: AllKinds, Hot: true, Raw: true,
		Doc:  "x",
		Expr: everything(same),
		Ref:  Ref{on1(func(x float64) float64 { return x }), on1(func(x int64) int64 { return x })},
	},
	Cast: {
		Name: "cast", Arity: 1, Rule: RuleCast, Kinds: AllKinds, Hot: true,
		Doc:   "x as Attr.DType: floats to integers truncate and saturate, NaN becomes 0; integers wrap",
		Expr:  everything(same), // to its own type; castExpr serves the others
		Ref:   Ref{on1(func(x float64) float64 { return x }), on1(func(x int64) int64 { return x })},
		Bound: rounded,
	},
	Arange: {
		Name: "arange", Arity: 3, Rule: RuleArange, Kinds: Numeric,
		Doc:   "start + index * step; rounded once below index 2^24 (2^53 for float64)",
		Expr:  Expr{Float32: arangeFloat, Float64: arangeFloat, Int: arangeInt},
		Ref:   Ref{refArange, func(x []int64) int64 { return x[1] + x[0]*x[2] }},
		Bound: rounded,
	},
	Random: {
		Name: "random", Arity: 2, Rule: RuleRandom, Kinds: Floats,
		Doc:  "uniform in [0, 1): Philox4x32-10 of the index, keyed by the seed",
		Expr: Expr{Float32: randomFloat32, Float64: randomFloat64},
	},
	RandomNormal: {
		Name: "randomnormal", Arity: 2, Rule: RuleRandom, Kinds: Floats,
		Doc:   "normally distributed, mean 0 and variance 1: the quantile of random's bits",
		Expr:  Expr{Float32: normalFloat32, Float64: normalFloat64},
		Bound: Bound{6, 6}, // of the quantile; measured 4.7 at most, mostly below 2
	},
	BitCast: {
		Name: "bitcast", Arity: 1, Rule: RuleBits, Kinds: Numeric, Raw: true,
		Doc:  "the bits of x read as Attr.DType, which has the same size",
		Expr: Expr{Float32: same, Float64: same, Int: same}, // to its own type; Emit.Cast serves the others
	},
}
