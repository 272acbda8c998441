package cpu

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// TestWorkersShareNoCacheLine looks at what workers write for each box.
func TestWorkersShareNoCacheLine(t *testing.T) {
	const n = 60
	x, out := rowMajor(ramp(n), 3, 20), rowMajor(make([]float32, n), 3, 20)
	j := new(job)
	require.NoError(t, j.prepare(launch(binary(t, kernels.Add, dtype.Float32), broadcast.Shape{3, 20}, 0, []view{x, x}, []view{out})))
	defer j.done()
	owner := map[uintptr]int{} // of pairs of cache lines
	for i := range 64 {
		w := newWorker(j, 0)
		defer w.done()
		claim := func(first unsafe.Pointer, size uintptr) {
			for line := uintptr(first) / (2 * cacheLine); line <= (uintptr(first)+size-1)/(2*cacheLine); line++ {
				if other, taken := owner[line]; taken && other != i {
					t.Fatalf("workers %d and %d share cache lines", other, i)
				}
				owner[line] = i
			}
		}
		claim(unsafe.Pointer(&w.places[0]), uintptr(len(w.places))*unsafe.Sizeof(w.places[0]))
		claim(unsafe.Pointer(&w.cells[0]), uintptr(len(w.cells))*8)
		claim(unsafe.Pointer(&w.at[0]), uintptr(len(w.at))*8)
		claim(unsafe.Pointer(&w.off[0]), uintptr(len(w.off))*8)
		claim(unsafe.Pointer(&w.base[0]), uintptr(len(w.base))*8)
		claim(unsafe.Pointer(&w.args), unsafe.Sizeof(w.args))
		claim(unsafe.Pointer(&w.states), unsafe.Sizeof(w.states))
	}
}
