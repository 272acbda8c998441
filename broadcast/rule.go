package broadcast

import (
	"fmt"
	"slices"
)

// Shapes returns the shape that the given shapes broadcast to. They are aligned
// at the right; on each axis the sizes must be equal, or 1, or missing, and the
// result has the other size, also when that is 0: (1) with (0) is (0). The
// order of the shapes never matters; without any the result is (). Errors
// (*ShapeError): two sizes that differ and neither is 1; a shape, or the
// result, that fails Check(1).
func Shapes(shapes ...Shape) (Shape, error) {
	return ShapesInto(nil, shapes...)
}

// ShapesInto is Shapes with the result appended to dst[:0]. It allocates only
// when dst lacks capacity or on an error. dst must share no memory with shapes.
func ShapesInto(dst Shape, shapes ...Shape) (Shape, error) {
	rank := 0
	for _, s := range shapes {
		if len(s) > MaxRank {
			return nil, rankError(s)
		}
		rank = max(rank, len(s))
	}
	dst = slices.Grow(dst[:0], rank)[:rank]
	for i := range dst {
		dst[i] = 1
	}
	for _, s := range shapes {
		tail := dst[rank-len(s):]
		for i, n := range s {
			switch {
			case n == tail[i] || n == 1:
			case tail[i] == 1:
				tail[i] = n
			default:
				return nil, conflict(shapes, rank)
			}
		}
	}
	if err := dst.Check(1); err != nil {
		return nil, err
	}
	return dst, nil
}

// conflict words the disagreement of shapes on their last axis that has one.
func conflict(shapes []Shape, rank int) error {
	for _, s := range shapes {
		if err := s.Check(1); err != nil {
			return err
		}
	}
	axis, first, second := disagreement(shapes, rank)
	a, b := shapes[first], shapes[second]
	which := ""
	if len(shapes) > 2 {
		which = fmt.Sprintf(" (operands %d and %d of %d)", first+1, second+1, len(shapes))
	}
	msg := fmt.Sprintf("cannot broadcast %v with %v%s: axis %d is %d and %d",
		a.Clone(), b.Clone(), which, axis, a[len(a)+axis], b[len(b)+axis])
	return fail(axis, msg, mend(a, b, axis), a, b)
}

// disagreement finds the last axis, counted from the end, on which two shapes
// disagree, and the first two shapes that do.
func disagreement(shapes []Shape, rank int) (axis, first, second int) {
	for axis = -1; axis >= -rank; axis-- {
		first = -1
		for i, s := range shapes {
			switch {
			case len(s)+axis < 0 || s[len(s)+axis] == 1:
			case first < 0:
				first = i
			case shapes[first][len(shapes[first])+axis] != s[len(s)+axis]:
				return axis, first, i
			}
		}
	}
	return 0, 0, 0
}
