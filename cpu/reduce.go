package cpu

import (
	"unsafe"

	"github.com/stride0/stride0/kernels"
)

// reduceForm is the way in which elements reach the canonical tree. Every form
// gives the same bits.
type reduceForm uint8

const (
	blockForm reduceForm = iota // the elements of one output after another, made contiguous
	leadForm                    // rows across many outputs; each lane of the tree is a row of states
	rowsForm                    // the few elements of each of many outputs, made contiguous together
)

const (
	// leadWidth is the least width of a row at which lead beats walking
	// single outputs.
	leadWidth = 32
	// shortInner is the number of reduced elements below which outputs are
	// reduced side by side even though rows must be gathered: a block of its
	// own would cost each output more than its elements do.
	shortInner = 48
	// laneBytes bounds the states of one lane, so that the 32 lanes stay in
	// the second-level cache.
	laneBytes = 8 << 10
	// boxElements bounds the elements behind the outputs that are one unit of
	// work in block form, and boxOutputs these outputs when each has several
	// blocks.
	boxElements = 64 << 10
	boxOutputs  = 16
)

// runReduce executes a Program with a reduction.
func (j *job) runReduce() {
	j.chooseForm()
	blocks := j.blocks()
	extra := j.treeBytes()
	perBox := int64(j.outer/j.cut.boxes) * int64(max(1, j.inner)) * int64(j.program.cost)
	perBlock := perBox / int64(blocks)
	if n := workersFor(blocks, perBlock); n > 1 && j.cut.boxes < 2*n {
		j.splitInner(blocks, perBlock, extra)
		return
	}
	j.split(j.cut.boxes, perBox, extra, (*worker).reduceBoxes)
}

// blocks returns the number of blocks of the tree that the elements behind an
// output make, 1 for none. A stretched operand can have so many elements that
// adding to inner would overflow an int of 32 bits.
func (j *job) blocks() int { return (j.inner-1)/kernels.Block + 1 }

// chooseForm decides the form and cuts the kept axes for it.
func (j *job) chooseForm() {
	outputs := blockLen
	last := j.sizes[j.kept-1]
	j.narrow = false
	switch {
	case last >= leadWidth && j.rowsInPlace():
		j.how = leadForm
		outputs = j.laneStates()
		j.cut = j.cutKept(outputs, leadWidth)
	case last > 1 && last < leadWidth && j.inner >= shortInner && j.rowsAdjoin():
		j.how, j.narrow = leadForm, true
		j.cut = j.cutKept(last, 1)
	case j.outer >= leadWidth && 0 < j.inner && j.inner <= kernels.Lanes:
		j.how = rowsForm
		j.cutRows()
	case j.outer >= leadWidth && j.inner < shortInner:
		j.how = leadForm
		outputs = j.laneStates()
		j.cut = j.cutKept(outputs, shortAxis)
	default:
		j.how = blockForm
		outputs = min(outputs, max(1, boxElements/max(j.inner, 1)))
		if j.inner > kernels.Block {
			outputs = min(outputs, boxOutputs)
		}
		j.cut = j.cutKept(outputs, min(outputs, shortAxis))
	}
}

// cutRows cuts the kept axes so that the elements behind the outputs of a box
// fit into a slot, unless they are used where they stand.
func (j *job) cutRows() {
	j.cut = j.cutKept(blockLen, shortAxis)
	b := j.rowsBox(box{first: j.cut.axis, end: j.kept, count: j.cut.step, n: j.cut.step * j.cut.inner})
	full := j.program.full
	if len(full) != 1 || full[0].kind != stepLoad || b.spreadOf(j, j.operands[full[0].source].strides) != contiguous {
		outputs := blockLen / j.inner
		j.cut = j.cutKept(outputs, min(outputs, shortAxis))
	}
}

// rowsBox returns the elements behind the outputs of b as one box.
func (j *job) rowsBox(b box) box {
	return box{first: b.first, end: len(j.sizes), count: b.count, n: b.n * j.inner}
}

// laneStates returns how many outputs are reduced side by side in lead form.
func (j *job) laneStates() int {
	sizes := j.reduce.sizes()
	return min(blockLen, laneBytes/(sizes[0]+sizes[1]))
}

// rowsInPlace reports whether every input moves by at most one element along
// the innermost kept axis, so that rows across outputs need no gathering.
func (j *job) rowsInPlace() bool {
	for i := range j.inputs {
		if s := j.operands[i].strides[j.kept-1]; s != 0 && s != 1 {
			return false
		}
	}
	return true
}

// rowsAdjoin reports whether the elements of one input are reduced as they
// are, without regard to their positions, along an axis whose every step is
// from one row of the innermost kept axis to the next in memory.
func (j *job) rowsAdjoin() bool {
	full := j.program.full
	if len(full) != 1 || full[0].kind != stepLoad || j.reduce.at || len(j.sizes) != j.kept+1 {
		return false
	}
	strides := j.operands[full[0].source].strides
	return strides[j.kept-1] == 1 && strides[j.kept] == j.sizes[j.kept-1]
}

// reduceBoxes works on the boxes lo..hi-1 of outputs.
func (w *worker) reduceBoxes(lo, hi int) {
	w.seek(lo)
	for i := lo; i < hi; i++ {
		if i > lo {
			w.next()
		}
		b := w.current()
		w.reduceBox(&b)
	}
}

// reduceBox reduces the elements behind the outputs of b.
func (w *worker) reduceBox(b *box) {
	w.tree.start(w, b.n)
	copy(w.base, w.off)
	row := w.tree.row
	for i := range w.j.blocks() {
		lo := i * kernels.Block
		w.blockStates(b, lo, min(kernels.Block, w.j.inner-lo), row)
		if w.j.inner > kernels.Block {
			w.tree.push(0, row)
		}
	}
	if w.j.inner > kernels.Block {
		row = w.tree.finish()
	}
	w.rewind(b)
	w.emit(b, row)
}

// blockStates reduces one block of the tree, the reduced elements lo..lo+n-1,
// for each output of b; the states go to dst.
func (w *worker) blockStates(b *box, lo, n int, dst stateRow) {
	switch w.j.how {
	case leadForm:
		w.leadBlock(b, lo, n, dst)
		return
	case rowsForm:
		w.rowsBlock(b, dst)
		return
	}
	w.rewind(b)
	for i := range b.n {
		if i > 0 {
			w.nextOutput(b)
		}
		elements := w.elements(lo, n)
		w.states = [6]unsafe.Pointer{}
		for k, size := range w.j.reduce.sizes() {
			if k < w.j.reduce.parts {
				w.states[k] = unsafe.Add(dst[k], i*size)
			}
		}
		w.states[2] = elements
		w.j.reduce.block(n, int64(lo), &w.states)
	}
}

// rowsBlock reduces the elements behind the outputs of b, which are the only
// block of each.
func (w *worker) rowsBlock(b *box, dst stateRow) {
	in, all := w.j.program.reduceIn, w.j.rowsBox(*b)
	w.target = nil
	w.eval(w.j.program.full, &all)
	pl := w.places[in]
	if pl.one {
		pl.p = w.repeat(pl.p, w.j.prog.TypeOf(in).Size(), w.extra(assembleSlot), all.n)
	}
	w.states = [6]unsafe.Pointer{dst[0], dst[1], pl.p}
	w.j.reduce.rows(b.n, int64(w.j.inner), &w.states)
}

// rewind moves back to the first output of b.
func (w *worker) rewind(b *box) {
	c := &w.j.cut
	for k := b.first + 1; k < b.end; k++ {
		w.at[k] = 0
	}
	w.at[c.axis] -= w.at[c.axis] % c.step
	copy(w.off, w.base)
}

// nextOutput moves to the output after the current one inside b.
func (w *worker) nextOutput(b *box) {
	for k := b.end - 1; k > b.first; k-- {
		if w.at[k]+1 < w.j.sizes[k] {
			w.shift(k, 1)
			return
		}
		w.shift(k, -w.at[k])
	}
	w.shift(b.first, 1)
}

// emit turns the states of b's outputs into results and works on to the outputs.
func (w *worker) emit(b *box, row stateRow) {
	w.aim(b)
	dst := w.slot(w.j.program.slot[w.j.prog.Reduce])
	if len(w.j.program.post) == 0 && w.target != nil {
		dst = w.target
	}
	w.states = [6]unsafe.Pointer{0: dst, 2: row[0], 3: row[1]}
	w.j.reduce.finish(b.n, 0, &w.states)
	w.places[w.j.prog.Reduce] = place{dst, false}
	w.eval(w.j.program.post, b)
	w.store(b)
}
