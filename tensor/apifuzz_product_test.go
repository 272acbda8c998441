package tensor_test

import (
	"math"

	"github.com/stride0/stride0/dtype"
)

// checkProduct compares with sums in float64, of integers and bools with exact ones.
func (p *player) checkProduct(a, b *twin, d dtype.DType, bits []uint64, factored bool) {
	as, bs := asMatrix(a.sizes, false), asMatrix(b.sizes, true)
	sizes, _ := stretch(as[:len(as)-2], bs[:len(bs)-2])
	sizes = append(sizes, as[len(as)-2], bs[len(bs)-1])
	inner, next := as[len(as)-1], 0
	check := p.floatChecker(a, b, d, inner, factored)
	if !d.IsFloat() {
		check = p.exactChecker(a, b, d, inner)
	}
	each(sizes, func(index []int) {
		row, col, batch := index[len(sizes)-2], index[len(sizes)-1], index[:len(sizes)-2]
		cell := func(k int) (i, j int) { return matrixCell(as, batch, row, k), matrixCell(bs, batch, k, col) }
		if want, ok := check(cell, bits[next]); !ok {
			p.faultf("element %v of the product is %v, want %v", index, numberOfBits(d, bits[next]), want)
		}
		next++
	})
}

// checker compares an element of a product with the sum over k of the products
// of the cells that cell names.
type checker func(cell func(k int) (i, j int), got uint64) (want any, ok bool)

// exactChecker adds up as the dtype wraps; bools by "or".
func (p *player) exactChecker(a, b *twin, d dtype.DType, inner int) checker {
	x, y := converted(a, d), converted(b, d)
	return func(cell func(k int) (i, j int), got uint64) (any, bool) {
		var sum uint64
		for k := range inner {
			i, j := cell(k)
			if sum += x[i] * y[j]; d == dtype.Bool {
				sum = min(sum, 1)
			}
		}
		width := 64 - 8*d.Size()
		return numberOfBits(d, sum<<width>>width), got<<width == sum<<width
	}
}

// converted returns the elements of t as d has them.
func converted(t *twin, d dtype.DType) []uint64 {
	out := t.bits()
	for i, b := range out {
		out[i] = convert(t.store.dtype, d, b)
	}
	return out
}

func (p *player) floatChecker(a, b *twin, d dtype.DType, inner int, factored bool) checker {
	x, y := floatsOf(a, d), floatsOf(b, d)
	unit, largest := math.Ldexp(1, -24), math.MaxFloat32
	last := 0.0 // the rounding to a half
	switch d {
	case dtype.Float64:
		unit, largest = math.Ldexp(1, -50), math.MaxFloat64 // the sum here is rounded too
	case dtype.Float16:
		last, largest = math.Ldexp(1, -11), 65504
	case dtype.BFloat16:
		last = math.Ldexp(1, -8)
	}
	return func(cell func(k int) (i, j int), got uint64) (any, bool) {
		sum, magnitude := 0.0, 0.0
		for k := range inner {
			i, j := cell(k)
			term := x[i] * y[j]
			sum += term
			magnitude += math.Abs(term)
		}
		v := numberOfBits(d, got).Float64()
		switch {
		case math.IsNaN(magnitude) && !factored: // a term is NaN
			return sum, math.IsNaN(v)
		case !(magnitude < largest/4): // may overflow on the way
			return sum, true
		}
		tiny := math.SmallestNonzeroFloat32
		if d == dtype.Float16 {
			tiny = math.Ldexp(1, -24)
		} else if d == dtype.BFloat16 {
			tiny = math.Ldexp(1, -133)
		}
		return sum, math.Abs(v-sum) <= float64(inner+2)*unit*magnitude+last*math.Abs(sum)*1.01+float64(inner+2)*tiny
	}
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
