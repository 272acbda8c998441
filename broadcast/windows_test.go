package broadcast

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

func TestDiagonal(t *testing.T) {
	for _, c := range []struct {
		name string
		operand
		offset, axis1, axis2 int
		shape                Shape
		at                   []int
	}{
		{"square", rowMajorOperand(3, 3), 0, 0, 1, Shape{3}, []int{0, 4, 8}},
		{"wide", rowMajorOperand(2, 4), 0, 0, 1, Shape{2}, []int{0, 5}},
		{"tall", rowMajorOperand(4, 2), 0, 0, 1, Shape{2}, []int{0, 3}},
		{"above, cut by the last column", rowMajorOperand(3, 3), 1, 0, 1, Shape{2}, []int{1, 5}},
		{"above, cut by the last row", rowMajorOperand(2, 5), 2, 0, 1, Shape{2}, []int{2, 8}},
		{"below, cut by the last row", rowMajorOperand(3, 3), -1, 0, 1, Shape{2}, []int{3, 7}},
		{"below, cut by the last column", rowMajorOperand(5, 2), -2, 0, 1, Shape{2}, []int{4, 7}},
		{"upper right corner", rowMajorOperand(3, 4), 3, 0, 1, Shape{1}, []int{3}},
		{"lower left corner", rowMajorOperand(3, 4), -2, 0, 1, Shape{1}, []int{8}},
		{"beyond the upper right corner", rowMajorOperand(3, 4), 4, 0, 1, Shape{0}, nil},
		{"beyond the lower left corner", rowMajorOperand(3, 4), -3, 0, 1, Shape{0}, nil},
		{"greatest offset", rowMajorOperand(3, 4), math.MaxInt, 0, 1, Shape{0}, nil},
		{"least offset", rowMajorOperand(3, 4), math.MinInt, 0, 1, Shape{0}, nil},
		{"axes swapped mirror the offset", rowMajorOperand(3, 3), 1, 1, 0, Shape{2}, []int{3, 7}},
		{"axes from the end", rowMajorOperand(3, 3), 1, -2, -1, Shape{2}, []int{1, 5}},
		{"diagonal goes last", rowMajorOperand(2, 3, 2), 0, 0, 2, Shape{3, 2}, []int{0, 7, 2, 9, 4, 11}},
		{"of each matrix of a batch", rowMajorOperand(2, 2, 2), 0, 1, 2, Shape{2, 2}, []int{0, 3, 4, 7}},
		{"antidiagonal by a flip", view(2, []int{3, 3}, []int{3, -1}), 0, 0, 1, Shape{3}, []int{2, 4, 6}},
		{"of a stretched row no cell repeats", view(0, []int{3, 3}, []int{0, 1}), 0, 0, 1, Shape{3}, []int{0, 1, 2}},
		{"of strides that cancel all cells are one", view(4, []int{3, 3}, []int{2, -2}), 0, 0, 1, Shape{3}, []int{4, 4, 4}},
		{"size 1 whose stride means nothing", view(5, []int{1, 3}, []int{77, 1}), 1, 0, 1, Shape{1}, []int{6}},
		{"axis of size 0", rowMajorOperand(0, 3), 1, 0, 1, Shape{0}, nil},
		{"another axis of size 0", rowMajorOperand(0, 3, 3), 1, 1, 2, Shape{0, 2}, nil},
		{"rank 7 becomes inline again", rowMajorOperand(1, 1, 1, 1, 1, 2, 2), 0, 5, 6, Shape{1, 1, 1, 1, 1, 2}, []int{0, 3}},
	} {
		t.Run(c.name, func(t *testing.T) {
			v, err := c.layout(t).Diagonal(c.offset, c.axis1, c.axis2)
			wantView(t, &v, err, c.shape, c.at)
		})
	}
}

func TestWindows(t *testing.T) {
	for _, c := range []struct {
		name string
		operand
		axis, size, step int
		shape            Shape
		at               []int
	}{
		{"one step apart", rowMajorOperand(5), 0, 3, 1, Shape{3, 3}, []int{0, 1, 2, 1, 2, 3, 2, 3, 4}},
		{"overlapping by one", rowMajorOperand(5), 0, 3, 2, Shape{2, 3}, []int{0, 1, 2, 2, 3, 4}},
		{"adjoining", rowMajorOperand(6), 0, 3, 3, Shape{2, 3}, []int{0, 1, 2, 3, 4, 5}},
		{"with gaps", rowMajorOperand(5), 0, 1, 2, Shape{3, 1}, []int{0, 2, 4}},
		{"a rest too short for a window", rowMajorOperand(6), 0, 3, 2, Shape{2, 3}, []int{0, 1, 2, 2, 3, 4}},
		{"the whole axis", rowMajorOperand(3), 0, 3, 1, Shape{1, 3}, []int{0, 1, 2}},
		{"a step beyond the axis", rowMajorOperand(3), 0, 2, math.MaxInt, Shape{1, 2}, []int{0, 1}},
		{"window of nothing", rowMajorOperand(2), 0, 0, 1, Shape{3, 0}, nil},
		{"nothing in windows of nothing", rowMajorOperand(0), 0, 0, 1, Shape{1, 0}, nil},
		{"a window goes last", rowMajorOperand(3, 2), 0, 2, 1, Shape{2, 2, 2}, []int{0, 2, 1, 3, 2, 4, 3, 5}},
		{"axis from the end", rowMajorOperand(2, 3), -1, 2, 1, Shape{2, 2, 2}, []int{0, 1, 1, 2, 3, 4, 4, 5}},
		{"backwards", view(3, []int{4}, []int{-1}), 0, 2, 2, Shape{2, 2}, []int{3, 2, 1, 0}},
		{"stretched", view(7, []int{3}, []int{0}), 0, 2, 1, Shape{2, 2}, []int{7, 7, 7, 7}},
		{"size 1 whose stride means nothing", view(7, []int{1}, []int{77}), 0, 1, 5, Shape{1, 1}, []int{7}},
		{"rank 6 goes beyond inline axes", rowMajorOperand(1, 1, 1, 1, 1, 3), 5, 2, 1, Shape{1, 1, 1, 1, 1, 2, 2}, []int{0, 1, 1, 2}},
	} {
		t.Run(c.name, func(t *testing.T) {
			base := c.layout(t)
			before := base.String()
			v, err := base.Windows(c.axis, c.size, c.step)
			wantView(t, &v, err, c.shape, c.at)
			if base.String() != before {
				t.Errorf("the base changed from %s to %s", before, base.String())
			}
		})
	}
}

// Where nothing moves no stride is multiplied: the product could be any number.
func TestWindowsAndDiagonalsMultiplyOnlyWhatTheyUse(t *testing.T) {
	empty, err := NewLayout(Shape{0, 3, 3}, []int{0, math.MaxInt, math.MaxInt}, 5)
	if err != nil {
		t.Fatal(err)
	}
	d, err := empty.Diagonal(2, 1, 2)
	if err != nil || d.Offset() != 5 {
		t.Errorf("the diagonal of an empty layout is %s, %v", d.String(), err)
	}
	l := RowMajor(Shape{3})
	w, err := l.Windows(0, 2, math.MaxInt)
	if want := "(1, 2) strides (1, 1) offset 0"; err != nil || w.String() != want {
		t.Errorf("the only window is %s, %v, want %s", w.String(), err, want)
	}
}

// The windows of windows along both axes of an image are its patches.
func TestWindowsOfWindowsArePatches(t *testing.T) {
	l := RowMajor(Shape{3, 3})
	rows, err := l.Windows(0, 2, 1)
	if err != nil {
		t.Fatal(err)
	}
	patches, err := rows.Windows(1, 2, 1)
	wantView(t, &patches, err, Shape{2, 2, 2, 2}, []int{0, 1, 3, 4, 1, 2, 4, 5, 3, 4, 6, 7, 4, 5, 7, 8})
}

func TestPadLeft(t *testing.T) {
	l := RowMajor(Shape{2, 2})
	same, err := l.PadLeft(2)
	wantView(t, &same, err, Shape{2, 2}, []int{0, 1, 2, 3})
	v, err := l.PadLeft(4)
	wantView(t, &v, err, Shape{1, 1, 2, 2}, []int{0, 1, 2, 3})
	scalar := RowMajor(nil)
	deep, err := scalar.PadLeft(MaxRank)
	wantView(t, &deep, err, slices.Repeat([]int{1}, MaxRank), []int{0})
}

func TestWindowsErrors(t *testing.T) {
	l, scalar, empty := RowMajor(Shape{3, 4}), RowMajor(nil), RowMajor(Shape{2, 0})
	one := func(_ Layout, err error) error { return err }
	for _, c := range []struct {
		name string
		err  error
		text string
		axis int
	}{
		{"diagonal of a list", one(empty.Diagonal(0, 0, 2)), "axis 2 is out of range for (2, 0); axes are -2 to 1", 0},
		{"diagonal of rank 0", one(scalar.Diagonal(0, 0, 1)), "axis 0 is out of range for (); there are none", 0},
		{"diagonal of one axis", one(l.Diagonal(0, 1, -1)), "axis 1 of (3, 4) is named twice; 1 and -1 are the same axis", -1},
		{"windows of rank 0", one(scalar.Windows(0, 1, 1)), "axis 0 is out of range for (); there are none", 0},
		{"windows longer than the axis", one(l.Windows(0, 4, 1)),
			"no window of size 4 fits axis 0 of (3, 4); windows there have sizes 0 to 3", -2},
		{"windows of an empty axis", one(empty.Windows(-1, 1, 1)),
			"no window of size 1 fits axis 1 of (2, 0); windows there have sizes 0 to 0", -1},
		{"windows of negative size", one(l.Windows(1, -1, 1)),
			"no window of size -1 fits axis 1 of (3, 4); windows there have sizes 0 to 4", -1},
		{"windows that stand still", one(l.Windows(1, 2, 0)),
			"cannot move windows along axis 1 of (3, 4) by step 0; steps are 1 or more; Flip reverses the order", -1},
		{"windows that go back", one(l.Windows(1, 2, -1)),
			"cannot move windows along axis 1 of (3, 4) by step -1; steps are 1 or more; Flip reverses the order", -1},
		{"pad below the rank", one(l.PadLeft(1)), "cannot pad (3, 4) to 1 axes: it has 2; padding drops no axes; Squeeze does", 0},
		{"pad to a negative rank", one(scalar.PadLeft(-1)), "cannot pad () to -1 axes: it has 0; padding drops no axes; Squeeze does", 0},
		{"pad beyond what works", one(l.PadLeft(33)), "cannot pad (3, 4) to 33 axes; at most 32 work", 0},
	} {
		t.Run(c.name, func(t *testing.T) { wantError(t, c.err, c.text, c.axis) })
	}
}

// Overlapping windows multiply the elements that a view has, so they may be
// more than an int counts although the base has few cells.
func TestWindowsRefuseWhatCannotBeCounted(t *testing.T) {
	wide, err := NewLayout(Shape{half, 2}, []int{0, 1}, 0)
	if err != nil {
		t.Fatal(err)
	}
	if v, err := wide.Windows(0, half/2, 1); err == nil {
		t.Errorf("windows %s", v.String())
	}
	deep := RowMajor(slices.Repeat([]int{1}, MaxRank))
	_, err = deep.Windows(0, 1, 1)
	if err == nil {
		t.Errorf("a window gave %d axes a 33rd", MaxRank)
	}
	most, err := NewLayout(Shape{math.MaxInt}, []int{0}, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, axis := range []int{0, -1} { // windows of nothing: one more than an int counts
		_, err := most.Windows(axis, 0, 1)
		wantError(t, err, fmt.Sprintf("axis 0 of (%d) has more windows of size 0 than an int counts; move them by a larger step", math.MaxInt), -1)
	}
	v, err := most.Windows(0, 1, 1)
	if err != nil || !v.Shape().Equal(Shape{math.MaxInt, 1}) {
		t.Errorf("as many windows as an int counts: %s, %v", v.String(), err)
	}
}

// wantView checks a view's sizes and where its elements lie.
func wantView(t *testing.T, v *Layout, err error, shape Shape, at []int) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if !v.Shape().Equal(shape) || !slices.Equal(places(v), at) {
		t.Errorf("%s at %v, want %v at %v", v.String(), places(v), shape, at)
	}
}

// diagonalStep takes a diagonal of two axes; offsets reach beyond the corners.
func diagonalStep(s *source, l Layout, m model) (Layout, model, error) {
	rank := len(m.sizes)
	if rank < 2 {
		return l, m, nil
	}
	a, b := s.below(rank), s.below(rank-1)
	if b >= a {
		b++
	}
	offset := s.below(m.sizes[a]+m.sizes[b]+3) - m.sizes[a] - 1
	n := 0
	for i := range m.sizes[a] {
		if j := i + offset; j >= 0 && j < m.sizes[b] {
			n++
		}
	}
	var sizes []int
	for i, size := range m.sizes {
		if i != a && i != b {
			sizes = append(sizes, size)
		}
	}
	v, err := l.Diagonal(offset, a-rank, b)
	return v, m.pick(append(sizes, n), func(index []int) []int {
		along, index := index[rank-2], index[:rank-2]
		index = slices.Insert(index, min(a, b), 0)
		index = slices.Insert(index, max(a, b), 0)
		index[a], index[b] = along-min(offset, 0), along+max(offset, 0)
		return index
	}), err
}

// windowsStep takes windows of an axis, also of size 0 and of all of it.
func windowsStep(s *source, l Layout, m model) (Layout, model, error) {
	rank := len(m.sizes)
	if rank == 0 || rank > 5 || len(m.at) > 100 {
		return l, m, nil
	}
	at := s.below(rank)
	size, step := s.below(m.sizes[at]+1), 1+s.below(4)
	n := 0
	for first := 0; first+size <= m.sizes[at]; first += step {
		n++
	}
	sizes := append(slices.Clone(m.sizes), size)
	sizes[at] = n
	v, err := l.Windows(at-rank, size, step)
	return v, m.pick(sizes, func(index []int) []int {
		index[at] = index[at]*step + index[rank]
		return index[:rank]
	}), err
}

func padLeftStep(s *source, l Layout, m model) (Layout, model, error) {
	extra := s.below(3)
	if len(m.sizes)+extra > 6 {
		return l, m, nil
	}
	v, err := l.PadLeft(len(m.sizes) + extra)
	return v, model{append(slices.Repeat([]int{1}, extra), m.sizes...), m.at}, err
}
