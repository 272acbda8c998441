package tensor

import "github.com/stride0/stride0/kernels"

// VarOpts are the options of a variance or standard deviation. The zero
// VarOpts is that of all elements, divided by their number.
type VarOpts struct {
	Axes []int // the axes to reduce, negative ones counted from the end; nil for all, an empty list for none
	Keep bool  // keep the reduced axes as size 1

	// Correction is subtracted from the number n of elements before it
	// divides: 1 for the estimate from a sample (Bessel's correction). Where
	// n-Correction is not above 0 the result is NaN or Inf.
	Correction float64
}

// Var returns the variance of the elements of t along the given axes, all
// without any: the mean of the squared distances from the mean, in two passes.
// Those axes disappear. It is NaN of no elements; integers become float32.
// VarWith divides by one less, as a sample needs.
func (t *Tensor) Var(axes ...int) *Tensor { return spread(kernels.Var, t, someAxes(axes)) }

// VarKeep is Var that keeps the reduced axes as size 1.
func (t *Tensor) VarKeep(axes ...int) *Tensor {
	o := someAxes(axes)
	o.Keep = true
	return spread(kernels.Var, t, o)
}

// VarAxes is Var over exactly the axes listed: an empty list reduces nothing.
func (t *Tensor) VarAxes(axes []int) *Tensor { return spread(kernels.Var, t, listedAxes(axes)) }

// VarWith is Var with options.
func (t *Tensor) VarWith(o VarOpts) *Tensor { return spread(kernels.Var, t, o) }

// Std returns the standard deviation of the elements of t along the given
// axes, all without any: the square root of Var.
func (t *Tensor) Std(axes ...int) *Tensor { return spread(kernels.Std, t, someAxes(axes)) }

// StdKeep is Std that keeps the reduced axes as size 1.
func (t *Tensor) StdKeep(axes ...int) *Tensor {
	o := someAxes(axes)
	o.Keep = true
	return spread(kernels.Std, t, o)
}

// StdAxes is Std over exactly the axes listed: an empty list reduces nothing.
func (t *Tensor) StdAxes(axes []int) *Tensor { return spread(kernels.Std, t, listedAxes(axes)) }

// StdWith is Std with options.
func (t *Tensor) StdWith(o VarOpts) *Tensor { return spread(kernels.Std, t, o) }

// someAxes are the axes of a method, all of them without any.
func someAxes(axes []int) VarOpts {
	if len(axes) == 0 {
		return VarOpts{}
	}
	return VarOpts{Axes: axes}
}

// listedAxes are exactly these.
func listedAxes(axes []int) VarOpts {
	if axes == nil {
		axes = []int{}
	}
	return VarOpts{Axes: axes}
}

func spread(op kernels.Op, t *Tensor, o VarOpts) *Tensor {
	attr := kernels.Attr{Keep: o.Keep}
	if o.Axes != nil {
		attr.Axes = kernels.Axes(o.Axes...)
	}
	return apply(call{Op: op, Attr: attr}, t, Scalar(o.Correction))
}
