package tensor

import (
	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/kernels"
)

// Tile puts copies of t side by side, copies[i] of them along axis i. Where t
// has fewer axes than there are numbers, or more, the shorter list is extended
// by ones on the left: (3) tiled by 2, 2 is (2, 6). An axis of size 1 is
// repeated without copying by BroadcastTo.
func (t *Tensor) Tile(copies ...int) *Tensor {
	return t.repeated("tile", func(l *broadcast.Layout) ([]repeats, error) {
		each := repeatsOf(l, max(len(copies)-l.Rank(), 0))
		for i, n := range copies {
			each[len(each)-len(copies)+i].outer = n
		}
		return each, nil
	})
}

// Repeat repeats every element n times along an axis, each next to itself:
// [1 2] repeated twice is [1 1 2 2], where Tile gives [1 2 1 2]. Negative axes
// count from the end.
func (t *Tensor) Repeat(axis, n int) *Tensor {
	return t.repeated("repeat", func(l *broadcast.Layout) ([]repeats, error) {
		at, err := l.Axis(axis)
		if err != nil {
			return nil, err
		}
		each := repeatsOf(l, 0)
		each[at].inner = n
		return each, nil
	})
}

// repeats says how an axis is repeated: outer copies of it one after the
// other, in each of which every one of its size elements stands inner times.
type repeats struct{ outer, size, inner int }

// repeatsOf returns the axes of l, not repeated, after new ones of size 1.
func repeatsOf(l *broadcast.Layout, new int) []repeats {
	each := make([]repeats, new+l.Rank())
	for i := range each {
		each[i] = repeats{1, 1, 1}
		if i >= new {
			each[i].size = l.Dim(i - new)
		}
	}
	return each
}

// repeated returns t with its axes repeated, by one copy: the result, each of
// its axes taken apart into (outer, size, inner), is t stretched along outer
// and inner.
func (t *Tensor) repeated(op string, plan func(l *broadcast.Layout) ([]repeats, error)) *Tensor {
	var from, to Shape // of the copy
	return t.moved(op, func(l *broadcast.Layout) (Shape, error) {
		each, err := plan(l)
		if err != nil {
			return nil, err
		}
		shape := make(Shape, len(each))
		for i, r := range each {
			if shape[i], err = r.length(); err != nil {
				return nil, err
			}
			from, to = r.appendTo(from, to)
		}
		return shape, nil
	}, func(out, src *Tensor) error {
		stretched, parts := src.View(from...), out.View(to...)
		defer stretched.Free()
		defer parts.Free()
		return Into(parts, kernels.Copy, stretched)
	})
}

// length returns the size of the repeated axis.
func (r repeats) length() (int, error) {
	if n := min(r.outer, r.inner); n < 0 {
		return 0, &broadcast.ShapeError{Msg: "cannot repeat " + itoa(n) + " times", Hint: "0 or more work"}
	}
	if err := (Shape{r.outer, r.size, r.inner}).Check(1); err != nil {
		return 0, err
	}
	return r.outer * r.size * r.inner, nil
}

// appendTo appends the axis to the sizes that the copy reads and writes,
// without factors of 1, so that there are no more axes than doublings.
func (r repeats) appendTo(from, to Shape) (Shape, Shape) {
	for i, n := range [...]int{r.outer, r.size, r.inner} {
		switch {
		case n == 1:
		case i == 1:
			from, to = append(from, n), append(to, n)
		default:
			from, to = append(from, 1), append(to, n)
		}
	}
	return from, to
}
