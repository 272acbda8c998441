package tensor

import (
	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/kernels"
)

// Assign writes the elements of src into t, which may be a view: the base and
// every other view of it see them. src broadcasts to the shape of t, which is
// never enlarged, and is converted to the dtype of t, which never changes; a
// dtype of a greater kind (a float for an int t) is an error. src may overlap
// t in any way: it counts as read before the first write. On error nothing has
// been written, except when the device was lost.
//
// Errors: *Error, around ErrShared when elements of t share memory.
func (t *Tensor) Assign(src *Tensor) error { return t.write("assign", src) }

// Fill writes v, a Go bool, integer or float that the dtype of t can hold,
// into every element of t. Errors are those of Assign.
func (t *Tensor) Fill(v any) error {
	n, err := numberOf(v)
	if err != nil && t.live() {
		return newError("fill", err, t)
	}
	return t.write("fill", weakScalar(n))
}

// Set writes v, a Go bool, integer or float that the dtype of t can hold, into
// the element at an index: one number for each axis, counted from the end when
// negative. A view in which elements share memory is refused, whichever element
// is named. Each call costs as much as a small operation: many elements are
// better assigned as a tensor of them. Errors are those of Assign.
func (t *Tensor) Set(v any, index ...int) error {
	if err := t.hold(); err != nil {
		return refuse("set", t).failure()
	}
	defer t.drop()
	n, err := numberOf(v)
	if err != nil {
		return newError("set", err, t)
	}
	e := t
	if t.store != nil { // else a Scalar, which write refuses
		l, err := t.element(index)
		if err != nil {
			return newError("set", err, t)
		}
		e = t.withLayout(l)
		defer e.Free()
	}
	if err := e.write("set", weakScalar(n)); err != nil {
		return newError("set", reason(err), t)
	}
	return nil
}

// element returns the layout of one element of t, which may be written.
func (t *Tensor) element(index []int) (broadcast.Layout, error) {
	if rank := t.layout.Rank(); len(index) != rank {
		return broadcast.Layout{}, &broadcast.ShapeError{Shapes: []Shape{t.layout.Shape()},
			Msg:  itoa(len(index)) + " indices do not name an element of " + t.layout.Shape().String(),
			Hint: "give " + itoa(rank) + ", one for each axis; Fill and Assign write whole views"}
	}
	if err := checkWritable(t); err != nil {
		return broadcast.Layout{}, err
	}
	l := *t.layout
	for axis, i := range index {
		if _, err := t.layout.Index(axis, i); err != nil { // names the axis and the whole shape
			return l, err
		}
		var err error
		if l, err = l.Index(0, i); err != nil {
			return l, err
		}
	}
	return l, nil
}

// write copies src into t on behalf of the method op.
func (t *Tensor) write(op string, src *Tensor) error {
	err := Into(t, kernels.Copy, src)
	if err == nil {
		return nil
	}
	switch {
	case !t.live():
		return refuseAs("the destination", op, t).failure()
	case !src.live():
		return refuseAs("the source", op, src).failure()
	}
	return newError(op, reason(err), t, src)
}
