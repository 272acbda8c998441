package tensor

import (
	"errors"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// call is one application of an operation, but for its operands, which apply
// takes apart: a struct that held the list of them too would move it to the
// heap on every call, because escape analysis sees a struct as one.
type call struct {
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
// functions and Into all come through it; perform is that to abilities. It
// returns the result (Dst, when there is one) or a failed tensor; a failed
// operand is returned as it is, Dst's error first, then the leftmost. On error
// nothing has been written.
func apply(c call, in ...*Tensor) *Tensor {
	if len(in) == 2 {
		if r := quick(c.Op, c.Dst, in[0], in[1]); r != nil {
			return r
		}
	}
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
	k.call = c
	out, err := k.do(in)
	dev := k.dev
	k.recycle()
	if err == nil {
		return out
	}
	if errors.Is(err, device.ErrUnsupported) && mayUseHost(c.Op, dev) {
		return onHost(c, in, dev)
	}
	return fail(opName(c.Op), adviseHost(dev, err, movable(c.Op)), in...)
}

// onNumbers computes an operation among weak scalars alone, on the host in
// bool, int64, uint64 or float64. Its result is weak again, unless the
// operation itself names a dtype.
func onNumbers(c call, in []*Tensor) *Tensor {
	if err := checkArity(c.Op, len(in)); err != nil { // before its last operands are taken for parameters
		return fail(opName(c.Op), err, in...)
	}
	strong := make([]*Tensor, len(in))
	integer := integerAmong(in)
	for i, t := range in {
		if i >= len(in)-parameters(c.Op) {
			strong[i] = t
			continue
		}
		d := weakDType(t.weak())
		switch {
		case needsFloat(c.Op):
			d = dtype.Float64
		case d.IsInteger() && integer != dtype.Invalid:
			d = integer
		}
		if strong[i] = t.as(d, host()); strong[i].failure() != nil {
			return fail(opName(c.Op), reason(strong[i].failure()), in...)
		}
	}
	r := apply(call{Op: c.Op, Attr: c.Attr}, strong...)
	if r.failure() != nil {
		return r
	}
	if c.Attr.DType == dtype.Invalid || c.Dst != nil {
		n, err := r.number()
		if err != nil {
			return fail(opName(c.Op), err, in...)
		}
		r = weakScalar(n)
	}
	if c.Dst != nil {
		return c.deliver(r, in)
	}
	return r
}

// integerAmong returns the dtype of the integers among weak scalars: float64
// beside a float, uint64 beside one that int64 does not hold. It is Invalid,
// and each keeps its own dtype, when a negative one is there too.
func integerAmong(in []*Tensor) dtype.DType {
	d, negative := dtype.Int64, false
	for _, t := range in {
		switch t.weak().Kind() {
		case dtype.FloatKind:
			return dtype.Float64
		case dtype.UintKind:
			d = dtype.Uint64
		case dtype.IntKind:
			v, _ := t.weak().Int64()
			negative = negative || v < 0
		}
	}
	if negative && d == dtype.Uint64 {
		return dtype.Invalid
	}
	return d
}

// deliver copies a result that was computed elsewhere to Dst; what is wrong
// with that is an error of the operation itself.
func (c call) deliver(r *Tensor, in []*Tensor) *Tensor {
	w := apply(call{Op: kernels.Copy, Dst: c.Dst}, r)
	if w != c.Dst {
		return fail(opName(c.Op), reason(w.Err()), in...)
	}
	return w
}

// parameters returns how many of the last operands of op are numbers.
func parameters(op kernels.Op) int {
	if row := op.Row(); row != nil {
		return len(row.Params)
	}
	return 0
}

// needsFloat reports whether an operation on integers computes in floats, as
// division does: among weak scalars that float is float64.
func needsFloat(op kernels.Op) bool {
	row := op.Row()
	return row != nil && (row.Rule == kernels.RuleFloat || row.Rule == kernels.RuleMean)
}
