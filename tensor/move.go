package tensor

import (
	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// assemble is behind the operations that only move elements: it makes a fresh
// row-major tensor on the device of the operands, all of which are held and on
// that device, and lets fill write each of its elements once, by copies
// between views. So a device that copies can do all of them.
func assemble(op string, d dtype.DType, shape Shape, fill func(out *Tensor) error, in ...*Tensor) *Tensor {
	out := On(in[0].store.dev).empty(op, d, shape)
	if out.failure() != nil {
		return fail(op, reason(out.failure()), in...)
	}
	if out.layout.Size() > 0 {
		if err := fill(out); err != nil {
			_ = out.Free()
			return fail(op, reason(err), in...)
		}
	}
	joinScope(out, in...)
	return out
}

// moved is assemble for one operand: sizes returns the sizes of the result, or
// why there is none, and fill copies from src, which is t. A Scalar settles in
// its default dtype on the CPU.
func (t *Tensor) moved(op string, sizes func(l *broadcast.Layout) (Shape, error), fill func(out, src *Tensor) error) *Tensor {
	if err := t.hold(); err != nil {
		return refuse(op, t)
	}
	defer t.drop()
	shape, err := sizes(t.layout)
	if err != nil {
		return fail(op, err, t)
	}
	src := t
	if t.isWeak() {
		if src = t.settle(host()); src.failure() != nil {
			return fail(op, reason(src.failure()), t)
		}
	}
	return assemble(op, src.dtype, shape, func(out *Tensor) error { return fill(out, src) }, src)
}

// put copies src into the part of out from index lo up to hi on an axis,
// stretched to it where src has size 1.
func (t *Tensor) put(axis, lo, hi int, src *Tensor) error {
	if lo >= hi {
		return nil
	}
	dst := t.part(axis, lo, hi)
	defer dst.Free()
	return Into(dst, kernels.Copy, src)
}

// part returns the view of the indices lo up to hi of an axis.
func (t *Tensor) part(axis, lo, hi int) *Tensor {
	ranges := make([]Range, axis+1)
	for i := range ranges {
		ranges[i] = All
	}
	ranges[axis] = R(lo, hi)
	return t.Slice(ranges...)
}
