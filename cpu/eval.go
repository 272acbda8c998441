package cpu

import "unsafe"

// eval runs the steps on box b, whose origin is at w.at and w.off.
func (w *worker) eval(list []step, b *box) {
	for i := range list {
		s := &list[i]
		switch s.kind {
		case stepLoad:
			w.load(s, b)
		case stepIndex:
			w.index(s, b)
		default:
			w.apply(s, b)
		}
	}
}

// load makes a block of an input contiguous. One that is already, or is one
// element, is used where it stands.
func (w *worker) load(s *step, b *box) {
	o := &w.j.operands[s.source]
	at := unsafe.Add(o.base, w.off[s.source]*o.elem)
	switch b.spreadOf(w.j, o.strides) {
	case contiguous:
		w.places[s.out] = place{at, false}
	case single:
		w.places[s.out] = place{at, true}
	default:
		if row := w.tiled(s.source); row != nil {
			w.places[s.out] = place{row, false}
			return
		}
		dst := w.dest(s)
		w.gather(o, b, dst, at)
		w.places[s.out] = place{dst, false}
	}
}

// gather makes the elements of an operand in b contiguous, from the first at.
func (w *worker) gather(o *operand, b *box, dst, at unsafe.Pointer) {
	w.move.reset()
	w.addBox(b, o.strides)
	w.move.run(o.elem, dst, at)
}

// addBox adds the axes of b to the worker's move, from strides to contiguous.
func (w *worker) addBox(b *box, strides []int) {
	for k, inner := b.first, b.n; k < b.end; k++ {
		size := b.size(w.j, k)
		inner /= size
		w.move.add(size, inner, strides[k])
	}
}

// dest returns where the result of s goes: the last step's straight to the
// target, if there is one.
func (w *worker) dest(s *step) unsafe.Pointer {
	if s.final && w.target != nil {
		return w.target
	}
	return w.slot(s.slot)
}

// apply runs a row. When every operand is one element, so is the result.
func (w *worker) apply(s *step, b *box) {
	ones := 0
	for k, a := range s.args[:s.nargs] {
		pl := w.places[a]
		w.args[k+1] = pl.p
		if pl.one {
			ones |= 1 << k
		}
	}
	if ones == 1<<s.nargs-1 {
		cell := unsafe.Pointer(&w.cells[s.out])
		w.args[0] = cell
		s.loops.flat(1, &w.args)
		w.places[s.out] = place{cell, true}
		return
	}
	dst := w.dest(s)
	w.args[0] = dst
	if ones != 0 && (s.loops.ls == nil || ones > 2) {
		w.spreadOnes(s, ones, b)
		ones = 0
	}
	if w.past && s.final {
		w.applyPast(s, ones, b.n)
	} else {
		s.loops.form(ones)(b.n, &w.args)
	}
	w.places[s.out] = place{dst, false}
}

// applyPast runs a row whose result is to be stored past the cache.
func (w *worker) applyPast(s *step, ones, n int) {
	var far [3]int
	for k := range s.args[:s.nargs] {
		if ones&(1<<k) == 0 {
			far[k] = s.loops.args[k].Size()
		}
	}
	past := w.j.pasts
	w.writePast(s.loops.form(ones), [...]mapLoop{past.flat, past.ls, past.rs}[ones], n, s.elem, &far)
}

// spreadOnes fills blocks with the operands that are one element.
func (w *worker) spreadOnes(s *step, ones int, b *box) {
	for k, a := range s.args[:s.nargs] {
		if ones&(1<<k) != 0 {
			w.args[k+1] = w.repeat(w.places[a].p, s.loops.args[k].Size(), w.extra(k), b.n)
		}
	}
}

// repeat writes n copies of the element at p to dst.
func (w *worker) repeat(p unsafe.Pointer, elem int, dst unsafe.Pointer, n int) unsafe.Pointer {
	w.move.reset()
	w.move.add(n, 1, 0)
	w.move.run(elem, dst, p)
	return dst
}

// store writes the outputs of box b that are not in place yet.
func (w *worker) store(b *box) {
	for i, v := range w.j.prog.Outputs {
		k := w.j.inputs + i
		o := &w.j.operands[k]
		dst, pl := unsafe.Add(o.base, w.off[k]*o.elem), w.places[v]
		if pl.p == dst {
			continue
		}
		if w.j.streaming && !pl.one && b.spreadOf(w.j, o.strides) == contiguous {
			w.streamOut(dst, pl.p, b.n*o.elem)
			continue
		}
		w.move.reset()
		for k, inner := b.first, b.n; k < b.end; k++ {
			size := b.size(w.j, k)
			inner /= size
			src := inner
			if pl.one {
				src = 0
			}
			w.move.add(size, o.strides[k], src)
		}
		w.move.run(o.elem, dst, pl.p)
	}
}

// aim lets the last step of a list with one output write that in place, if it
// is contiguous in b and, where it goes past the cache, has a loop that stores it
// there. With several outputs none may be written before all steps have read
// their inputs, which an output can be.
func (w *worker) aim(b *box) {
	w.target, w.past = nil, false
	past := w.j.pasts.flat != nil
	if len(w.j.prog.Outputs) != 1 || w.j.streaming && !past {
		return
	}
	k := w.j.inputs
	if o := &w.j.operands[k]; b.n == 1 || b.spreadOf(w.j, o.strides) == contiguous {
		w.target, w.past = unsafe.Add(o.base, w.off[k]*o.elem), past
	}
}

// index makes a block of the logical indices along an axis.
func (w *worker) index(s *step, b *box) {
	axis := -1
	for k, l := range w.j.logical {
		if l == s.source {
			axis = k
		}
	}
	if axis < b.first || axis >= b.end || b.size(w.j, axis) == 1 {
		w.cells[s.out] = 0 // an axis of size 1 has only index 0
		if axis >= 0 {
			w.cells[s.out] = uint64(w.at[axis])
		}
		w.places[s.out] = place{unsafe.Pointer(&w.cells[s.out]), true}
		return
	}
	inner := 1
	for k := axis + 1; k < b.end; k++ {
		inner *= b.size(w.j, k)
	}
	dst := w.dest(s)
	countUp(unsafe.Slice((*int64)(dst), b.n), int64(w.at[axis]), b.size(w.j, axis), inner)
	w.places[s.out] = place{dst, false}
}

// countUp fills d with first, first+1, ... (size of them) again and again,
// each inner times.
func countUp(d []int64, first int64, size, inner int) {
	for i := 0; i < len(d); {
		for v := range size {
			for range inner {
				d[i] = first + int64(v)
				i++
			}
		}
	}
}
