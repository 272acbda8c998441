package conform

import (
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

// normalizations holds what brings the elements along an axis to one scale.
var normalizations = table{
	"Hardmax":         single(func(k *call) *tensor.Tensor { return k.along(hardmax) }),
	"LogSoftmax":      single(func(k *call) *tensor.Tensor { return k.along(one((*tensor.Tensor).LogSoftmax)) }),
	"LpNormalization": single(lpNormalization),
	"Softmax":         single(func(k *call) *tensor.Tensor { return k.along(one((*tensor.Tensor).Softmax)) }),
}

// one makes a function of one axis from a method of any number.
func one(f func(t *tensor.Tensor, axes ...int) *tensor.Tensor) func(t *tensor.Tensor, axis int) *tensor.Tensor {
	return func(t *tensor.Tensor, axis int) *tensor.Tensor { return f(t, axis) }
}

// along applies f to the last axis or the one named. Before version 13 the
// operand counted as a matrix, as Flatten makes it, and f worked on its rows.
func (k *call) along(f func(t *tensor.Tensor, axis int) *tensor.Tensor) *tensor.Tensor {
	if k.opset >= 13 {
		return f(k.arg(0), attrOr(k, "axis", -1))
	}
	return f(flatten(k), -1).Reshape(k.arg(0).Shape()...)
}

// hardmax is 1 at the first of the greatest elements along an axis, else 0.
func hardmax(t *tensor.Tensor, axis int) *tensor.Tensor {
	places := tensor.On(t.Device()).Arange(dtype.Int64, 0, t.Dim(axis), 1)
	first := t.ArgMaxKeep(axis)
	shape := make([]int, t.Rank())
	for i := range shape {
		shape[i] = 1
	}
	if axis < 0 {
		axis += t.Rank()
	}
	if axis >= 0 && axis < len(shape) {
		shape[axis] = places.Size()
	}
	return first.Eq(places.Reshape(shape...)).Cast(t.DType())
}

// lpNormalization divides by the sum of magnitudes (p is 1) or the Euclidean
// norm along an axis; zeros stay zeros.
func lpNormalization(k *call) *tensor.Tensor {
	t, axis := k.arg(0), attrOr(k, "axis", -1)
	var norm *tensor.Tensor
	switch p := attrOr(k, "p", 2); p {
	case 1:
		norm = t.NormL1Keep(axis)
	case 2:
		norm = t.NormL2Keep(axis)
	default:
		k.unsupported("p = %d", p)
		return nil
	}
	return norm.Eq(tensor.Scalar(0)).Where(tensor.Scalar(0), t.Div(norm))
}
