package broadcast

import (
	"fmt"
	"math"
)

// Diagonal returns the view of the elements whose indices i on axis1 and j on
// axis2 have j - i = offset. Both axes disappear and the diagonal becomes the
// last one, as in NumPy: its length is what the offset leaves, 0 when it lies
// beyond a corner. Offset 0 is the main diagonal, positive ones lie towards
// the end of axis2, negative ones towards the end of axis1. Negative axes
// count from the end. Errors (*ShapeError): an axis out of range; the same
// axis twice.
func (l *Layout) Diagonal(offset, axis1, axis2 int) (Layout, error) {
	set, err := l.mask([]int{axis1, axis2})
	if err != nil {
		return Layout{}, err
	}
	i, _ := l.Axis(axis1) // mask has checked both
	j, _ := l.Axis(axis2)
	down, along := l.axes()[i], l.axes()[j]
	n, first := 0, 0
	switch {
	case offset >= 0 && offset < along.size:
		n, first = min(down.size, along.size-offset), offset*along.stride
	case offset < 0 && offset > -down.size:
		n, first = min(down.size+offset, along.size), -offset*down.stride
	}
	rest := l.dropped(set, l.offset)
	v := blank(l.rank-1, l.offset)
	last := copy(v.axes(), rest.axes())
	v.axes()[last] = axis{n, down.stride + along.stride}
	if v.Size() > 0 {
		v.offset += first
	}
	return v, nil
}

// Windows returns the view of all windows of size neighbours along an axis,
// each step after the one before: the axis counts windows, as many as lie
// wholly inside it, and the elements of a window are a new last axis. Windows
// share elements when step is less than size. A negative axis counts from the
// end. Errors (*ShapeError): an axis out of range; a window that is negative
// or longer than the axis; a step below 1; a result that fails Check(1).
func (l *Layout) Windows(along, size, step int) (Layout, error) {
	i, err := l.Axis(along)
	if err != nil {
		return Layout{}, err
	}
	a := l.axes()[i]
	switch {
	case size < 0 || size > a.size:
		return Layout{}, fail(i-l.rank, fmt.Sprintf("no window of size %d fits axis %d of %v", size, i, l.Shape()),
			fmt.Sprintf("windows there have sizes 0 to %d", a.size), l.Shape())
	case step < 1:
		return Layout{}, fail(i-l.rank, fmt.Sprintf("cannot move windows along axis %d of %v by step %d", i, l.Shape(), step),
			"steps are 1 or more; Flip reverses the order", l.Shape())
	}
	after := (a.size - size) / step // the windows after the first
	if after == math.MaxInt {
		return Layout{}, fail(i-l.rank, fmt.Sprintf("axis %d of %v has more windows of size %d than an int counts", i, l.Shape(), size),
			"move them by a larger step", l.Shape())
	}
	n := after + 1
	s := append(l.Shape(), size)
	s[i] = n
	if err := s.Check(1); err != nil {
		return Layout{}, err
	}
	v := blank(l.rank+1, l.offset)
	last := copy(v.axes(), l.axes())
	v.axes()[i].size = n
	if n > 1 { // else step may be beyond the axis, and its product overflow
		v.axes()[i].stride *= step
	}
	v.axes()[last] = axis{size, a.stride}
	return v, nil
}

// PadLeft returns the view with axes of size 1 in front, as many as make the
// given rank: what broadcasting does to the shorter of two shapes. Errors
// (*ShapeError): a rank below that of l, or above MaxRank.
func (l *Layout) PadLeft(rank int) (Layout, error) {
	switch {
	case rank < l.rank:
		return Layout{}, fail(0, fmt.Sprintf("cannot pad %v to %d axes: it has %d", l.Shape(), rank, l.rank),
			"padding drops no axes; Squeeze does", l.Shape())
	case rank > MaxRank:
		return Layout{}, fail(0, fmt.Sprintf("cannot pad %v to %d axes", l.Shape(), rank),
			fmt.Sprintf("at most %d work", MaxRank), l.Shape())
	}
	return l.InsertAxes(1<<(rank-l.rank) - 1)
}
