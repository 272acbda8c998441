package cpu

import (
	"unsafe"

	"github.com/stride0/stride0/kernels"
)

// leadBlock reduces the reduced elements lo..lo+n-1 for all outputs of b side
// by side: lane l of the tree is a row of states, which takes in the rows of
// elements l, l+32, ...
func (w *worker) leadBlock(b *box, lo, n int, dst stateRow) {
	t := &w.tree
	live := min(n, kernels.Lanes)
	t.identity(t.lanes, max(live, 1))
	if s, ok := w.rowsStand(b); ok {
		w.leadRows(b, s, lo, n)
	} else {
		w.leadEval(b, lo, n)
	}
	row := t.fold(t.lanes, live)
	for k, size := range w.j.reduce.sizes() {
		if size > 0 {
			copy(unsafe.Slice((*byte)(dst[k]), b.n*size), unsafe.Slice((*byte)(row[k]), b.n*size))
		}
	}
}

// rowsStand returns the load whose rows are reduced where they stand, if
// nothing is computed before the reduction.
func (w *worker) rowsStand(b *box) (*step, bool) {
	full := w.j.program.full
	if len(full) != 1 || full[0].kind != stepLoad {
		return nil, false
	}
	return &full[0], b.spreadOf(w.j, w.j.operands[full[0].source].strides) == contiguous
}

// leadRows takes in rows of an input. Four rows of one lane go into a state
// each time it is loaded and stored.
func (w *worker) leadRows(b *box, s *step, lo, n int) {
	const lanes, four = kernels.Lanes, 4 * kernels.Lanes
	o := &w.j.operands[s.source]
	if n == 0 {
		return
	}
	w.rowOffsets(s.source, lo, n)
	origin := w.off[s.source]
	row := func(r int) unsafe.Pointer { return unsafe.Add(o.base, (origin+w.rows[r])*o.elem) }
	if w.j.narrow {
		w.leadNarrow(b, n, row)
		return
	}
	r := 0
	for ; r+four <= n; r += four {
		for lane := range lanes {
			acc := w.tree.at(w.tree.lanes, lane)
			k := r + lane
			w.states = [6]unsafe.Pointer{acc[0], acc[1], row(k), row(k + lanes), row(k + 2*lanes), row(k + 3*lanes)}
			w.j.reduce.lead4(b.n, int64(lo+k), &w.states)
		}
	}
	for ; r < n; r++ {
		w.leadOne(b, r, lo, row(r))
	}
}

// leadNarrow takes in rows that lie one after another: 32 of them, one for each
// lane, are as one row of 32 times as many states.
func (w *worker) leadNarrow(b *box, n int, row func(r int) unsafe.Pointer) {
	const lanes = kernels.Lanes
	acc, r := w.tree.lanes, 0
	for ; r+4*lanes <= n; r += 4 * lanes {
		w.states = [6]unsafe.Pointer{acc[0], acc[1], row(r), row(r + lanes), row(r + 2*lanes), row(r + 3*lanes)}
		w.j.reduce.lead4(lanes*b.n, 0, &w.states)
	}
	for ; r < n; r += lanes {
		w.states = [6]unsafe.Pointer{0: acc[0], 1: acc[1], 2: row(r)}
		w.j.reduce.lead(min(lanes, n-r)*b.n, 0, &w.states)
	}
}

// leadOne takes in row r of the block.
func (w *worker) leadOne(b *box, r, lo int, row unsafe.Pointer) {
	acc := w.tree.at(w.tree.lanes, r%kernels.Lanes)
	w.states = [6]unsafe.Pointer{0: acc[0], 1: acc[1], 2: row}
	w.j.reduce.lead(b.n, int64(lo+r), &w.states)
}

// rowOffsets sets w.rows to the offsets of an operand at the reduced elements
// lo..lo+n-1, in elements.
func (w *worker) rowOffsets(operand, lo, n int) {
	start := w.off[operand]
	w.seekReduced(lo, 1)
	for r := range n {
		w.rows[r] = w.off[operand] - start
		w.nextReduced()
	}
	w.unseekReduced()
}

// nextReduced moves to the next element of the reduced sequence, after the
// last one to the first.
func (w *worker) nextReduced() {
	for k := len(w.j.sizes) - 1; k >= w.j.kept; k-- {
		if w.at[k]+1 < w.j.sizes[k] {
			w.shift(k, 1)
			return
		}
		w.shift(k, -w.at[k])
	}
}

// leadEval computes each row of elements, then takes it in.
func (w *worker) leadEval(b *box, lo, n int) {
	in := w.j.program.reduceIn
	elem := w.j.prog.TypeOf(in).Size()
	if n > 0 {
		w.seekReduced(lo, 1)
	}
	w.target = nil
	for r := range n {
		w.eval(w.j.program.full, b)
		pl := w.places[in]
		if pl.one {
			pl.p = w.repeat(pl.p, elem, w.extra(assembleSlot), b.n)
		}
		w.leadOne(b, r, lo, pl.p)
		w.nextReduced()
	}
	w.unseekReduced()
}
