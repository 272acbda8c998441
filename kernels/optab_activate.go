package kernels

// Activation functions.
const (
	LeakyRelu Op = baseActivate + iota
	PRelu
	Elu
	Selu
	Celu
	Silu
	Mish
	Softplus
	Softsign
	HardSigmoid
	HardSwish
	HardTanh
	LogSigmoid
	Threshold
	GeluTanh
	Gelu
)

// Integers become float32 in all of them. The bounds are measured on samples,
// see activate_test.go, that of gelu in float32 on one number in 61 of all.
var activateRows = map[Op]Row{
	LeakyRelu: {
		Name: "leakyrelu", Arity: 2, Rule: RuleFloat, Kinds: Floats, Params: []string{"slope"},
		Doc:   "x, or slope * x where it is not above 0; integers become float32",
		Expr:  floatsOnly(on2V(leaky)),
		Ref:   Ref{Float: on2(refLeaky)},
		Bound: rounded,
	},
	PRelu: {
		Name: "prelu", Arity: 2, Rule: RuleFloat, Kinds: Floats,
		Doc:   "x, or y * x where it is not above 0; integers become float32",
		Expr:  floatsOnly(on2V(leaky)),
		Ref:   Ref{Float: on2(refLeaky)},
		Bound: rounded,
	},
	Elu: {
		Name: "elu", Arity: 2, Rule: RuleFloat, Kinds: Floats, Params: []string{"alpha"},
		Doc:   "x, or alpha * (e^x - 1) where it is not above 0; integers become float32",
		Expr:  floatsOnly(on2V(elu)),
		Ref:   Ref{Float: on2(refElu)},
		Bound: Bound{2, 2},
	},
	Selu: {
		Name: "selu", Arity: 1, Rule: RuleFloat, Kinds: Floats,
		Doc:   "1.0507 times elu of x with alpha 1.6733; integers become float32",
		Expr:  floatsOnly(on1V(selu)),
		Ref:   Ref{Float: on1(refSelu)},
		Bound: Bound{2, 2},
	},
	Celu: {
		Name: "celu", Arity: 2, Rule: RuleFloat, Kinds: Floats, Params: []string{"alpha"},
		Doc:   "x, or alpha * (e^(x/alpha) - 1) where it is not above 0, NaN there of an alpha that is not above 0; integers become float32",
		Expr:  floatsOnly(on2V(celu)),
		Ref:   Ref{Float: on2(refCelu)},
		Bound: Bound{3, 3}, // a quotient, an expm1 and a product round
	},
	Silu: {
		Name: "silu", Arity: 1, Rule: RuleFloat, Kinds: Floats,
		Doc:   "x times sigmoid of x, -0 of -Inf; integers become float32",
		Expr:  floatsOnly(on1V(silu)),
		Ref:   Ref{Float: on1(refSilu)},
		Bound: Bound{1.75, 2},
	},
	Mish: {
		Name: "mish", Arity: 1, Rule: RuleFloat, Kinds: Floats,
		Doc:   "x times tanh of softplus of x, -0 of -Inf; integers become float32",
		Expr:  floatsOnly(on1V(mish)),
		Ref:   Ref{Float: on1(refMish)},
		Bound: Bound{4, 4},
	},
	Softplus: {
		Name: "softplus", Arity: 1, Rule: RuleFloat, Kinds: Floats,
		Doc:   "log(1 + e^x), never overflowing; integers become float32",
		Expr:  floatsOnly(on1V(softplus)),
		Ref:   Ref{Float: on1(refSoftplus)},
		Bound: Bound{1, 1},
	},
	Softsign: {
		Name: "softsign", Arity: 1, Rule: RuleFloat, Kinds: Floats,
		Doc:   "x / (1 + |x|), -1 and 1 at the infinities; integers become float32",
		Expr:  floatsOnly(on1V(softsign)),
		Ref:   Ref{Float: on1(refSoftsign)},
		Bound: Bound{2, 2},
	},
	HardSigmoid: {
		Name: "hardsigmoid", Arity: 1, Rule: RuleFloat, Kinds: Floats,
		Doc:   "(x + 3) / 6, but at least 0 and at most 1; integers become float32",
		Expr:  floatsOnly(on1V(hardSigmoid)),
		Ref:   Ref{Float: on1(refHardSigmoid)},
		Bound: Bound{1.5, 1.5},
	},
	HardSwish: {
		Name: "hardswish", Arity: 1, Rule: RuleFloat, Kinds: Floats,
		Doc:   "x times hardsigmoid of x, -0 from -3 down; integers become float32",
		Expr:  floatsOnly(on1V(hardSwish)),
		Ref:   Ref{Float: on1(refHardSwish)},
		Bound: Bound{2, 2},
	},
	HardTanh: {
		Name: "hardtanh", Arity: 3, Rule: RuleFloat, Kinds: Floats, Params: []string{"low", "high"},
		Doc:  "x, but at least low and at most high; integers become float32",
		Expr: floatsOnly(func(e *Emit, x []V) V { return minimum(e, maximum(e, x[0], x[1]), x[2]) }),
		Ref:  Ref{Float: refClip[float64]},
	},
	LogSigmoid: {
		Name: "logsigmoid", Arity: 1, Rule: RuleFloat, Kinds: Floats,
		Doc:   "the logarithm of sigmoid of x, -softplus(-x); integers become float32",
		Expr:  floatsOnly(func(e *Emit, x []V) V { return e.Neg(softplus(e, e.Neg(x[0]))) }),
		Ref:   Ref{Float: on1(func(x float64) float64 { return -1 * refSoftplus(-x) })},
		Bound: Bound{1, 1},
	},
	Threshold: {
		Name: "threshold", Arity: 3, Rule: RuleFloat, Kinds: Floats, Params: []string{"limit", "value"},
		Doc:  "x where it is above limit or NaN, else value; integers become float32",
		Expr: floatsOnly(func(e *Emit, x []V) V { return e.Select(e.Le(x[0], x[1]), x[2], x[0]) }),
		Ref:  Ref{Float: refThreshold},
	},
	GeluTanh: {
		Name: "gelutanh", Arity: 1, Rule: RuleFloat, Kinds: Floats,
		Doc:   "x (1 + tanh(sqrt(2/π) (x + 0.044715 x³))) / 2, -0 of -Inf; integers become float32",
		Expr:  floatsOnly(on1V(geluTanh)),
		Ref:   Ref{Float: on1(refGeluTanh)},
		Bound: Bound{1.5, 2},
	},
	Gelu: {
		Name: "gelu", Arity: 1, Rule: RuleFloat, Kinds: Floats,
		Doc:   "x Φ(x), Φ being the standard normal distribution function, x (1 + erf(x/√2)) / 2; -0 of -Inf; integers become float32",
		Expr:  floatsOnly(on1V(gelu)),
		Ref:   Ref{Float: on1(refGelu)},
		Bound: Bound{1, 1},
	},
}
