package kernels

// Error and gamma functions.
const (
	Erf Op = baseSpecial + iota
	Erfc
	Lgamma
	Digamma
)

// The bounds were measured as those of trigRows.
var specialRows = map[Op]Row{
	Erf: {
		Name: "erf", Arity: 1, Rule: RuleFloat, Kinds: Floats,
		Doc:   "the error function of x, 2/√π times the integral of e^-t² from 0 to x; integers become float32",
		Expr:  floatsOnly(on1V(erf)),
		Ref:   Ref{Float: on1(refErf)},
		Bound: Bound{1, 1},
	},
	Erfc: {
		Name: "erfc", Arity: 1, Rule: RuleFloat, Kinds: Floats,
		Doc:   "1 - erf(x), to the last place far out where that would be 0; integers become float32",
		Expr:  floatsOnly(on1V(erfc)),
		Ref:   Ref{Float: on1(refErfc)},
		Bound: Bound{1.2, 1},
	},
	Lgamma: {
		Name: "lgamma", Arity: 1, Rule: RuleFloat, Kinds: Floats,
		Doc:   "the logarithm of |Γ(x)|; Inf at zero and the negative integers; for negative x its error is relative to the terms of its reflection, which may cancel; integers become float32",
		Expr:  floatsOnly(on1V(lgamma)),
		Ref:   Ref{Float: on1(refLgamma)},
		Terms: on1(lgammaTerms),
		Bound: Bound{4.5, 4.5},
	},
	Digamma: {
		Name: "digamma", Arity: 1, Rule: RuleFloat, Kinds: Floats,
		Doc:   "the derivative of lgamma; -Inf at 0, Inf at -0, NaN at the negative integers; for negative x its error is relative to the terms of its reflection, which may cancel; integers become float32",
		Expr:  floatsOnly(on1V(digamma)),
		Ref:   Ref{Float: on1(refDigamma)},
		Terms: on1(digammaTerms),
		Bound: Bound{4.5, 4.5},
	},
}
