package tensor_test

import (
	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
	"github.com/stride0/stride0/tensor"
)

// ability calls an operation that is no row of the table: one at indices, of
// order, by a mask, or one that moves elements.
func (p *player) ability() {
	switch p.next(8) {
	case 0, 1:
		p.lookUp()
	case 2:
		p.accumulate()
	case 3:
		p.sort()
	case 4:
		p.masked()
	case 5:
		p.join()
	case 6, 7:
		p.rearrange()
	}
}

// operands returns what decides the fate of such an operation before anything
// else: the failure of an operand or that they are on several devices; and
// the device.
func (p *player) operands(ts ...*twin) (dev device.Device, refused *twin) {
	if dead := refusedBy(ts...); dead != nil {
		return nil, dead
	}
	dev = p.host
	found := false
	for _, t := range ts {
		switch {
		case t.store == nil:
		case found && t.store.dev != dev:
			return nil, failing(tensor.ErrDevices)
		default:
			dev, found = t.store.dev, true
		}
	}
	return dev, nil
}

// based returns t with elements: a Scalar in its default dtype.
func (t *twin) based(dev device.Device) *twin {
	if t.isWeak() {
		return t.settled(dev)
	}
	return t
}

// derived is a fresh result, which joins the scope that was opened last.
func derived(dev device.Device, d dtype.DType, sizes []int, bits []uint64, from ...*twin) *twin {
	if len(sizes) > broadcast.MaxRank {
		return failing(nil)
	}
	r := fresh(dev, d, sizes, bits)
	for _, t := range from {
		if t.scope != nil && (r.scope == nil || t.scope.opened > r.scope.opened) {
			r.scope = t.scope
		}
	}
	return r
}

// onLine returns the elements along an axis for every line of it: where in
// row-major order they stand.
func onLine(sizes []int, axis int, visit func(line []int)) {
	outer := append([]int{}, sizes...)
	outer[axis] = 1
	n := sizes[axis]
	each(outer, func(index []int) {
		line := make([]int, n)
		at := append([]int{}, index...)
		for i := range line {
			at[axis] = i
			line[i] = position(sizes, at)
		}
		visit(line)
	})
}

// pairwise computes a row of two operands of one dtype; of halves in float32.
func pairwise(op kernels.Op, d dtype.DType) func(a, b uint64) uint64 {
	if d.IsHalf() {
		wide := pairwise(op, dtype.Float32)
		return func(a, b uint64) uint64 {
			return convert(dtype.Float32, d, wide(convert(d, dtype.Float32, a), convert(d, dtype.Float32, b)))
		}
	}
	body, err := kernels.RowBody(op, []dtype.DType{d, d}, d)
	if err != nil {
		panic(err)
	}
	return func(a, b uint64) uint64 { return body.Eval([]uint64{a, b})[0] }
}

// lesser returns the row that is the minimum of elements, also of bools.
func lesser(d dtype.DType) kernels.Op {
	if d == dtype.Bool {
		return kernels.LogicalAnd
	}
	return kernels.Minimum
}

// greater returns the row that is the maximum.
func greater(d dtype.DType) kernels.Op {
	if d == dtype.Bool {
		return kernels.LogicalOr
	}
	return kernels.Maximum
}
