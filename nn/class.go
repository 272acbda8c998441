package nn

import (
	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

// ClassOpts are the options of a loss over classes.
type ClassOpts struct {
	Reduction Reduction

	// Axis is that of the classes, negative ones counted from the end. 0, the
	// batch, stands for the usual place: axis 1, or 0 of a tensor with one axis.
	Axis int

	// Weight has one factor for each class; nil for equal ones. The mean of
	// losses at class indices divides by the sum of the factors that were used.
	Weight *tensor.Tensor

	// Ignore lists labels that count for nothing, such as the -100 or -1 of
	// padding. They need not be classes.
	Ignore []int
}

// CrossEntropy returns the cross entropy of the softmax of logits, such as
// (N, C) or (N, C, H, W), stable for all of them, with a target: the indices of
// classes as integers in the shape of logits without the class axis, or
// probabilities (one-hot ones too, of any dtype) in the shape of logits. A
// class of probability 0 counts for nothing, whatever its logit. An index out
// of range is device.ErrIndex; a negative one that Ignore does not list counts
// from the end, as everywhere. Indices need a device.Gatherer.
func CrossEntropy(logits, target *tensor.Tensor, o ClassOpts) *tensor.Tensor {
	return overClasses("crossentropy", logits, target, o, true, func(x *tensor.Tensor, axis int) *tensor.Tensor {
		return x.LogSoftmax(axis)
	})
}

// NLL is CrossEntropy of logarithms of probabilities, as LogSoftmax gives.
// The target are indices of classes.
func NLL(logProbabilities, target *tensor.Tensor, o ClassOpts) *tensor.Tensor {
	return overClasses("nll", logProbabilities, target, o, false, func(x *tensor.Tensor, axis int) *tensor.Tensor { return x })
}

// overClasses is the loss of logs(x); dense allows probabilities as a target.
func overClasses(op string, x, target *tensor.Tensor, o ClassOpts, dense bool, logs func(x *tensor.Tensor, axis int) *tensor.Tensor) *tensor.Tensor {
	return one(op, []*tensor.Tensor{x, orEmpty(target), o.Weight}, func(s *tensor.Scope) (*tensor.Tensor, error) {
		c, err := newClasses(s, x, target, o)
		if err != nil {
			return nil, err
		}
		c.logs = logs(c.p.wide(s, x), c.axis)
		if dense && target.Shape().Equal(x.Shape()) {
			return c.probabilities()
		}
		return c.indices()
	})
}

// classes is a loss over classes on its way.
type classes struct {
	s      *tensor.Scope
	p      precision
	o      ClassOpts
	axis   int
	logs   *tensor.Tensor // logarithms of probabilities
	target *tensor.Tensor
	weight *tensor.Tensor // (C), or nil
}

func newClasses(s *tensor.Scope, x, target *tensor.Tensor, o ClassOpts) (*classes, error) {
	if o.Reduction > None {
		return nil, o.Reduction.unknown()
	}
	c := &classes{s: s, o: o, target: target.In(s)}
	var err error
	floats := []*tensor.Tensor{x, o.Weight}
	if target.DType().IsFloat() {
		floats = append(floats, target)
	}
	if c.p, err = precisionOf(floats...); err != nil {
		return nil, err
	}
	if c.axis, err = classAxis(x.Shape(), o.Axis); err != nil {
		return nil, err
	}
	if w := o.Weight; w != nil {
		if want := (broadcast.Shape{x.Dim(c.axis)}); !w.Shape().Equal(want) {
			return nil, &broadcast.ShapeError{Shapes: []broadcast.Shape{w.Shape(), x.Shape()},
				Msg: "the weight " + w.Shape().String() + " is not one for each class", Hint: "give it the shape " + want.String()}
		}
		c.weight = c.p.wide(s, w)
	}
	return c, nil
}

// classAxis resolves ClassOpts.Axis.
func classAxis(shape broadcast.Shape, axis int) (int, error) {
	at := axis
	switch {
	case axis == 0 && len(shape) > 1:
		at = 1
	case axis < 0:
		at += len(shape)
	}
	if at < 0 || at >= len(shape) {
		return 0, &broadcast.ShapeError{Shapes: []broadcast.Shape{shape},
			Msg: "there is no class axis " + itoa(axis) + " in " + shape.String(), Hint: "the classes are an axis of the logits: (N, C)"}
	}
	return at, nil
}

// probabilities is the loss of a target in the shape of the logits.
func (c *classes) probabilities() (*tensor.Tensor, error) {
	if len(c.o.Ignore) > 0 {
		return nil, &dtype.Error{DTypes: []dtype.DType{c.target.DType()}, Msg: "Ignore lists labels, and the target is probabilities",
			Hint: "give indices of classes, or probabilities of 0"}
	}
	t := as(c.target, c.p.compute)
	if c.weight != nil {
		t = t.Mul(beside(c.weight, c.logs.Rank(), c.axis))
	}
	r, err := c.o.Reduction.of(negated(weighted(t, c.logs).Sum(c.axis)))
	return c.p.round(r), err
}

// indices is the loss of a target that names classes.
func (c *classes) indices() (*tensor.Tensor, error) {
	if err := c.checkIndices(); err != nil {
		return nil, err
	}
	ignored := c.ignored()
	at := c.target
	if ignored != nil {
		at = ignored.Where(tensor.Scalar(0), at)
	}
	losses := negated(c.logs.GatherElements(c.axis, at.Unsqueeze(c.axis)).Squeeze(c.axis))
	weights := c.weightsAt(at, ignored)
	if weights != nil {
		losses = weighted(weights, losses)
	}
	if weights == nil || c.o.Reduction != Mean {
		r, err := c.o.Reduction.of(losses)
		return c.p.round(r), err
	}
	return c.p.round(losses.Sum().Div(weights.Sum())), nil
}

// checkIndices refuses a target that cannot be indices of classes.
func (c *classes) checkIndices() error {
	x, t := c.logs.Shape(), c.target.Shape()
	want := append(append(broadcast.Shape{}, x[:c.axis]...), x[c.axis+1:]...)
	if !t.Equal(want) {
		hint := squeezeHint("target", t, want)
		if hint == "" {
			hint = "give indices of shape " + want.String() + ", or probabilities of shape " + x.String()
		}
		return &broadcast.ShapeError{Shapes: []broadcast.Shape{x, t},
			Msg: "the target " + t.String() + " does not go with " + x.String() + ", whose classes are axis " + itoa(c.axis), Hint: hint}
	}
	if d := c.target.DType(); !d.IsInteger() {
		return &dtype.Error{DTypes: []dtype.DType{d}, Msg: "indices of classes are integers, not " + d.String(), Hint: "convert them with Cast(dtype.Int64)"}
	}
	return nil
}

// ignored tells where the target is a label to ignore; nil when none is.
func (c *classes) ignored() (any *tensor.Tensor) {
	for _, label := range c.o.Ignore {
		is := c.target.Eq(tensor.Scalar(label))
		if any != nil {
			is = any.LogicalOr(is)
		}
		any = is
	}
	return any
}

// weightsAt returns the factor of each place: that of its class, 0 where it is
// ignored; nil when all are 1.
func (c *classes) weightsAt(at, ignored *tensor.Tensor) *tensor.Tensor {
	var w *tensor.Tensor
	if c.weight != nil {
		w = c.weight.Gather(0, at)
	}
	switch {
	case ignored == nil:
		return w
	case w == nil:
		return ignored.LogicalNot().Cast(c.p.compute)
	}
	return ignored.Where(tensor.Scalar(0), w)
}
