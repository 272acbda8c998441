package conform

import (
	"github.com/stride0/stride0/tensor"
)

// elementwise holds arithmetic and functions of single elements.
var elementwise = table{
	"Abs":        unary((*tensor.Tensor).Abs),
	"Clip":       single(clip),
	"Add":        dyadic((*tensor.Tensor).Add),
	"Exp":        unary((*tensor.Tensor).Exp),
	"Log":        unary((*tensor.Tensor).Log),
	"Max":        variadic((*tensor.Tensor).Maximum),
	"Mean":       single(meanOfInputs),
	"Min":        variadic((*tensor.Tensor).Minimum),
	"Mul":        dyadic((*tensor.Tensor).Mul),
	"Neg":        unary((*tensor.Tensor).Neg),
	"Reciprocal": unary((*tensor.Tensor).Reciprocal),
	"Sqrt":       unary((*tensor.Tensor).Sqrt),
	"Sub":        dyadic((*tensor.Tensor).Sub),
	"Sum":        variadic((*tensor.Tensor).Add),
	"Tanh":       unary((*tensor.Tensor).Tanh),
}

// meanOfInputs is the mean of tensors, element by element.
func meanOfInputs(k *call) *tensor.Tensor {
	return k.fold((*tensor.Tensor).Add).DivScalar(len(k.in))
}

// clip bounds elements by numbers that are inputs since version 11 and either
// of which may be left out.
func clip(k *call) *tensor.Tensor {
	x := k.arg(0)
	low, high := k.arg(1), k.arg(2)
	if v, ok := attr[float64](k, "min"); ok {
		low = tensor.Scalar(v)
	}
	if v, ok := attr[float64](k, "max"); ok {
		high = tensor.Scalar(v)
	}
	if low != nil {
		x = x.Maximum(low)
	}
	if high != nil {
		x = x.Minimum(high)
	}
	return x
}
