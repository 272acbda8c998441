package cpu

import (
	"unsafe"

	"github.com/stride0/stride0/kernels"
)

// wave holds the states of consecutive blocks of one box of outputs, computed
// by several workers and then pushed into the tree in order.
type wave struct {
	box   int // which box of the cut
	first int // the first block
	mem   []byte
}

// waveBytes bounds the memory of a wave.
const waveBytes = 1 << 20

// splitInner reduces few outputs of many elements each: workers share the
// blocks of one box after another.
func (j *job) splitInner(blocks int, cost int64, extra int) {
	w := newWorker(j, extra)
	if j.wave.mem == nil {
		j.wave.mem = alignedBytes(waveBytes)
	}
	for i := range j.cut.boxes {
		w.seek(i)
		b := w.current()
		w.tree.start(w, b.n)
		copy(w.base, w.off)
		j.wave.box = i
		perWave := waveBytes / w.tree.rowBytes()
		for first := 0; first < blocks; first += perWave {
			j.wave.first = first
			n := min(perWave, blocks-first)
			j.split(n, cost, extra, (*worker).waveBlocks)
			for k := range n {
				w.tree.push(0, w.tree.waveRow(k))
			}
		}
		w.emit(&b, w.tree.finish())
	}
	w.done()
}

// waveBlocks computes the states of the wave's blocks lo..hi-1.
func (w *worker) waveBlocks(lo, hi int) {
	j := w.j
	w.seek(j.wave.box)
	b := w.current()
	w.tree.start(w, b.n)
	copy(w.base, w.off)
	for i := lo; i < hi; i++ {
		from := (j.wave.first + i) * kernels.Block
		w.blockStates(&b, from, min(kernels.Block, j.inner-from), w.tree.waveRow(i))
		w.rewind(&b)
	}
}

// rowBytes returns the bytes of a row of states in a wave, each part padded to
// a cache line.
func (t *tree) rowBytes() int {
	total := 0
	for _, size := range t.w.j.reduce.sizes() {
		total += (t.width*size + alignment - 1) / alignment * alignment
	}
	return total
}

// waveRow returns row i of the wave.
func (t *tree) waveRow(i int) (r stateRow) {
	at := i * t.rowBytes()
	for k, size := range t.w.j.reduce.sizes() {
		if size > 0 {
			r[k] = unsafe.Pointer(&t.w.j.wave.mem[at])
			at += (t.width*size + alignment - 1) / alignment * alignment
		}
	}
	return r
}
