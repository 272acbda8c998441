package bench

import (
	"github.com/stride0/stride0/kernels"
	"github.com/stride0/stride0/tensor"
)

// sumAll sums a matrix to one number.
func (o *operands) sumAll() Workload {
	return o.workload("sum", "all", o.side*o.side+1, o.sum(o.outOne, kernels.AxisSet{}), func() []float32 {
		var sum float32
		for _, x := range o.hx {
			sum += x
		}
		return []float32{sum}
	})
}

// sumRows sums a matrix over its rows (axis 0), the axis that is not
// contiguous.
func (o *operands) sumRows() Workload {
	return o.workload("sum", "axis0", o.side*o.side+o.side, o.sum(o.outRow, kernels.Axes(0)), func() []float32 {
		out := o.hout[:o.side]
		clear(out)
		for i, x := range o.hx {
			out[i%o.side] += x
		}
		return out
	})
}

// sumColumns sums a matrix over its columns (axis 1), the contiguous axis.
func (o *operands) sumColumns() Workload {
	return o.workload("sum", "axis1", o.side*o.side+o.side, o.sum(o.outRow, kernels.Axes(1)), func() []float32 {
		out := o.hout[:o.side]
		clear(out)
		for i, x := range o.hx {
			out[i/o.side] += x
		}
		return out
	})
}

// matMul multiplies two matrices into a new one.
func (o *operands) matMul() Workload {
	run := func() (*tensor.Tensor, error) {
		product := o.x.MatMul(o.y)
		return product, product.Err()
	}
	return o.workload("matmul", "new", 3*o.side*o.side, run, func() []float32 {
		out := make([]float32, len(o.hx))
		for i := range o.side {
			for k, x := range o.hx[i*o.side : (i+1)*o.side] {
				for j, y := range o.hy[k*o.side : (k+1)*o.side] {
					out[i*o.side+j] += x * y
				}
			}
		}
		return out
	})
}

// sum returns a run that sums the matrix over axes into a result.
func (o *operands) sum(out *tensor.Tensor, axes kernels.AxisSet) func() (*tensor.Tensor, error) {
	op := kernels.Sum.With(kernels.Attr{Axes: axes})
	return func() (*tensor.Tensor, error) { return out, tensor.Into(out, op, o.x) }
}
