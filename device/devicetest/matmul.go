package devicetest

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
)

// matMulChecks test the ability to multiply matrices, where the device has it.
func (s *suite) matMulChecks() []check {
	muler, ok := s.dev.(device.MatMuler)
	if !ok {
		return nil
	}
	var checks []check
	for _, d := range dtype.All() {
		for _, c := range []struct {
			name string
			run  func(m *matMulCase) error
		}{
			{"sizes", (*matMulCase).checkSizes},
			{"batches", (*matMulCase).checkBatches},
			{"NaN", (*matMulCase).checkNaN},
			{"K=0", (*matMulCase).checkEmpty},
			{"same bits", (*matMulCase).checkRepeat},
		} {
			if !d.IsFloat() && (c.name == "NaN" || c.name == "same bits") {
				continue // integers are compared exactly everywhere
			}
			checks = append(checks, check{fmt.Sprintf("matmul %v %s", d, c.name), func(s *suite) error {
				err := c.run(&matMulCase{s: s, muler: muler, dtype: d, rng: rand.New(rand.NewPCG(1, uint64(d)))})
				if errors.Is(err, device.ErrUnsupported) && d != dtype.Float32 {
					s.declined[fmt.Sprintf("matmul %v", d)] = true
					return nil
				}
				return err
			}})
		}
	}
	return checks
}

type matMulCase struct {
	s     *suite
	muler device.MatMuler
	dtype dtype.DType
	rng   *rand.Rand
}

// product is one batch of products with its operands' contents.
type product struct {
	device.MatMul
	a, b, c operand
}

// make lays out a product: rows are gap elements longer than needed, matrices
// follow each other along the batch axes of extents, 0 where stretched.
func (m *matMulCase) make(rows, cols, inner int, transA, transB bool, gap int, batch []int, stretchA, stretchB uint) *product {
	p := &product{MatMul: device.MatMul{DType: m.dtype, M: rows, N: cols, K: inner, TransA: transA, TransB: transB, Batch: batch, Label: "matmul"}}
	shape := func(r, c int, trans bool, stretch uint) (operand, int, []int) {
		if trans {
			r, c = c, r
		}
		ld := c + gap
		strides := make([]int, len(batch))
		size := r*ld + gap
		for i := len(batch) - 1; i >= 0; i-- {
			if stretch>>i&1 == 0 {
				strides[i] = size
				size *= max(batch[i], 1)
			}
		}
		return newOperand(m.dtype, dense([]int{size}), guardCells), max(ld, 1), strides
	}
	p.a, p.LDA, p.BatchA = shape(rows, inner, transA, stretchA)
	p.b, p.LDB, p.BatchB = shape(inner, cols, transB, stretchB)
	p.c, p.LDC, p.BatchC = shape(rows, cols, false, 0)
	for _, o := range []operand{p.a, p.b} {
		for i := range o.mem.cells {
			o.mem.cells[i] = m.small() // any order of additions is exact
		}
	}
	for i := range p.c.mem.cells {
		p.c.mem.cells[i] = trim(m.dtype, math.MaxUint64-uint64(i)&0xf) // whatever was in C, NaN if it can be, must not count
	}
	return p
}

// small returns a small integer.
func (m *matMulCase) small() uint64 {
	switch m.dtype.Kind() {
	case dtype.BoolKind:
		return uint64(m.rng.IntN(2))
	case dtype.UintKind:
		return uint64(m.rng.IntN(15))
	}
	return m.number(float64(m.rng.IntN(15) - 7))
}

func (m *matMulCase) number(x float64) uint64 { return elementOf(m.dtype, x) }

// elementOf returns a sum of products as an element of d: rounded once, wrapped,
// or whether any product of bools is true.
func elementOf(d dtype.DType, x float64) uint64 {
	switch {
	case d.IsFloat():
		return fromFloat(d, x)
	case d == dtype.Bool:
		return uint64(min(int64(x), 1))
	}
	return trim(d, uint64(int64(x)))
}

// valueOf returns the value of an element.
func valueOf(d dtype.DType, v uint64) float64 {
	if d.IsFloat() {
		return toFloat(d, v)
	}
	return float64(toInt(d, v))
}

// run multiplies on the device and returns the cells of C's buffer.
func (m *matMulCase) run(p *product) ([]uint64, error) {
	bufs, err := upload(m.s.dev, p.a, p.b, p.c)
	if err != nil {
		return nil, err
	}
	defer bufs.free()
	call := p.MatMul
	call.A, call.B, call.C = bufs.place(p.a), bufs.place(p.b), bufs.place(p.c)
	if err := m.muler.MatMul(&call); err != nil {
		return nil, err
	}
	for name, o := range map[string]operand{"A": p.a, "B": p.b} {
		after, err := bufs.download(m.s.dev, o.mem)
		if err != nil {
			return nil, err
		}
		for i := range after {
			if after[i] != o.mem.cells[i] {
				return nil, fmt.Errorf("%s was modified at cell %d", name, i)
			}
		}
	}
	return bufs.download(m.s.dev, p.c.mem)
}

// check runs the product and compares every cell of C's buffer with the naive
// sum of products in float64, within bound times the sum of magnitudes.
func (m *matMulCase) check(p *product, bound float64) error {
	got, err := m.run(p)
	if err != nil {
		return p.fail(err)
	}
	before := append([]uint64(nil), p.c.mem.cells...)
	var wrong error
	odometer(append(append([]int(nil), p.Batch...), p.M, p.N), func(index []int) {
		cell, sum, magnitude := p.element(index)
		before[cell] = got[cell] // compared here, not as a guard word
		want := m.number(sum)
		off := math.Abs(valueOf(m.dtype, got[cell]) - valueOf(m.dtype, want))
		if wrong == nil && !same(m.dtype, got[cell], want) && !(off <= bound*magnitude) {
			wrong = fmt.Errorf("the element of C at %v is %s, want %s", index, show(m.dtype, got[cell]), show(m.dtype, want))
		}
	})
	for i := range got {
		if wrong == nil && got[i] != before[i] {
			wrong = fmt.Errorf("cell %d outside C was overwritten: %#x, was %#x", i, got[i], before[i])
		}
	}
	return p.fail(wrong)
}

func (p *product) fail(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("matmul M=%d N=%d K=%d transposed %v %v, leading %d %d %d, batch %v %v %v %v: %w",
		p.M, p.N, p.K, p.TransA, p.TransB, p.LDA, p.LDB, p.LDC, p.Batch, p.BatchA, p.BatchB, p.BatchC, err)
}

// element returns the cell of C at an index of batch, row and column, with
// the value it should have and the sum of its terms' magnitudes.
func (p *product) element(index []int) (cell int, sum, magnitude float64) {
	n := len(p.Batch)
	row, col := index[n], index[n+1]
	a, b, c := p.a.origin, p.b.origin, p.c.origin
	for i := range n {
		a, b, c = a+index[i]*p.BatchA[i], b+index[i]*p.BatchB[i], c+index[i]*p.BatchC[i]
	}
	for k := range p.K {
		at, bt := a+row*p.LDA+k, b+k*p.LDB+col
		if p.TransA {
			at = a + k*p.LDA + row
		}
		if p.TransB {
			bt = b + col*p.LDB + k
		}
		term := valueOf(p.DType, p.a.mem.cells[at]) * valueOf(p.DType, p.b.mem.cells[bt])
		sum += term
		magnitude += math.Abs(term)
	}
	return c + row*p.LDC + col, sum, magnitude
}

// transposes visits the four ways to store the operands.
func transposes(visit func(a, b bool) error) error {
	return errors.Join(visit(false, false), visit(false, true), visit(true, false), visit(true, true))
}

func (m *matMulCase) checkSizes() error {
	var errs collector
	for _, s := range [][3]int{{1, 1, 1}, {1, 7, 3}, {7, 1, 3}, {5, 6, 1}, {3, 4, 5}, {16, 16, 16}, {17, 33, 31}, {64, 65, 63}, {2, 130, 70}, {0, 3, 2}, {3, 0, 2}} {
		for _, gap := range []int{0, 3} {
			errs.add(transposes(func(a, b bool) error { return m.check(m.make(s[0], s[1], s[2], a, b, gap, nil, 0, 0), 0) }))
		}
	}
	return errs.err()
}

func (m *matMulCase) checkBatches() error {
	var errs collector
	for _, s := range []struct {
		batch              []int
		stretchA, stretchB uint
	}{{[]int{3}, 0, 0}, {[]int{3}, 1, 0}, {[]int{3}, 0, 1}, {[]int{2, 3}, 0b01, 0b10}, {[]int{2, 3}, 0b11, 0}, {[]int{2, 1, 3}, 0b100, 0b001}, {[]int{0}, 0, 0}, {[]int{4, 0}, 1, 0}} {
		errs.add(transposes(func(a, b bool) error { return m.check(m.make(3, 4, 5, a, b, 2, s.batch, s.stretchA, s.stretchB), 0) }))
	}
	return errs.err()
}

// checkNaN multiplies zeros by what is not finite: 0 * NaN and 0 * Inf are NaN.
func (m *matMulCase) checkNaN() error {
	var errs collector
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for _, left := range []bool{true, false} {
			errs.add(transposes(func(a, b bool) error {
				p := m.make(5, 9, 7, a, b, 1, nil, 0, 0)
				zeros, other := p.a, p.b
				if left {
					zeros, other = p.b, p.a
				}
				zeros.fill(newSource(1, ties)) // many zeros
				for i := 3; i < len(other.mem.cells)-guardCells-guardCells; i += 17 {
					other.mem.cells[other.origin+i] = m.number(bad)
				}
				return m.check(p, 0)
			}))
		}
	}
	return errs.err()
}

// checkEmpty sums nothing: C becomes zero.
func (m *matMulCase) checkEmpty() error {
	return transposes(func(a, b bool) error { return m.check(m.make(3, 4, 0, a, b, 2, []int{2}, 0, 0), 0) })
}

// checkRepeat multiplies random numbers twice: within the bound of any order
// of additions, and with the same bits.
func (m *matMulCase) checkRepeat() error {
	p := m.make(37, 41, 130, false, false, 0, nil, 0, 0)
	for _, o := range []operand{p.a, p.b} {
		o.fill(newSource(2, plain))
	}
	unit := math.Ldexp(1, -24)
	last := 0.0 // the rounding to a half, of the sum and of what it is compared with
	switch m.dtype {
	case dtype.Float64:
		unit = math.Ldexp(1, -50) // the naive sum is rounded too
	case dtype.Float16:
		last = math.Ldexp(1, -10)
	case dtype.BFloat16:
		last = math.Ldexp(1, -7)
	}
	if err := m.check(p, float64(p.K+1)*unit+last); err != nil {
		return err
	}
	first, err := m.run(p)
	if err != nil {
		return err
	}
	second, err := m.run(p)
	if err != nil {
		return err
	}
	for i := range first {
		if first[i] != second[i] {
			return p.fail(fmt.Errorf("cell %d differs between two runs: %#x and %#x", i, first[i], second[i]))
		}
	}
	return nil
}
