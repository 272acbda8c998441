package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// lineBytes is a cache line: what a store past the cache has to fill, or
// memory is read after all.
const lineBytes = 64

// waits is up to how many instructions of arithmetic a loop over memory waits for
// that, and not for them: twice as many as over a cache (cheap).
const waits = 2 * cheap

// storesPast adds the loops of a row that store past the cache themselves: where
// it waits for memory and its vectors hold elements as wide as the result's.
func (g *generator) storesPast(op kernels.Op, row *kernels.Row, s kernels.Signature) error {
	args := s.Args[:row.Arity]
	from := args[len(args)-1]
	k := slices.IndexFunc(g.table, func(e entry) bool { return e.op == op && e.from == from && e.to == s.Result })
	if k < 0 || row.Rule == kernels.RuleCast || s.Result == dtype.Bool || from.Size() != s.Result.Size() {
		return nil
	}
	body, err := kernels.RowBody(op, args, s.Result)
	if err != nil {
		return err
	}
	if work(body) > waits {
		return nil
	}
	e := g.table[k]
	for form, name := range e.loops[:len(forms(row))] {
		f, err := best(body, loop{args: args, result: s.Result, scalar: form - 1, past: true}, strings.TrimSuffix(name, "_avx2")+"_past_avx2")
		if err != nil {
			return err
		}
		f.doc = row.Doc + formDoc[form] + ", past the cache"
		e.loops[form] = g.add(f)
	}
	g.past = append(g.past, e)
	return nil
}

// streams adds the two functions with which package cpu writes past the cache
// what no loop stores so: a row computes a block in the first-level cache, which
// is then copied. Reads and writes of memory come in bursts, which on some
// processors is faster than a loop that alternates between them.
func (g *generator) streams() error {
	f := newPlainLoop("stream_avx2")
	f.stream()
	if err := g.addPlain(f, "stream_avx2", "copies n bytes from p[1] to p[0], which share none, whole cache lines past the cache"); err != nil {
		return err
	}
	f = newPlainLoop("fence_avx2")
	f.SFENCE()
	f.RET()
	return g.addPlain(f, "fence_avx2", "makes what stream_avx2 wrote visible to other processors before what is written after it")
}

// newPlainLoop returns a function of the loops' signature that no row is
// behind.
func newPlainLoop(name string) *loop {
	f := &loop{emitter: &emitter{Context: build.NewContext(), consts: map[constant]bool{}}}
	f.Function(name)
	f.Attributes(attr.NOSPLIT)
	f.SignatureExpr(signature)
	return f
}

func (g *generator) addPlain(f *loop, name, doc string) error {
	made, err := f.text(name)
	if err != nil {
		return err
	}
	made.doc = doc
	g.add(made)
	return nil
}

// The registers of stream: beside those of every loop, the bytes before the
// first whole line of the destination or after the last.
var edge = reg.R8

// stream emits the copy: up to a cache line of the destination, whole lines,
// what is left.
func (f *loop) stream() {
	f.Load(f.Param("n"), left)
	f.Load(f.Param("p"), mask)
	f.MOVQ(operand.Mem{Base: mask}, dst)
	f.MOVQ(operand.Mem{Base: mask, Disp: 8}, src[0])
	f.XORQ(at, at)
	f.MOVQ(dst, edge)
	f.NEGQ(edge)
	f.ANDQ(operand.U8(lineBytes-1), edge)
	f.CMPQ(edge, left)
	f.CMOVQGT(left, edge)
	f.SUBQ(edge, left)
	f.copyEdge("head")

	f.MOVQ(left, edge)
	f.ANDQ(operand.U8(lineBytes-1), edge)
	f.SUBQ(edge, left)
	f.JEQ(operand.LabelRef("lines_done"))
	f.ADDQ(at, left) // where the lines end
	f.Label("lines")
	a, b := reg.Y0, reg.Y1
	f.VMOVDQU(operand.Mem{Base: src[0], Index: at, Scale: 1}, a)
	f.VMOVDQU(operand.Mem{Base: src[0], Index: at, Scale: 1, Disp: vectorBytes}, b)
	f.VMOVNTDQ(a, operand.Mem{Base: dst, Index: at, Scale: 1})
	f.VMOVNTDQ(b, operand.Mem{Base: dst, Index: at, Scale: 1, Disp: vectorBytes})
	f.ADDQ(operand.U8(lineBytes), at)
	f.CMPQ(at, left)
	f.JLT(operand.LabelRef("lines"))
	f.Label("lines_done")
	f.copyEdge("tail")
	f.VZEROUPPER()
	f.RET()
}

// copyEdge emits the copy of edge bytes, fewer than a line, by the powers of
// two that edge is the sum of.
func (f *loop) copyEdge(label string) {
	for size := lineBytes / 2; size > 0; size /= 2 {
		skip := fmt.Sprintf("%s_%d_done", label, size)
		f.TESTQ(operand.U32(uint32(size)), edge)
		f.JEQ(operand.LabelRef(skip))
		from, to := operand.Mem{Base: src[0], Index: at, Scale: 1}, operand.Mem{Base: dst, Index: at, Scale: 1}
		switch size {
		case 32:
			f.VMOVDQU(from, reg.Y0)
			f.VMOVDQU(reg.Y0, to)
		case 16:
			f.VMOVDQU(from, reg.X0)
			f.VMOVDQU(reg.X0, to)
		case 8:
			f.MOVQ(from, mask)
			f.MOVQ(mask, to)
		case 4:
			f.MOVL(from, mask.As32())
			f.MOVL(mask.As32(), to)
		case 2:
			f.MOVW(from, mask.As16())
			f.MOVW(mask.As16(), to)
		case 1:
			f.MOVB(from, mask.As8())
			f.MOVB(mask.As8(), to)
		}
		f.ADDQ(operand.U8(size), at)
		f.Label(skip)
	}
}
