package tensor

import (
	"errors"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// Call is one application of an operation, but for its operands, which apply
// takes apart: a struct that held the list of them too would move it to the
// heap on every call, because escape analysis sees a struct as one.
type Call struct {
	Op   kernels.Op
	Attr kernels.Attr
	Dst  *Tensor // where the result goes; nil for a fresh row-major tensor
}

// opMatMul is the one operation that is not a row of the table: no expression
// of elements, but an ability of the device (device.MatMuler).
const opMatMul kernels.Op = 1 << 15

func opName(op kernels.Op) string {
	if op == opMatMul {
		return "matmul"
	}
	return op.String()
}

// apply is the only door to operations that are rows of the table: methods,
// functions and Into all come through it; perform is that to abilities. It returns the result (Dst, when there is one) or a failed
// tensor; a failed operand is returned as it is, Dst's error first, then the
// leftmost. On error nothing has been written.
func apply(c Call, in ...*Tensor) *Tensor {
	if c.Dst != nil && !c.Dst.live() {
		return refuseAs("the destination", opName(c.Op), c.Dst)
	}
	weak := len(in) > 0
	for i, t := range in {
		if !t.live() {
			return refuseOperand(opName(c.Op), i, len(in), t)
		}
		weak = weak && t.isWeak()
	}
	if weak && !(c.Dst != nil && c.Op == kernels.Copy) {
		return onNumbers(c, in)
	}
	k := tasks.Get().(*task)
	k.Call = c
	out, err := k.do(in)
	dev := k.dev
	k.recycle()
	if err == nil {
		return out
	}
	if errors.Is(err, device.ErrUnsupported) && mayUseHost(c.Op, dev) {
		return onHost(c, in, dev)
	}
	return fail(opName(c.Op), adviseHost(c.Op, dev, err), in...)
}

// onNumbers computes an operation among weak scalars alone, on the host in
// bool, int64 or float64. Its result is weak again, unless the operation
// itself names a dtype.
func onNumbers(c Call, in []*Tensor) *Tensor {
	strong := make([]*Tensor, len(in))
	wide := needsFloat(c.Op)
	for i, t := range in {
		d := weakDType(t.weak)
		if wide {
			d = dtype.Float64
		}
		if strong[i] = t.as(d, host()); strong[i].err != nil {
			return fail(opName(c.Op), reason(strong[i].err), in...)
		}
	}
	r := apply(Call{Op: c.Op, Attr: c.Attr}, strong...)
	if r.err != nil {
		return r
	}
	if c.Attr.DType == dtype.Invalid || c.Dst != nil {
		n, err := r.number()
		if err != nil {
			return fail(opName(c.Op), err, in...)
		}
		r = &Tensor{weak: n}
	}
	if c.Dst != nil {
		return c.deliver(r, in)
	}
	return r
}

// deliver copies a result that was computed elsewhere to Dst; what is wrong
// with that is an error of the operation itself.
func (c Call) deliver(r *Tensor, in []*Tensor) *Tensor {
	w := apply(Call{Op: kernels.Copy, Dst: c.Dst}, r)
	if w != c.Dst {
		return fail(opName(c.Op), reason(w.Err()), in...)
	}
	return w
}

// needsFloat reports whether an operation on integers computes in floats, as
// division does: among weak scalars that float is float64.
func needsFloat(op kernels.Op) bool {
	row := op.Row()
	return row != nil && (row.Rule == kernels.RuleFloat || row.Rule == kernels.RuleMean)
}
