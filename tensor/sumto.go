package tensor

import (
	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/kernels"
)

// SumTo is the adjoint of broadcasting: it sums t over every axis along which
// a tensor of the given sizes was stretched to give the shape of t. Gradients
// need it: if y = x.BroadcastTo(...), the gradient of x is that of y, summed to
// x's shape. Where there is nothing to add up the result is a view of t. Sizes
// that do not broadcast to the shape of t are an error.
func (t *Tensor) SumTo(sizes ...int) *Tensor {
	if !t.live() {
		return refuse("sumto", t)
	}
	mask, err := broadcast.SumTo(t.layout.Shape(), sizes)
	if err != nil {
		return fail("sumto", err, t)
	}
	if mask == 0 && t.elementType().IsFloat() {
		return t.Reshape(sizes...)
	}
	axes := make([]int, 0, broadcast.MaxRank)
	for i := range t.layout.Rank() {
		if mask.Has(i) {
			axes = append(axes, i)
		}
	}
	sum := apply(call{Op: kernels.Sum, Attr: kernels.Attr{Axes: kernels.Axes(axes...), Keep: true}}, t)
	if sum.failure() != nil {
		return fail("sumto", reason(sum.failure()), t)
	}
	r := sum.Reshape(sizes...)
	_ = sum.Free()
	return r
}
