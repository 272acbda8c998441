package cpu

import (
	"unsafe"

	"github.com/stride0/stride0/kernels"
)

// stateRow is a row of states side by side, one for each output: per part of
// the state, contiguous elements of the part's dtype.
type stateRow [2]unsafe.Pointer

// tree is the canonical tree above the elements, for a row of outputs at once.
// The states of finished blocks are pushed in order; each level keeps only its
// 32 lanes, because lane l takes in states l, l+32, ... in that order anyway.
type tree struct {
	w      *worker
	width  int      // outputs side by side
	row    stateRow // room for the states of one block
	lanes  stateRow // the elements' own lanes, 32 rows, in lead form
	levels [maxLevels]level
}

// level is one level of blocks of 1,024 states.
type level struct {
	lanes stateRow // 32 rows
	count int      // states taken in
}

// maxLevels is enough for 2^63 elements: each level takes 1,024 times more.
const maxLevels = 7

// levelsFor returns how many levels lie above the elements of the job.
func (j *job) levelsFor() int {
	if j.inner <= kernels.Block {
		return 0
	}
	n, levels := j.blocks(), 1
	for n >= kernels.Block {
		n = (n-1)/kernels.Block + 1
		levels++
	}
	return levels
}

// treeBytes returns the scratch that trees of the job need.
func (j *job) treeBytes() int {
	rows := 1 + kernels.Lanes*j.levelsFor()
	if j.how == leadForm {
		rows += kernels.Lanes
	}
	sizes := j.reduce.sizes()
	return rows*j.cut.step*j.cut.inner*(sizes[0]+sizes[1]) + 2*rows*alignment
}

// start readies the tree for width outputs in the worker's scratch memory.
func (t *tree) start(w *worker, width int) {
	t.w, t.width = w, width
	used := (w.j.program.slots + extraSlots) * slotBytes
	t.row = t.take(&used, 1)
	if w.j.how == leadForm {
		t.lanes = t.take(&used, kernels.Lanes)
	}
	for l := range w.j.levelsFor() {
		t.levels[l] = level{lanes: t.take(&used, kernels.Lanes)}
	}
}

// take cuts rows of states from the worker's memory.
func (t *tree) take(used *int, rows int) (r stateRow) {
	for k, size := range t.w.j.reduce.sizes() {
		if size > 0 {
			r[k] = unsafe.Pointer(&t.w.mem[*used])
			*used += (rows*t.width*size + alignment - 1) / alignment * alignment
		}
	}
	return r
}

// at returns row i of rows side by side.
func (t *tree) at(r stateRow, i int) stateRow {
	if i == 0 {
		return r
	}
	sizes := t.w.j.reduce.sizes()
	for k := range t.w.j.reduce.parts {
		r[k] = unsafe.Add(r[k], i*t.width*sizes[k])
	}
	return r
}

// identity sets n rows from r on to the identity.
func (t *tree) identity(r stateRow, n int) {
	t.w.states = [6]unsafe.Pointer{0: r[0], 1: r[1]}
	t.w.j.reduce.identity(n*t.width, 0, &t.w.states)
}

// merge lets n rows from s on take in the n rows from r on.
func (t *tree) merge(s, r stateRow, n int) {
	t.w.states = [6]unsafe.Pointer{s[0], s[1], r[0], r[1]}
	t.w.j.reduce.merge(n*t.width, 0, &t.w.states)
}

// fold folds 32 lanes, of which the first live are not the identity, into the
// first. The identity changes nothing and is left out.
func (t *tree) fold(lanes stateRow, live int) stateRow {
	for h := kernels.Lanes / 2; h > 0; h /= 2 {
		if live > h {
			t.merge(lanes, t.at(lanes, h), live-h)
			live = h
		}
	}
	return lanes
}

// push takes the states of one finished block of the level below into level l.
func (t *tree) push(l int, row stateRow) {
	lv := &t.levels[l]
	lane := t.at(lv.lanes, lv.count%kernels.Lanes)
	if lv.count < kernels.Lanes {
		t.identity(lane, 1)
	}
	t.merge(lane, row, 1)
	if lv.count++; lv.count == kernels.Block {
		lv.count = 0
		t.push(l+1, t.fold(lv.lanes, kernels.Lanes))
	}
}

// finish returns the states of the whole sequence.
func (t *tree) finish() stateRow {
	levels := t.levels[:t.w.j.levelsFor()]
	for l := range levels {
		lv := &levels[l]
		if lv.count == 0 {
			continue
		}
		row := t.fold(lv.lanes, min(lv.count, kernels.Lanes))
		if emptyLevels(levels[l+1:]) {
			return row
		}
		t.push(l+1, row)
	}
	return t.row
}

func emptyLevels(levels []level) bool {
	for i := range levels {
		if levels[i].count > 0 {
			return false
		}
	}
	return true
}
