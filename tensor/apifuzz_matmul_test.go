package tensor_test

import (
	"errors"
	"math"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
)

// multiply calls MatMul. Its result is compared by the bound of any order of
// additions, and from then on taken as it came.
func (p *player) multiply() {
	a := p.any()
	if len(a.sizes) < 2 && !p.rarely(8) {
		d := []dtype.DType{dtype.Float32, dtype.Float64}[p.next(2)]
		a = p.new(d, []int{1 + p.next(3), p.next(6), p.next(6)})
	}
	b := p.factor(a)
	p.note("MatMul", a, b)
	got := a.real.MatMul(b.real)
	if dead := refusedBy(a, b); dead != nil {
		p.result(got, dead)
		return
	}
	sizes, d, ok := product(a, b)
	switch {
	case !ok:
		p.result(got, failing(nil))
		return
	case !p.matmul && a.store.dev == p.dev && shapeSize(sizes) > 0,
		d.Size() < 4 && errors.Is(got.Err(), device.ErrUnsupported): // no device must multiply halves
		p.result(got, failing(device.ErrUnsupported))
		return
	}
	if err := got.Err(); err != nil {
		p.faultf("failed: %v", err)
	}
	bits, err := readBits(got, d)
	if err != nil {
		p.faultf("the product cannot be read: %v", err)
	}
	if len(bits) == shapeSize(sizes) {
		p.checkProduct(a, b, sizes, d, bits)
	}
	want := fresh(a.store.dev, d, sizes, bits)
	if want.scope = a.scope; b.scope != nil && (a.scope == nil || b.scope.opened > a.scope.opened) {
		want.scope = b.scope
	}
	p.result(got, want)
}

// factor returns a right operand, mostly one that fits.
func (p *player) factor(a *twin) *twin {
	if p.rarely(6) || len(a.sizes) < 2 || a.store == nil {
		return p.any()
	}
	d := p.dtype()
	if p.rarely(2) {
		d = a.store.dtype
	}
	n := len(a.sizes)
	sizes := []int{a.sizes[n-1], p.next(6)}
	if transposed := p.rarely(3); transposed {
		sizes[0], sizes[1] = sizes[1], sizes[0]
		b := p.newOn(a.store.dev, d, sizes)
		p.note("T", b)
		return p.result(b.real.T(), b.permuted([]int{1, 0}))
	}
	if n > 2 && p.rarely(2) {
		batch := a.sizes[n-3]
		if p.rarely(3) {
			batch = 1
		}
		sizes = append([]int{batch}, sizes...)
	}
	return p.newOn(a.store.dev, d, sizes)
}

// product returns the sizes and the dtype of a·b.
func product(a, b *twin) (sizes []int, d dtype.DType, ok bool) {
	m, n := len(a.sizes), len(b.sizes)
	if a.store == nil || b.store == nil || m < 2 || n < 2 || a.store.dev != b.store.dev || a.sizes[m-1] != b.sizes[n-2] {
		return nil, 0, false
	}
	if sizes, ok = stretch(a.sizes[:m-2], b.sizes[:n-2]); !ok {
		return nil, 0, false
	}
	d, err := dtype.Promote(a.store.dtype, b.store.dtype)
	return append(sizes, a.sizes[m-2], b.sizes[n-1]), d, err == nil && d.IsFloat()
}

// checkProduct compares with sums in float64.
func (p *player) checkProduct(a, b *twin, sizes []int, d dtype.DType, bits []uint64) {
	x, y := floatsOf(a, d), floatsOf(b, d)
	inner := a.sizes[len(a.sizes)-1]
	unit, largest := math.Ldexp(1, -24), math.MaxFloat32
	switch {
	case d == dtype.Float64:
		unit, largest = math.Ldexp(1, -50), math.MaxFloat64 // the sum here is rounded too
	case d.Size() == 2:
		unit, largest = math.Ldexp(1, -8), 65504
	}
	next := 0
	each(sizes, func(index []int) {
		row, col := index[len(sizes)-2], index[len(sizes)-1]
		batch := index[:len(sizes)-2]
		sum, magnitude := 0.0, 0.0
		for k := range inner {
			term := x[matrixCell(a.sizes, batch, row, k)] * y[matrixCell(b.sizes, batch, k, col)]
			sum += term
			magnitude += math.Abs(term)
		}
		got := numberOfBits(d, bits[next]).Float64()
		next++
		switch {
		case math.IsNaN(sum) && magnitude != magnitude: // a term is NaN
			if !math.IsNaN(got) {
				p.faultf("element %v of the product is %v, want NaN", index, got)
			}
		case !(magnitude < largest/4): // may overflow on the way
		case !(math.Abs(got-sum) <= float64(inner+2)*(unit*magnitude+math.SmallestNonzeroFloat32)):
			p.faultf("element %v of the product is %v, want %v", index, got, sum)
		}
	})
}

// matrixCell is the place of an element of a matrix in a batch that stretches.
func matrixCell(sizes, batch []int, row, col int) int {
	n := len(sizes)
	pos := 0
	for i, size := range sizes[:n-2] {
		j := batch[len(batch)-(n-2)+i]
		if size == 1 {
			j = 0
		}
		pos = pos*size + j
	}
	return (pos*sizes[n-2]+row)*sizes[n-1] + col
}

// floatsOf returns the elements of t as numbers of d.
func floatsOf(t *twin, d dtype.DType) []float64 {
	out := make([]float64, len(t.at))
	for i, b := range t.bits() {
		out[i] = numberOfBits(d, convert(t.store.dtype, d, b)).Float64()
	}
	return out
}
