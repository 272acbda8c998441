package tensor

import (
	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// NonZero returns the indices of the elements of t that are not zero (NaN is
// not), in row-major order: n rows of one int64 for each axis, as PyTorch's
// nonzero; NumPy and ONNX return its transpose, T. It waits for work on t,
// since n depends on the elements.
func (t *Tensor) NonZero() *Tensor {
	return performOne("nonzero", func(w *work) error {
		t, err := w.operand(0)
		if err != nil {
			return err
		}
		mask := t
		if t.dtype != dtype.Bool {
			if mask, err = w.temp(apply(call{Op: kernels.Ne}, t, Scalar(0))); err != nil {
				return err
			}
		}
		r, err := w.places(mask, false)
		if err == nil {
			w.out = append(w.out, r)
		}
		return err
	}, t)
}

// MaskedSelect returns the elements of t where mask, a bool tensor, is true,
// on one axis in row-major order; t and mask broadcast against each other. It
// waits for work on the mask, since their number depends on it.
func (t *Tensor) MaskedSelect(mask *Tensor) *Tensor {
	return performOne("maskedselect", func(w *work) error {
		t, mask, err := w.masked()
		if err != nil {
			return err
		}
		flat, isFlat, err := t.layout.Reshape([]int{-1})
		isFlat = isFlat && err == nil // a shape without elements has no -1
		at, err := w.places(mask, isFlat)
		if err != nil {
			return err
		}
		if at, err = w.temp(at); err != nil {
			return err
		}
		if isFlat {
			t = viewOf(t.store, t.dtype, flat)
		}
		return w.gatherND(t, at, 0)
	}, t, mask)
}

// masked returns the operands of MaskedSelect as views of one shape.
func (w *work) masked() (t, mask *Tensor, err error) {
	if mask = w.in[1]; mask.elementType() != dtype.Bool {
		return nil, nil, &dtype.Error{DTypes: []dtype.DType{mask.elementType()}, Msg: "the mask is " + mask.elementType().String() + ", not bool",
			Hint: "compare it first, for example with Ne(tensor.Scalar(0))"}
	}
	if mask.isWeak() {
		if mask, err = w.temp(mask.as(dtype.Bool, w.dev)); err != nil {
			return nil, nil, err
		}
	}
	if t, err = w.operand(0); err != nil {
		return nil, nil, err
	}
	shape, err := broadcast.Shapes(t.layout.Shape(), mask.layout.Shape())
	if err != nil {
		return nil, nil, err
	}
	both := [2]*Tensor{}
	for i, x := range []*Tensor{t, mask} {
		l, err := x.layout.BroadcastTo(shape)
		if err != nil {
			return nil, nil, err
		}
		both[i] = viewOf(x.store, x.dtype, l)
	}
	return both[0], both[1], nil
}

// places returns the indices where mask is true: rows of one for each axis, or
// of one row-major position.
func (w *work) places(mask *Tensor, flat bool) (*Tensor, error) {
	set, err := Data[bool](mask)
	if err != nil {
		return nil, reason(err)
	}
	n := 0
	for _, v := range set {
		if v {
			n++
		}
	}
	sizes := mask.layout.Shape()
	if flat {
		sizes = Shape{len(set)}
	}
	shape := Shape{n, len(sizes)}
	if err := shape.Check(dtype.Int64.Size()); err != nil {
		return nil, err
	}
	r, err := allocate(host(), dtype.Int64, shape)
	if err != nil {
		return nil, err
	}
	b, err := hostBytes(r)
	if err != nil {
		return nil, err
	}
	writePlaces(elementsOf[int64](b), set, sizes)
	if w.dev == device.Device(host()) {
		return r, nil
	}
	defer r.Free()
	moved := r.To(w.dev)
	return moved, reason(moved.failure())
}

// writePlaces writes the indices into sizes at which set is true.
func writePlaces(dst []int64, set []bool, sizes Shape) {
	if len(dst) == 0 {
		return
	}
	at := 0
	for pos, v := range set {
		if !v {
			continue
		}
		for k, rest := len(sizes)-1, pos; k >= 0; k-- {
			dst[at+k] = int64(rest % sizes[k])
			rest /= sizes[k]
		}
		at += len(sizes)
	}
}

// OneHot returns a tensor of dtype d with one more axis, of size depth, at the
// end: 1 where its index is the element of t, an integer, and 0 elsewhere. A
// negative element counts from the end; one out of range gives zeros only. It
// is ONNX's OneHot; PyTorch's one_hot refuses what is out of range.
func (t *Tensor) OneHot(depth int, d dtype.DType) *Tensor {
	const op = "onehot"
	switch {
	case !t.live():
		return refuse(op, t)
	case !t.elementType().IsInteger():
		return fail(op, &dtype.Error{DTypes: []dtype.DType{t.elementType()}, Msg: "indices are integers, not " + t.elementType().String(),
			Hint: "convert them with Cast(dtype.Int64)"}, t)
	case depth < 0:
		return fail(op, &broadcast.ShapeError{Shapes: []Shape{t.layout.Shape()}, Msg: "the depth is " + itoa(depth), Hint: "give 0 or more"}, t)
	}
	counted := dtype.Int64
	if t.elementType() == dtype.Uint64 {
		counted = dtype.Uint64
	}
	s := NewScope() // of what is made on the way
	defer s.Close()
	x := t.In(s).Unsqueeze(-1)
	hot := x.Eq(On(t.Device()).Arange(counted, 0, depth, 1).In(s))
	if counted == dtype.Int64 {
		hot = hot.Add(x.Eq(On(t.Device()).Arange(counted, -depth, 0, 1).In(s)))
	}
	if hot = hot.Cast(d); hot.failure() != nil {
		return fail(op, reason(hot.failure()), t)
	}
	s.Keep(hot)
	joinScope(hot, t)
	return hot
}
