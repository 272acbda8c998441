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
	if j.streaming = j.streams(); j.streaming {
		j.pasts = j.lastPast()
	}
	work, extra := j.cutMap()
	perBox := int64(j.outer/j.cut.boxes) * int64(j.program.cost)
	j.split(j.cut.boxes, perBox, extra, work)
}

// cutMap cuts the axes into boxes: long ones where the launch is a rowJob, else
// such that fit into slots, in tiles where that pays. It returns how a worker
// works on a range of them and the bytes of scratch that takes.
func (j *job) cutMap() (work func(w *worker, lo, hi int), extra int) {
	switch {
	case j.planRows():
		return (*worker).rowBoxes, 0
	case j.cutTiles():
		return (*worker).mapTiles, j.tile.bytes
	}
	return (*worker).mapBoxes, 0
}

// evenPart returns how many elements a box may have at most for all workers to
// get the same number of them.
func (j *job) evenPart() int {
	n := workersFor(j.outer, int64(j.program.cost))
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
	w.endStream()
}
