package tensor

import (
	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/kernels"
)

// reducedShape finds the axes a reduction works over and its shapes.
func (k *task) reducedShape() error {
	in := k.in[0]
	k.space = in.layout.AppendShape(k.space[:0])
	mask, err := k.Attr.Axes.Resolve(len(k.space))
	if err != nil {
		return &broadcast.ShapeError{Shapes: []Shape{k.space.Clone()}, Msg: err.Error(),
			Hint: "the shape is " + k.space.String()}
	}
	k.reduced = broadcast.AxisMask(mask)
	if err := k.checkReduced(); err != nil {
		return err
	}
	full := k.full()
	k.kept, k.result, k.behind = k.kept[:0], k.shapes[0][:0], 1
	for i, n := range k.space {
		if !k.reduced.Has(i) {
			k.kept, k.result = append(k.kept, n), append(k.result, n)
			continue
		}
		k.kept = append(k.kept, 1)
		k.behind *= n
		switch {
		case full:
			k.result = append(k.result, n)
		case k.Attr.Keep:
			k.result = append(k.result, 1)
		}
	}
	k.shapes[0] = k.result
	if k.Dst == nil {
		k.keptOut = broadcast.RowMajor(k.kept)
		return k.result.Check(k.sig.Result.Size())
	}
	return k.reduceInto()
}

// full reports whether a composite operation gives a value for every element
// of its operand, as softmax does, and not one for many.
func (k *task) full() bool {
	p := k.launch.Program
	return !p.Instrs[p.Outputs[0]].Reduced
}

// checkReduced refuses what has no answer: the maximum of no elements, a
// position along several axes but not all; and parameters that vary.
func (k *task) checkReduced() error {
	row := k.Op.Row()
	for i, name := range row.Params {
		if t := k.in[row.Arity-len(row.Params)+i]; !t.isWeak() {
			return errorf("%s is a tensor of shape %v; give a tensor.Scalar", name, t.layout.Shape())
		}
	}
	if row.Rule == kernels.RuleArg && k.reduced.Count() > 1 && k.reduced.Count() < len(k.space) {
		return &broadcast.ShapeError{Shapes: []Shape{k.space.Clone()},
			Msg:  "a position along several axes of " + k.space.String() + " is not defined",
			Hint: "name one axis, or none for the flat index over all"}
	}
	if row.Empty || emptyReduces(k.launch.Program) {
		return nil
	}
	for i, n := range k.space {
		if n == 0 && k.reduced.Has(i) {
			return &broadcast.ShapeError{Axis: i - len(k.space), Shapes: []Shape{k.space.Clone()},
				Msg:  "no elements to choose from: axis " + itoa(i-len(k.space)) + " of " + k.space.String() + " has size 0",
				Hint: "check for an empty tensor first"}
		}
	}
	return nil
}

// emptyReduces reports whether every reduction of p is defined over no elements.
func emptyReduces(p *kernels.Program) bool {
	for _, in := range p.Instrs {
		if row := in.Op.Row(); row != nil && row.Reduce != nil && !row.Reduce.Empty {
			return false
		}
	}
	return true
}

// reduceInto lays Dst out over the kept space. A reduction never stretches.
func (k *task) reduceInto() error {
	l := *k.Dst.layout
	if shape := l.Shape(); !shape.Equal(k.result) {
		return &broadcast.ShapeError{Shapes: []Shape{k.result.Clone(), shape},
			Msg:  "the result has shape " + k.result.String() + ", the destination " + shape.String(),
			Hint: "an operation along axes needs a destination of exactly its shape"}
	}
	if !k.Attr.Keep && !k.full() {
		var err error
		if l, err = l.InsertAxes(k.reduced); err != nil {
			return err
		}
	}
	k.keptOut = l
	return nil
}

// reduce applies a reduction over the axes, all without any.
func reduce(op kernels.Op, t *Tensor, axes []int, keep bool) *Tensor {
	attr := kernels.Attr{Keep: keep}
	if len(axes) > 0 {
		attr.Axes = kernels.Axes(axes...)
	}
	return apply(call{Op: op, Attr: attr}, t)
}

// reduceAxes applies a reduction over exactly the axes.
func reduceAxes(op kernels.Op, t *Tensor, axes []int) *Tensor {
	return apply(call{Op: op, Attr: kernels.Attr{Axes: kernels.Axes(axes...)}}, t)
}
