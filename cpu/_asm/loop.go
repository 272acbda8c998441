package main

import (
	"slices"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// loop is one function: a row at one signature and form.
type loop struct {
	*emitter
	args   []dtype.DType
	result dtype.DType
	scalar int         // the operand that is one element, -1 for none
	half   dtype.DType // what operands and result are in memory, Invalid: what they are to the expression
	past   bool        // whole cache lines of the result are stored past the cache
	mode   mode
}

// mode says how a body reaches its elements.
type mode int

const (
	whole  mode = iota // a vector
	masked             // what is left of one, by a mask
	one                // one element
)

// The registers of every loop.
var (
	left  = reg.RCX // elements: all, then those of the tail
	at    = reg.R9  // the element the loop is at
	until = reg.R10 // the last one at which a whole step can start
	mask  = reg.RAX // the end of the ones in the table of masks
	dst   = reg.RDI
	src   = [...]reg.GPPhysical{reg.RSI, reg.RDX, reg.R8}
)

// signature has the parameters of mapLoop in package cpu.
const signature = "func(n int, p *[4]uintptr)"

// build emits the function with that many vectors a step and the constants
// held in registers. Errors: errPressure, an instruction that does not exist.
func (f *loop) build(name string, lanes int, held []kernels.V) (err error) {
	defer func() {
		if r := recover(); r != nil {
			if r != errPressure {
				panic(r)
			}
			err = errPressure
		}
	}()
	f.Context = build.NewContext()
	f.Function(name)
	f.Attributes(attr.NOSPLIT)
	f.SignatureExpr(signature)
	f.head(held)
	step := vectorBytes / f.size
	f.XORQ(at, at)
	if lanes > 1 {
		if err := f.steps("main", lanes, step); err != nil {
			return err
		}
	}
	if err := f.steps("step", 1, step); err != nil {
		return err
	}
	if f.past {
		f.leave()
		return nil
	}
	return f.tail(step)
}

// head loads the pointers, the operand that is one element, and constants.
func (f *loop) head(held []kernels.V) {
	f.Load(f.Param("n"), left)
	f.Load(f.Param("p"), mask)
	f.MOVQ(operand.Mem{Base: mask}, dst)
	for i := range f.args {
		f.MOVQ(operand.Mem{Base: mask, Disp: 8 * (i + 1)}, src[i])
	}
	f.mode = one
	for i, n := range f.body.Nodes {
		if n.Prim == kernels.PrimArg && int(n.Bits) == f.scalar {
			f.shared[kernels.V(i)] = f.load(0, n)
		}
	}
	for _, v := range held {
		c, _ := f.constOf(v)
		r := f.regs.take()
		f.VMOVDQU(f.mem(c), r)
		f.shared[v] = r
	}
}

// steps emits the loop over whole vectors, several a step.
func (f *loop) steps(label string, lanes, step int) error {
	f.MOVQ(left, until)
	f.SUBQ(operand.U32(lanes*step), until)
	f.CMPQ(at, until)
	f.JGT(operand.LabelRef(label + "_done"))
	f.Label(label)
	f.mode = whole
	if err := f.bodies(lanes); err != nil {
		return err
	}
	f.ADDQ(operand.U32(lanes*step), at)
	f.CMPQ(at, until)
	f.JLE(operand.LabelRef(label))
	f.Label(label + "_done")
	return nil
}

// tail emits what is left of a vector: in one masked step where all elements
// in memory are of 4 or 8 bytes, else by the last whole vector once more or, in
// place or without one, one element after another. None reads or writes beyond
// the end.
func (f *loop) tail(step int) error {
	f.mode = one
	if f.maskable() {
		f.mode = masked
	} else {
		f.again(step)
	}
	f.Label("tail")
	f.SUBQ(at, left)
	f.JLE(operand.LabelRef("end"))
	if f.mode == masked {
		f.NEGQ(left)
		f.LEAQ(operand.NewDataAddr(operand.NewStaticSymbol(tailMask), vectorBytes), mask)
	} else {
		f.Label("one")
	}
	if err := f.bodies(1); err != nil {
		return err
	}
	if f.mode == one {
		f.INCQ(at)
		f.DECQ(left)
		f.JNZ(operand.LabelRef("one"))
	}
	f.Label("end")
	f.leave()
	return nil
}

// leave emits the way back to Go.
func (f *loop) leave() {
	f.VZEROUPPER()
	f.RET()
}

// again emits the way back to the last whole vector, which overlaps the one
// before: not where the result is an operand, of which those elements are
// written already.
func (f *loop) again(step int) {
	f.CMPQ(at, left)
	f.JGE(operand.LabelRef("end"))
	f.CMPQ(left, operand.U8(step))
	f.JLT(operand.LabelRef("tail"))
	for i := range f.args {
		f.CMPQ(dst, src[i])
		f.JEQ(operand.LabelRef("tail"))
	}
	f.MOVQ(until, at)
	f.JMP(operand.LabelRef("step"))
}

func (f *loop) maskable() bool {
	return f.size >= 4 && f.half == dtype.Invalid && f.result != dtype.Bool && !slices.Contains(f.args, dtype.Bool)
}

// bodies emits the expression on that many vectors and stores what it yields.
func (f *loop) bodies(lanes int) error {
	outs, err := f.run(lanes, f.load)
	if err != nil {
		return err
	}
	for l, r := range outs {
		f.store(l, r)
		if f.shared[f.root[f.body.Outs[0]]] == nil {
			f.regs.give(r)
		}
	}
	return nil
}

// place returns where lane l of an operand lies, whose elements have size bytes.
func (f *loop) place(base reg.GPPhysical, l, size int) operand.Mem {
	return operand.Mem{Base: base, Index: at, Scale: uint8(size), Disp: l * size * (vectorBytes / f.size)}
}

// maskMem returns the mask of the elements that are left, of which there are
// minus left.
func (f *loop) maskMem() operand.Mem {
	return operand.Mem{Base: mask, Index: left, Scale: uint8(f.size)}
}
