package tensor

import (
	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/dtype"
)

// Concat joins tensors along an axis that they have: (2, 3) and (4, 3) along
// axis 0 give (6, 3). All other sizes must be equal; nothing is stretched. The
// dtype is the one that all of them promote to, whatever their order. Negative
// axes count from the end.
//
// Errors: no tensors; a Scalar or a tensor of rank 0, which Stack takes;
// ranks or sizes that differ; tensors on different devices.
func Concat(axis int, ts ...*Tensor) *Tensor {
	const op = "concat"
	if failed := holdAll(op, ts); failed != nil {
		return failed
	}
	defer dropAll(ts)
	return concat(op, axis, ts, ts)
}

// Stack joins tensors of one shape along a new axis, which is axis `axis` of
// the result: n tensors of shape (2, 3) at axis 0 give (n, 2, 3), at axis -1
// (2, 3, n). The dtype is the one that all of them promote to.
//
// Errors: no tensors; a Scalar, for which Full makes a tensor; shapes that
// differ; tensors on different devices.
func Stack(axis int, ts ...*Tensor) *Tensor {
	const op = "stack"
	if failed := holdAll(op, ts); failed != nil {
		return failed
	}
	defer dropAll(ts)
	parts := make([]*Tensor, len(ts))
	for i, t := range ts {
		if shape, first := t.layout.Shape(), ts[0].layout.Shape(); !shape.Equal(first) {
			return fail(op, &broadcast.ShapeError{Shapes: []Shape{first, shape},
				Msg:  "operand " + itoa(i+1) + " is " + shape.String() + ", operand 1 is " + first.String(),
				Hint: "all must have one shape; BroadcastTensors stretches them to it"}, ts...)
		}
		if parts[i] = t.Unsqueeze(axis); parts[i].failure() != nil {
			return fail(op, reason(parts[i].failure()), ts...)
		}
		defer parts[i].Free()
	}
	return concat(op, axis, parts, ts)
}

// holdAll holds the operands of an operation that takes any number of strong
// tensors, at least one. It returns a failed tensor, and holds none, when it
// cannot.
func holdAll(op string, ts []*Tensor) (failed *Tensor) {
	if len(ts) == 0 {
		return fail(op, errorf("no tensors; pass one or more"))
	}
	for i, t := range ts {
		if err := t.hold(); err != nil {
			dropAll(ts[:i])
			return refuseOperand(op, i, len(ts), t)
		}
	}
	if err := checkStrong(ts, "which has no dtype of its own;"); err != nil {
		dropAll(ts)
		return fail(op, err, ts...)
	}
	return nil
}

func dropAll(ts []*Tensor) {
	for _, t := range ts {
		t.drop()
	}
}

// concat is Concat of parts, which are views of the operands in.
func concat(op string, axis int, parts, in []*Tensor) *Tensor {
	axis, shape, err := concatShape(axis, parts)
	if err != nil {
		return fail(op, err, in...)
	}
	dtypes := make([]dtype.DType, len(parts))
	for i, t := range parts {
		dtypes[i] = t.dtype
	}
	d, err := dtype.Promote(dtypes...)
	if err != nil {
		return fail(op, err, in...)
	}
	return assemble(op, d, shape, func(out *Tensor) error {
		at := 0
		for _, t := range parts {
			end := at + t.layout.Dim(axis)
			if t.layout.Size() > 0 {
				if err := out.put(axis, at, end, t); err != nil {
					return err
				}
			}
			at = end
		}
		return nil
	}, in...)
}

// concatShape returns the axis, counted from the front, and the shape of the
// tensors joined along it.
func concatShape(axis int, ts []*Tensor) (int, Shape, error) {
	first := ts[0].layout
	if first.Rank() == 0 {
		return 0, nil, &broadcast.ShapeError{Shapes: []Shape{{}}, Msg: "a tensor of rank 0 has no axis to join along",
			Hint: "use Stack, which adds one"}
	}
	at, err := first.Axis(axis)
	if err != nil {
		return 0, nil, err
	}
	shape := first.Shape()
	for i, t := range ts[1:] {
		if err := checkJoin(at, t.layout, first, i+2); err != nil {
			return 0, nil, err
		}
		if shape[at] += t.layout.Dim(at); shape[at] < 0 { // views may be longer than memory
			return 0, nil, &broadcast.ShapeError{Axis: at - len(shape), Msg: "too many elements", Hint: "join fewer tensors"}
		}
	}
	return at, shape, nil
}

// checkJoin makes sure that operand number n, of layout l, can follow first.
func checkJoin(axis int, l, first *broadcast.Layout, n int) error {
	shape, want := l.Shape(), first.Shape()
	cannot := "cannot join " + want.String() + " and operand " + itoa(n) + ", " + shape.String() + ", along axis " + itoa(axis)
	if len(shape) != len(want) {
		return &broadcast.ShapeError{Shapes: []Shape{want, shape}, Msg: cannot + ": ranks differ",
			Hint: "give both " + itoa(max(len(shape), len(want))) + " axes with Unsqueeze"}
	}
	for i := range shape {
		if i != axis && shape[i] != want[i] {
			return &broadcast.ShapeError{Axis: i - len(shape), Shapes: []Shape{want, shape},
				Msg:  cannot + ": axis " + itoa(i-len(shape)) + " is " + itoa(want[i]) + " and " + itoa(shape[i]),
				Hint: "sizes may differ on the joined axis only; BroadcastTo stretches"}
		}
	}
	return nil
}
