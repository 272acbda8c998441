package cpu

// box is the part of the iteration space that is worked on at once: a range of
// one axis and all of the axes inside it.
type box struct {
	first, end int // the axes first..end-1, of which the first is cut
	count      int // indices along the first
	n          int // elements
}

// size returns the box's size along axis k.
func (b *box) size(j *job, k int) int {
	if k == b.first {
		return b.count
	}
	return j.sizes[k]
}

// spread says how an operand's elements lie in a box.
type spread uint8

const (
	strided spread = iota
	contiguous
	single // one element stands for all
)

// spreadOf returns how elements with the given strides lie in b.
func (b *box) spreadOf(j *job, strides []int) spread {
	dense, zero, next := true, true, 1
	for k := b.end - 1; k >= b.first; k-- {
		size := b.size(j, k)
		if size == 1 {
			continue
		}
		dense = dense && strides[k] == next
		zero = zero && strides[k] == 0
		next *= size
	}
	switch {
	case zero:
		return single
	case dense:
		return contiguous
	}
	return strided
}

// cut is how the kept axes are cut into boxes: axis is cut into pieces of
// step, the axes inside it are whole, those outside it are walked.
type cut struct {
	axis  int
	inner int // elements of the axes inside
	step  int
	parts int // pieces of the axis
	boxes int // in all
}

// shortAxis is the number of elements from which on a row is worth a box of
// its own. Below it, boxes take in axes further out.
const shortAxis = 128

// cutKept cuts the kept axes into boxes of at most limit elements (more where
// an axis inside is longer). Rows of at least short elements stay apart.
func (j *job) cutKept(limit, short int) cut {
	c := cut{axis: j.kept - 1, inner: 1}
	for c.axis > 0 && c.inner*j.sizes[c.axis] < short {
		c.inner *= j.sizes[c.axis]
		c.axis--
	}
	size := j.sizes[c.axis]
	c.step = min(size, max(1, limit/c.inner))
	c.parts = (size + c.step - 1) / c.step
	c.boxes = c.parts
	for _, n := range j.sizes[:c.axis] {
		c.boxes *= n
	}
	return c
}

// box returns a whole box of the cut.
func (c *cut) box(j *job) box {
	return box{first: c.axis, end: j.kept, count: c.step, n: c.step * c.inner}
}

// even makes the pieces of the cut axis about the same, none larger than now,
// of a multiple of unit elements where they are of one axis.
func (c *cut) even(size, unit int) {
	if c.parts == 1 {
		return
	}
	step := (size + c.parts - 1) / c.parts
	if c.inner == 1 && unit > 1 {
		step = (step + unit - 1) / unit * unit
	}
	if step > c.step {
		return
	}
	c.boxes /= c.parts
	c.step = step
	c.parts = (size + step - 1) / step
	c.boxes *= c.parts
}

// seek moves the worker to box i of the cut.
func (w *worker) seek(i int) {
	c := &w.j.cut
	clear(w.at)
	w.at[c.axis] = i % c.parts * c.step
	i /= c.parts
	for k := c.axis - 1; k >= 0; k-- {
		w.at[k] = i % w.j.sizes[k]
		i /= w.j.sizes[k]
	}
	w.locate()
}

// locate sets the offsets of the operands to those of the box at w.at.
func (w *worker) locate() {
	for o := range w.off {
		strides, off := w.j.operands[o].strides, 0
		for k := range w.j.cut.axis + 1 {
			off += w.at[k] * strides[k]
		}
		w.off[o] = off
	}
}

// next moves the worker to the box after the current one.
func (w *worker) next() {
	c := &w.j.cut
	if w.at[c.axis]+c.step < w.j.sizes[c.axis] {
		w.shift(c.axis, c.step)
		return
	}
	if c.parts > 1 {
		w.shift(c.axis, -w.at[c.axis])
	}
	for k := c.axis - 1; k >= 0; k-- {
		if w.at[k]+1 < w.j.sizes[k] {
			w.shift(k, 1)
			return
		}
		w.shift(k, -w.at[k])
	}
}

// shift moves by steps along axis k.
func (w *worker) shift(k, steps int) {
	w.at[k] += steps
	for o := range w.off {
		w.off[o] += steps * w.j.operands[o].strides[k]
	}
}

// current returns the box the worker is at.
func (w *worker) current() box {
	c := &w.j.cut
	count := min(c.step, w.j.sizes[c.axis]-w.at[c.axis])
	return box{first: c.axis, end: w.j.kept, count: count, n: count * c.inner}
}
