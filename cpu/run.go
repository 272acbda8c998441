package cpu

import (
	"runtime"

	"github.com/stride0/stride0/device"
)

// Run executes a launch and returns when it is done.
//
// Errors (*device.Error): ErrUnsupported for a row without a loop, ErrFreed, a
// buffer of another device, an operand that reaches beyond its buffer.
func (d *Device) Run(l *device.Launch) error {
	j := jobs.Get().(*job)
	err := j.prepare(l)
	if err == nil && j.outer > 0 {
		if j.reduce != nil {
			j.runReduce()
		} else {
			j.runMap()
		}
	}
	j.done()
	runtime.KeepAlive(l)
	return err
}

// longBytes is how much a loop may read and write at once: code in assembly
// cannot be stopped for the garbage collector, so no call may last longer than
// about 100 µs, even from memory.
const longBytes = 256 << 10

// longBlock returns how many elements a loop gets at once when nothing but the
// operands themselves is touched.
func (j *job) longBlock() int {
	each := 0
	for i := range j.operands {
		each += j.operands[i].elem
	}
	return min(32, max(1, longBytes/blockLen/each)) * blockLen
}

// runMap executes a Program without a reduction.
func (j *job) runMap() {
	j.cutMap()
	perBox := int64(j.outer/j.cut.boxes) * int64(j.program.cost)
	j.split(j.cut.boxes, perBox, 0, (*worker).mapBoxes)
}

// cutMap cuts the axes into boxes that fit into slots, or longer ones where no
// slot is written.
func (j *job) cutMap() {
	part := j.evenPart(workersFor(j.outer, int64(j.program.cost)))
	j.cut = j.cutKept(min(part, j.longBlock()), shortAxis)
	if !j.oneLoop() {
		j.cut = j.cutKept(min(part, blockLen), shortAxis)
	}
}

// evenPart returns how many elements a box may have at most for n workers to
// get the same number of them.
func (j *job) evenPart(n int) int {
	if n == 1 {
		return j.outer
	}
	limit := j.longBlock() * n
	boxes := (j.outer + limit - 1) / limit * n
	return ((j.outer+boxes-1)/boxes + alignment - 1) / alignment * alignment
}

// mapBoxes works on the boxes lo..hi-1.
func (w *worker) mapBoxes(lo, hi int) {
	w.seek(lo)
	for i := lo; i < hi; i++ {
		if i > lo {
			w.next()
		}
		b := w.current()
		w.aim(&b)
		w.eval(w.j.program.full, &b)
		w.store(&b)
	}
}

// oneLoop reports whether the launch is one row whose operands all are in
// place in every box of the cut, so that no block has to fit into a slot.
func (j *job) oneLoop() bool {
	if len(j.prog.Outputs) != 1 || j.program.applies > 1 {
		return false
	}
	b := box{first: j.cut.axis, end: j.kept, count: j.cut.step, n: j.cut.step * j.cut.inner}
	ones := len(j.program.uniform)
	for i := range j.operands {
		switch b.spreadOf(j, j.operands[i].strides) {
		case single:
			ones++
		case strided:
			return false
		}
	}
	steps := j.program.full
	if len(steps) == 0 {
		return true // a fill
	}
	for i := range steps[:len(steps)-1] {
		if steps[i].kind != stepLoad {
			return false // a block of indices fills a slot
		}
	}
	last := &steps[len(steps)-1]
	return ones == 0 || last.nargs == 1 || last.loops.ls != nil // without a loop for one element, that fills a slot
}
