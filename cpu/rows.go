package cpu

import (
	"unsafe"

	"github.com/stride0/stride0/kernels"
)

// rowJob is a launch of one row whose operands a loop takes, in every box, from
// where they stand: what most launches are. Its boxes cost little more than
// their elements, since all decisions are taken once for all of them.
type rowJob struct {
	loop mapLoop // nil for a copy of args[0]
	past mapLoop // loop for cache lines to be written past the cache; nil: none
	args [3]rowArg
	n    int    // arguments
	size int    // bytes of an element of the result
	far  [3]int // per argument: bytes from an element to the next, 0 if one stands for all

	flat, ls, rs mapLoop // what loop is chosen from; all nil for a copy
}

// rowArg is how a rowJob reads an argument.
type rowArg struct {
	kind    rowKind
	operand int           // that it is, -1 for a value made of scalars
	value   kernels.Value // that it is
	elem    int           // bytes
}

// rowKind says how an argument lies in the boxes.
type rowKind uint8

const (
	rowMoves   rowKind = iota // elsewhere in each box: contiguous, or one element for ls and rs
	rowPattern                // the same elements in each box, made contiguous once
	rowOne                    // one value, made of scalars, for ls and rs
)

// leastRow is the number of elements from which on rows are worth a call of a
// loop each, if they cannot be parts of longer ones.
const leastRow = 24

// planRows makes j.row the rowJob of the launch and cuts the axes for it;
// false if it is none.
func (j *job) planRows() bool {
	j.row = rowJob{size: j.operands[j.inputs].elem}
	if len(j.prog.Outputs) != 1 || !j.rowArgs() {
		return false
	}
	part := j.evenPart()
	for _, short := range [...]int{shortAxis, leastRow} {
		j.cut = j.cutKept(min(part, j.longBlock()), short)
		patterns, ok := j.layRows()
		if !ok {
			continue
		}
		if patterns || j.streaming && j.row.loop != nil && j.row.past == nil {
			j.cut = j.cutKept(min(part, j.slotElements()), short)
			if _, ok := j.layRows(); !ok {
				return false
			}
		}
		j.cut.even(j.sizes[j.cut.axis], alignment/j.row.size)
		return true
	}
	return false
}

// rowArgs notes the loops and arguments of the only row, or of the copy that
// the Program is.
func (j *job) rowArgs() bool {
	full, r, out := j.program.full, &j.row, j.prog.Outputs[0]
	if h := &j.program.half; h.n > 0 && halfLoops[h.op][h.kind] != nil {
		loops := halfLoops[h.op][h.kind]
		r.flat, r.ls, r.rs = loops.flat, loops.ls, loops.rs
		j.takeArgs(h.args[:h.n])
		return true
	}
	for i := range full {
		last := i == len(full)-1
		if full[i].kind != stepLoad && !(last && full[i].kind == stepApply) || last && full[i].out != out {
			return false
		}
	}
	if len(full) == 0 || full[len(full)-1].kind == stepLoad {
		j.takeArgs([]kernels.Value{out})
		return len(full) < 2
	}
	last := &full[len(full)-1]
	r.flat, r.ls, r.rs = last.loops.flat, last.loops.ls, last.loops.rs
	j.takeArgs(last.args[:last.nargs])
	return true
}

// takeArgs makes values, inputs or made of scalars, the arguments of the row.
func (j *job) takeArgs(values []kernels.Value) {
	j.row.n = len(values)
	for k, v := range values {
		in := &j.prog.Instrs[v]
		a := rowArg{operand: -1, value: v, elem: in.Type.Size()}
		if in.Op == kernels.OpInput {
			a.operand = int(in.Slot)
		}
		j.row.args[k] = a
	}
}

// layRows decides for the present cut how each argument is read, and whether
// any is a pattern. It fails where an argument would have to be gathered anew
// in each box, or the result to be spread.
func (j *job) layRows() (patterns, ok bool) {
	b := j.cut.box(j)
	if b.n > 1 && b.spreadOf(j, j.operands[j.inputs].strides) != contiguous {
		return false, false
	}
	r := &j.row
	ones := 0
	for k := range r.n {
		a := &r.args[k]
		r.far[k] = a.elem
		if a.operand < 0 {
			a.kind = rowOne
			ones |= 1 << k
			continue
		}
		a.kind = rowMoves
		switch lies := b.spreadOf(j, j.operands[a.operand].strides); {
		case lies == contiguous || b.n == 1:
		case lies == single:
			ones |= 1 << k
		case j.repeats(a.operand):
			a.kind, patterns = rowPattern, true
		default:
			return false, false
		}
	}
	if b.n == 1 {
		ones = 0 // each form of a loop takes one element
	}
	return j.chooseLoop(ones, patterns)
}

// chooseLoop picks the form of the loop, given which arguments are one element
// in a box, and makes patterns of those that this form does not take.
func (j *job) chooseLoop(ones int, patterns bool) (_, ok bool) {
	r := &j.row
	r.loop, r.past = r.flat, j.pasts.flat
	switch {
	case r.flat == nil:
	case ones == 1<<r.n-1:
		return false, false // one element, to be spread: not worth a way of its own
	case ones == 1 && r.ls != nil:
		r.loop, r.past, r.far[0], ones = r.ls, j.pasts.ls, 0, 0
	case ones == 2 && r.rs != nil:
		r.loop, r.past, r.far[1], ones = r.rs, j.pasts.rs, 0, 0
	}
	for k := range r.n {
		if a := &r.args[k]; ones&(1<<k) != 0 {
			if a.operand >= 0 && !j.repeats(a.operand) {
				return false, false
			}
			a.kind, patterns = rowPattern, true
		}
	}
	return patterns, true
}

// repeats reports whether an operand has the same elements in every box of the
// cut, but for a last box that is smaller.
func (j *job) repeats(operand int) bool {
	for _, s := range j.operands[operand].strides[:j.cut.axis+1] {
		if s != 0 {
			return false
		}
	}
	return true
}

// slotElements returns how many elements of each operand fit into a slot.
func (j *job) slotElements() int {
	most := 1
	for i := range j.operands {
		most = max(most, j.operands[i].elem)
	}
	return slotBytes / most
}

// rowBoxes works on the boxes lo..hi-1 of a rowJob.
func (w *worker) rowBoxes(lo, hi int) {
	w.seek(lo)
	w.makePatterns()
	for i := lo; i < hi; i++ {
		if i > lo {
			w.next()
		}
		w.rowBox()
	}
	w.endStream()
}

// rowBox works on the box the worker is at. Its prologue is where the garbage
// collector can stop a worker, so it is not to be inlined.
//
//go:noinline
func (w *worker) rowBox() {
	j := w.j
	r := &j.row
	n := min(j.cut.step, j.sizes[j.cut.axis]-w.at[j.cut.axis]) * j.cut.inner
	for k := range r.n {
		if a := &r.args[k]; a.kind == rowMoves {
			w.args[k+1] = unsafe.Add(j.operands[a.operand].base, w.off[a.operand]*a.elem)
		}
	}
	dst := unsafe.Add(j.operands[j.inputs].base, w.off[j.inputs]*r.size)
	switch {
	case r.loop == nil && j.streaming:
		w.streamOut(dst, w.args[1], n*r.size)
	case r.loop == nil:
		copy(unsafe.Slice((*byte)(dst), n*r.size), unsafe.Slice((*byte)(w.args[1]), n*r.size))
	case j.streaming && r.past != nil:
		w.args[0] = dst
		w.writePast(r.loop, r.past, n, r.size, &r.far)
	case j.streaming:
		w.args[0] = w.extra(assembleSlot)
		r.loop(n, &w.args)
		w.streamOut(dst, w.args[0], n*r.size)
	default:
		w.args[0] = dst
		r.loop(n, &w.args)
	}
}

// makePatterns sets the arguments that are the same in every box, once for
// each worker.
func (w *worker) makePatterns() {
	if w.patterned {
		return
	}
	w.patterned = true
	j := w.j
	for k := range j.row.n {
		switch a := &j.row.args[k]; {
		case a.operand < 0 && a.kind == rowPattern:
			w.args[k+1] = w.repeat(w.places[a.value].p, a.elem, w.extra(k), j.cut.step*j.cut.inner)
		case a.operand < 0:
			w.args[k+1] = w.places[a.value].p
		case a.kind == rowPattern:
			w.args[k+1] = w.extra(k)
			w.pattern(a.operand, w.extra(k))
		}
	}
}

// pattern gathers the elements of an operand that are the same in every box:
// those of one step along the cut axis, then copies of what is there.
func (w *worker) pattern(operand int, dst unsafe.Pointer) {
	j := w.j
	o := &j.operands[operand]
	b := box{first: j.cut.axis, end: j.kept, count: 1, n: j.cut.inner}
	w.gather(o, &b, dst, unsafe.Add(o.base, w.off[operand]*o.elem))
	all := unsafe.Slice((*byte)(dst), j.cut.step*j.cut.inner*o.elem)
	for done := j.cut.inner * o.elem; done < len(all); {
		done += copy(all[done:], all[:done])
	}
}
