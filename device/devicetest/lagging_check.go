package devicetest

import (
	"fmt"

	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
)

// checkPlaces reports an operand of l whose elements are not all inside its
// buffer: inner would say so too, but only when the launch's turn has come.
func (d *lagging) checkPlaces(l *device.Launch) error {
	places := append(append([]device.Operand(nil), l.Inputs...), l.Outputs...)
	types := append(append([]dtype.DType(nil), l.Program.Inputs...), outputTypes(l.Program)...)
	if len(places) != len(types) || len(places) != len(l.Plan.Strides) {
		return d.fail("Run", fmt.Errorf("%d operands, the program has %d and the plan %d", len(places), len(types), len(l.Plan.Strides)))
	}
	if len(l.Scalars) != len(l.Program.Scalars) {
		return d.fail("Run", fmt.Errorf("%d scalars, the program has %d", len(l.Scalars), len(l.Program.Scalars)))
	}
	for i, o := range places {
		lo, hi := planSpan(l.Plan, i)
		elem := int64(types[i].Size())
		if first, end := o.Offset+int64(lo)*elem, o.Offset+int64(hi)*elem; lo < hi && (first < 0 || end > o.Buffer.Size()) {
			return d.fail("Run", fmt.Errorf("operand %d covers bytes %d to %d of a buffer of %d", i, first, end, o.Buffer.Size()))
		}
	}
	return nil
}

// planSpan returns the least element offset that a plan gives operand i and
// one more than the greatest; both are equal when it touches none.
func planSpan(p *broadcast.Plan, i int) (lo, hi int) {
	lo, hi = p.Offsets[i], p.Offsets[i]
	for axis, size := range p.Sizes {
		if size == 0 && (axis < p.Kept || i < len(p.Strides)-p.Outputs) {
			return lo, lo
		}
		reach := p.Strides[i][axis] * max(size-1, 0)
		lo, hi = lo+min(reach, 0), hi+max(reach, 0)
	}
	return lo, hi + 1
}
