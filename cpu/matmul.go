package cpu

import (
	"fmt"
	"runtime"
	"unsafe"

	"gonum.org/v1/gonum/blas/gonum"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
)

// MatMul multiplies batches of matrices of any dtype: float32 and float64 with
// gonum's BLAS, the halves in float32 with it, rounding once, integers with a
// loop of its own that wraps, and bools with "or" for the sum and "and" for
// the product. Zeros and non-finite elements follow IEEE 754: 0·NaN is NaN.
// The result depends on the elements, the sizes and whether operands are
// transposed, not on where they lie, nor on GOMAXPROCS.
//
// Errors (*device.Error): ErrUnsupported for what is no dtype, ErrFreed, an
// operand that reaches beyond its buffer.
func (d *Device) MatMul(m *device.MatMul) error {
	switch m.DType {
	case dtype.Float32:
		return multiply(d, m, withGemm(gonum.Implementation{}.Sgemm))
	case dtype.Float64:
		return multiply(d, m, withGemm(gonum.Implementation{}.Dgemm))
	case dtype.Float16:
		return multiply(d, m, withHalves(halfType(dtype.Float16)))
	case dtype.BFloat16:
		return multiply(d, m, withHalves(halfType(dtype.BFloat16)))
	case dtype.Bool:
		return multiply(d, m, withLoop(boolLoops))
	case dtype.Uint8, dtype.Int8:
		return multiply(d, m, withLoop(integerLoops[uint8]()))
	case dtype.Uint16, dtype.Int16:
		return multiply(d, m, withLoop(integerLoops[uint16]()))
	case dtype.Uint32, dtype.Int32:
		return multiply(d, m, withLoop(integerLoops[uint32]()))
	case dtype.Uint64, dtype.Int64:
		return multiply(d, m, withLoop(integerLoops[uint64]()))
	}
	return &device.Error{Device: name, Call: "MatMul", Err: fmt.Errorf("%w: matmul of %v", device.ErrUnsupported, m.DType)}
}

// cell is the Go type of an element. That of a signed integer is the unsigned
// one of its width: sums and products that wrap have the same bits.
type cell interface {
	float32 | float64 | uint8 | uint16 | uint32 | uint64
}

// product is a MatMul with its operands in memory.
type product[T cell] struct {
	*device.MatMul
	a, b, c matrices[T]
}

// multiply checks a MatMul and has its products, of which there is at least
// one with elements, computed by run.
func multiply[T cell](d *Device, m *device.MatMul, run func(p *product[T], count int)) error {
	p := &product[T]{MatMul: m}
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
	if m.K == 0 {
		p.clear(count)
	} else {
		run(p, count)
	}
	runtime.KeepAlive(m)
	return nil
}

// clear fills C with the sums of no products.
func (p *product[T]) clear(count int) {
	for i := range count {
		c := p.c.at(p.Batch, i)
		for r := range p.M {
			clear(p.c.all[c+r*p.c.ld:][:p.N])
		}
	}
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

// matrices are the matrices of one operand in memory.
type matrices[T cell] struct {
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
