package conform

import (
	"math"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

// reductions holds what makes one element of many. Results have the dtype of
// the operand, as ONNX wants it.
var reductions = table{
	"ArgMax":          single(func(k *call) *tensor.Tensor { return k.position((*tensor.Tensor).ArgMax, (*tensor.Tensor).ArgMaxKeep) }),
	"ArgMin":          single(func(k *call) *tensor.Tensor { return k.position((*tensor.Tensor).ArgMin, (*tensor.Tensor).ArgMinKeep) }),
	"ReduceL1":        single(reduceL1),
	"ReduceL2":        single(reduceL2),
	"ReduceLogSum":    single(func(k *call) *tensor.Tensor { return k.as(k.reduce(k.arg(0), sum).Log(), k.arg(0).DType()) }),
	"ReduceLogSumExp": single(func(k *call) *tensor.Tensor { return k.reduce(k.arg(0), logSumExp) }),
	"ReduceMax":       single(func(k *call) *tensor.Tensor { return k.extreme(greatest, math.Inf(-1)) }),
	"ReduceMean":      single(func(k *call) *tensor.Tensor { return k.reduce(k.arg(0), mean) }),
	"ReduceMin":       single(func(k *call) *tensor.Tensor { return k.extreme(least, math.Inf(1)) }),
	"ReduceProd":      single(func(k *call) *tensor.Tensor { return k.reduce(k.arg(0), product) }),
	"ReduceSum":       single(func(k *call) *tensor.Tensor { return k.reduce(k.arg(0), sum) }),
	"ReduceSumSquare": single(func(k *call) *tensor.Tensor { return k.reduce(k.arg(0).Square(), sum) }),
}

// A reducer is a reduction in the three forms that package tensor has: over
// axes (all without any) that go or stay, and over exactly those listed.
type reducer struct {
	drop, keep func(t *tensor.Tensor, axes ...int) *tensor.Tensor
	exactly    func(t *tensor.Tensor, axes []int) *tensor.Tensor
}

var (
	greatest  = reducer{(*tensor.Tensor).Max, (*tensor.Tensor).MaxKeep, (*tensor.Tensor).MaxAxes}
	least     = reducer{(*tensor.Tensor).Min, (*tensor.Tensor).MinKeep, (*tensor.Tensor).MinAxes}
	logSumExp = reducer{(*tensor.Tensor).LogSumExp, (*tensor.Tensor).LogSumExpKeep, (*tensor.Tensor).LogSumExpAxes}
	mean      = reducer{(*tensor.Tensor).Mean, (*tensor.Tensor).MeanKeep, (*tensor.Tensor).MeanAxes}
	normL1    = reducer{(*tensor.Tensor).NormL1, (*tensor.Tensor).NormL1Keep, (*tensor.Tensor).NormL1Axes}
	normL2    = reducer{(*tensor.Tensor).NormL2, (*tensor.Tensor).NormL2Keep, (*tensor.Tensor).NormL2Axes}
	product   = reducer{(*tensor.Tensor).Prod, (*tensor.Tensor).ProdKeep, (*tensor.Tensor).ProdAxes}
	sum       = reducer{(*tensor.Tensor).Sum, (*tensor.Tensor).SumKeep, (*tensor.Tensor).SumAxes}
)

// reducedAxes returns the axes that the call names, in an attribute of old
// versions or an input. none is true when it asks for none, which an empty
// list does only with noop_with_empty_axes.
func (k *call) reducedAxes() (axes []int, none bool) {
	axes, _ = k.listed("axes", 1)
	return axes, len(axes) == 0 && attrOr(k, "noop_with_empty_axes", 0) != 0
}

// reduce applies a reduction to t, the operand or a function of it.
func (k *call) reduce(t *tensor.Tensor, r reducer) *tensor.Tensor {
	d := t.DType()
	axes, none := k.reducedAxes()
	switch {
	case none:
		t = r.exactly(t, axes)
	case attrOr(k, "keepdims", 1) != 0:
		t = r.keep(t, axes...)
	default:
		t = r.drop(t, axes...)
	}
	return k.as(t, d)
}

// as returns t converted to d, or t itself if it has failed or is of d.
func (k *call) as(t *tensor.Tensor, d dtype.DType) *tensor.Tensor {
	if t.Err() != nil || t.DType() == d {
		return t
	}
	return t.Cast(d)
}

// extreme is reduce for maxima and minima, which of no elements are what every
// element exceeds: that infinity, or the limit of an integer dtype.
func (k *call) extreme(r reducer, ofNone float64) *tensor.Tensor {
	t := k.arg(0)
	axes, none := k.reducedAxes()
	empty := false
	if len(axes) == 0 && !none {
		axes = k.allAxes(t)
	}
	for _, axis := range axes {
		empty = empty || k.size(t, axis) == 0
	}
	if !empty || k.err != nil {
		return k.reduce(t, r)
	}
	shape := k.reduce(t, sum).Shape() // a sum may have no elements
	if t.DType() == dtype.Bool {
		return k.on().Full(dtype.Bool, ofNone > 0, shape...)
	}
	return tensor.Full(dtype.Float64, ofNone, shape...).Cast(t.DType()).To(k.dev) // an integer saturates
}

// reduceL1 sums magnitudes, of integers without the detour over floats that a
// norm takes.
func reduceL1(k *call) *tensor.Tensor {
	if t := k.arg(0); !t.DType().IsFloat() {
		return k.reduce(t.Abs(), sum)
	}
	return k.reduce(k.arg(0), normL1)
}

// reduceL2 is the Euclidean norm, of integers that of float64, truncated.
func reduceL2(k *call) *tensor.Tensor {
	if t := k.arg(0); !t.DType().IsFloat() {
		return k.as(k.reduce(t.Cast(dtype.Float64), normL2), t.DType())
	}
	return k.reduce(k.arg(0), normL2)
}

// position finds elements along an axis by drop or keep, which return the
// first of equals; select_last_index asks for the last.
func (k *call) position(drop, keep func(t *tensor.Tensor, axes ...int) *tensor.Tensor) *tensor.Tensor {
	t := k.arg(0)
	axis := attrOr(k, "axis", 0)
	last := attrOr(k, "select_last_index", 0) != 0
	if last {
		t = t.Flip(axis)
	}
	if attrOr(k, "keepdims", 1) != 0 {
		drop = keep
	}
	at := drop(t, axis)
	if last {
		at = at.Neg().AddScalar(k.size(t, axis) - 1)
	}
	return at
}
