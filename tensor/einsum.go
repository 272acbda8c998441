package tensor

import (
	"slices"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// Einsum returns the sum of products that an expression in Einstein's notation
// describes, as NumPy's einsum:
//
//	tensor.Einsum("ij,jk->ik", a, b)       // matrix product
//	tensor.Einsum("...ij,...jk", a, b)     // of batches; without -> the rest in order
//	tensor.Einsum("ii", a)                 // trace
//	tensor.Einsum("bi,bj,bij->b", x, y, a) // bilinear forms
//
// Each operand has a term, its indices: a letter for each axis, and an
// ellipsis for any number of axes, which align at the right and broadcast. An
// index twice in a term is the diagonal of those axes. Indices that the result
// has not are summed. The result has the indices behind ->; without -> it has
// the axes of the ellipsis, then in order of the alphabet (capitals first) the
// indices that stand once. Axes of size 1 broadcast.
//
// An index that only one operand has is summed before that operand is
// multiplied; then pairs are contracted, the one with the smallest result
// first, by MatMul where they share a summed index and by Mul where not.
// Stretched operands are not materialised. So where infinities meet, or where
// sums round, the result may be another than that of one loop over all indices;
// each step meets the bound of MatMul or Sum.
//
// The result is new memory in row-major order, of the promoted dtype, in which
// integers wrap; the sum of bools is "or". Halves are float32 until the end.
//
// Errors: *Error, around an *EinsumError that points into the expression.
func Einsum(expr string, in ...*Tensor) *Tensor {
	const op = "einsum"
	for i, t := range in {
		if err := t.hold(); err != nil {
			return refuseOperand(op, i, len(in), t)
		}
		defer t.drop()
	}
	x, err := parseEinsum(expr)
	if err != nil {
		return fail(op, err, in...)
	}
	e := &einsum{expression: x}
	defer e.free()
	err = e.bind(in)
	if err == nil {
		err = e.contract()
	}
	if err != nil {
		return fail(op, err, in...)
	}
	r, err := e.finish()
	if err != nil {
		return fail(op, err, in...)
	}
	return r
}

// einsum is an expression on its way. Axes of size 1 are left out of the
// factors: whatever they meet, they stretch; the result gets them back.
type einsum struct {
	*expression
	dtype   dtype.DType // of the result
	out     []label     // of the result, in order
	size    map[label]int
	factors []*factor
}

// factor is a tensor, an operand or what came of some, whose axes have labels.
// No label stands twice, no axis has size 1.
type factor struct {
	t      *Tensor
	labels []label
	fresh  bool // t is no view of an operand
}

func (f *factor) has(l label) bool { return slices.Contains(f.labels, l) }

// dim returns the size of an axis.
func (f *factor) dim(l label) int { return f.t.layout.Dim(slices.Index(f.labels, l)) }

// stride returns the stride of an axis.
func (f *factor) stride(l label) int { return f.t.layout.Stride(slices.Index(f.labels, l)) }

// free gives back the factors: views of operands, and what was computed.
func (e *einsum) free() {
	for _, f := range e.factors {
		_ = f.t.Free()
	}
}

// set replaces the tensor of f, which is freed. A failed one becomes an error.
func (f *factor) set(t *Tensor, labels []label) error {
	if t.failure() != nil {
		return reason(t.failure())
	}
	_ = f.t.Free()
	f.t, f.labels = t, labels
	return nil
}

// needed reports whether a label is in the result or in a factor other than
// the given ones.
func (e *einsum) needed(l label, but ...*factor) bool {
	if slices.Contains(e.out, l) {
		return true
	}
	return slices.ContainsFunc(e.factors, func(f *factor) bool { return !slices.Contains(but, f) && f.has(l) })
}

// sumLone sums f over the axes that nothing else needs. The dtype stays.
func (e *einsum) sumLone(f *factor) error {
	var axes []int
	var kept []label
	for i, l := range f.labels {
		if e.needed(l, f) {
			kept = append(kept, l)
		} else {
			axes = append(axes, i)
		}
	}
	if axes == nil {
		return nil
	}
	d := f.t.dtype
	sum := reduceAxes(kernels.Sum, f.t, axes)
	if sum.failure() == nil && sum.dtype != d { // of narrow integers and bools, in 64 bits
		wide := sum
		sum = apply(call{Op: kernels.Cast, Attr: kernels.Attr{DType: d}}, wide)
		_ = wide.Free()
	}
	f.fresh = true
	return f.set(sum, kept)
}

// contract multiplies until one factor is left, and sums that.
func (e *einsum) contract() error {
	for _, f := range e.factors {
		if err := e.sumLone(f); err != nil {
			return err
		}
	}
	for len(e.factors) > 1 {
		i, j := e.cheapest()
		x, y := e.factors[i], e.factors[j]
		p, err := e.multiplyPair(x, y)
		if err != nil {
			return err
		}
		_, _ = x.t.Free(), y.t.Free()
		e.factors = slices.Delete(e.factors, j, j+1)
		e.factors[i] = p
		if err := e.sumLone(p); err != nil {
			return err
		}
	}
	return nil
}

// cheapest returns the pair of factors i < j whose product adds the fewest
// elements to what there is; of equal ones the leftmost.
func (e *einsum) cheapest() (i, j int) {
	if len(e.factors) == 2 {
		return 0, 1
	}
	best := 0.0
	for a, x := range e.factors {
		for b := a + 1; b < len(e.factors); b++ {
			y := e.factors[b]
			cost := 1.0
			for _, l := range union(x.labels, y.labels) {
				if e.needed(l, x, y) {
					cost *= float64(e.size[l])
				}
			}
			if cost -= float64(x.t.Size()) + float64(y.t.Size()); j == 0 || cost < best {
				i, j, best = a, b, cost
			}
		}
	}
	return i, j
}

// union returns the labels of x, then those only y has.
func union(x, y []label) []label {
	all := slices.Clone(x)
	for _, l := range y {
		if !slices.Contains(x, l) {
			all = append(all, l)
		}
	}
	return all
}

// shape returns the sizes of the result.
func (e *einsum) shape() Shape {
	s := make(Shape, len(e.out))
	for i, l := range e.out {
		s[i] = e.size[l]
	}
	return s
}

// finish brings the last factor into the form of the result.
func (e *einsum) finish() (*Tensor, error) {
	f := e.factors[0]
	aligned := f.aligned(e.out)
	defer aligned.Free()
	v := aligned.BroadcastTo(e.shape()...) // where only stretched operands had an axis
	switch {
	case v.failure() != nil:
		return nil, reason(v.failure())
	case f.fresh && v.dtype == e.dtype && v.layout.IsContiguous():
		return v, nil
	}
	r := apply(call{Op: kernels.Cast, Attr: kernels.Attr{DType: e.dtype}}, v)
	_ = v.Free()
	if r.failure() != nil {
		return nil, reason(r.failure())
	}
	return r, nil
}
