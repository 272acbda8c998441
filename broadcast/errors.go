package broadcast

import (
	"fmt"
	"math"
)

// ShapeError says which shapes do not fit an operation, and what mends it.
type ShapeError struct {
	// Axis is the axis at fault counted from the end, as broadcasting does:
	// -1 is the last. It is 0 when no single axis is at fault.
	Axis   int
	Shapes []Shape // the shapes at fault
	Msg    string  // what is wrong: "cannot broadcast (2, 3) with (4): axis -1 is 3 and 4"
	Hint   string  // what to do: "unsqueeze (3) at axis 1 to make it (3, 1)"; may be empty
}

// Error returns "message; hint".
func (e *ShapeError) Error() string {
	if e.Hint == "" {
		return e.Msg
	}
	return e.Msg + "; " + e.Hint
}

// fail returns a ShapeError over copies of shapes. Copying keeps the shapes of
// callers that meet no error on their stacks.
func fail(axis int, msg, hint string, shapes ...Shape) *ShapeError {
	e := &ShapeError{Axis: axis, Msg: msg, Hint: hint, Shapes: make([]Shape, len(shapes))}
	for i, s := range shapes {
		e.Shapes[i] = s.Clone()
	}
	return e
}

func rankError(s Shape) error {
	return fail(0, fmt.Sprintf("shape %v has %d axes", s.Clone(), len(s)),
		fmt.Sprintf("at most %d work; merge some with Reshape", MaxRank), s)
}

func negativeError(s Shape, axis int) error {
	return fail(axis-len(s), fmt.Sprintf("shape %v: axis %d is negative", s.Clone(), axis-len(s)),
		"sizes are 0 or more", s)
}

func countError(s Shape) error {
	return fail(0, fmt.Sprintf("shape %v has too many elements", s.Clone()),
		fmt.Sprintf("at most %d can be counted here, not counting axes of size 0", math.MaxInt), s)
}

func bytesError(s Shape, elemSize int) error {
	return fail(0, fmt.Sprintf("shape %v of %d-byte elements has too many bytes", s.Clone(), elemSize),
		fmt.Sprintf("at most %d can be counted here, not counting axes of size 0", math.MaxInt), s)
}

// axisError says that a shape has no such axis.
func axisError(s Shape, axis int) error {
	return fail(0, fmt.Sprintf("axis %d is out of range for %v", axis, s.Clone()), indices("axes are", len(s)), s)
}

// indices words the indices that count n things from either end.
func indices(what string, n int) string {
	if n == 0 {
		return "there are none"
	}
	return fmt.Sprintf("%s %d to %d", what, -n, n-1)
}
