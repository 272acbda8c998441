package kernels

// Transcendental functions.
const (
	Exp Op = baseMath + iota
	Log
	Tanh
	Sigmoid
	Exp2
	Expm1
	Log1p
	Log2
	Log10
	LogAddExp
	Pow
	Cbrt
	Rsqrt
	Hypot
	Sinh
	Cosh
	Asinh
	Acosh
	Atanh
)

// The float32 bounds of functions of one argument hold for all inputs: those of
// exp, exp2, expm1, log, log1p, log2, log10, sigmoid and tanh were measured on
// every one, the others on one in 5 to 61 (TestEveryFloat32).
var mathRows = map[Op]Row{
	Exp: {
		Name: "exp", Arity: 1, Rule: RuleFloat, Kinds: Floats, Hot: true,
		Doc:   "e to the power x; integers become float32",
		Expr:  floatsOnly(on1V(exp)),
		Ref:   Ref{Float: on1(refExp)},
		Bound: Bound{0.80, 1},
	},
	Log: {
		Name: "log", Arity: 1, Rule: RuleFloat, Kinds: Floats, Hot: true,
		Doc:   "the natural logarithm of x; -Inf of zero, NaN below; integers become float32",
		Expr:  Expr{Float32: on1V(logFloat32), Float64: on1V(logFloat64)},
		Ref:   Ref{Float: on1(refLog)},
		Bound: Bound{0.94, 1},
	},
	Tanh: {
		Name: "tanh", Arity: 1, Rule: RuleFloat, Kinds: Floats, Hot: true,
		Doc:   "the hyperbolic tangent of x; integers become float32",
		Expr:  Expr{Float32: on1V(tanhFloat32), Float64: on1V(tanhFloat64)},
		Ref:   Ref{Float: on1(refTanh)},
		Bound: Bound{0.97, 1},
	},
	Sigmoid: {
		Name: "sigmoid", Arity: 1, Rule: RuleFloat, Kinds: Floats, Hot: true,
		Doc:   "1 / (1 + e^-x), accurate on both sides; integers become float32",
		Expr:  floatsOnly(on1V(sigmoid)),
		Ref:   Ref{Float: on1(refSigmoid)},
		Bound: Bound{0.80, 1},
	},
}
