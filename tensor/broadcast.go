package tensor

import "github.com/stride0/stride0/broadcast"

// BroadcastTensors returns views of the tensors stretched to the one shape
// that they broadcast to, in their order. Nothing is copied, every view keeps
// the dtype of its tensor, and a view that is stretched cannot be written.
//
// Errors (*Error): the error of the leftmost failed tensor; shapes that do not
// broadcast; tensors on different devices; a Scalar, which has no dtype in
// which it could be stretched: operations take it as it is, and Full makes a
// tensor of a number. On error there are no views.
func BroadcastTensors(ts ...*Tensor) ([]*Tensor, error) {
	const op = "broadcasttensors"
	for i, t := range ts {
		if err := t.hold(); err != nil {
			return nil, refuseOperand(op, i, len(ts), t).Err()
		}
		defer t.drop()
	}
	shape, err := sharedShape(ts)
	if err != nil {
		return nil, newError(op, err, ts...)
	}
	layouts := make([]broadcast.Layout, len(ts))
	for i, t := range ts {
		if layouts[i], err = t.layout.BroadcastTo(shape); err != nil {
			return nil, newError(op, err, ts...)
		}
	}
	views := make([]*Tensor, len(ts))
	for i, t := range ts {
		views[i] = t.withLayout(layouts[i])
	}
	return views, nil
}

// sharedShape returns the shape that tensors of one device broadcast to.
func sharedShape(ts []*Tensor) (Shape, error) {
	if err := checkStrong(ts, "which has no dtype to stretch; pass it to operations as it is, or"); err != nil {
		return nil, err
	}
	shapes := make([]Shape, len(ts))
	for i, t := range ts {
		shapes[i] = t.layout.Shape()
	}
	return broadcast.Shapes(shapes...)
}

// checkStrong makes sure that no tensor is a Scalar and all are on one device.
// lack goes between what is wrong with a Scalar and "make it a tensor with
// Full".
func checkStrong(ts []*Tensor, lack string) error {
	for i, t := range ts {
		if t.isWeak() {
			return errorf("operand %d of %d is a Scalar, %s make it a tensor with Full", i+1, len(ts), lack)
		}
		if a, b := ts[0].store.dev, t.store.dev; a != b {
			return differentDevices(a, b)
		}
	}
	return nil
}
