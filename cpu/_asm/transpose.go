package main

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// transposer emits the loop that turns rows into columns for elements of one
// width:
//
//	for i := range rows { for j := range cols { dst[i*pitch+j] = src[j*step+i] } }
//
// in tiles: from a tile's columns, 16 bytes of each, pairs are interleaved, then
// pairs of pairs, until every register is a row. The two halves of a register
// hold columns that are half a tile apart, so that a row needs no permutation
// but for single bytes.
type transposer struct {
	*build.Context
	size       int // bytes of an element
	rows, cols int // of a tile
	regs       regs
}

// The registers of a transposition. Pitch and step are in bytes.
var (
	rowsLeft  = reg.R10
	colsLeft  = reg.RAX
	pitch     = reg.RCX
	pitch3    = reg.R9
	step      = reg.RDX
	step3     = reg.R8
	tileDst   = reg.RDI
	tileSrc   = reg.RSI
	rowDst    = reg.R12
	rowSrc    = reg.R11
	groupBase = reg.R13
)

const transposeSignature = "func(rows, cols int, dst uintptr, pitch int, src uintptr, step int)"

// tileOf returns how many rows and columns a tile has: rows are 32 bytes or, of
// single bytes, 16.
func tileOf(size int) (rows, cols int) {
	if size == 1 {
		return 16, 16
	}
	return max(16/size, min(8, 32/size)), 32 / size
}

func transpose(size int) function {
	t := &transposer{Context: build.NewContext(), size: size}
	t.rows, t.cols = tileOf(size)
	name := widthName("transpose", size)
	t.Function(name)
	t.Attributes(attr.NOSPLIT)
	t.SignatureExpr(transposeSignature)
	t.Load(t.Param("dst"), tileDst)
	t.Load(t.Param("src"), tileSrc)
	t.Load(t.Param("pitch"), pitch)
	t.Load(t.Param("step"), step)
	t.Load(t.Param("cols"), colsLeft)
	t.LEAQ(operand.Mem{Base: pitch, Index: pitch, Scale: 2}, pitch3)
	t.LEAQ(operand.Mem{Base: step, Index: step, Scale: 2}, step3)

	t.Label("columns")
	t.MOVQ(tileDst, rowDst)
	t.MOVQ(tileSrc, rowSrc)
	t.Load(t.Param("rows"), rowsLeft)
	t.Label("rows")
	t.tile()
	t.ADDQ(operand.U32(t.rows*size), rowSrc)
	t.SUBQ(operand.U32(t.rows), rowsLeft)
	t.JG(operand.LabelRef("rows"))
	for range t.cols / 4 {
		t.LEAQ(operand.Mem{Base: tileSrc, Index: step, Scale: 4}, tileSrc)
	}
	t.ADDQ(operand.U32(t.cols*size), tileDst)
	t.SUBQ(operand.U32(t.cols), colsLeft)
	t.JG(operand.LabelRef("columns"))
	t.VZEROUPPER()
	t.RET()
	return function{name: name, text: text(t.Context)}
}

// tile emits one tile and moves rowDst behind it.
func (t *transposer) tile() {
	per := 16 / t.size // rows that 16 bytes of a column hold
	for first := 0; first < t.rows; first += per {
		out := t.turn(t.load(first*t.size), t.size)
		t.store(out)
	}
}

// load emits the loads of 16 bytes of each column, at an offset: the register k
// gets column k and column k + cols/2.
func (t *transposer) load(off int) []reg.VecPhysical {
	half := t.cols / 2
	regs := make([]reg.VecPhysical, half)
	for k := range regs {
		regs[k] = t.regs.take()
	}
	for j := range t.cols {
		m := t.column(j, off)
		if r := regs[j%half]; j < half {
			t.VMOVDQU(m, r.AsX())
		} else {
			t.VINSERTI128(operand.U8(1), m, r, r)
		}
	}
	return regs
}

// column returns where column j of a tile lies; columns are asked for in order.
func (t *transposer) column(j, off int) operand.Mem {
	base := rowSrc
	if j >= 4 {
		if base = groupBase; j == 4 {
			t.LEAQ(operand.Mem{Base: rowSrc, Index: step, Scale: 4}, groupBase)
		} else if j%4 == 0 {
			t.LEAQ(operand.Mem{Base: groupBase, Index: step, Scale: 4}, groupBase)
		}
	}
	return times(base, step, step3, j%4, off)
}

// times returns the place n strides behind base, of which stride3 is three.
func times(base, stride, stride3 reg.GPPhysical, n, off int) operand.Mem {
	switch n {
	case 0:
		return operand.Mem{Base: base, Disp: off}
	case 3:
		return operand.Mem{Base: base, Index: stride3, Scale: 1, Disp: off}
	}
	return operand.Mem{Base: base, Index: stride, Scale: uint8(n), Disp: off}
}

// turn interleaves columns, of which every register holds units of size bytes,
// until the registers are rows, and returns these in order.
func (t *transposer) turn(columns []reg.VecPhysical, size int) []reg.VecPhysical {
	if len(columns) == 1 {
		return columns
	}
	var low, high []reg.VecPhysical
	for k := 0; k < len(columns); k += 2 {
		a, b, l := columns[k], columns[k+1], t.regs.take()
		t.interleave(size, false, b, a, l)
		t.interleave(size, true, b, a, b)
		t.regs.give(a)
		low, high = append(low, l), append(high, b)
	}
	return append(t.turn(low, 2*size), t.turn(high, 2*size)...)
}

func (t *transposer) interleave(size int, high bool, b, a, to operand.Op) {
	ops := map[int][2]func(...operand.Op){
		1: {t.VPUNPCKLBW, t.VPUNPCKHBW}, 2: {t.VPUNPCKLWD, t.VPUNPCKHWD},
		4: {t.VPUNPCKLDQ, t.VPUNPCKHDQ}, 8: {t.VPUNPCKLQDQ, t.VPUNPCKHQDQ},
	}
	if high {
		ops[size][1](b, a, to)
	} else {
		ops[size][0](b, a, to)
	}
}

// store emits the stores of rows.
func (t *transposer) store(rows []reg.VecPhysical) {
	at := 0
	next := func() operand.Mem {
		m := times(rowDst, pitch, pitch3, at%4, 0)
		at++
		return m
	}
	for _, r := range rows {
		m := next()
		if t.size > 1 {
			t.VMOVDQU(r, m)
		} else { // the halves hold 8 columns of this row and then of the next
			t.VPERMQ(operand.U8(0xd8), r, r)
			t.VMOVDQU(r.AsX(), m)
			t.VEXTRACTI128(operand.U8(1), r, next())
		}
		if at%4 == 0 {
			t.LEAQ(operand.Mem{Base: rowDst, Index: pitch, Scale: 4}, rowDst)
		}
		t.regs.give(r)
	}
	if at%4 == 2 {
		t.LEAQ(operand.Mem{Base: rowDst, Index: pitch, Scale: 2}, rowDst)
	}
}
