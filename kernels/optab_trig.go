package kernels

// Trigonometric functions.
const (
	Sin Op = baseTrig + iota
	Cos
	Tan
	Asin
	Acos
	Atan
	Atan2
)

// The float32 bounds were measured on every 61st pattern of all, against the C
// library's float64 functions, those of float64 on 10^6 samples (atan2 and
// digamma 10^5) against 113 bits, both of the generated code, and rounded up.
var trigRows = map[Op]Row{
	Sin: {
		Name: "sin", Arity: 1, Rule: RuleFloat, Kinds: Floats,
		Doc:   "the sine of x radians, reduced exactly however large; NaN of infinities; integers become float32",
		Expr:  floatsOnly(on1V(sin)),
		Ref:   Ref{Float: on1(refSin)},
		Bound: Bound{0.85, 1},
	},
	Cos: {
		Name: "cos", Arity: 1, Rule: RuleFloat, Kinds: Floats,
		Doc:   "the cosine of x radians, reduced exactly however large; NaN of infinities; integers become float32",
		Expr:  floatsOnly(on1V(cos)),
		Ref:   Ref{Float: on1(refCos)},
		Bound: Bound{0.85, 1},
	},
	Tan: {
		Name: "tan", Arity: 1, Rule: RuleFloat, Kinds: Floats,
		Doc:   "the tangent of x radians, reduced exactly however large; NaN of infinities; integers become float32",
		Expr:  floatsOnly(on1V(tan)),
		Ref:   Ref{Float: on1(refTan)},
		Bound: Bound{1.05, 1},
	},
	Asin: {
		Name: "asin", Arity: 1, Rule: RuleFloat, Kinds: Floats,
		Doc:   "the angle from -π/2 to π/2 whose sine is x; NaN outside [-1, 1]; integers become float32",
		Expr:  floatsOnly(on1V(asin)),
		Ref:   Ref{Float: on1(refAsin)},
		Bound: Bound{0.65, 1},
	},
	Acos: {
		Name: "acos", Arity: 1, Rule: RuleFloat, Kinds: Floats,
		Doc:   "the angle from 0 to π whose cosine is x; NaN outside [-1, 1]; integers become float32",
		Expr:  floatsOnly(on1V(acos)),
		Ref:   Ref{Float: on1(refAcos)},
		Bound: Bound{0.65, 1},
	},
	Atan: {
		Name: "atan", Arity: 1, Rule: RuleFloat, Kinds: Floats,
		Doc:   "the angle from -π/2 to π/2 whose tangent is x; integers become float32",
		Expr:  floatsOnly(on1V(atan)),
		Ref:   Ref{Float: on1(refAtan)},
		Bound: Bound{1.3, 1},
	},
	Atan2: {
		Name: "atan2", Arity: 2, Rule: RuleFloat, Kinds: Floats,
		Doc:   "the angle from -π to π of the point that lies x upwards and y to the right, where the signs of zeros tell sides; integers become float32",
		Expr:  floatsOnly(on2V(atan2)),
		Ref:   Ref{Float: on2(refAtan2)},
		Bound: Bound{2, 2},
	},
}
