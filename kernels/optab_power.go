package kernels

// The rest of the exponentials, logarithms, powers, roots and hyperbolic
// functions, of family baseMath. The float32 bounds are measured over all
// inputs of one operand, for two over 10^9 pairs; those of float64 over 10^7.
var powerRows = map[Op]Row{
	Exp2: floatRow("exp2", "2 to the power x", exp2, refExp2, Bound{1, 1}),
	Expm1: floatRow("expm1", "e to the power x, less 1, accurate near 0; -0 of -0",
		expm1, refExpm1, Bound{1, 1}),
	Log1p: floatRow("log1p", "the natural logarithm of 1 + x, accurate near 0; -0 of -0, -Inf of -1, NaN below",
		log1p, refLog1p, Bound{1, 1}),
	Log2: floatRow("log2", "the logarithm of x to base 2, exact for powers of 2; -Inf of zero, NaN below",
		log2, refLog2, Bound{1, 1}),
	Log10: floatRow("log10", "the logarithm of x to base 10; -Inf of zero, NaN below",
		log10, refLog10, Bound{1, 1}),
	Cbrt:  floatRow("cbrt", "the cube root of x, of its sign", cbrt, refCbrt, Bound{1, 1}),
	Rsqrt: floatRow("rsqrt", "1 / the square root of x; ±Inf of ±0, NaN below zero", rsqrt, refRsqrt, Bound{1, 1}),
	Sinh:  floatRow("sinh", "the hyperbolic sine of x", sinh, refSinh, Bound{1, 1}),
	Cosh:  floatRow("cosh", "the hyperbolic cosine of x", cosh, refCosh, Bound{1, 1}),
	Asinh: floatRow("asinh", "the inverse hyperbolic sine of x", asinh, refAsinh, Bound{1, 1}),
	Acosh: floatRow("acosh", "the inverse hyperbolic cosine of x; NaN below 1", acosh, refAcosh, Bound{1, 1}),
	Atanh: floatRow("atanh", "the inverse hyperbolic tangent of x; ±Inf of ±1, NaN beyond", atanh, refAtanh, Bound{1, 1}),
	Hypot: {
		Name: "hypot", Arity: 2, Rule: RuleFloat, Kinds: Floats,
		Doc:   "the square root of x² + y², which may not fit themselves; Inf where x or y is infinite, the other NaN or not; integers become float32",
		Expr:  floatsOnly(on2V(hypot)),
		Ref:   Ref{Float: on2(refHypot)},
		Bound: Bound{1, 1},
	},
	LogAddExp: {
		Name: "logaddexp", Arity: 2, Rule: RuleFloat, Kinds: Floats,
		Doc:   "log(e^x + e^y), with no overflow; integers become float32",
		Expr:  floatsOnly(on2V(logAddExp)),
		Ref:   Ref{Float: on2(refLogAddExp)},
		Bound: Bound{1, 1},
	},
	Pow: {
		Name: "pow", Arity: 2, Rule: RulePromote, Kinds: AllKinds,
		Doc:   "x to the power y, 1 where y is 0 or x is 1; NaN of a negative x and a y that is no integer; integers wrap, those to a negative power are 1/x truncated (0 of 0); of bools it is x or not y",
		Expr:  Expr{Float32: on2V(pow), Float64: on2V(pow), Int: on2V(powInt), Bool: on2V(powBool)},
		Ref:   Ref{on2(refPow), on2(refPowInt)},
		Bound: Bound{1, 1},
	},
}

// floatRow is a row of one float operand, with one expression for both types.
func floatRow(name, doc string, f func(e *Emit, x V) V, ref func(x float64) float64, b Bound) Row {
	return Row{
		Name: name, Arity: 1, Rule: RuleFloat, Kinds: Floats,
		Doc:  doc + "; integers become float32",
		Expr: floatsOnly(on1V(f)), Ref: Ref{Float: on1(ref)}, Bound: b,
	}
}
