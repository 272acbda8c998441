package broadcast

import (
	"fmt"
	"math"
)

// inlineAxes is how many axes a Layout holds without a slice: nearly all
// tensors have fewer, and copying the struct then allocates nothing.
const inlineAxes = 6

// axis is the size of an axis and the distance in elements from one index on
// it to the next. The stride of an axis of size 1 means nothing.
type axis struct{ size, stride int }

// Layout says where in a buffer the elements of a view are: at offset plus the
// sum of index times stride, all counted in elements. Layouts are values: copy
// them freely, none ever changes once built. The zero Layout is one element at
// offset 0.
type Layout struct {
	rank   int
	offset int
	inline [inlineAxes]axis
	more   []axis // all axes when rank > inlineAxes; shared by copies, so never written after building
}

// axes returns the axes, outermost first. Only a Layout being built may be
// written through it.
func (l *Layout) axes() []axis {
	if l.rank > inlineAxes {
		return l.more
	}
	return l.inline[:l.rank]
}

// blank returns a Layout to be filled through axes.
func blank(rank, offset int) Layout {
	l := Layout{rank: rank, offset: offset}
	if rank > inlineAxes {
		l.more = make([]axis, rank)
	}
	return l
}

// clone returns a copy that may be written through axes.
func (l *Layout) clone() Layout {
	v := *l
	if v.rank > inlineAxes {
		v.more = append([]axis(nil), v.more...)
	}
	return v
}

// RowMajor returns the layout of a fresh tensor of shape s: offset 0, no gaps,
// the last axis fastest. s must have passed Check.
func RowMajor(s Shape) Layout {
	l := blank(len(s), 0)
	axes := l.axes()
	stride := 1
	for i := len(s) - 1; i >= 0; i-- {
		axes[i] = axis{s[i], stride}
		stride *= max(s[i], 1)
	}
	return l
}

// NewLayout returns the layout with the given strides and offset, in elements.
// Errors (*ShapeError): s fails Check(1); not one stride for each axis; an
// element before the start of the buffer, or beyond what an int can count.
func NewLayout(s Shape, strides []int, offset int) (Layout, error) {
	if err := s.Check(1); err != nil {
		return Layout{}, err
	}
	if len(strides) != len(s) {
		return Layout{}, fail(0, fmt.Sprintf("shape %v with %d strides", s.Clone(), len(strides)),
			"give one stride for each axis", s)
	}
	l := blank(len(s), offset)
	for i, n := range s {
		l.axes()[i] = axis{n, strides[i]}
	}
	if !l.addressable() {
		return Layout{}, fail(0, fmt.Sprintf("shape %v with strides %v and offset %d leaves its buffer",
			s.Clone(), Shape(strides).Clone(), offset),
			"every element must lie at 0 or more; a negative stride needs an offset", s)
	}
	return l, nil
}

// addressable reports whether every element's offset is an int, 0 or more, as
// all other methods assume.
func (l *Layout) addressable() bool {
	if l.offset < 0 || l.offset == math.MaxInt {
		return false
	}
	if l.Size() == 0 {
		return true
	}
	below, above := l.offset, math.MaxInt-1-l.offset
	for _, a := range l.axes() {
		steps := a.size - 1
		switch {
		case steps == 0 || a.stride == 0:
		case a.stride > 0 && a.stride <= above/steps:
			above -= steps * a.stride
		case a.stride < 0 && a.stride >= -(below/steps):
			below += steps * a.stride
		default:
			return false
		}
	}
	return true
}

// Rank returns the number of axes.
func (l *Layout) Rank() int { return l.rank }

// Dim returns the size of axis i, 0 ≤ i < Rank.
func (l *Layout) Dim(i int) int { return l.axes()[i].size }

// Stride returns the stride of axis i in elements, 0 ≤ i < Rank.
func (l *Layout) Stride(i int) int { return l.axes()[i].stride }

// Offset returns where the element with all indices 0 lies.
func (l *Layout) Offset() int { return l.offset }

// Size returns the number of elements.
func (l *Layout) Size() int {
	n := 1
	for _, a := range l.axes() {
		n *= a.size
	}
	return n
}

// Shape returns a fresh copy of the sizes.
func (l *Layout) Shape() Shape { return l.AppendShape(make(Shape, 0, l.rank)) }

// AppendShape appends the sizes to dst.
func (l *Layout) AppendShape(dst Shape) Shape {
	for _, a := range l.axes() {
		dst = append(dst, a.size)
	}
	return dst
}

// IsContiguous reports whether the elements lie in row-major order without
// gaps, from Offset on. Strides of axes of size 1 are ignored; a layout
// without elements is contiguous.
func (l *Layout) IsContiguous() bool {
	size, rowMajor := l.contiguous()
	return rowMajor || size == 0
}

// contiguous returns the number of elements and, unless that is 0, whether
// they lie in row-major order without gaps.
func (l *Layout) contiguous() (size int, rowMajor bool) {
	axes := l.axes()
	size, rowMajor = 1, true
	for i := len(axes) - 1; i >= 0; i-- {
		a := axes[i]
		rowMajor = rowMajor && (a.size == 1 || a.stride == size)
		size *= a.size
	}
	return size, rowMajor
}

// Span returns the part of the buffer that the elements lie in: the least
// element offset, and one more than the greatest. They are equal when there
// are no elements.
func (l *Layout) Span() (lo, hi int) {
	lo, hi = l.offset, l.offset
	for _, a := range l.axes() {
		switch {
		case a.size == 0:
			return l.offset, l.offset
		case a.stride < 0:
			lo += (a.size - 1) * a.stride
		default:
			hi += (a.size - 1) * a.stride
		}
	}
	return lo, hi + 1
}

// String returns shape, strides and offset, for messages and tests.
func (l *Layout) String() string {
	strides := make(Shape, l.rank)
	for i, a := range l.axes() {
		strides[i] = a.stride
	}
	return fmt.Sprintf("%v strides %v offset %d", l.Shape(), strides, l.offset)
}
