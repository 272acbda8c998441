package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// emitter spells an expression in vector instructions. Every value has the
// same width, size; a bool is a mask of that width, all ones or all zeros.
type emitter struct {
	*build.Context
	body   kernels.Body
	size   int                           // bytes of an element, but for bools in memory
	root   []kernels.V                   // per node: the one that holds its value, since bit casts cost nothing
	last   []int                         // per node: the last node that reads it
	shared map[kernels.V]reg.VecPhysical // arguments of one element and constants kept in registers
	consts map[constant]bool             // those used from memory
	regs   regs
}

// lane is one vector on its way through the expression.
type lane struct {
	reg  []reg.VecPhysical // per node; nil where it has none
	temp []reg.VecPhysical // until the end of the node
}

// newEmitter prepares a body. Errors: values of several widths. Halves are only
// ever moved, as integers are.
func newEmitter(b kernels.Body) (*emitter, error) {
	e := &emitter{body: b, root: make([]kernels.V, len(b.Nodes)), last: make([]int, len(b.Nodes)),
		shared: map[kernels.V]reg.VecPhysical{}, consts: map[constant]bool{}}
	for i, n := range b.Nodes {
		if n.Type != dtype.Bool {
			if e.size != 0 && e.size != n.Type.Size() {
				return nil, fmt.Errorf("values of %d and %d bytes", e.size, n.Type.Size())
			}
			e.size = n.Type.Size()
		}
		e.root[i] = kernels.V(i)
		if e.free(n) {
			e.root[i] = e.root[n.Args[0]]
		}
		for _, a := range n.Args[:n.NArg] {
			e.last[e.root[a]] = i
		}
	}
	if e.size == 0 {
		e.size = 1
	}
	for _, v := range b.Outs {
		e.last[e.root[v]] = len(b.Nodes)
	}
	return e, nil
}

// free reports whether n only gives another type to the pattern of its argument.
func (e *emitter) free(n kernels.Node) bool {
	if n.NArg != 1 {
		return false
	}
	from := e.body.Nodes[n.Args[0]].Type
	switch n.Prim {
	case kernels.PrimBits:
		return from != dtype.Bool && n.Type != dtype.Bool
	case kernels.PrimConvert:
		return from.IsInteger() && n.Type.IsInteger()
	}
	return false
}

// run emits the expression for all lanes, node by node, so that the chains of
// the lanes fill each other's waits. load emits an argument.
func (e *emitter) run(lanes int, load func(l int, arg kernels.Node) reg.VecPhysical) ([]reg.VecPhysical, error) {
	ls := make([]*lane, lanes)
	for l := range ls {
		ls[l] = &lane{reg: make([]reg.VecPhysical, len(e.body.Nodes))}
	}
	for i, n := range e.body.Nodes {
		if e.root[i] != kernels.V(i) || n.Prim == kernels.PrimConst || e.shared[kernels.V(i)] != nil {
			continue
		}
		for k, l := range ls {
			if n.Prim == kernels.PrimArg {
				l.reg[i] = load(k, n)
				continue
			}
			if err := e.node(l, i, n); err != nil {
				return nil, err
			}
			e.release(l, i)
		}
	}
	outs := make([]reg.VecPhysical, lanes)
	for k, l := range ls {
		outs[k] = e.register(l, e.body.Outs[0])
	}
	return outs, nil
}

// dies reports whether nothing after node i reads v, whose register may then
// be written.
func (e *emitter) dies(l *lane, v kernels.V, i int) bool {
	v = e.root[v]
	return l.reg[v] != nil && e.last[v] <= i
}

// release frees what only node i still read.
func (e *emitter) release(l *lane, i int) {
	n := e.body.Nodes[i]
	for _, a := range n.Args[:n.NArg] {
		if a = e.root[a]; e.dies(l, a, i) {
			if l.reg[a] != l.reg[i] {
				e.regs.give(l.reg[a])
			}
			l.reg[a] = nil
		}
	}
	for _, t := range l.temp {
		if t != l.reg[i] {
			e.regs.give(t)
		}
	}
	l.temp = l.temp[:0]
}

// scratch returns a register until the end of the node.
func (e *emitter) scratch(l *lane) reg.VecPhysical {
	t := e.regs.take()
	l.temp = append(l.temp, t)
	return t
}

// constOf returns the constant that v is.
func (e *emitter) constOf(v kernels.V) (constant, bool) {
	n := e.body.Nodes[e.root[v]]
	if n.Prim != kernels.PrimConst {
		return constant{}, false
	}
	if n.Type == dtype.Bool && n.Bits != 0 {
		return e.ones(), true
	}
	return constant{e.size, n.Bits}, true
}

// ones is the constant with all bits set, the mask true.
func (e *emitter) ones() constant { return constant{e.size, ^uint64(0) >> (64 - 8*e.size)} }

// mem returns a constant in memory.
func (e *emitter) mem(c constant) operand.Op {
	e.consts[c] = true
	return c.mem()
}

// operand returns v in a register or, a constant, in memory.
func (e *emitter) operand(l *lane, v kernels.V) operand.Op {
	if r := e.shared[e.root[v]]; r != nil {
		return r
	}
	if c, ok := e.constOf(v); ok {
		return e.mem(c)
	}
	return l.reg[e.root[v]]
}

// register returns v in a register.
func (e *emitter) register(l *lane, v kernels.V) reg.VecPhysical {
	switch o := e.operand(l, v).(type) {
	case reg.VecPhysical:
		return o
	default:
		t := e.scratch(l)
		e.VMOVDQU(o, t)
		return t
	}
}
