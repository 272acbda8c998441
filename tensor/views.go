package tensor

import (
	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/kernels"
)

// Range selects every Step-th index from Start up to Stop, as R makes it.
type Range = broadcast.Range

// Begin and End stand for an omitted bound of a Range.
const (
	Begin = broadcast.Begin
	End   = broadcast.End
)

// All is the Range of a whole axis.
var All = broadcast.All

// R returns the Range start:stop or start:stop:step, read as NumPy reads it:
// bounds count from the end when negative and are clipped to the axis.
func R(start, stop int, step ...int) Range { return broadcast.R(start, stop, step...) }

// view is the door of all views: it shares the storage of t under the layout
// that change computes.
func (t *Tensor) view(op string, change func(l *broadcast.Layout) (broadcast.Layout, error)) *Tensor {
	if !t.live() {
		return refuse(op, t)
	}
	if t.isWeak() {
		return t.viewOfWeak(op, change)
	}
	if err := t.hold(); err != nil {
		return refuse(op, t)
	}
	l, err := change(t.layout)
	if err != nil {
		t.drop()
		return fail(op, err, t)
	}
	v := viewOf(t.store, t.dtype, l) // what holds t is its reference now
	joinScope(v, t)
	return v
}

// viewOfWeak stays weak while the view is of rank 0; any other shape needs
// elements, so the number settles in its default dtype on the CPU. Like any
// view it is a tensor of its own, so that freeing one leaves the other alive.
func (t *Tensor) viewOfWeak(op string, change func(l *broadcast.Layout) (broadcast.Layout, error)) *Tensor {
	l, err := change(t.layout)
	if err != nil {
		return fail(op, err, t)
	}
	if l.Rank() == 0 {
		return weakScalar(t.weak())
	}
	return t.settle(host()).view(op, change)
}

// Permute reorders the axes: axis i of the result is axis axes[i] of t.
// Negative axes count from the end; every axis must be named once.
func (t *Tensor) Permute(axes ...int) *Tensor {
	return t.view("permute", func(l *broadcast.Layout) (broadcast.Layout, error) { return l.Permute(axes...) })
}

// Transpose reverses the order of the axes.
func (t *Tensor) Transpose() *Tensor {
	return t.view("transpose", func(l *broadcast.Layout) (broadcast.Layout, error) {
		axes := make([]int, l.Rank())
		for i := range axes {
			axes[i] = len(axes) - 1 - i
		}
		return l.Permute(axes...)
	})
}

// T swaps the last two axes: the transpose of a matrix, or of each matrix of a
// batch. It needs rank 2 or more.
func (t *Tensor) T() *Tensor {
	return t.view("t", func(l *broadcast.Layout) (broadcast.Layout, error) {
		if l.Rank() < 2 {
			return broadcast.Layout{}, &broadcast.ShapeError{Shapes: []Shape{l.Shape()},
				Msg:  "cannot swap the last two axes of " + l.Shape().String(),
				Hint: "make it a matrix first: Unsqueeze(0) for a row, Unsqueeze(-1) for a column"}
		}
		return l.Transpose(-2, -1)
	})
}

// Slice selects a Range of each axis; missing ranges at the end are All.
func (t *Tensor) Slice(ranges ...Range) *Tensor {
	return t.view("slice", func(l *broadcast.Layout) (broadcast.Layout, error) { return l.Slice(ranges...) })
}

// Index selects element i of an axis, which disappears. Negative axes and
// indices count from the end.
func (t *Tensor) Index(axis, i int) *Tensor {
	return t.view("index", func(l *broadcast.Layout) (broadcast.Layout, error) { return l.Index(axis, i) })
}

// Unsqueeze inserts an axis of size 1 so that it is axis `axis` of the result;
// negative axes count from the end of the result, so -1 makes it the last.
func (t *Tensor) Unsqueeze(axis int) *Tensor {
	return t.view("unsqueeze", func(l *broadcast.Layout) (broadcast.Layout, error) { return l.Unsqueeze(axis) })
}

// Squeeze removes the given axes, which must have size 1; without any it
// removes all axes of size 1.
func (t *Tensor) Squeeze(axes ...int) *Tensor {
	return t.view("squeeze", func(l *broadcast.Layout) (broadcast.Layout, error) { return l.Squeeze(axes...) })
}

// BroadcastTo stretches t to the given sizes, right-aligned, by stride 0:
// without copying. The view cannot be written.
func (t *Tensor) BroadcastTo(sizes ...int) *Tensor {
	return t.view("broadcastto", func(l *broadcast.Layout) (broadcast.Layout, error) {
		v, err := l.BroadcastTo(sizes)
		return v, hintMinusOne(err, sizes, "-1 is for Expand")
	})
}

// Expand is BroadcastTo in which -1 keeps the size that t has on that axis.
func (t *Tensor) Expand(sizes ...int) *Tensor {
	return t.view("expand", func(l *broadcast.Layout) (broadcast.Layout, error) {
		to := Shape(sizes).Clone()
		for i, n := range to {
			switch at := i - len(to) + l.Rank(); {
			case n == -1 && at >= 0:
				to[i] = l.Dim(at)
			case n == -1:
				return broadcast.Layout{}, &broadcast.ShapeError{Axis: i - len(to), Shapes: []Shape{l.Shape()},
					Msg:  "-1 keeps a size that t has, and " + l.Shape().String() + " has no axis " + itoa(i-len(to)),
					Hint: "give the size"}
			}
		}
		return l.BroadcastTo(to)
	})
}

// Flip reverses the given axes, all without any.
func (t *Tensor) Flip(axes ...int) *Tensor {
	return t.view("flip", func(l *broadcast.Layout) (broadcast.Layout, error) { return l.Flip(axes...) })
}

// View returns t with other sizes over the same elements in row-major order;
// one size may be -1. Where the strides of t cannot express that, it fails and
// Reshape copies.
func (t *Tensor) View(sizes ...int) *Tensor {
	return t.view("view", func(l *broadcast.Layout) (broadcast.Layout, error) {
		v, ok, err := l.Reshape(sizes)
		if err == nil && !ok {
			err = &broadcast.ShapeError{Shapes: []Shape{l.Shape(), Shape(sizes).Clone()},
				Msg:  "no strides view " + l.Shape().String() + " as " + Shape(sizes).String(),
				Hint: "use Reshape, which copies"}
		}
		return v, err
	})
}

// Reshape returns the elements of t in row-major order with other sizes; one
// size may be -1. It is a view where strides can express it, else a copy.
func (t *Tensor) Reshape(sizes ...int) *Tensor {
	copies := false
	v := t.view("reshape", func(l *broadcast.Layout) (broadcast.Layout, error) {
		r, ok, err := l.Reshape(sizes)
		if copies = err == nil && !ok; copies {
			return *l, nil
		}
		return r, err
	})
	if !copies || v.failure() != nil {
		return v
	}
	c := v.Clone()
	_ = v.Free()
	if c.failure() != nil {
		return fail("reshape", reason(c.failure()), t)
	}
	r := c.View(sizes...)
	_ = c.Free()
	return r
}

// Contiguous returns a view of t if its elements lie in row-major order
// without gaps, else a copy for which they do.
func (t *Tensor) Contiguous() *Tensor {
	if t.live() && !t.isWeak() && t.layout.IsContiguous() {
		return t.view("contiguous", func(l *broadcast.Layout) (broadcast.Layout, error) { return *l, nil })
	}
	return apply(call{Op: kernels.Copy}, t)
}

// Clone returns a row-major copy of t on the same device.
func (t *Tensor) Clone() *Tensor { return apply(call{Op: kernels.Copy}, t) }
