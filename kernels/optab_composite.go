package kernels

import "github.com/stride0/stride0/dtype"

// Compositions around reductions. Each reduces over Attr.Axes; those from
// Softmax on give a value for every element.
const (
	NormL1 Op = baseComposite + iota
	NormL2
	NormInf
	Var
	Std
	LogSumExp
	Softmax
	LogSoftmax
	Standardize
	RMSNormalize
)

var compositeRows = map[Op]Row{
	NormL1: {
		Name: "norml1", Arity: 1, Rule: RuleFloat, Kinds: Floats,
		Doc:    "the sum of the magnitudes of x, 0 of nothing; integers become float32",
		Expand: func(b *Builder, in []Value, a Attr) (Value, error) { return chain(b, a, in[0], Abs, Sum) },
		Ref:    Ref{Float: refNormL1},
		Bound:  Bound{sumBound.Float32 + 1, sumBound.Float64 + 1},
	},
	NormL2: {
		Name: "norml2", Arity: 1, Rule: RuleFloat, Kinds: Floats,
		Doc:    "the square root of the sum of the squares of x, 0 of nothing; it is Inf where the sum overflows; integers become float32",
		Expand: func(b *Builder, in []Value, a Attr) (Value, error) { return chain(b, a, in[0], Square, Sum, Sqrt) },
		Ref:    Ref{Float: refNormL2},
		Bound:  Bound{sumBound.Float32 + 3, sumBound.Float64 + 3},
	},
	NormInf: {
		Name: "norminf", Arity: 1, Rule: RuleFloat, Kinds: Floats,
		Doc:    "the greatest magnitude of x; NaN wins; integers become float32",
		Expand: func(b *Builder, in []Value, a Attr) (Value, error) { return chain(b, a, in[0], Abs, Max) },
		Ref:    Ref{Float: refNormInf},
	},
	Var: {
		Name: "var", Arity: 2, Params: []string{"correction"}, Rule: RuleFloat, Kinds: Floats,
		Doc:    "the sum of the squared distances of x from its mean, divided by the number of elements less correction (0 below); NaN of nothing; integers become float32",
		Expand: variance,
		Ref:    Ref{Float: refVar},
		Bound:  Bound{60, 60},
	},
	Std: {
		Name: "std", Arity: 2, Params: []string{"correction"}, Rule: RuleFloat, Kinds: Floats,
		Doc:    "the square root of the variance of x, divided by the number of elements less correction (0 below); NaN of nothing; integers become float32",
		Expand: deviation,
		Ref:    Ref{Float: refStd},
		Bound:  Bound{60, 60},
	},
	LogSumExp: {
		Name: "logsumexp", Arity: 1, Rule: RuleFloat, Kinds: Floats, Empty: true,
		Doc:    "the logarithm of the sum of e^x, without overflow; -Inf of nothing and of -Inf alone; integers become float32",
		Expand: logSumExp,
		Ref:    Ref{Float: refLogSumExp},
		Bound:  Bound{20, 20},
	},
	Softmax: {
		Name: "softmax", Arity: 1, Rule: RuleFloat, Kinds: Floats, Empty: true,
		Doc:    "e^x divided by the sum of e^x, without overflow; NaN where Inf is among x or all are -Inf; integers become float32",
		Expand: softmax,
		Ref:    Ref{Float: refSoftmax},
		Bound:  Bound{128, 1024},
	},
	LogSoftmax: {
		Name: "logsoftmax", Arity: 1, Rule: RuleFloat, Kinds: Floats, Empty: true,
		Doc:    "the logarithm of the softmax of x, without overflow; NaN where Inf is among x or all are -Inf; integers become float32",
		Expand: logSoftmax,
		Ref:    Ref{Float: refLogSoftmax},
		Bound:  Bound{20, 20},
	},
	Standardize: {
		Name: "standardize", Arity: 2, Params: []string{"eps"}, Rule: RuleFloat, Kinds: Floats,
		Doc:    "the distance of x from its mean, divided by the square root of the variance plus eps; integers become float32",
		Expand: standardize,
		Ref:    Ref{Float: refStandardize},
		Bound:  Bound{64, 64},
		Terms:  standardizeTerms,
	},
	RMSNormalize: {
		Name: "rmsnormalize", Arity: 2, Params: []string{"eps"}, Rule: RuleFloat, Kinds: Floats,
		Doc:    "x divided by the square root of the mean of its squares plus eps; integers become float32",
		Expand: rmsNormalize,
		Ref:    Ref{Float: refRMSNormalize},
		Bound:  Bound{16, 16},
	},
}

// chain applies rows of one operand one after another.
func chain(b *Builder, a Attr, v Value, ops ...Op) (Value, error) {
	for _, op := range ops {
		var err error
		if v, err = b.Apply(op, a, v); err != nil {
			return -1, err
		}
	}
	return v, nil
}

// expansion applies rows without looking at errors: the Builder keeps the
// first, and every later Apply fails too.
type expansion struct {
	b *Builder
	a Attr
}

func (x expansion) do(op Op, args ...Value) Value {
	v, err := x.b.Apply(op, x.a, args...)
	if err != nil {
		return -1
	}
	return v
}

func (x expansion) result(v Value) (Value, error) { return v, x.b.err }

// mean divides the sum in the type of the result. The number of elements is
// a scalar, so that one kernel serves all sizes.
func mean(b *Builder, in []Value, a Attr) (Value, error) {
	sum, err := b.Apply(Sum, a, in[0])
	if err != nil {
		return -1, err
	}
	d := b.p.Instrs[sum].Type
	if !d.IsFloat() {
		d = dtype.Float32
	}
	return b.Apply(Div, Attr{}, b.Cast(sum, d), b.Count(d))
}

// variance takes two passes: the mean, then the squares of the distances from
// it. One pass over the squares of x would cancel where the mean is large.
func variance(b *Builder, in []Value, a Attr) (Value, error) {
	x := expansion{b, a}
	sum := x.do(Sum, x.do(Square, x.do(Sub, in[0], x.do(Mean, in[0]))))
	if b.err != nil {
		return -1, b.err
	}
	count := b.Count(b.p.Instrs[sum].Type)
	return x.result(x.do(Div, sum, x.do(Relu, x.do(Sub, count, in[1]))))
}

func deviation(b *Builder, in []Value, a Attr) (Value, error) {
	x := expansion{b, a}
	return x.result(x.do(Sqrt, x.do(Var, in...)))
}

// logSumExp is m + log(sum(e^(x-m))) with the greatest m. Where that is not
// finite m itself is the answer: m - m, NaN then, tells.
func logSumExp(b *Builder, in []Value, a Attr) (Value, error) {
	x := expansion{b, a}
	m := x.do(Max, in[0])
	sum := x.do(Sum, x.do(Exp, x.do(Sub, in[0], m)))
	lost := x.do(Sub, m, m)
	return x.result(x.do(Where, x.do(Eq, lost, lost), x.do(Add, x.do(Log, sum), m), m))
}

// softmax shifts x by the greatest, so that every power is at most 1.
func softmax(b *Builder, in []Value, a Attr) (Value, error) {
	x := expansion{b, a}
	power := x.do(Exp, x.do(Sub, in[0], x.do(Max, in[0])))
	return x.result(x.do(Div, power, x.do(Sum, power)))
}

// logSoftmax takes the logarithm of the sum only: that of a small softmax
// would have lost its digits.
func logSoftmax(b *Builder, in []Value, a Attr) (Value, error) {
	x := expansion{b, a}
	shifted := x.do(Sub, in[0], x.do(Max, in[0]))
	return x.result(x.do(Sub, shifted, x.do(Log, x.do(Sum, x.do(Exp, shifted)))))
}

// standardize takes the mean and then that of the squared distances from it,
// as variance does.
func standardize(b *Builder, in []Value, a Attr) (Value, error) {
	x := expansion{b, a}
	distance := x.do(Sub, in[0], x.do(Mean, in[0]))
	return x.result(x.do(Div, distance, x.root(x.do(Square, distance), in[1])))
}

// rmsNormalize is standardize about 0.
func rmsNormalize(b *Builder, in []Value, a Attr) (Value, error) {
	x := expansion{b, a}
	return x.result(x.do(Div, in[0], x.root(x.do(Square, in[0]), in[1])))
}

// root is the square root of the mean of squares plus eps.
func (x expansion) root(squares, eps Value) Value {
	return x.do(Sqrt, x.do(Add, x.do(Mean, squares), eps))
}
