package cpu

import (
	"unsafe"

	"gonum.org/v1/gonum/blas/gonum"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// halfType is a float type of 16 bits. Its elements become float32, and float32
// its elements, in the loops of Cast.
type halfType dtype.DType

// widen sets dst to the values of src, which is as long.
func (h halfType) widen(dst []float32, src []uint16) {
	convert(dtype.Float32, dtype.DType(h), unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(unsafe.SliceData(src)), len(dst))
}

// narrow sets dst to the numbers of src, which is as long, rounded once.
func (h halfType) narrow(dst []uint16, src []float32) {
	convert(dtype.DType(h), dtype.Float32, unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(unsafe.SliceData(src)), len(dst))
}

// convert runs a loop of Cast, over no more elements at once than fit into a
// block.
func convert(to, from dtype.DType, dst, src unsafe.Pointer, n int) {
	loops := mapTable[kernels.Cast][from][to]
	var p [4]unsafe.Pointer
	for i := 0; i < n; i += blockLen {
		p[0], p[1] = unsafe.Add(dst, i*to.Size()), unsafe.Add(src, i*from.Size())
		loops.flat(min(blockLen, n-i), &p)
	}
}

// halfRows is the number of rows of a result that are computed at once: so
// many rows of A and C, and one matrix B, are held in float32.
const halfRows = 256

// withHalves multiplies the matrices of all batches in float32.
func withHalves(h halfType) func(p *product[uint16], count int) {
	return func(p *product[uint16], count int) {
		if blocks := ((min(p.M, halfRows) + 63) / 64) * ((p.N + 63) / 64); blocks >= gonumSplits {
			h.batch(p, 0, count) // gonum itself works on several goroutines
			return
		}
		shareRuns(count, addition/4*int64(p.M)*int64(p.N)*int64(p.K), func(lo, hi int) { h.batch(p, lo, hi) })
	}
}

// batch multiplies the matrices lo..hi-1.
func (h halfType) batch(p *product[uint16], lo, hi int) {
	wide := scratches.Get().(*scratch) // the operands in float32
	forms := scratches.Get().(*scratch)
	defer wide.done()
	defer forms.done()
	prepared := -1
	var right matrices[float32]
	for i := lo; i < hi; i++ {
		if b := p.b.at(p.Batch, i); b != prepared {
			right = h.widened(&wide.right, &p.b, b, p.b.rows, p.b.cols)
			prepared = b
		}
		a, c := p.a.at(p.Batch, i), p.c.at(p.Batch, i)
		for r := 0; r < p.M; r += halfRows {
			h.rows(p, wide, forms, a, &right, c, r, min(halfRows, p.M-r))
		}
	}
}

// rows computes n rows of a result from row r on.
func (h halfType) rows(p *product[uint16], wide, forms *scratch, a int, right *matrices[float32], c, r, n int) {
	m := *p.MatMul
	m.M, m.Batch = n, nil
	f := &blasProduct[float32]{&product[float32]{MatMul: &m, b: *right}, gonum.Implementation{}.Sgemm}
	if p.TransA {
		f.a = h.widened(&wide.left, &p.a, a+r, p.K, n)
	} else {
		f.a = h.widened(&wide.left, &p.a, a+r*p.a.ld, n, p.K)
	}
	f.c = matrices[float32]{all: room[float32](&wide.result, n*p.N), rows: n, cols: p.N, ld: p.N}
	f.one(forms, 0, &operandOf[float32]{prepared: -1}, &operandOf[float32]{prepared: -1})
	for i := range n {
		h.narrow(p.c.all[c+(r+i)*p.c.ld:][:p.N], f.c.all[i*p.N:][:p.N])
	}
}

// widened returns a matrix of rows and cols as stored from off on, in float32.
func (h halfType) widened(mem *[]byte, x *matrices[uint16], off, rows, cols int) matrices[float32] {
	ld := alignedRow[float32](cols)
	w := matrices[float32]{all: room[float32](mem, rows*ld), rows: rows, cols: cols, ld: ld}
	for r := range rows {
		h.widen(w.all[r*ld:][:cols], x.all[off+r*x.ld:][:cols])
	}
	return w
}
