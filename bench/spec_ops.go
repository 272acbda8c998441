package bench

import (
	"github.com/stride0/stride0/kernels"
	"github.com/stride0/stride0/tensor"
)

// The operations of the suite.
var (
	add        = applied{kernels.Add, (*tensor.Tensor).Add}
	sub        = applied{kernels.Sub, (*tensor.Tensor).Sub}
	mul        = applied{kernels.Mul, (*tensor.Tensor).Mul}
	div        = applied{kernels.Div, (*tensor.Tensor).Div}
	exp        = applied{kernels.Exp, unary((*tensor.Tensor).Exp)}
	tanh       = applied{kernels.Tanh, unary((*tensor.Tensor).Tanh)}
	erf        = applied{kernels.Erf, unary((*tensor.Tensor).Erf)}
	neg        = applied{kernels.Neg, unary((*tensor.Tensor).Neg)}
	reciprocal = applied{kernels.Reciprocal, unary((*tensor.Tensor).Reciprocal)}
	matmul     = applied{nil, (*tensor.Tensor).MatMul}
)

func unary(method func(*tensor.Tensor) *tensor.Tensor) func(x, y *tensor.Tensor) *tensor.Tensor {
	return func(x, _ *tensor.Tensor) *tensor.Tensor { return method(x) }
}

// over is an operation over axes, all of them if none are given.
func over(op kernels.Op, method func(*tensor.Tensor, ...int) *tensor.Tensor, axes ...int) applied {
	var attr kernels.Attr // the zero value means all axes
	if len(axes) > 0 {
		attr.Axes = kernels.Axes(axes...)
	}
	return applied{
		op.With(attr),
		func(x, _ *tensor.Tensor) *tensor.Tensor { return method(x, axes...) },
	}
}

// pair is one operation on two operands, single one on the only operand.
func pair(op applied) func(in []*tensor.Tensor) chain {
	return func(in []*tensor.Tensor) chain { return chain{{op, in[0], in[1]}} }
}

func single(op applied) func(in []*tensor.Tensor) chain {
	return func(in []*tensor.Tensor) chain { return chain{{op, in[0], nil}} }
}

// times multiplies the only operand by a number.
func times(v float64) func(in []*tensor.Tensor) chain {
	return func(in []*tensor.Tensor) chain { return chain{{mul, in[0], tensor.Scalar(v)}} }
}

// gelu is x/2 (1 + erf(x/√2)).
func gelu(in []*tensor.Tensor) chain {
	return chain{
		{mul, in[0], tensor.Scalar(0.70710678118654752)}, {erf, nil, nil},
		{add, nil, tensor.Scalar(1.0)}, {mul, nil, in[0]}, {mul, nil, tensor.Scalar(0.5)},
	}
}

// standardize is (x-mu)/sigma.
func standardize(in []*tensor.Tensor) chain {
	return chain{{sub, in[0], in[1]}, {div, nil, in[2]}}
}

// tanhAffine is tanh(a*x+b)*c+x.
func tanhAffine(in []*tensor.Tensor) chain {
	x, a, b, c := in[0], in[1], in[2], in[3]
	return chain{{mul, x, a}, {add, nil, b}, {tanh, nil, nil}, {mul, nil, c}, {add, nil, x}}
}

// gate is c/(1+exp(-(a*x+b)))+x in eight steps.
func gate(in []*tensor.Tensor) chain {
	x, a, b, c := in[0], in[1], in[2], in[3]
	return chain{
		{mul, x, a}, {add, nil, b}, {neg, nil, nil}, {exp, nil, nil}, {add, nil, tensor.Scalar(1.0)},
		{reciprocal, nil, nil}, {mul, nil, c}, {add, nil, x},
	}
}

// everyOther is x[::2, ::3].
func everyOther(x *tensor.Tensor) *tensor.Tensor {
	return x.Slice(tensor.R(0, tensor.End, 2), tensor.R(0, tensor.End, 3))
}

// leftHalf is x[:, :W] for W half the width of x.
func leftHalf(x *tensor.Tensor) *tensor.Tensor {
	return x.Slice(tensor.All, tensor.R(0, x.Dim(1)/2))
}
