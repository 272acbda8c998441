package tensor

import (
	"slices"

	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/kernels"
)

// multiplyPair returns the product of two factors, summed over the labels that
// nothing else needs.
func (e *einsum) multiplyPair(x, y *factor) (*factor, error) {
	var summed []label
	for _, l := range x.labels {
		if y.has(l) && !e.needed(l, x, y) {
			summed = append(summed, l)
		}
	}
	if summed == nil {
		return e.multiplyElements(x, y)
	}
	if e.lastIsOf(x, y) {
		x, y = y, x
	}
	return e.multiplyMatrices(x, y, summed)
}

// inOrder returns labels in the order of the result; those that are not in it
// come last.
func (e *einsum) inOrder(labels []label) []label {
	ordered := slices.Clone(labels)
	place := func(l label) int {
		if i := slices.Index(e.out, l); i >= 0 {
			return i
		}
		return len(e.out)
	}
	slices.SortStableFunc(ordered, func(a, b label) int { return place(a) - place(b) })
	return ordered
}

// lastIsOf reports whether, of the labels that only one of the factors has,
// the last one of the result is of x: as right factor it gives the product its
// order.
func (e *einsum) lastIsOf(x, y *factor) bool {
	for _, l := range slices.Backward(e.out) {
		if x.has(l) != y.has(l) {
			return x.has(l)
		}
	}
	return false
}

// multiplyElements multiplies element by element, in the order of the result.
func (e *einsum) multiplyElements(x, y *factor) (*factor, error) {
	labels := e.inOrder(union(x.labels, y.labels))
	a, b := x.aligned(labels), y.aligned(labels)
	defer a.Free()
	defer b.Free()
	p := apply(call{Op: kernels.Mul}, a, b)
	if p.failure() != nil {
		return nil, reason(p.failure())
	}
	return &factor{t: p, labels: labels, fresh: true}, nil
}

// aligned returns the view of f whose axes are those of labels, of size 1
// where f lacks one.
func (f *factor) aligned(labels []label) *Tensor {
	return f.t.view("einsum", func(l *broadcast.Layout) (broadcast.Layout, error) {
		var axes []int
		for _, label := range labels {
			if i := slices.Index(f.labels, label); i >= 0 {
				axes = append(axes, i)
			}
		}
		v, err := l.Permute(axes...)
		for i, label := range labels {
			if err == nil && !f.has(label) {
				v, err = v.Unsqueeze(i)
			}
		}
		return v, err
	})
}

// multiplyMatrices multiplies by MatMul. Labels that only one factor has are
// rows or columns as far as they lie like one axis; the others are batch axes
// along which the other factor is stretched, so that neither is copied for it.
func (e *einsum) multiplyMatrices(x, y *factor, summed []label) (*factor, error) {
	var batch, left, right []label
	for _, l := range union(x.labels, y.labels) {
		switch {
		case slices.Contains(summed, l):
		case !y.has(l):
			left = append(left, l)
		case !x.has(l):
			right = append(right, l)
		default:
			batch = append(batch, l)
		}
	}
	left, right = e.inOrder(left), e.inOrder(right)
	rows, columns := x.oneAxis(left), y.oneAxis(right)
	batch = append(batch, left[:len(left)-len(rows)]...)
	batch = e.inOrder(append(batch, right[:len(right)-len(columns)]...))
	summed = bestOrder(x, y, summed)

	a := e.asMatrices(x, batch, rows, summed)
	defer a.Free()
	b := e.asMatrices(y, batch, summed, columns)
	defer b.Free()
	p := a.MatMul(b)
	if p.failure() != nil {
		return nil, reason(p.failure())
	}
	labels := slices.Concat(batch, rows, columns)
	sizes := make([]int, len(labels))
	for i, l := range labels {
		sizes[i] = e.size[l]
	}
	v := p.View(sizes...)
	_ = p.Free()
	if v.failure() != nil {
		return nil, reason(v.failure())
	}
	return &factor{t: v, labels: labels, fresh: true}, nil
}

// asMatrices returns f as matrices: an axis for each label of the batch, of
// size 1 where f lacks it, then one axis for each of the two groups. It is a
// view where the labels of a group lie like one axis.
func (e *einsum) asMatrices(f *factor, batch, rows, columns []label) *Tensor {
	v := f.aligned(slices.Concat(batch, rows, columns))
	defer v.Free()
	sizes := make([]int, 0, len(batch)+2)
	for _, l := range batch {
		n := 1
		if f.has(l) {
			n = f.dim(l)
		}
		sizes = append(sizes, n)
	}
	return v.Reshape(append(sizes, e.product(rows), e.product(columns))...)
}

// product returns the number of indices that labels have together.
func (e *einsum) product(labels []label) int {
	n := 1
	for _, l := range labels {
		n *= e.size[l]
	}
	return n
}

// oneAxis returns the last labels of the list that lie in f like one axis.
func (f *factor) oneAxis(labels []label) []label {
	i := len(labels)
	for i > 0 && (i == len(labels) || f.stride(labels[i-1]) == f.stride(labels[i])*f.dim(labels[i])) {
		i--
	}
	return labels[i:]
}

// bestOrder returns the labels in an order in which they lie like one axis in
// both factors, or in one, if there is such an order.
func bestOrder(x, y *factor, labels []label) []label {
	best, most := labels, -1
	for _, f := range []*factor{x, y} {
		order := slices.Clone(labels)
		slices.SortStableFunc(order, func(a, b label) int { return f.stride(b) - f.stride(a) })
		fit := 0
		for _, g := range []*factor{x, y} {
			if len(g.oneAxis(order)) == len(order) {
				fit++
			}
		}
		if fit > most {
			best, most = order, fit
		}
	}
	return best
}
