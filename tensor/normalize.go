package tensor

import "github.com/stride0/stride0/kernels"

// Standardize returns the distance of every element of t from the mean along
// the given axes, all without any, divided by the square root of the variance
// plus eps: mean 0 and variance 1 along these axes. It is the core of layer,
// batch, instance and group normalisation, which package nn has. Integers
// become float32; halves are rounded once.
func (t *Tensor) Standardize(eps float64, axes ...int) *Tensor {
	return normalize(kernels.Standardize, t, eps, axes)
}

// RMSNormalize returns every element of t divided by the square root of the
// mean of the squares along the given axes, all without any, plus eps.
// Integers become float32; halves are rounded once.
func (t *Tensor) RMSNormalize(eps float64, axes ...int) *Tensor {
	return normalize(kernels.RMSNormalize, t, eps, axes)
}

func normalize(op kernels.Op, t *Tensor, eps float64, axes []int) *Tensor {
	var attr kernels.Attr
	if len(axes) > 0 {
		attr.Axes = kernels.Axes(axes...)
	}
	return apply(call{Op: op, Attr: attr}, t, Scalar(eps))
}
