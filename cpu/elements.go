package cpu

import "unsafe"

// elements returns n contiguous elements to reduce, from position lo of the
// current output's reduced sequence.
func (w *worker) elements(lo, n int) unsafe.Pointer {
	if n == 0 {
		return w.extra(assembleSlot)
	}
	in, elem := w.j.program.reduceIn, w.j.prog.TypeOf(w.j.program.reduceIn).Size()
	whole := w.extra(assembleSlot)
	for done := 0; done < n; {
		b := w.seekReduced(lo+done, n-done)
		part := unsafe.Add(whole, done*elem)
		w.target = nil
		if b.n < n {
			w.target = part
		}
		w.eval(w.j.program.full, &b)
		w.unseekReduced()
		pl := w.places[in]
		switch {
		case pl.one:
			w.repeat(pl.p, elem, part, b.n)
		case b.n == n:
			return pl.p
		case pl.p != part:
			copy(unsafe.Slice((*byte)(part), b.n*elem), unsafe.Slice((*byte)(pl.p), b.n*elem))
		}
		done += b.n
	}
	return whole
}

// seekReduced moves to position lo of the reduced sequence and returns a box
// of at most n elements there: as many whole inner axes as fit, and a range of
// the axis outside them.
func (w *worker) seekReduced(lo, n int) box {
	j := w.j
	for k, rest := len(j.sizes)-1, lo; k >= j.kept; k-- {
		if i := rest % j.sizes[k]; i > 0 {
			w.shift(k, i)
		}
		rest /= j.sizes[k]
	}
	first, inner := len(j.sizes)-1, 1
	for first > j.kept && w.at[first] == 0 && n >= inner*j.sizes[first] {
		inner *= j.sizes[first]
		first--
	}
	count := min(j.sizes[first]-w.at[first], n/inner)
	return box{first: first, end: len(j.sizes), count: count, n: count * inner}
}

// unseekReduced moves back to the start of the reduced sequence.
func (w *worker) unseekReduced() {
	for k := w.j.kept; k < len(w.j.sizes); k++ {
		if w.at[k] > 0 {
			w.shift(k, -w.at[k])
		}
	}
}
