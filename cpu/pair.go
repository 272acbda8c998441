package cpu

import (
	"runtime"
	"unsafe"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// Pair is the loop of a row of two operands of one dtype, for contiguous
// elements so few that preparing a launch would take longer than they do.
type Pair struct {
	loops  *mapLoops
	Result dtype.DType
}

// PairOf returns the loop of op on two operands of dtype d that need no
// conversion, and whether there is one with a form for single elements too.
func PairOf(op kernels.Op, d dtype.DType) (Pair, bool) {
	row := mapTable[op]
	if row == nil {
		return Pair{}, false
	}
	result := d
	switch op.Row().Rule {
	case kernels.RulePromote:
	case kernels.RuleCompare:
		result = dtype.Bool
	case kernels.RuleFloat:
		if !d.IsFloat() {
			return Pair{}, false
		}
	default:
		return Pair{}, false
	}
	loops := row[d][result]
	return Pair{loops, result}, loops != nil && loops.ls != nil
}

// Operand is what a Pair reads: contiguous elements, or a number's pattern where
// there are none.
type Operand struct {
	Elements []byte
	Number   uint64
}

// pairArgs holds the operands of a loop.
type pairArgs struct {
	p       [4]unsafe.Pointer
	numbers [2]uint64
}

// hidden returns p without the compiler's knowledge of where it comes from:
// what a function value gets would move to the heap otherwise, though no loop
// keeps its arguments. The caller keeps what p points to alive.
func hidden(p *pairArgs) *pairArgs {
	address := uintptr(unsafe.Pointer(p))
	return *(**pairArgs)(unsafe.Pointer(&address))
}

// Run computes d[i] = x[i] op y[i] for operands of size bytes an element. Both
// are as long as d, or one is a single element, or y is shorter and repeats, its
// length dividing that of d. d may be an operand; it is not empty.
func (p Pair) Run(d []byte, x, y Operand, size int) {
	var args pairArgs
	a := hidden(&args)
	out := p.Result.Size()
	n := len(d) / out
	nx, ny := a.place(1, x, size), a.place(2, y, size)
	a.p[0] = unsafe.Pointer(&d[0])
	switch {
	case nx == n && ny == n:
		p.loops.flat(n, &a.p)
	case ny == 1:
		p.loops.rs(n, &a.p)
	case nx == 1:
		p.loops.ls(n, &a.p)
	default:
		for i := 0; i < n; i += ny {
			a.p[0], a.p[1] = unsafe.Pointer(&d[i*out]), unsafe.Pointer(&x.Elements[i*size])
			p.loops.flat(ny, &a.p)
		}
	}
	runtime.KeepAlive(&args)
}

// place puts an operand in its place and returns how many elements it has.
func (a *pairArgs) place(i int, o Operand, size int) int {
	if len(o.Elements) > 0 {
		a.p[i] = unsafe.Pointer(&o.Elements[0])
		return len(o.Elements) / size
	}
	cell := unsafe.Pointer(&a.numbers[i-1])
	put(cell, size, o.Number)
	a.p[i] = cell
	return 1
}

// Bytes returns the memory of b. The caller keeps b from being freed.
func (b *Buffer) Bytes() []byte { return b.data }
