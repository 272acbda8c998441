package bench

import (
	"fmt"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/tensor"
)

// A Workload is something to measure. Its Name follows the grammar of
// benchmarks: op/dtype/form/n=elements of the largest operand.
type Workload struct {
	Name  string
	Bytes int64                          // read and written by one run, every operand once
	Run   func() (*tensor.Tensor, error) // by package tensor
	Naive func() []float32               // by a plain loop: the elements of the same result
}

// Workloads returns all workloads on dev for square matrices with side rows.
// The operands are allocated here, so a run allocates what its name says:
// nothing, or with form "new" and in matmul the result.
func Workloads(dev device.Device, side int) ([]Workload, error) {
	o, err := newOperands(dev, side)
	if err != nil {
		return nil, err
	}
	return []Workload{
		o.addFlat(), o.addNew(), o.addRow(), o.addColumn(), o.addScalar(), o.addTransposed(), o.expFlat(),
		o.sumAll(), o.sumRows(), o.sumColumns(), o.matMul(),
	}, nil
}

// operands are the tensors that workloads share, with their elements in host
// memory for the naive twins.
type operands struct {
	side             int
	x, y             *tensor.Tensor // (side, side)
	row, column      *tensor.Tensor // (side), (side, 1)
	out              *tensor.Tensor // (side, side)
	outRow           *tensor.Tensor // (side)
	outOne           *tensor.Tensor // ()
	hx, hy, hv, hout []float32      // hv is the row and the column
}

func newOperands(dev device.Device, side int) (*operands, error) {
	n := side * side
	o := &operands{side: side, hx: ramp(n, 7), hy: ramp(n, 11), hv: ramp(side, 13), hout: make([]float32, n)}
	o.x = tensor.New(o.hx, side, side).To(dev)
	o.y = tensor.New(o.hy, side, side).To(dev)
	o.row = tensor.New(o.hv, side).To(dev)
	o.column = tensor.New(o.hv, side, 1).To(dev)
	o.out = tensor.ZerosLike(o.x)
	o.outRow = tensor.ZerosLike(o.row)
	o.outOne = o.row.Index(0, 0).Clone()
	for _, t := range []*tensor.Tensor{o.x, o.y, o.row, o.column, o.out, o.outRow, o.outOne} {
		if err := t.Err(); err != nil {
			return nil, err
		}
	}
	return o, nil
}

// ramp returns n small multiples of 1/8, so that sums of them are exact in any
// order and results can be compared for equality.
func ramp(n, period int) []float32 {
	v := make([]float32, n)
	for i := range v {
		v[i] = float32(i%period) / 8
	}
	return v
}

// workload names a workload on n elements that moves the given number of
// float32 elements.
func (o *operands) workload(op, form string, elements int, run func() (*tensor.Tensor, error), naive func() []float32) Workload {
	return Workload{
		Name:  fmt.Sprintf("%s/float32/%s/n=%d", op, form, o.side*o.side),
		Bytes: int64(elements) * 4,
		Run:   run,
		Naive: naive,
	}
}
