package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// reducer emits the loops of a reduction whose states are single elements and
// to which an element is a state as it is: sums, products, extremes.
type reducer struct {
	*emitter
	r        *kernels.Reducer
	identity constant
	s, t     kernels.V // the arguments of Combine
}

// reduceSignature has the parameters of reduceLoop in package cpu.
const reduceSignature = "func(n int, index int64, p *[6]uintptr)"

// leadSrc are the rows that a lead loop takes in.
var leadSrc = [...]reg.GPPhysical{reg.RSI, reg.RDX, reg.R8, reg.R11}

// newReducer prepares a reduction. Errors: its states or elements are something
// else, or too narrow to be worth a loop.
func newReducer(op kernels.Op, d dtype.DType) (*reducer, error) {
	r, err := kernels.ReduceBody(op, d)
	if err != nil {
		return nil, err
	}
	lift := r.Lift.Nodes[r.Lift.Outs[0]]
	if len(r.State) != 1 || lift.Prim != kernels.PrimArg || lift.Bits != 0 || d.Size() < 4 {
		return nil, fmt.Errorf("a state that is not an element of 4 or 8 bytes")
	}
	e, err := newEmitter(r.Combine)
	if err != nil {
		return nil, err
	}
	first, err := newEmitter(r.Identity)
	if err != nil {
		return nil, err
	}
	x := &reducer{emitter: e, r: r, s: -1, t: -1}
	var ok bool
	if x.identity, ok = first.constOf(r.Identity.Outs[0]); !ok {
		return nil, fmt.Errorf("no constant for an identity")
	}
	for i, n := range r.Combine.Nodes {
		if n.Prim == kernels.PrimArg {
			*[]*kernels.V{&x.s, &x.t}[n.Bits] = kernels.V(i)
		}
	}
	return x, nil
}

// combine emits s = Combine(s, t).
func (x *reducer) combine(s, t reg.VecPhysical) error {
	x.shared[x.s], x.shared[x.t] = s, t
	outs, err := x.run(1, nil)
	if err != nil {
		return err
	}
	x.VMOVAPS(outs[0], s)
	if outs[0] != s && outs[0] != t {
		x.regs.give(outs[0])
	}
	return nil
}

// begin opens a function.
func (x *reducer) begin(name string) {
	x.Context = build.NewContext()
	x.regs = regs{}
	x.Function(name)
	x.Attributes(attr.NOSPLIT)
	x.SignatureExpr(reduceSignature)
	x.Load(x.Param("n"), left)
	x.Load(x.Param("p"), mask)
	x.MOVQ(operand.Mem{Base: mask}, dst)
}

func (x *reducer) end(name string) function {
	x.VZEROUPPER()
	x.RET()
	return function{name: name, text: text(x.Context), consts: x.consts}
}

// block emits the reduction of n elements to one state: the tree's 32 lanes are
// registers, into which rows of 32 elements are taken; the elements of a last
// row that is shorter go one by one into the lanes in memory; then the lanes
// are folded, halves together, down to one.
func (x *reducer) block(name string) (function, error) {
	x.begin(name)
	x.MOVQ(operand.Mem{Base: mask, Disp: 16}, leadSrc[0])
	lanes := make([]reg.VecPhysical, kernels.Lanes*x.size/vectorBytes)
	for k := range lanes {
		lanes[k] = x.regs.take()
		x.VMOVDQU(x.mem(x.identity), lanes[k])
	}
	t := x.regs.take()
	x.SUBQ(operand.U8(kernels.Lanes), left)
	x.JLT(operand.LabelRef("rest"))
	x.Label("row")
	for k, s := range lanes {
		x.VMOVDQU(operand.Mem{Base: leadSrc[0], Disp: k * vectorBytes}, t)
		if err := x.combine(s, t); err != nil {
			return function{}, err
		}
	}
	x.ADDQ(operand.U32(kernels.Lanes*x.size), leadSrc[0])
	x.SUBQ(operand.U8(kernels.Lanes), left)
	x.JGE(operand.LabelRef("row"))
	x.Label("rest")
	x.ADDQ(operand.U8(kernels.Lanes), left)
	x.JZ(operand.LabelRef("fold"))
	if err := x.rest(lanes, t); err != nil {
		return function{}, err
	}
	x.Label("fold")
	if err := x.fold(lanes, t); err != nil {
		return function{}, err
	}
	x.moveOne(lanes[0], operand.Mem{Base: dst})
	return x.end(name), nil
}

// rest emits the elements of a last, shorter row.
func (x *reducer) rest(lanes []reg.VecPhysical, t reg.VecPhysical) error {
	room := x.AllocLocal(kernels.Lanes * x.size)
	for k, s := range lanes {
		x.VMOVDQU(s, room.Offset(k*vectorBytes))
	}
	x.LEAQ(room, reg.R10)
	x.XORQ(at, at)
	lane := operand.Mem{Base: reg.R10, Index: at, Scale: uint8(x.size)}
	s := lanes[0]
	x.Label("one")
	x.loadOne(lane, s)
	x.loadOne(operand.Mem{Base: leadSrc[0], Index: at, Scale: uint8(x.size)}, t)
	if err := x.combine(s, t); err != nil {
		return err
	}
	x.moveOne(s, lane)
	x.INCQ(at)
	x.CMPQ(at, left)
	x.JLT(operand.LabelRef("one"))
	for k, s := range lanes {
		x.VMOVDQU(room.Offset(k*vectorBytes), s)
	}
	return nil
}

// fold emits the folding of lanes into the first element of the first one.
func (x *reducer) fold(lanes []reg.VecPhysical, t reg.VecPhysical) error {
	for half := len(lanes) / 2; half > 0; half /= 2 {
		for k := range half {
			if err := x.combine(lanes[k], lanes[k+half]); err != nil {
				return err
			}
		}
	}
	s := lanes[0]
	x.VEXTRACTI128(operand.U8(1), s, t.AsX())
	if err := x.combine(s, t); err != nil {
		return err
	}
	x.VPSHUFD(operand.U8(0xee), s, t) // the upper 8 bytes
	if err := x.combine(s, t); err != nil || x.size == 8 {
		return err
	}
	x.VPSHUFD(operand.U8(0x55), s, t) // the second 4 bytes
	return x.combine(s, t)
}

func (x *reducer) loadOne(m operand.Mem, r reg.VecPhysical) {
	if x.size == 4 {
		x.VMOVD(m, r.AsX())
	} else {
		x.VMOVQ(m, r.AsX())
	}
}

func (x *reducer) moveOne(r reg.VecPhysical, m operand.Mem) {
	if x.size == 4 {
		x.VMOVD(r.AsX(), m)
	} else {
		x.VMOVQ(r.AsX(), m)
	}
}

// lead emits the loop in which state i takes in element i of so many rows.
func (x *reducer) lead(name string, rows int) (function, error) {
	x.begin(name)
	for k := range rows {
		x.MOVQ(operand.Mem{Base: mask, Disp: 8 * (2 + k)}, leadSrc[k])
	}
	per := vectorBytes / x.size
	s, t, m := x.regs.take(), x.regs.take(), x.regs.take()
	x.XORQ(at, at)
	x.SUBQ(operand.U8(per), left)
	x.JLT(operand.LabelRef("rest"))
	x.Label("vector")
	x.VMOVDQU(x.of(dst), s)
	for k := range rows {
		x.VMOVDQU(x.of(leadSrc[k]), t)
		if err := x.combine(s, t); err != nil {
			return function{}, err
		}
	}
	x.VMOVDQU(s, x.of(dst))
	x.ADDQ(operand.U8(per), at)
	x.SUBQ(operand.U8(per), left)
	x.JGE(operand.LabelRef("vector"))
	x.Label("rest")
	x.ADDQ(operand.U8(per), left)
	x.JZ(operand.LabelRef("end"))
	x.NEGQ(left)
	x.LEAQ(operand.NewDataAddr(operand.NewStaticSymbol(tailMask), vectorBytes), mask)
	x.VMOVDQU(operand.Mem{Base: mask, Index: left, Scale: uint8(x.size)}, m)
	x.masked(x.of(dst), m, s)
	for k := range rows {
		x.masked(x.of(leadSrc[k]), m, t)
		if err := x.combine(s, t); err != nil {
			return function{}, err
		}
	}
	x.masked(s, m, x.of(dst))
	x.Label("end")
	return x.end(name), nil
}

// of returns the vector that the loop is at.
func (x *reducer) of(base reg.GPPhysical) operand.Mem {
	return operand.Mem{Base: base, Index: at, Scale: uint8(x.size)}
}

// masked emits a move of the elements of a mask from or to memory.
func (x *reducer) masked(from, m, to operand.Op) {
	if x.size == 4 {
		x.VMASKMOVPS(from, m, to)
	} else {
		x.VMASKMOVPD(from, m, to)
	}
}
