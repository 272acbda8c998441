package main

import (
	"encoding/binary"
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// picker emits the loop that picks every step-th element of one width, or with
// step -1 all of them backwards:
//
//	for i := range n { dst[i] = src[i*step] }
//
// A vector of the result is put together from as many loads as it has parts.
// Each part is loaded from where its elements fall on places that no other part
// fills, so that blends join them and one permutation puts them in order;
// elements of 1 and 2 bytes are put in order by each part's byte shuffle.
type picker struct {
	*build.Context
	size, step int
	data       []constantTable
}

// constantTable is data that a function reads.
type constantTable struct {
	name  string
	bytes []byte
}

// words returns the table as words of 8 bytes.
func (t constantTable) words() (words []uint64) {
	for i := 0; i < len(t.bytes); i += 8 {
		words = append(words, binary.LittleEndian.Uint64(t.bytes[i:]))
	}
	return words
}

const pickSignature = "func(n int, dst, src uintptr)"

// pickSteps are the steps that have loops.
var pickSteps = [...]int{-1, 2, 3, 4}

// pickVector returns how many elements a step of the loop yields.
func pickVector(size int) int {
	if size < 4 {
		return 16 / size
	}
	return 32 / size
}

// part is what one load gives to the result: the vector at offset at, of which
// the places fill with the results of those numbers.
type part struct {
	at     int         // in elements
	places map[int]int // place in the vector: number of the result
}

// partsOf covers n results, each step apart, by loads of n elements.
func partsOf(n, step int) []part {
	if step < 0 {
		p := part{at: 1 - n, places: map[int]int{}}
		for i := range n {
			p.places[n-1-i] = i
		}
		return []part{p}
	}
	var parts []part
	taken := map[int]bool{}
	for i := 0; i < n; {
		for shift := 0; ; shift++ { // the first result of the load falls on place shift
			p := part{at: i*step - shift, places: map[int]int{}}
			for k := i; k < n && (k-i)*step+shift < n; k++ {
				p.places[(k-i)*step+shift] = k
			}
			if free(p, taken) && p.at >= 0 {
				for at := range p.places {
					taken[at] = true
				}
				parts, i = append(parts, p), i+len(p.places)
				break
			}
		}
	}
	return parts
}

// free reports whether no place of p is taken.
func free(p part, taken map[int]bool) bool {
	for at := range p.places {
		if taken[at] {
			return false
		}
	}
	return len(p.places) > 0
}

func pick(size, step int) (function, []constantTable) {
	p := &picker{Context: build.NewContext(), size: size, step: step}
	name := fmt.Sprintf("pick_%d_every_%d_avx2", 8*size, step)
	if step < 0 {
		name = fmt.Sprintf("pick_%d_backwards_avx2", 8*size)
	}
	n := pickVector(size)
	p.Function(name)
	p.Attributes(attr.NOSPLIT)
	p.SignatureExpr(pickSignature)
	p.Load(p.Param("n"), left)
	p.Load(p.Param("dst"), dst)
	p.Load(p.Param("src"), reg.RSI)
	p.Label("loop")
	if size < 4 {
		p.shuffled(name, partsOf(n, step))
	} else {
		p.blended(name, partsOf(n, step))
	}
	p.ADDQ(operand.U32(n*size), dst)
	if step < 0 {
		p.SUBQ(operand.U32(n*size), reg.RSI)
	} else {
		p.ADDQ(operand.U32(n*size*step), reg.RSI)
	}
	p.SUBQ(operand.U32(n), left)
	p.JG(operand.LabelRef("loop"))
	p.VZEROUPPER()
	p.RET()
	return function{name: name, text: text(p.Context)}, p.data
}

func (p *picker) part(at int) operand.Mem { return operand.Mem{Base: reg.RSI, Disp: at * p.size} }

// table returns data of the function, each byte of which f makes.
func (p *picker) table(name string, bytes []byte) operand.Mem {
	p.data = append(p.data, constantTable{name, bytes})
	return operand.NewDataAddr(operand.NewStaticSymbol(name), 0)
}

// blended emits a vector of elements of 4 or 8 bytes.
func (p *picker) blended(name string, parts []part) {
	n := pickVector(p.size)
	order := make([]int, n) // of the results, by place
	mask := 0
	for k, pt := range parts {
		mask = 0
		for at, i := range pt.places {
			order[i] = at
			for w := range p.size / 4 {
				mask |= 1 << (at*p.size/4 + w)
			}
		}
		if k == 0 {
			p.VMOVDQU(p.part(pt.at), reg.Y0)
		} else {
			p.VPBLENDD(operand.U8(mask), p.part(pt.at), reg.Y0, reg.Y0)
		}
	}
	if p.size == 8 {
		imm := 0
		for i, at := range order {
			imm |= at << (2 * i)
		}
		p.VPERMQ(operand.U8(imm), reg.Y0, reg.Y0)
	} else {
		index := make([]byte, 32)
		for i, at := range order {
			index[4*i] = byte(at)
		}
		p.VMOVDQU(p.table(name+"_order", index), reg.Y1)
		p.VPERMD(reg.Y0, reg.Y1, reg.Y0)
	}
	p.VMOVDQU(reg.Y0, operand.Mem{Base: dst})
}

// shuffled emits 16 bytes of elements of 1 or 2 bytes.
func (p *picker) shuffled(name string, parts []part) {
	for k, pt := range parts {
		index := make([]byte, 16)
		for b := range index {
			index[b] = 0x80 // zero
		}
		for at, i := range pt.places {
			for b := range p.size {
				index[i*p.size+b] = byte(at*p.size + b)
			}
		}
		r := [...]reg.VecPhysical{reg.X0, reg.X1}[min(k, 1)]
		p.VMOVDQU(p.part(pt.at), r)
		p.VPSHUFB(p.table(fmt.Sprintf("%s_%d", name, k), index), r, r)
		if k > 0 {
			p.VPOR(reg.X1, reg.X0, reg.X0)
		}
	}
	p.VMOVDQU(reg.X0, operand.Mem{Base: dst})
}
