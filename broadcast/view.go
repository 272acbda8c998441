package broadcast

import "fmt"

// Axis turns an axis that may count from the end into 0 ≤ axis < Rank. Errors
// (*ShapeError): out of range.
func (l *Layout) Axis(axis int) (int, error) {
	i := axis
	if i < 0 {
		i += l.rank
	}
	if i < 0 || i >= l.rank {
		return 0, axisError(l.Shape(), axis)
	}
	return i, nil
}

// mask turns axes that may count from the end into a set; none may repeat.
func (l *Layout) mask(axes []int) (AxisMask, error) {
	var set AxisMask
	for _, axis := range axes {
		i, err := l.Axis(axis)
		if err != nil {
			return 0, err
		}
		if set.Has(i) {
			return 0, fail(i-l.rank, fmt.Sprintf("axis %d of %v is named twice", i, l.Shape()),
				fmt.Sprintf("%d and %d are the same axis", i, i-l.rank), l.Shape())
		}
		set |= 1 << i
	}
	return set, nil
}

// Permute returns the view whose axis i is axis axes[i] of l. Negative axes
// count from the end. Errors (*ShapeError): an axis out of range, named twice
// or left out.
func (l *Layout) Permute(axes ...int) (Layout, error) {
	if _, err := l.mask(axes); err != nil {
		return Layout{}, err
	}
	if len(axes) != l.rank {
		return Layout{}, fail(0, fmt.Sprintf("cannot permute %v with %d axes", l.Shape(), len(axes)),
			fmt.Sprintf("name each of its %d axes once", l.rank), l.Shape())
	}
	v, from := blank(l.rank, l.offset), l.axes()
	for i, axis := range axes {
		if axis < 0 {
			axis += l.rank
		}
		v.axes()[i] = from[axis]
	}
	return v, nil
}

// Transpose returns the view with axes a and b swapped. Negative axes count
// from the end. Errors (*ShapeError): an axis out of range.
func (l *Layout) Transpose(a, b int) (Layout, error) {
	i, err := l.Axis(a)
	if err != nil {
		return Layout{}, err
	}
	j, err := l.Axis(b)
	if err != nil {
		return Layout{}, err
	}
	v := l.clone()
	axes := v.axes()
	axes[i], axes[j] = axes[j], axes[i]
	return v, nil
}

// Unsqueeze returns the view with an axis of size 1 inserted, at the given
// place of the result: 0 ≤ axis ≤ Rank, or from the end -Rank-1 ≤ axis ≤ -1.
// Errors (*ShapeError): a place out of range; more than MaxRank axes.
func (l *Layout) Unsqueeze(axis int) (Layout, error) {
	i := axis
	if i < 0 {
		i += l.rank + 1
	}
	if i < 0 || i > l.rank {
		return Layout{}, fail(0, fmt.Sprintf("cannot unsqueeze %v at axis %d", l.Shape(), axis),
			indices("places are", l.rank+1), l.Shape())
	}
	if i == MaxRank { // beyond what a mask can name
		return Layout{}, rankError(append(l.Shape(), 1))
	}
	return l.InsertAxes(1 << i)
}

// InsertAxes returns the view in which the axes of the set, counted in the
// result, have size 1 and the others are the axes of l in order: what aligns
// the result of a reduction without kept axes with its operand. Errors
// (*ShapeError): an axis beyond the result; more than MaxRank axes.
func (l *Layout) InsertAxes(set AxisMask) (Layout, error) {
	rank := l.rank + set.Count()
	if rank > MaxRank {
		return Layout{}, rankError(append(make(Shape, set.Count()), l.Shape()...))
	}
	if set>>rank != 0 {
		return Layout{}, fail(0, fmt.Sprintf("cannot insert axes %b (a mask) into %v", set, l.Shape()),
			fmt.Sprintf("the result has %d axes", rank), l.Shape())
	}
	v, from := blank(rank, l.offset), l.axes()
	to, stride := v.axes(), 1
	for i, next := rank-1, l.rank-1; i >= 0; i-- {
		if set.Has(i) {
			to[i] = axis{1, stride}
			continue
		}
		to[i] = from[next]
		stride = max(to[i].size, 1) * to[i].stride
		next--
	}
	return v, nil
}

// Squeeze returns the view without the given axes, which must have size 1;
// without arguments, without every axis of size 1. Errors (*ShapeError): an
// axis out of range, named twice, or of another size.
func (l *Layout) Squeeze(axes ...int) (Layout, error) {
	set, err := l.mask(axes)
	if err != nil {
		return Layout{}, err
	}
	for i, a := range l.axes() {
		switch {
		case len(axes) == 0 && a.size == 1:
			set |= 1 << i
		case set.Has(i) && a.size != 1:
			return Layout{}, fail(i-l.rank, fmt.Sprintf("cannot squeeze axis %d of %v: its size is %d", i, l.Shape(), a.size),
				"only axes of size 1 can be squeezed; Index picks one of more", l.Shape())
		}
	}
	return l.dropped(set, l.offset), nil
}

// dropped returns the view without the axes of the set.
func (l *Layout) dropped(set AxisMask, offset int) Layout {
	v := blank(l.rank-set.Count(), offset)
	to, next := v.axes(), 0
	for i, a := range l.axes() {
		if !set.Has(i) {
			to[next] = a
			next++
		}
	}
	return v
}

// Index returns the view of index i on an axis, without that axis. Negative
// axes and indices count from the end. Errors (*ShapeError): out of range.
func (l *Layout) Index(axis, i int) (Layout, error) {
	at, err := l.Axis(axis)
	if err != nil {
		return Layout{}, err
	}
	a := l.axes()[at]
	index := i
	if index < 0 {
		index += a.size
	}
	if index < 0 || index >= a.size {
		return Layout{}, fail(at-l.rank, fmt.Sprintf("index %d is out of range for axis %d of %v", i, at, l.Shape()),
			indices("indices are", a.size), l.Shape())
	}
	offset := l.offset
	if l.Size() > 0 {
		offset += index * a.stride
	}
	return l.dropped(1<<at, offset), nil
}

// Flip returns the view with the order along the given axes reversed; without
// arguments, along all. Negative axes count from the end. Errors
// (*ShapeError): an axis out of range or named twice.
func (l *Layout) Flip(axes ...int) (Layout, error) {
	set, err := l.mask(axes)
	if err != nil {
		return Layout{}, err
	}
	if len(axes) == 0 {
		set = ^AxisMask(0)
	}
	v := l.clone()
	if l.Size() == 0 {
		return v, nil
	}
	for i, a := range l.axes() {
		if set.Has(i) && a.size > 1 {
			v.offset += (a.size - 1) * a.stride
			v.axes()[i].stride = -a.stride
		}
	}
	return v, nil
}

// BroadcastTo returns the view of shape s: axes of size 1 and missing leading
// axes are stretched with stride 0. Errors (*ShapeError): s fails Check(1); an
// axis of another size; s has fewer axes.
func (l *Layout) BroadcastTo(s Shape) (Layout, error) {
	if err := s.Check(1); err != nil {
		return Layout{}, err
	}
	from, missing := l.axes(), len(s)-l.rank
	if missing < 0 {
		return Layout{}, stretchError(l.Shape(), s)
	}
	v := blank(len(s), l.offset)
	to := v.axes()
	for i, n := range s {
		to[i].size = n
		switch {
		case i < missing:
		case from[i-missing].size == n:
			to[i].stride = from[i-missing].stride
		case from[i-missing].size != 1:
			return Layout{}, stretchError(l.Shape(), s)
		}
	}
	return v, nil
}
