package broadcast

import "fmt"

// SumTo returns the axes of from over which to sum, so that the result,
// reshaped to the shape to, is the adjoint of broadcasting to into from: the
// axes that broadcasting stretched. An axis of size 1 is never among them:
// there is nothing to add, and a sum would turn -0 into +0. Errors
// (*ShapeError): a shape fails Check(1); to does not broadcast to from.
func SumTo(from, to Shape) (AxisMask, error) {
	for _, s := range []Shape{from, to} {
		if err := s.Check(1); err != nil {
			return 0, err
		}
	}
	if !stretches(to, from) {
		err := stretchError(to, from)
		err.Msg = fmt.Sprintf("cannot sum %v to %v: %s", from.Clone(), to.Clone(), err.Msg)
		return 0, err
	}
	var set AxisMask
	missing := len(from) - len(to)
	for i, n := range from {
		if n != 1 && (i < missing || to[i-missing] == 1) {
			set |= 1 << i
		}
	}
	return set, nil
}

// stretches reports whether from broadcasts to exactly the shape to.
func stretches(from, to Shape) bool {
	missing := len(to) - len(from)
	if missing < 0 {
		return false
	}
	for i, n := range from {
		if n != 1 && n != to[missing+i] {
			return false
		}
	}
	return true
}

// stretchError says why from does not broadcast to the shape to.
func stretchError(from, to Shape) *ShapeError {
	msg := fmt.Sprintf("cannot broadcast %v to %v: ", from.Clone(), to.Clone())
	for axis := -1; axis >= -min(len(from), len(to)); axis-- {
		if n, want := from[len(from)+axis], to[len(to)+axis]; n != want && n != 1 {
			return fail(axis, fmt.Sprintf("%saxis %d is %d and %d", msg, axis, n, want), mendTo(from, to), from, to)
		}
	}
	return fail(0, fmt.Sprintf("%sit has %d axes, more than %d", msg, len(from), len(to)), mendTo(from, to), from, to)
}
