package tensor

import (
	"github.com/stride0/stride0/cpu"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// maxQuick is the number of bytes of an operand up to which quick takes an
// operation: beyond, what it saves no longer shows, and a launch uses all cores.
const maxQuick = 4096

// quick is apply for the operations that cost more than their elements: two
// operands of one dtype on the CPU, contiguous and small, of the same shape, or
// one of them a row, a single element or a number of the other. It decides what
// check, plan and run decide for them, with the same results, and returns nil
// for everything else, errors included.
func quick(op kernels.Op, dst, x, y *Tensor) *Tensor {
	if x == nil || y == nil {
		return nil
	}
	t := x
	if t.store == nil {
		t = y
	}
	if op == opMatMul || int(op) >= kernels.OpLimit || t.store == nil || x.scope() != nil || y.scope() != nil {
		return nil
	}
	p, ok := cpu.PairOf(op, t.dtype)
	if !ok {
		return nil
	}
	if !holdQuick(x, y, dst) {
		return nil // freed: apply says so
	}
	var q quickCall
	out := q.run(p, dst, x, y, t)
	dropQuick(x, y, dst)
	return out
}

// quickCall is an operation that quick looks at.
type quickCall struct {
	x, y quickOperand
	like *Tensor // the larger operand
	out  []byte
}

type quickOperand struct {
	cpu.Operand
	from *Tensor // nil for a number
	one  bool
}

// run computes what p says of operands of the dtype of t. The caller holds all.
func (q *quickCall) run(p cpu.Pair, dst, x, y, t *Tensor) *Tensor {
	if !q.x.take(x, t) || !q.y.take(y, t) || !q.match() {
		return nil
	}
	out := q.result(dst, p.Result, x, y)
	if out == nil {
		return nil
	}
	p.Run(q.out, q.x.Operand, q.y.Operand, t.dtype.Size())
	if dst != nil {
		dst.store.writes.Add(1)
	}
	return out
}

// take reads an operand: contiguous elements on the CPU, of the dtype of t, or
// a number that this dtype holds without a change of kind.
func (o *quickOperand) take(x, t *Tensor) bool {
	size := t.dtype.Size()
	if x.store == nil {
		if !x.isWeak() || dtype.Lift(t.dtype, x.weak()) != t.dtype {
			return false
		}
		var err error
		o.Number, err = x.weak().Bits(t.dtype)
		o.one = true
		return err == nil
	}
	buf := hostBuffer(x)
	if buf == nil || x.dtype != t.dtype || !x.layout.IsContiguous() {
		return false
	}
	n := x.layout.Size() * size
	if n == 0 || n > maxQuick {
		return false
	}
	from := x.layout.Offset() * size
	o.Elements, o.from, o.one = buf.Bytes()[from:from+n], x, n == size
	return true
}

// hostBuffer returns the buffer of a tensor on the CPU, nil for any other. A
// device that wraps the CPU may have buffers of its kind too.
func hostBuffer(t *Tensor) *cpu.Buffer {
	if _, ok := t.store.dev.(*cpu.Device); !ok {
		return nil
	}
	buf, _ := t.store.buf.(*cpu.Buffer)
	return buf
}

// match finds the larger operand, which the other must be a single element or
// the last axes of.
func (q *quickCall) match() bool {
	x, y := q.x.from, q.y.from
	switch {
	case y == nil:
		q.like = x
		return x != nil
	case x == nil:
		q.like = y
		return true
	case x.layout == y.layout, x.layout.EndsWith(y.layout), q.y.one && y.layout.Rank() <= x.layout.Rank():
		q.like = x
		return true
	case q.x.one && x.layout.Rank() <= y.layout.Rank():
		q.like = y
		return true
	}
	return false
}

// result returns where the result goes, nil where quick does not write: a
// fresh tensor, or dst, if it has just the shape and dtype and is, or shares
// nothing with, each operand.
func (q *quickCall) result(dst *Tensor, d dtype.DType, x, y *Tensor) *Tensor {
	size := q.like.layout.Size() * d.Size()
	if dst == nil {
		if size > maxSmall {
			return nil
		}
		if q.like.lends && q.like.layout.Offset() == 0 {
			dst = newLike(q.like, size, d)
		} else {
			l := q.like.layout.AtStart()
			dst = newSmall(size, d, &l)
		}
		q.out = dst.store.buf.(*cpu.Buffer).Bytes()
		return dst
	}
	if dst.store == nil || dst.dtype != d || !dst.layout.IsContiguous() || !dst.layout.SameShape(q.like.layout) {
		return nil
	}
	buf := hostBuffer(dst)
	if buf == nil || dst.store.foreign {
		return nil
	}
	from := dst.layout.Offset() * d.Size()
	q.out = buf.Bytes()[from : from+size]
	for _, o := range [...]*Tensor{x, y} {
		if o.store == dst.store && !(o.dtype == d && o.layout.Offset() == dst.layout.Offset() && o.layout.SameShape(dst.layout)) {
			return nil
		}
	}
	return dst
}

// holdQuick is hold for all operands; false when one was freed.
func holdQuick(x, y, dst *Tensor) bool {
	if !x.holdQuick() {
		return false
	}
	if !y.holdQuick() {
		x.dropQuick()
		return false
	}
	if dst != nil && !dst.holdQuick() {
		x.dropQuick()
		y.dropQuick()
		return false
	}
	return true
}

func dropQuick(x, y, dst *Tensor) {
	x.dropQuick()
	y.dropQuick()
	if dst != nil {
		dst.dropQuick()
	}
}

// holdQuick is hold, but for elements that only the garbage collector takes
// away: they stay where they are as long as somebody reads them.
func (t *Tensor) holdQuick() bool {
	switch {
	case t.freed.Load() != byNobody:
		return false
	case t.store == nil:
		return true // a number, or nothing
	}
	return t.store.collected || t.acquire()
}

// dropQuick ends what holdQuick began.
func (t *Tensor) dropQuick() {
	if t.store != nil && !t.store.collected {
		t.store.release()
	}
}
