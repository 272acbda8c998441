package cpu

import (
	"fmt"
	"runtime"
	"sync"
	"unsafe"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
)

// MatMul multiplies batches of matrices with gonum's BLAS. Zeros and
// non-finite elements follow IEEE 754: 0·NaN is NaN. The result depends on the
// elements, the sizes and whether operands are transposed, not on where they
// lie, nor on GOMAXPROCS.
//
// Errors (*device.Error): ErrUnsupported for another dtype than Float32 and
// Float64, ErrFreed, an operand that reaches beyond its buffer.
func (d *Device) MatMul(m *device.MatMul) error {
	switch m.DType {
	case dtype.Float32:
		return multiply(d, m, gonum.Implementation{}.Sgemm)
	case dtype.Float64:
		return multiply(d, m, gonum.Implementation{}.Dgemm)
	}
	return &device.Error{Device: name, Call: "MatMul", Err: fmt.Errorf("%w: matmul of %v", device.ErrUnsupported, m.DType)}
}

type float interface{ float32 | float64 }

// gemm is C = alpha·A·B + beta·C as BLAS defines it.
type gemm[T float] func(tA, tB blas.Transpose, m, n, k int, alpha T, a []T, lda int, b []T, ldb int, beta T, c []T, ldc int)

// product is a MatMul with its operands in memory.
type product[T float] struct {
	*device.MatMul
	gemm    gemm[T]
	a, b, c matrices[T]
}

func multiply[T float](d *Device, m *device.MatMul, f gemm[T]) error {
	p := &product[T]{MatMul: m, gemm: f}
	count, err := batches(m)
	if err != nil || count == 0 || m.M == 0 || m.N == 0 {
		return err
	}
	rows := func(n, cols int, transposed bool) (int, int) {
		if transposed {
			return cols, n
		}
		return n, cols
	}
	aRows, aCols := rows(m.M, m.K, m.TransA)
	bRows, bCols := rows(m.K, m.N, m.TransB)
	if err := p.a.take(d, m, m.A, aRows, aCols, m.LDA, m.BatchA); err != nil {
		return err
	}
	defer p.a.buf.release()
	if err := p.b.take(d, m, m.B, bRows, bCols, m.LDB, m.BatchB); err != nil {
		return err
	}
	defer p.b.buf.release()
	if err := p.c.take(d, m, m.C, m.M, m.N, m.LDC, m.BatchC); err != nil {
		return err
	}
	defer p.c.buf.release()
	if p.c.ld < p.c.cols {
		return &device.Error{Device: name, Call: "MatMul", Err: fmt.Errorf("rows of the result overlap: leading dimension %d for %d columns", m.LDC, m.N)}
	}
	p.run(count)
	runtime.KeepAlive(m)
	return nil
}

// batches returns how many products there are.
func batches(m *device.MatMul) (int, error) {
	n := 1
	for _, size := range m.Batch {
		n *= size
	}
	if len(m.BatchA) != len(m.Batch) || len(m.BatchB) != len(m.Batch) || len(m.BatchC) != len(m.Batch) || min(m.M, m.N, m.K, n) < 0 {
		return 0, &device.Error{Device: name, Call: "MatMul", Err: fmt.Errorf("sizes %d, %d, %d do not go with batch %v", m.M, m.N, m.K, m.Batch)}
	}
	return n, nil
}

// gonumSplits is the number of blocks of 64×64 of a result from which on gonum
// itself works on several goroutines.
const gonumSplits = 4

// run multiplies the matrices of all batches. Products that gonum does not
// split are shared among goroutines.
func (p *product[T]) run(count int) {
	n := min(runtime.GOMAXPROCS(0), count)
	blocks := ((p.M + 63) / 64) * ((p.N + 63) / 64)
	if work := int64(count) * int64(p.M) * int64(p.N) * int64(p.K+1); blocks >= gonumSplits || work < worthSplitting {
		n = 1
	}
	if n == 1 {
		p.batch(0, count)
		return
	}
	var wg sync.WaitGroup
	first := func(i int) int { return int(int64(i) * int64(count) / int64(n)) } // of goroutine i
	for i := 1; i < n; i++ {
		wg.Go(func() { p.batch(first(i), first(i+1)) })
	}
	p.batch(0, first(1))
	wg.Wait()
}

// batch multiplies the matrices lo..hi-1.
func (p *product[T]) batch(lo, hi int) {
	s := scratches.Get().(*scratch)
	left, right := operandOf[T]{prepared: -1}, operandOf[T]{prepared: -1}
	for i := lo; i < hi; i++ {
		p.one(s, i, &left, &right)
	}
	s.done()
}

// one computes one product. Where the right operand is the same as in the
// product before, what was made of it serves again.
func (p *product[T]) one(s *scratch, i int, left, right *operandOf[T]) {
	a, b, c := p.a.at(p.Batch, i), p.b.at(p.Batch, i), p.c.at(p.Batch, i)
	if p.K == 0 {
		for r := range p.M {
			clear(p.c.all[c+r*p.c.ld:][:p.N])
		}
		return
	}
	if right.prepared != b {
		p.prepareRight(s, right, b)
		left.prepared = -1 // its form follows the right one's
	}
	if left.prepared != a {
		p.prepareLeft(s, left, right.trans, a)
	}
	p.gemm(flag(left.trans), flag(right.trans), p.M, p.N, p.K, 1, left.data, left.ld, right.data, right.ld, 0, p.c.all[c:], p.c.ld)
}

func flag(trans bool) blas.Transpose {
	if trans {
		return blas.Trans
	}
	return blas.NoTrans
}

// operandOf is a matrix in the form in which it is multiplied.
type operandOf[T float] struct {
	data     []T
	ld       int
	trans    bool
	prepared int // the offset of the matrix it was made of, -1 for none
}

// prepareRight brings the right matrix at off into a form that gives the right
// result. gonum skips zeros of the left operand, and with them 0·NaN and
// 0·Inf, in all forms but A·Bᵀ: so a right operand that is not finite takes
// that form. There gonum's float32 dot product adds in an order that depends
// on the address of a row of B modulo 16, so rows that are not aligned are
// copied.
func (p *product[T]) prepareRight(s *scratch, o *operandOf[T], off int) {
	m := &p.b
	o.prepared, o.ld, o.trans = off, m.ld, p.TransB
	o.data = m.all[off:]
	switch {
	case !p.TransB && !m.finite(off):
		o.trans = true
		o.data, o.ld = transposed(&s.right, m, off)
	case p.TransB && !m.aligned(off), m.ld < m.cols:
		o.data, o.ld = copied(&s.right, m, off)
	}
}

// prepareLeft brings the left matrix at off into a form that goes with the
// right one: with a transposed right one it must not be transposed.
func (p *product[T]) prepareLeft(s *scratch, o *operandOf[T], rightTrans bool, off int) {
	m := &p.a
	o.prepared, o.ld, o.trans = off, m.ld, p.TransA
	o.data = m.all[off:]
	switch {
	case p.TransA && rightTrans:
		o.trans = false
		o.data, o.ld = transposed(&s.left, m, off)
	case m.ld < m.cols:
		o.data, o.ld = copied(&s.left, m, off)
	}
}

// matrices are the matrices of one operand in memory.
type matrices[T float] struct {
	buf        *Buffer
	all        []T // the whole buffer
	first      int // the offset of the first matrix
	rows, cols int // as stored
	ld         int
	batch      []int // strides
}

// take acquires an operand and checks that all of its matrices are inside.
func (x *matrices[T]) take(d *Device, m *device.MatMul, o device.Operand, rows, cols, ld int, batch []int) error {
	var zero T
	elem := int(unsafe.Sizeof(zero))
	buf, err := d.own("MatMul", o.Buffer)
	if err != nil {
		return err
	}
	if rows <= 1 {
		ld = max(ld, cols, 1) // the stride of an axis of size 1 says nothing
	}
	lo, hi := 0, max(rows-1, 0)*ld+max(cols, 1)
	for k, size := range m.Batch {
		if span := (size - 1) * batch[k]; span > 0 {
			hi += span
		} else {
			lo += span
		}
	}
	if empty := rows == 0 || cols == 0; !empty && (ld < 0 || buf.bytes(o.Offset+int64(lo)*int64(elem), int64(hi-lo)*int64(elem)) == nil) {
		buf.release()
		return outside("MatMul", o.Offset+int64(lo*elem), int64(hi-lo)*int64(elem), buf)
	}
	*x = matrices[T]{buf: buf, first: int(o.Offset) / elem, rows: rows, cols: cols, ld: ld, batch: batch}
	x.all = unsafe.Slice((*T)(buf.base()), len(buf.data)/elem)
	return nil
}

// at returns the offset of matrix i of the batch.
func (x *matrices[T]) at(sizes []int, i int) int {
	off := x.first
	for k := len(sizes) - 1; k >= 0; k-- {
		off += i % sizes[k] * x.batch[k]
		i /= sizes[k]
	}
	return off
}
