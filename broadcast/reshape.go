package broadcast

import "fmt"

// Reshape returns the view of the same elements, in row-major order, under the
// shape s, in which one size may be -1: it becomes what the others leave. ok
// is false when s is right but strides cannot express the view, so that the
// elements must be copied. Errors (*ShapeError): another number of elements; a
// -1 that is not unique, does not divide, or stands beside a 0; s fails
// Check(1).
func (l *Layout) Reshape(s Shape) (v Layout, ok bool, err error) {
	if !l.counts(s) {
		if s, err = l.infer(s); err != nil {
			return Layout{}, false, err
		}
	}
	v = RowMajor(s)
	v.offset = l.offset
	if v.Size() == 0 || l.IsContiguous() {
		return v, true, nil
	}
	if !restride(v.axes(), l.axes()) {
		return Layout{}, false, nil
	}
	return v, true, nil
}

// counts reports whether s is a shape of the elements of l, at least one, as it
// stands: the usual case, for which infer need not make a copy.
func (l *Layout) counts(s Shape) bool {
	rest := l.Size()
	for _, n := range s {
		if n < 1 || rest%n != 0 {
			return false
		}
		rest /= n
	}
	return rest == 1 && len(s) <= MaxRank
}

// infer returns a copy of the sizes with -1 replaced, once there are as many
// elements as in l.
func (l *Layout) infer(sizes Shape) (Shape, error) {
	s := sizes.Clone()
	open := -1
	for i, n := range s {
		switch {
		case n < -1:
			return nil, negativeError(s, i)
		case n >= 0:
			continue
		case open >= 0:
			return nil, fail(i-len(s), fmt.Sprintf("cannot reshape %v to %v: two sizes are -1", l.Shape(), s),
				"only one size can be inferred", l.Shape(), s)
		}
		open = i
	}
	whole := s
	if open >= 0 {
		whole = s.Clone()
		whole[open] = 1
	}
	if err := whole.Check(1); err != nil {
		return nil, err
	}
	size, rest := l.Size(), whole.Size()
	switch {
	case open < 0 && rest == size:
		return s, nil
	case open >= 0 && rest > 0 && size%rest == 0:
		whole[open] = size / rest
		return whole, whole.Check(1)
	case open >= 0 && rest == 0:
		return nil, fail(open-len(s), fmt.Sprintf("cannot reshape %v to %v: beside a 0 any size fits", l.Shape(), s),
			"give every size", l.Shape(), s)
	case open >= 0:
		return nil, fail(open-len(s), fmt.Sprintf("cannot reshape %v to %v: %d elements are not a multiple of %d",
			l.Shape(), s, size, rest), fmt.Sprintf("the sizes beside -1 must divide %d", size), l.Shape(), s)
	}
	return nil, fail(0, fmt.Sprintf("cannot reshape %v to %v: %d elements and %d", l.Shape(), s, size, rest),
		fmt.Sprintf("the sizes must multiply to %d", size), l.Shape(), s)
}

// restride gives the axes to, whose sizes are set, the strides that walk the
// axes from in row-major order, and reports whether there are such strides.
// Both have the same number of elements, not 0.
//
// From the right, adjacent axes of from that continue each other's spacing form
// a run of evenly spaced elements. Runs differ in spacing, so an axis of to
// must lie within one: the axes of to divide the runs one after the other.
func restride(to, from []axis) bool {
	left, stride := 1, 1 // of the current run: elements not yet divided, their spacing
	i := len(from) - 1
	for j := len(to) - 1; j >= 0; j-- {
		n := to[j].size
		for n > 1 && left == 1 {
			left, stride = from[i].size, from[i].stride
			for i--; i >= 0 && (from[i].size == 1 || from[i].stride == stride*left); i-- {
				left *= from[i].size
			}
		}
		if left%n != 0 {
			return false
		}
		to[j].stride = stride
		stride *= n
		left /= n
	}
	return true
}
