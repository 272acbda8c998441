package kernels

// The rest of the exponentials, logarithms, powers, roots and hyperbolic
// functions, of family baseMath. The bounds of float32 are measured over one in
// 31 of all inputs, for two operands over 10^6 pairs; those of float64, over
// 10^6 inputs, are below 0.8 and stated as 1, since references are rounded to
// float64 too. LogAddExp is within 0.55 where the result is not below 2^-11 of
// the greater operand; nearer to 0 its error is relative to its terms, and within
// 1 of theirs over 10^6 pairs.
var powerRows = map[Op]Row{
	Exp2: {
		Name: "exp2", Arity: 1, Rule: RuleFloat, Kinds: Floats,
		Doc:   "2 to the power x; integers become float32",
		Expr:  floatsOnly(on1V(exp2)),
		Ref:   Ref{Float: on1(refExp2)},
		Bound: Bound{0.79, 1},
	},
	Expm1: {
		Name: "expm1", Arity: 1, Rule: RuleFloat, Kinds: Floats,
		Doc:   "e to the power x, less 1, accurate near 0; -0 of -0; integers become float32",
		Expr:  floatsOnly(on1V(expm1)),
		Ref:   Ref{Float: on1(refExpm1)},
		Bound: Bound{0.51, 1},
	},
	Log1p: {
		Name: "log1p", Arity: 1, Rule: RuleFloat, Kinds: Floats,
		Doc:   "the natural logarithm of 1 + x, accurate near 0; -0 of -0, -Inf of -1, NaN below; integers become float32",
		Expr:  floatsOnly(on1V(log1p)),
		Ref:   Ref{Float: on1(refLog1p)},
		Bound: Bound{0.51, 1},
	},
	Log2: {
		Name: "log2", Arity: 1, Rule: RuleFloat, Kinds: Floats,
		Doc:   "the logarithm of x to base 2, exact for powers of 2; -Inf of zero, NaN below; integers become float32",
		Expr:  floatsOnly(on1V(log2)),
		Ref:   Ref{Float: on1(refLog2)},
		Bound: Bound{0.51, 1},
	},
	Log10: {
		Name: "log10", Arity: 1, Rule: RuleFloat, Kinds: Floats,
		Doc:   "the logarithm of x to base 10; -Inf of zero, NaN below; integers become float32",
		Expr:  floatsOnly(on1V(log10)),
		Ref:   Ref{Float: on1(refLog10)},
		Bound: Bound{0.51, 1},
	},
	Cbrt: {
		Name: "cbrt", Arity: 1, Rule: RuleFloat, Kinds: Floats,
		Doc:   "the cube root of x, of its sign; integers become float32",
		Expr:  floatsOnly(on1V(cbrt)),
		Ref:   Ref{Float: on1(refCbrt)},
		Bound: Bound{0.51, 1},
	},
	Rsqrt: {
		Name: "rsqrt", Arity: 1, Rule: RuleFloat, Kinds: Floats,
		Doc:   "1 / the square root of x; ±Inf of ±0, NaN below zero; integers become float32",
		Expr:  floatsOnly(on1V(rsqrt)),
		Ref:   Ref{Float: on1(refRsqrt)},
		Bound: Bound{0.51, 1},
	},
	Sinh: {
		Name: "sinh", Arity: 1, Rule: RuleFloat, Kinds: Floats,
		Doc:   "the hyperbolic sine of x; integers become float32",
		Expr:  floatsOnly(on1V(sinh)),
		Ref:   Ref{Float: on1(refSinh)},
		Bound: Bound{0.53, 1},
	},
	Cosh: {
		Name: "cosh", Arity: 1, Rule: RuleFloat, Kinds: Floats,
		Doc:   "the hyperbolic cosine of x; integers become float32",
		Expr:  floatsOnly(on1V(cosh)),
		Ref:   Ref{Float: on1(refCosh)},
		Bound: Bound{0.51, 1},
	},
	Asinh: {
		Name: "asinh", Arity: 1, Rule: RuleFloat, Kinds: Floats,
		Doc:   "the inverse hyperbolic sine of x; integers become float32",
		Expr:  floatsOnly(on1V(asinh)),
		Ref:   Ref{Float: on1(refAsinh)},
		Bound: Bound{0.51, 1},
	},
	Acosh: {
		Name: "acosh", Arity: 1, Rule: RuleFloat, Kinds: Floats,
		Doc:   "the inverse hyperbolic cosine of x; NaN below 1; integers become float32",
		Expr:  floatsOnly(on1V(acosh)),
		Ref:   Ref{Float: on1(refAcosh)},
		Bound: Bound{0.53, 1},
	},
	Atanh: {
		Name: "atanh", Arity: 1, Rule: RuleFloat, Kinds: Floats,
		Doc:   "the inverse hyperbolic tangent of x; ±Inf of ±1, NaN beyond; integers become float32",
		Expr:  floatsOnly(on1V(atanh)),
		Ref:   Ref{Float: on1(refAtanh)},
		Bound: Bound{0.51, 1},
	},
	Hypot: {
		Name: "hypot", Arity: 2, Rule: RuleFloat, Kinds: Floats,
		Doc:   "the square root of x² + y², which may overflow where it does not; Inf where x or y is infinite, the other NaN or not; integers become float32",
		Expr:  floatsOnly(on2V(hypot)),
		Ref:   Ref{Float: on2(refHypot)},
		Bound: Bound{0.75, 1},
	},
	LogAddExp: {
		Name: "logaddexp", Arity: 2, Rule: RuleFloat, Kinds: Floats,
		Doc:   "log(e^x + e^y), with no overflow; where that is nearly 0 its error is relative to the greater of max(x, y) and log(1 + e^-|x-y|); integers become float32",
		Expr:  floatsOnly(on2V(logAddExp)),
		Ref:   Ref{Float: on2(refLogAddExp)},
		Terms: on2(logAddExpTerms),
		Bound: Bound{1.25, 1},
	},
	Pow: {
		Name: "pow", Arity: 2, Rule: RulePromote, Kinds: AllKinds,
		Doc:  "x to the power y, 1 where y is 0 or x is 1; NaN of a negative x and a y that is no integer; integers wrap, those to a negative power are 1/x truncated (0 of 0); of bools it is x or not y",
		Expr: Expr{Float32: on2V(pow), Float64: on2V(pow), Int: on2V(powInt), Bool: on2V(powBool)},
		Ref:  Ref{on2(refPow), on2(refPowInt)}, RefUint: on2(refPowUint),
		Bound: Bound{0.78, 1},
	},
}
