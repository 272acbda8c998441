package cpu

import (
	"sync"
	"unsafe"

	"github.com/stride0/stride0/kernels"
)

// blockLen is how many elements a block holds: few enough that the blocks of a
// chain of operations stay in the first-level cache, and the canonical tree's
// block.
const blockLen = kernels.Block

// slotBytes is the memory of a block of any dtype.
const slotBytes = 8 * blockLen

// extraSlots are the slots of a worker beside its Program's: one for each
// operand of a row that must be filled, and one to put a block together.
const (
	extraSlots   = 4
	assembleSlot = 3
)

// worker is what one goroutine needs to work on a job.
type worker struct {
	j      *job
	places []place  // per value
	cells  []uint64 // per value: an element that stands for all
	at     []int    // per axis: index of the current box's origin
	off    []int    // per operand: offset of the current box's origin, in elements
	base   []int    // per operand: that of the current output, in reductions
	mem    []byte   // slots, then the states of a reduction
	args   [4]unsafe.Pointer
	states [6]unsafe.Pointer
	move   move
	target unsafe.Pointer // where the last step may put its result, or nil
	past   bool           // and is to store it past the cache
	tree   tree
	tiles  []unsafe.Pointer   // per input: its row of the current tile, nil where it stands elsewhere
	rows   [kernels.Block]int // offsets of the rows of a block

	patterned bool // args holds the patterns of the rowJob
}

// place is where a value stands while a block is worked on.
type place struct {
	p   unsafe.Pointer
	one bool // one element stands for all
}

var workers = sync.Pool{New: func() any { return new(worker) }}

// newWorker returns a worker for j, with extra bytes of scratch beyond the slots.
func newWorker(j *job, extra int) *worker {
	w := workers.Get().(*worker)
	w.j, w.patterned, w.past = j, false, false
	w.places = apart(w.places, len(j.prog.Instrs))
	w.cells = apart(w.cells, len(j.prog.Instrs))
	w.at = apart(w.at, len(j.sizes))
	w.off = apart(w.off, len(j.operands))
	w.base = apart(w.base, len(j.operands))
	w.tiles = apart(w.tiles, j.inputs)[:0]
	if need := (j.program.slots+extraSlots)*slotBytes + extra; len(w.mem) < need {
		w.mem = alignedBytes(need)
	}
	w.uniform()
	return w
}

// apart returns n elements, of s where it has so many, in cache lines that
// nothing else is in: what one worker writes for each box must not share a line
// with what another does. The allocator of Go puts blocks of so many bytes at
// multiples of that size. Processors fetch lines in pairs.
func apart[T any](s []T, n int) []T {
	if n <= cap(s) {
		return s[:n]
	}
	unit := 2 * cacheLine / int(unsafe.Sizeof(*new(T)))
	return make([]T, n, (n+unit-1)/unit*unit)
}

// done gives the worker back, without the pointers it holds: memory of the
// pool may be unmapped and its address given to something else.
func (w *worker) done() {
	w.j = nil
	clear(w.places)
	clear(w.tiles[:cap(w.tiles)])
	w.args, w.states, w.target = [4]unsafe.Pointer{}, [6]unsafe.Pointer{}, nil
	if len(w.mem) > maxScratch {
		w.mem = nil
	}
	workers.Put(w)
}

// maxScratch bounds what an idle worker keeps.
const maxScratch = 4 << 20

// slot returns the memory of a slot of the Program.
func (w *worker) slot(i int) unsafe.Pointer { return unsafe.Pointer(&w.mem[i*slotBytes]) }

// extra returns the memory of one of the extra slots.
func (w *worker) extra(i int) unsafe.Pointer { return w.slot(w.j.program.slots + i) }

// uniform computes what is made of scalars.
func (w *worker) uniform() {
	for i := range w.j.program.uniform {
		s := &w.j.program.uniform[i]
		cell := unsafe.Pointer(&w.cells[s.out])
		if s.kind == stepScalar {
			put(cell, s.elem, w.j.launch.Scalars[s.source])
			w.places[s.out] = place{cell, true}
			continue
		}
		w.apply(s, &box{n: 1})
	}
}

// put stores a bit pattern as one element.
func put(p unsafe.Pointer, elem int, pattern uint64) {
	switch elem {
	case 1:
		*(*uint8)(p) = uint8(pattern)
	case 2:
		*(*uint16)(p) = uint16(pattern)
	case 4:
		*(*uint32)(p) = uint32(pattern)
	default:
		*(*uint64)(p) = pattern
	}
}
