package conform

import (
	"maps"

	"github.com/stride0/stride0/tensor"
)

// An operator computes the outputs of a call.
type operator func(k *call) []*tensor.Tensor

// A table holds operators by the names that ONNX gives them.
type table map[string]operator

// operators joins the tables of all topics.
var operators = join(elementwise, logic, activations, conversions, constants, shapes, joins, reductions, normalizations, layers, indexing, products)

func join(tables ...table) table {
	all := table{}
	for _, t := range tables {
		maps.Copy(all, t)
	}
	return all
}

// single makes an operator of a function with one result.
func single(f func(k *call) *tensor.Tensor) operator {
	return func(k *call) []*tensor.Tensor { return []*tensor.Tensor{f(k)} }
}

// unary makes an operator of a method without operands.
func unary(f func(t *tensor.Tensor) *tensor.Tensor) operator {
	return single(func(k *call) *tensor.Tensor { return f(k.arg(0)) })
}

// dyadic makes an operator of a method with one operand.
func dyadic(f func(t, u *tensor.Tensor) *tensor.Tensor) operator {
	return single(func(k *call) *tensor.Tensor { return f(k.arg(0), k.arg(1)) })
}

// variadic makes an operator that joins one operand or more by f, from the
// left.
func variadic(f func(t, u *tensor.Tensor) *tensor.Tensor) operator {
	return single(func(k *call) *tensor.Tensor { return k.fold(f) })
}

func (k *call) fold(f func(t, u *tensor.Tensor) *tensor.Tensor) *tensor.Tensor {
	r := k.arg(0)
	for _, t := range k.in[min(1, len(k.in)):] {
		r = f(r, t)
	}
	return r
}
