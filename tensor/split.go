package tensor

import (
	"github.com/stride0/stride0/broadcast"
)

// Split returns views of consecutive parts of an axis, of the given sizes,
// which must add up to its size; a size may be 0. Nothing is copied. Negative
// axes count from the end. On error there are no views.
//
//	parts, err := x.Split(0, 2, 3) // of x (5, n): rows 0 and 1, rows 2 to 4
func (t *Tensor) Split(axis int, sizes ...int) ([]*Tensor, error) {
	return t.split("split", axis, func(size int) ([]int, error) {
		left := size
		for _, n := range sizes {
			if n < 0 || n > left { // also keeps the sum from overflowing
				left = -1
				break
			}
			left -= n
		}
		if left != 0 {
			shape := t.layout.Shape()
			return nil, &broadcast.ShapeError{Shapes: []Shape{shape},
				Msg:  "parts of sizes " + Shape(sizes).String() + " do not make up axis " + itoa(axis) + " of " + shape.String(),
				Hint: "sizes are 0 or more and add up to " + itoa(size) + "; Chunk makes equal parts"}
		}
		return sizes, nil
	})
}

// Chunk returns views of exactly n consecutive parts of an axis whose sizes
// differ by 1 at most, the larger ones first: an axis of size 7 in 3 parts is
// 3, 2 and 2. Nothing is copied. Negative axes count from the end. On error
// there are no views.
func (t *Tensor) Chunk(axis, n int) ([]*Tensor, error) {
	return t.split("chunk", axis, func(size int) ([]int, error) {
		if n < 1 || n > max(size, 1) {
			shape := t.layout.Shape()
			return nil, &broadcast.ShapeError{Shapes: []Shape{shape},
				Msg:  "axis " + itoa(axis) + " of " + shape.String() + " cannot be cut in " + itoa(n) + " parts",
				Hint: "ask for 1 to " + itoa(max(size, 1)) + "; Split takes sizes, also of 0"}
		}
		sizes := make([]int, n)
		for i := range sizes {
			sizes[i] = size / n
			if i < size%n {
				sizes[i]++
			}
		}
		return sizes, nil
	})
}

// split returns views of the parts of an axis whose sizes cut decides.
func (t *Tensor) split(op string, axis int, cut func(size int) ([]int, error)) ([]*Tensor, error) {
	if err := t.hold(); err != nil {
		return nil, refuse(op, t).failure()
	}
	defer t.drop()
	at, err := t.layout.Axis(axis) // a Scalar has none
	if err != nil {
		return nil, newError(op, err, t)
	}
	sizes, err := cut(t.layout.Dim(at))
	if err != nil {
		return nil, newError(op, err, t)
	}
	parts := make([]*Tensor, len(sizes))
	from := 0
	for i, n := range sizes {
		parts[i] = t.part(at, from, from+n)
		from += n
	}
	return parts, nil
}
