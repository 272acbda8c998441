package tensor

import (
	"slices"

	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// bind matches terms and operands: it finds dtypes and sizes and makes the
// factors.
func (e *einsum) bind(in []*Tensor) error {
	if err := e.checkOperands(in); err != nil {
		return err
	}
	most, err := e.expand(in)
	if err != nil {
		return err
	}
	e.out = withAxes(&e.result, most)
	if err := e.measure(in); err != nil {
		return err
	}
	if err := e.shape().Check(e.dtype.Size()); err != nil {
		return err
	}
	for i, t := range in {
		if err := e.take(t, &e.terms[i]); err != nil {
			return err
		}
	}
	return e.prepare()
}

// checkOperands makes sure that there is one operand for each term, all on one
// device, and finds the dtype of the result.
func (e *einsum) checkOperands(in []*Tensor) error {
	if n := len(e.terms); n != len(in) {
		at := e.terms[n-1].end
		if n > len(in) {
			at = e.terms[len(in)].start
		}
		return e.wrong(at, counted(n, "term", "terms")+" for "+counted(len(in), "operand", "operands"), "write one for each, with commas between")
	}
	types := make([]dtype.DType, len(in))
	for i, t := range in {
		switch {
		case t.isWeak():
			return e.wrong(e.terms[i].start, "operand "+itoa(i+1)+" is a Scalar, which has no dtype", "multiply by it, or make it a tensor with Full")
		case t.store.dev != in[0].store.dev:
			return differentDevices(in[0].store.dev, t.store.dev)
		}
		types[i] = t.dtype
	}
	var err error
	e.dtype, err = dtype.Promote(types...)
	return err
}

// expand puts the axes of the ellipsis in the place of dots, and returns how
// many it is of.
func (e *einsum) expand(in []*Tensor) (most int, err error) {
	for i := range e.terms {
		t, rank := &e.terms[i], in[i].layout.Rank()
		letters := len(t.indices)
		if t.ellipsis >= 0 {
			letters--
		}
		if rank < letters || rank > letters && t.ellipsis < 0 {
			return 0, e.wrong(t.start, "operand "+itoa(i+1)+" of shape "+in[i].layout.Shape().String()+" has "+counted(rank, "axis", "axes")+" for "+counted(letters, "index", "indices"),
				"give each axis an index, or write ... for any number of axes")
		}
		most = max(most, rank-letters)
		t.indices, t.at = withAxes(t, rank-letters), withPlaces(t, rank-letters)
	}
	return most, nil
}

// withAxes returns the labels of a term whose ellipsis is of n axes.
func withAxes(t *term, n int) []label {
	if t.ellipsis < 0 {
		return t.indices
	}
	axes := make([]label, n)
	for i := range axes {
		axes[i] = ellipsisAxis(n - i)
	}
	return slices.Replace(slices.Clone(t.indices), t.ellipsis, t.ellipsis+1, axes...)
}

// withPlaces returns where the labels of withAxes are written.
func withPlaces(t *term, n int) []int {
	if t.ellipsis < 0 {
		return t.at
	}
	return slices.Replace(slices.Clone(t.at), t.ellipsis, t.ellipsis+1, slices.Repeat([]int{t.at[t.ellipsis]}, n)...)
}

// measure finds the size of each label.
func (e *einsum) measure(in []*Tensor) error {
	e.size = map[label]int{}
	for i := range e.terms {
		t := &e.terms[i]
		for axis, l := range t.indices {
			n := in[i].layout.Dim(axis)
			before, known := e.size[l]
			first := slices.Index(t.indices, l)
			switch {
			case first < axis && in[i].layout.Dim(first) != n:
				return e.wrong(t.at[axis], "the axes of "+name(l)+" in operand "+itoa(i+1)+" have sizes "+itoa(in[i].layout.Dim(first))+" and "+itoa(n),
					"a diagonal is of axes of one size; slice one of them")
			case !known || before == 1:
				e.size[l] = n
			case n != 1 && n != before:
				return e.wrong(t.at[axis], name(l)+" is "+itoa(n)+" in operand "+itoa(i+1)+" and "+itoa(before)+" before",
					"an index has one size, or 1; shapes are "+shapesOf(in))
			}
		}
	}
	return nil
}

// counted returns a number of things in words.
func counted(n int, one, many string) string {
	if n == 1 {
		many = one
	}
	return itoa(n) + " " + many
}

// name returns a label in words.
func name(l label) string {
	if isLetter(byte(l)) {
		return "index " + string(rune(l))
	}
	return "axis -" + itoa(int(ellipsisAxis(0)-l)) + " of the ellipsis"
}

// shapesOf lists shapes.
func shapesOf(in []*Tensor) string {
	text := ""
	for i, t := range in {
		if i > 0 {
			text += ", "
		}
		text += t.layout.Shape().String()
	}
	return text
}

// take makes a factor of an operand: with diagonals for labels that stand
// twice, and without axes of size 1.
func (e *einsum) take(t *Tensor, from *term) error {
	labels := slices.Clone(from.indices)
	v := t.view("einsum", func(l *broadcast.Layout) (broadcast.Layout, error) {
		view := *l
		var err error
		for i := 0; i < len(labels) && err == nil; {
			again := labels[i]
			switch j := i + 1 + slices.Index(labels[i+1:], again); {
			case j > i:
				view, err = view.Diagonal(0, i, j) // becomes the last axis
				labels = append(slices.Delete(slices.Delete(labels, j, j+1), i, i+1), again)
			case view.Dim(i) == 1:
				view, err = view.Squeeze(i)
				labels = slices.Delete(labels, i, i+1)
			default:
				i++
			}
		}
		return view, err
	})
	if v.failure() != nil {
		return reason(v.failure())
	}
	e.factors = append(e.factors, &factor{t: v, labels: labels})
	return nil
}

// prepare leaves out axes along which a factor only repeats itself, where
// another factor or the result has them, and converts to the dtype in which to compute.
func (e *einsum) prepare() error {
	d := e.dtype
	if d.IsHalf() && len(e.factors) > 1 {
		d = dtype.Float32
	}
	for _, f := range e.factors {
		for i := 0; i < len(f.labels); {
			l := f.labels[i]
			elsewhere := slices.ContainsFunc(e.factors, func(g *factor) bool { return g != f && g.has(l) })
			if f.t.layout.Stride(i) != 0 || e.size[l] == 0 || !elsewhere && !slices.Contains(e.out, l) {
				i++
				continue
			}
			if err := f.set(f.t.Index(i, 0), slices.Delete(f.labels, i, i+1)); err != nil {
				return err
			}
		}
		for _, to := range []dtype.DType{e.dtype, d} { // an integer beside halves counts as a half, as in MatMul
			if f.t.dtype == to {
				continue
			}
			if err := f.set(castStretched(f.t, to), f.labels); err != nil {
				return err
			}
			f.fresh = true
		}
	}
	return nil
}

// castStretched is Cast of a tensor that stays stretched where it is.
func castStretched(t *Tensor, d dtype.DType) *Tensor {
	cast := call{Op: kernels.Cast, Attr: kernels.Attr{DType: d}}
	few, stretched := unstretchedAll(t.layout)
	if !stretched {
		return apply(cast, t)
	}
	v := t.withLayout(few)
	defer v.Free()
	c := apply(cast, v)
	defer c.Free()
	return c.BroadcastTo(t.layout.Shape()...)
}
