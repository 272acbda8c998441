package bench

import (
	"math"

	"github.com/stride0/stride0/kernels"
	"github.com/stride0/stride0/tensor"
)

// addFlat adds two matrices into a third.
func (o *operands) addFlat() Workload {
	return o.workload("add", "flat", 3*o.side*o.side, o.into(kernels.Add, o.x, o.y), func() []float32 {
		for i, x := range o.hx {
			o.hout[i] = x + o.hy[i]
		}
		return o.hout
	})
}

// addNew adds two matrices into a new one.
func (o *operands) addNew() Workload {
	run := func() (*tensor.Tensor, error) {
		sum := o.x.Add(o.y)
		return sum, sum.Err()
	}
	return o.workload("add", "new", 3*o.side*o.side, run, func() []float32 {
		out := make([]float32, len(o.hx))
		for i, x := range o.hx {
			out[i] = x + o.hy[i]
		}
		return out
	})
}

// addRow adds a vector to every row of a matrix.
func (o *operands) addRow() Workload {
	return o.workload("add", "row", 2*o.side*o.side+o.side, o.into(kernels.Add, o.x, o.row), func() []float32 {
		for i, x := range o.hx {
			o.hout[i] = x + o.hv[i%o.side]
		}
		return o.hout
	})
}

// addColumn adds a vector to every column of a matrix.
func (o *operands) addColumn() Workload {
	return o.workload("add", "column", 2*o.side*o.side+o.side, o.into(kernels.Add, o.x, o.column), func() []float32 {
		for i, x := range o.hx {
			o.hout[i] = x + o.hv[i/o.side]
		}
		return o.hout
	})
}

// addScalar adds a number to every element of a matrix.
func (o *operands) addScalar() Workload {
	return o.workload("add", "scalar", 2*o.side*o.side, o.into(kernels.Add, o.x, tensor.Scalar(0.5)), func() []float32 {
		for i, x := range o.hx {
			o.hout[i] = x + 0.5
		}
		return o.hout
	})
}

// addTransposed adds the transpose of a matrix to another.
func (o *operands) addTransposed() Workload {
	return o.workload("add", "transposed", 3*o.side*o.side, o.into(kernels.Add, o.x, o.y.T()), func() []float32 {
		for i, x := range o.hx {
			o.hout[i] = x + o.hy[i%o.side*o.side+i/o.side]
		}
		return o.hout
	})
}

// expFlat computes the exponential of every element of a matrix.
func (o *operands) expFlat() Workload {
	return o.workload("exp", "flat", 2*o.side*o.side, o.into(kernels.Exp, o.x), func() []float32 {
		for i, x := range o.hx {
			o.hout[i] = float32(math.Exp(float64(x)))
		}
		return o.hout
	})
}

// into returns a run that writes op of the operands into the shared result.
func (o *operands) into(op kernels.Applied, in ...*tensor.Tensor) func() (*tensor.Tensor, error) {
	return func() (*tensor.Tensor, error) { return o.out, tensor.Into(o.out, op, in...) }
}
