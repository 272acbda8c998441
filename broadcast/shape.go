package broadcast

import (
	"math"
	"math/bits"
	"slices"
	"strconv"
)

// MaxRank is the greatest number of axes a shape may have.
const MaxRank = 32

// Shape is the sizes of a tensor's axes, outermost first. The empty Shape is
// that of one element. A size may be 0.
type Shape []int

// AxisMask is a set of axes: bit i stands for axis i, counted from the front.
type AxisMask uint32

// Has reports whether the set holds the axis i.
func (m AxisMask) Has(i int) bool { return m>>i&1 != 0 }

// Count returns the number of axes in the set.
func (m AxisMask) Count() int { return bits.OnesCount32(uint32(m)) }

// String returns the shape as "(2, 3)", "(4)", "()".
func (s Shape) String() string {
	b := append(make([]byte, 0, 2+4*len(s)), '(')
	for i, n := range s {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = strconv.AppendInt(b, int64(n), 10)
	}
	return string(append(b, ')'))
}

// Equal reports whether both shapes have the same sizes in the same order.
func (s Shape) Equal(t Shape) bool { return slices.Equal(s, t) }

// Clone returns a copy that shares no memory with s.
func (s Shape) Clone() Shape { return append(make(Shape, 0, len(s)), s...) }

// Size returns the number of elements. It assumes that s passed Check: the
// product is not checked again.
func (s Shape) Size() int {
	n := 1
	for _, d := range s {
		n *= d
	}
	return n
}

// Check reports whether a tensor of this shape with elements of elemSize bytes
// can be addressed at all. Errors (*ShapeError): more than MaxRank axes; a
// negative size; more elements or more bytes than an int can count. Axes of
// size 0 do not excuse the others, so that dropping one cannot overflow.
func (s Shape) Check(elemSize int) error {
	if len(s) > MaxRank {
		return rankError(s)
	}
	n := 1
	for i, d := range s {
		switch {
		case d < 0:
			return negativeError(s, i)
		case d > 1 && n > math.MaxInt/d:
			return countError(s)
		case d > 1:
			n *= d
		}
	}
	if elemSize > 1 && n > math.MaxInt/elemSize {
		return bytesError(s, elemSize)
	}
	return nil
}
