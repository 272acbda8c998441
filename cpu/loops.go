package cpu

import (
	"unsafe"

	"github.com/stride0/stride0/dtype"
)

// The loops that internal/gen writes know no shapes, strides or devices: they
// walk contiguous elements. p holds pointers to the first ones.

// mapLoop runs an element-wise row over n elements: p[0] is the result, p[1..]
// the operands, which may be the result itself.
type mapLoop func(n int, p *[4]unsafe.Pointer)

// mapLoops are the loops of an element-wise row at one signature.
type mapLoops struct {
	name string // "add_float32"
	args [3]dtype.DType
	cost int     // of one element, in additions
	flat mapLoop // all operands advance
	ls   mapLoop // the left operand is one element; nil where that gets no loop
	rs   mapLoop // the right operand is one element
}

// form returns the loop for operands of which those in the set ones, none or one
// of two, are one element.
func (l *mapLoops) form(ones int) mapLoop {
	switch ones {
	case 1:
		return l.ls
	case 2:
		return l.rs
	}
	return l.flat
}

// addition is the cost of an addition in a Go loop, some 0.4 ns, in the unit in
// which work is weighed; loops in assembly take less.
const addition = 8

// weight is the cost of one element in eighths of an addition.
func (l *mapLoops) weight() int {
	if cost, ok := vectorCosts[l]; ok {
		return cost
	}
	return addition * l.cost
}

// reduceLoop works on n elements or states: p[0..1] are the parts of the
// states it writes, p[2..5] what it reads. index is the position of the first
// element in the reduced sequence.
type reduceLoop func(n int, index int64, p *[6]unsafe.Pointer)

// reduceLoops are the loops of a reduction at one dtype of elements.
type reduceLoops struct {
	name  string // "sum_float32"
	parts int    // of a state
	state [2]dtype.DType
	cost  int  // of one element, in additions
	at    bool // it reads the positions of elements

	identity reduceLoop // n states become the identity
	block    reduceLoop // n <= 1024 elements p[2] become one state
	rows     reduceLoop // n rows p[2] of index <= 32 elements, one after another, become n states
	lead     reduceLoop // state i takes in element i of the row p[2]
	lead4    reduceLoop // the same for the rows p[2..5], 32 positions apart
	merge    reduceLoop // state i takes in state i of p[2..3]
	finish   reduceLoop // n states p[2..3] become results p[0]
}

// sizes returns the bytes of the parts of one state.
func (r *reduceLoops) sizes() [2]int { return [2]int{r.state[0].Size(), r.state[1].Size()} }
