package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// node emits one primitive. Errors: it has no vector instructions.
func (e *emitter) node(l *lane, i int, n kernels.Node) error {
	from := e.body.Nodes[n.Args[0]].Type
	if f := direct(n, from, e.size); f != nil && !(from.IsFloat() && n.Type == dtype.Bool) {
		e.binary(l, i, f, n.Args[0], n.Args[1])
		return nil
	}
	switch n.Prim {
	case kernels.PrimFma:
		e.fma(l, i, n)
	case kernels.PrimSelect:
		e.choose(l, i, n)
	case kernels.PrimLt, kernels.PrimLe, kernels.PrimEq:
		if from.IsFloat() {
			e.compareFloats(l, i, n)
		} else {
			e.compareIntegers(l, i, n, from)
		}
	case kernels.PrimNot:
		a := e.register(l, n.Args[0])
		e.VPXOR(e.mem(e.ones()), a, e.result(l, i))
	case kernels.PrimShl, kernels.PrimShr:
		return e.shift(l, i, n)
	case kernels.PrimMul:
		e.product(l, i, n)
	default:
		return e.unary(l, i, n, from)
	}
	return nil
}

// result gives node i a register: that of an argument which nothing reads
// afterwards, if there is one. Only the last instruction of a node may write it.
func (e *emitter) result(l *lane, i int) reg.VecPhysical {
	n := e.body.Nodes[i]
	for _, a := range n.Args[:n.NArg] {
		if e.dies(l, a, i) {
			l.reg[i] = l.reg[e.root[a]]
			return l.reg[i]
		}
	}
	if len(l.temp) > 0 {
		l.reg[i] = l.temp[0]
	} else {
		l.reg[i] = e.regs.take()
	}
	return l.reg[i]
}

// commutes holds the primitives whose operands may change places, so that a
// constant can stay in memory.
var commutes = map[kernels.Prim]bool{kernels.PrimAdd: true, kernels.PrimMul: true, kernels.PrimAnd: true,
	kernels.PrimOr: true, kernels.PrimXor: true, kernels.PrimEq: true}

func (e *emitter) binary(l *lane, i int, f op3, a, b kernels.V) {
	if _, isConst := e.constOf(a); isConst && commutes[e.body.Nodes[i].Prim] {
		a, b = b, a
	}
	m, r := e.operand(l, b), e.register(l, a)
	f(e.Context, m, r, e.result(l, i))
}

// fma emits a*b + c in the form that overwrites a value nothing reads
// afterwards, with a constant from memory.
func (e *emitter) fma(l *lane, i int, n kernels.Node) {
	a, b, c := n.Args[0], n.Args[1], n.Args[2]
	if _, isConst := e.constOf(a); isConst {
		a, b = b, a
	}
	_, bConst := e.constOf(b)
	if !e.dies(l, a, i) && e.dies(l, b, i) && !bConst {
		a, b = b, a
	}
	_, cConst := e.constOf(c)
	switch {
	case e.dies(l, c, i):
		l.reg[i] = l.reg[e.root[c]]
		fma231[e.size](e.Context, e.operand(l, b), e.register(l, a), l.reg[i])
	case e.dies(l, a, i) && (!bConst || cConst && e.shared[e.root[b]] != nil):
		l.reg[i] = l.reg[e.root[a]]
		fma213[e.size](e.Context, e.operand(l, c), e.register(l, b), l.reg[i])
	case e.dies(l, a, i):
		l.reg[i] = l.reg[e.root[a]]
		fma132[e.size](e.Context, e.operand(l, b), e.register(l, c), l.reg[i])
	default:
		l.reg[i] = e.regs.take()
		e.VMOVDQU(e.operand(l, c), l.reg[i])
		fma231[e.size](e.Context, e.operand(l, b), e.register(l, a), l.reg[i])
	}
}

// choose emits m ? a : b.
func (e *emitter) choose(l *lane, i int, n kernels.Node) {
	mask, a, b := e.register(l, n.Args[0]), e.operand(l, n.Args[1]), e.register(l, n.Args[2])
	switch d := e.result(l, i); {
	case n.Type == dtype.Float32:
		e.VBLENDVPS(mask, a, b, d)
	case n.Type == dtype.Float64:
		e.VBLENDVPD(mask, a, b, d)
	default:
		e.VPBLENDVB(mask, a, b, d)
	}
}

func (e *emitter) compareFloats(l *lane, i int, n kernels.Node) {
	a, b, predicate := n.Args[0], n.Args[1], floatCompares[n.Prim][0]
	if _, isConst := e.constOf(a); isConst {
		a, b, predicate = b, a, floatCompares[n.Prim][1]
	}
	m, r := e.operand(l, b), e.register(l, a)
	if d := e.result(l, i); e.size == 4 {
		e.VCMPPS(predicate, m, r, d)
	} else {
		e.VCMPPD(predicate, m, r, d)
	}
}

// compareIntegers emits a < b as b > a, and a <= b as its opposite. Unsigned
// ones are compared as signed with the sign bit turned over.
func (e *emitter) compareIntegers(l *lane, i int, n kernels.Node, d dtype.DType) {
	a, b := n.Args[0], n.Args[1]
	if n.Prim == kernels.PrimLe {
		a, b = b, a
	}
	m, r := e.operand(l, a), operand.Op(nil)
	if d.Kind() == dtype.UintKind {
		m, r = e.flipped(l, a), e.flipped(l, b)
	} else {
		r = e.register(l, b)
	}
	if _, inMemory := r.(operand.Mem); inMemory {
		t := e.scratch(l)
		e.VMOVDQU(r, t)
		r = t
	}
	to := e.result(l, i)
	greater[e.size](e.Context, m, r, to)
	if n.Prim == kernels.PrimLe {
		e.VPXOR(e.mem(e.ones()), to, to)
	}
}

// flipped returns v with its highest bit turned over.
func (e *emitter) flipped(l *lane, v kernels.V) operand.Op {
	sign := constant{e.size, 1 << (8*e.size - 1)}
	if c, ok := e.constOf(v); ok {
		return e.mem(constant{c.size, c.bits ^ sign.bits})
	}
	t := e.scratch(l)
	e.VPXOR(e.mem(sign), e.register(l, v), t)
	return t
}

// unary emits what has one operand.
func (e *emitter) unary(l *lane, i int, n kernels.Node, from dtype.DType) error {
	a := e.register(l, n.Args[0])
	switch {
	case n.Prim == kernels.PrimSqrt && e.size == 4:
		e.VSQRTPS(a, e.result(l, i))
	case n.Prim == kernels.PrimSqrt:
		e.VSQRTPD(a, e.result(l, i))
	case n.Prim == kernels.PrimConvert && from == dtype.Bool:
		one, err := dtype.BoolNumber(true).Bits(n.Type)
		if err != nil {
			return err
		}
		e.VPAND(e.mem(constant{e.size, one}), a, e.result(l, i))
	case n.Prim == kernels.PrimBits && from == dtype.Bool && e.size == 1:
		e.VPAND(e.mem(constant{1, 1}), a, e.result(l, i))
	case n.Prim == kernels.PrimConvert && from == dtype.Int32 && n.Type == dtype.Float32:
		e.VCVTDQ2PS(a, e.result(l, i))
	case n.Prim == kernels.PrimConvert && from == dtype.Float32 && n.Type == dtype.Int32:
		e.VCVTTPS2DQ(a, e.result(l, i))
	default:
		return fmt.Errorf("no instruction for %v of %v to %v", n.Prim, from, n.Type)
	}
	return nil
}
