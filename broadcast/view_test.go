package broadcast

import (
	"slices"
	"testing"
)

// places lists where the elements of l lie, in row-major order.
func places(l *Layout) []int {
	o := operand{sizes: l.Shape(), offset: l.Offset()}
	for i := range o.sizes {
		o.strides = append(o.strides, l.Stride(i))
	}
	var all []int
	odometer(o.sizes, func(index []int) { all = append(all, o.at(index)) })
	return all
}

func TestViews(t *testing.T) {
	base := RowMajor(Shape{2, 3})
	column := RowMajor(Shape{3, 1})
	must := func(l Layout, err error) Layout {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	stretched := must(column.BroadcastTo(Shape{2, 3, 2}))
	turned := must(stretched.Transpose(-1, -2))
	for _, c := range []struct {
		name  string
		l     Layout
		shape Shape
		at    []int
	}{
		{"permute", must(base.Permute(1, 0)), Shape{3, 2}, []int{0, 3, 1, 4, 2, 5}},
		{"permute counting from the end", must(base.Permute(-1, -2)), Shape{3, 2}, []int{0, 3, 1, 4, 2, 5}},
		{"transpose", must(base.Transpose(0, -1)), Shape{3, 2}, []int{0, 3, 1, 4, 2, 5}},
		{"flip all", must(base.Flip()), Shape{2, 3}, []int{5, 4, 3, 2, 1, 0}},
		{"flip one", must(base.Flip(-1)), Shape{2, 3}, []int{2, 1, 0, 5, 4, 3}},
		{"index", must(base.Index(0, 1)), Shape{3}, []int{3, 4, 5}},
		{"index from the end", must(base.Index(-1, -1)), Shape{2}, []int{2, 5}},
		{"unsqueeze in front", must(base.Unsqueeze(0)), Shape{1, 2, 3}, []int{0, 1, 2, 3, 4, 5}},
		{"unsqueeze at the end", must(base.Unsqueeze(-1)), Shape{2, 3, 1}, []int{0, 1, 2, 3, 4, 5}},
		{"insert axes", must(base.InsertAxes(mask(0, 2, 4))), Shape{1, 2, 1, 3, 1}, []int{0, 1, 2, 3, 4, 5}},
		{"insert no axes", must(base.InsertAxes(0)), Shape{2, 3}, []int{0, 1, 2, 3, 4, 5}},
		{"squeeze", must(column.Squeeze()), Shape{3}, []int{0, 1, 2}},
		{"squeeze one", must(column.Squeeze(-1)), Shape{3}, []int{0, 1, 2}},
		{"broadcast", must(column.BroadcastTo(Shape{3, 2})), Shape{3, 2}, []int{0, 0, 1, 1, 2, 2}},
		{"broadcast with a missing axis", stretched, Shape{2, 3, 2}, []int{0, 0, 1, 1, 2, 2, 0, 0, 1, 1, 2, 2}},
		{"broadcast down to 0", must(column.BroadcastTo(Shape{3, 0})), Shape{3, 0}, nil},
		{"stretched, transposed, sliced", must(turned.Slice(R(1, End), All, R(Begin, End, -2))), Shape{1, 2, 2}, []int{2, 0, 2, 0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if !c.l.Shape().Equal(c.shape) || !slices.Equal(places(&c.l), c.at) {
				t.Errorf("%s at %v, want %v at %v", c.l.String(), places(&c.l), c.shape, c.at)
			}
		})
	}
}

func TestUnsqueezedContiguousLayoutsLookContiguous(t *testing.T) {
	l := RowMajor(Shape{4, 5})
	v, err := l.InsertAxes(mask(0, 2, 4))
	if err != nil {
		t.Fatal(err)
	}
	if want := "(1, 4, 1, 5, 1) strides (20, 5, 5, 1, 1) offset 0"; v.String() != want {
		t.Errorf("%s, want %s", v.String(), want)
	}
}

func TestViewErrors(t *testing.T) {
	l := RowMajor(Shape{3, 1})
	deep := RowMajor(slices.Repeat([]int{1}, MaxRank))
	scalar := RowMajor(nil)
	for _, c := range []struct {
		name string
		err  func() error
		text string
		axis int
	}{
		{"permute too few", func() error { _, err := l.Permute(0); return err },
			"cannot permute (3, 1) with 1 axes; name each of its 2 axes once", 0},
		{"permute twice", func() error { _, err := l.Permute(1, -1); return err },
			"axis 1 of (3, 1) is named twice; 1 and -1 are the same axis", -1},
		{"permute out of range", func() error { _, err := l.Permute(0, 2); return err },
			"axis 2 is out of range for (3, 1); axes are -2 to 1", 0},
		{"transpose out of range", func() error { _, err := l.Transpose(0, 2); return err },
			"axis 2 is out of range for (3, 1); axes are -2 to 1", 0},
		{"transpose rank 0", func() error { _, err := scalar.Transpose(-1, 0); return err },
			"axis -1 is out of range for (); there are none", 0},
		{"flip twice", func() error { _, err := l.Flip(0, -2); return err },
			"axis 0 of (3, 1) is named twice; 0 and -2 are the same axis", -2},
		{"unsqueeze out of range", func() error { _, err := l.Unsqueeze(3); return err },
			"cannot unsqueeze (3, 1) at axis 3; places are -3 to 2", 0},
		{"unsqueeze below range", func() error { _, err := l.Unsqueeze(-4); return err },
			"cannot unsqueeze (3, 1) at axis -4; places are -3 to 2", 0},
		{"insert beyond", func() error { _, err := l.InsertAxes(mask(4)); return err },
			"cannot insert axes 10000 (a mask) into (3, 1); the result has 3 axes", 0},
		{"squeeze a size", func() error { _, err := l.Squeeze(0); return err },
			"cannot squeeze axis 0 of (3, 1): its size is 3; only axes of size 1 can be squeezed; Index picks one of more", -2},
		{"index out of range", func() error { _, err := l.Index(0, 3); return err },
			"index 3 is out of range for axis 0 of (3, 1); indices are -3 to 2", -2},
		{"index below range", func() error { _, err := l.Index(1, -2); return err },
			"index -2 is out of range for axis 1 of (3, 1); indices are -1 to 0", -1},
		{"index on no axis", func() error { _, err := scalar.Index(0, 0); return err },
			"axis 0 is out of range for (); there are none", 0},
		{"broadcast shrinks", func() error { _, err := l.BroadcastTo(Shape{1, 1}); return err },
			"cannot broadcast (3, 1) to (1, 1): axis -2 is 3 and 1; only an axis of size 1 stretches", -2},
		{"broadcast to another size", func() error { _, err := l.BroadcastTo(Shape{4, 5}); return err },
			"cannot broadcast (3, 1) to (4, 5): axis -2 is 3 and 4; only an axis of size 1 stretches", -2},
		{"broadcast drops an axis of size 1", func() error { v, _ := l.Transpose(0, 1); _, err := v.BroadcastTo(Shape{3}); return err },
			"cannot broadcast (1, 3) to (3): it has 2 axes, more than 1; squeeze (1, 3) at axis 0 to make it (3)", 0},
		{"broadcast drops an axis", func() error { _, err := l.BroadcastTo(Shape{3}); return err },
			"cannot broadcast (3, 1) to (3): it has 2 axes, more than 1; broadcasting drops no axes", 0},
		{"broadcast drops to rank 0", func() error { v := RowMajor(Shape{1}); _, err := v.BroadcastTo(nil); return err },
			"cannot broadcast (1) to (): it has 1 axes, more than 0; squeeze (1) at axis 0 to make it ()", 0},
		{"broadcast needs an axis", func() error { v := RowMajor(Shape{3}); _, err := v.BroadcastTo(Shape{3, 2}); return err },
			"cannot broadcast (3) to (3, 2): axis -1 is 3 and 2; unsqueeze (3) at axis 1 to make it (3, 1)", -1},
		{"broadcast needs a transpose", func() error { v := RowMajor(Shape{2, 3}); _, err := v.BroadcastTo(Shape{3, 2}); return err },
			"cannot broadcast (2, 3) to (3, 2): axis -1 is 3 and 2; transpose (2, 3) to make it (3, 2)", -1},
		{"broadcast to a negative size", func() error { _, err := l.BroadcastTo(Shape{3, -1}); return err },
			"shape (3, -1): axis -1 is negative; sizes are 0 or more", -1},
		{"slice of too many axes", func() error { _, err := l.Slice(All, All, All); return err },
			"cannot slice (3, 1) with 3 ranges; it has 2 axes", 0},
		{"slice with step 0", func() error { _, err := l.Slice(All, R(0, 1, 0)); return err },
			"cannot slice axis 1 of (3, 1) with step 0; R takes one step, other than 0; Index picks one element", -1},
		{"slice with two steps", func() error { _, err := l.Slice(R(0, 1, 1, 1)); return err },
			"cannot slice axis 0 of (3, 1) with step 0; R takes one step, other than 0; Index picks one element", -2},
	} {
		t.Run(c.name, func(t *testing.T) { wantError(t, c.err(), c.text, c.axis) })
	}
	for _, at := range []int{0, 31, 32, -1, -33} {
		if _, err := deep.Unsqueeze(at); err == nil {
			t.Errorf("Unsqueeze(%d) of %d axes gave a 33rd axis or none at all", at, MaxRank)
		}
	}
	if _, err := l.BroadcastTo(Shape{half, half, 3, 1}); err == nil {
		t.Error("broadcast beyond what int counts")
	}
}

func TestSlice(t *testing.T) {
	const begin, end = Begin, End
	l := RowMajor(Shape{10})
	for _, c := range []struct {
		name string
		r    Range
		want []int
	}{
		{"all", All, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}},
		{"middle", R(2, 5), []int{2, 3, 4}},
		{"from the end", R(-3, -1), []int{7, 8}},
		{"step", R(begin, end, 3), []int{0, 3, 6, 9}},
		{"step that ends early", R(1, 9, 3), []int{1, 4, 7}},
		{"step beyond the axis", R(4, end, 1000), []int{4}},
		{"greatest step", R(4, end, end), []int{4}},
		{"reversed", R(begin, end, -1), []int{9, 8, 7, 6, 5, 4, 3, 2, 1, 0}},
		{"reversed from end to begin", R(end, begin, -1), []int{9, 8, 7, 6, 5, 4, 3, 2, 1, 0}},
		{"reversed by 4", R(begin, end, -4), []int{9, 5, 1}},
		{"down from an index", R(3, end, -1), []int{3, 2, 1, 0}},
		{"down to an index", R(begin, 6, -1), []int{9, 8, 7}},
		{"down between", R(-2, 2, -3), []int{8, 5}},
		{"least step", R(4, end, begin), []int{4}},
		{"start clips", R(-100, 2), []int{0, 1}},
		{"stop clips", R(8, 100), []int{8, 9}},
		{"start clips down", R(100, 7, -1), []int{9, 8}},
		{"stop clips down", R(1, -100, -1), []int{1, 0}},
		{"start after stop", R(5, 2), nil},
		{"start after stop, down", R(2, 5, -1), nil},
		{"beyond the end", R(10, 20), nil},
		{"before the beginning, down", R(-100, end, -1), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			v, err := l.Slice(c.r)
			if err != nil || !slices.Equal(places(&v), c.want) {
				t.Errorf("%v at %v, %v, want %v", v.Shape(), places(&v), err, c.want)
			}
			if len(c.want) == 0 && v.Offset() != 0 {
				t.Errorf("an empty slice moved to %d", v.Offset())
			}
		})
	}
}

func TestSliceOfEmpty(t *testing.T) {
	l := RowMajor(Shape{0, 4})
	for _, r := range []Range{All, R(0, 1), R(-1, 5), R(Begin, End, -1)} {
		if v, err := l.Slice(r, R(2, 4)); err != nil || !v.Shape().Equal(Shape{0, 2}) || v.Offset() != 0 {
			t.Errorf("%v: %s, %v", r, v.String(), err)
		}
	}
	if v, err := l.Index(1, 3); err != nil || !v.Shape().Equal(Shape{0}) || v.Offset() != 0 {
		t.Errorf("%s, %v", v.String(), err)
	}
	if v, err := l.Flip(); err != nil || v.Offset() != 0 {
		t.Errorf("%s, %v", v.String(), err)
	}
}

func TestReshape(t *testing.T) {
	base := RowMajor(Shape{4, 6})
	wide := view(0, []int{4, 6}, []int{10, 1})
	for _, c := range []struct {
		name string
		operand
		to   Shape
		ok   bool
		want string
	}{
		{"contiguous", rowMajorOperand(4, 6), Shape{2, 12}, true, "(2, 12) strides (12, 1) offset 0"},
		{"to one axis", rowMajorOperand(4, 6), Shape{24}, true, "(24) strides (1) offset 0"},
		{"inferred", rowMajorOperand(4, 6), Shape{3, -1, 2}, true, "(3, 4, 2) strides (8, 2, 1) offset 0"},
		{"inferred to 1", rowMajorOperand(4, 6), Shape{24, -1}, true, "(24, 1) strides (1, 1) offset 0"},
		{"inferred to 0", rowMajorOperand(0, 6), Shape{-1, 3}, true, "(0, 3) strides (3, 1) offset 0"},
		{"to rank 0", rowMajorOperand(1, 1), Shape{}, true, "() strides () offset 0"},
		{"from rank 0", view(7, nil, nil), Shape{1, 1}, true, "(1, 1) strides (1, 1) offset 7"},
		{"split of an axis with a gap behind it", wide, Shape{2, 2, 6}, true, "(2, 2, 6) strides (20, 10, 1) offset 0"},
		{"split of the inner axis", wide, Shape{4, 3, 2}, true, "(4, 3, 2) strides (10, 2, 1) offset 0"},
		{"merge over a gap", wide, Shape{24}, false, ""},
		{"axis across a gap", wide, Shape{8, 3}, false, ""},
		{"sizes across a gap", wide, Shape{3, 8}, false, ""},
		{"merge of a transpose", view(0, []int{6, 4}, []int{1, 6}), Shape{24}, false, ""},
		{"merge of a stretched axis with a stretched one", view(3, []int{2, 3}, []int{0, 0}), Shape{6}, true, "(6) strides (0) offset 3"},
		{"merge of a reversed axis", view(5, []int{2, 3}, []int{-3, -1}), Shape{6}, true, "(6) strides (-1) offset 5"},
		{"merge over size 1 with any stride", view(0, []int{2, 1, 3}, []int{6, 77, 2}), Shape{6}, true, "(6) strides (2) offset 0"},
		{"empty of any layout", view(2, []int{0, 3}, []int{5, -7}), Shape{3, 0, 2}, true, "(3, 0, 2) strides (2, 2, 1) offset 2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := c.layout(t)
			v, ok, err := l.Reshape(c.to)
			if err != nil || ok != c.ok || ok && v.String() != c.want {
				t.Errorf("%s, %v, %v, want %s, %v", v.String(), ok, err, c.want, c.ok)
			}
		})
	}
	if v, ok, err := base.Reshape(Shape{-1}); err != nil || !ok || v.Dim(0) != 24 {
		t.Errorf("%s, %v, %v", v.String(), ok, err)
	}
}

func TestReshapeErrors(t *testing.T) {
	l, empty := RowMajor(Shape{4, 6}), RowMajor(Shape{0, 6})
	for _, c := range []struct {
		name string
		l    *Layout
		to   Shape
		text string
		axis int
	}{
		{"another number of elements", &l, Shape{5, 5}, "cannot reshape (4, 6) to (5, 5): 24 elements and 25; the sizes must multiply to 24", 0},
		{"elements to none", &l, Shape{0}, "cannot reshape (4, 6) to (0): 24 elements and 0; the sizes must multiply to 24", 0},
		{"does not divide", &l, Shape{5, -1}, "cannot reshape (4, 6) to (5, -1): 24 elements are not a multiple of 5; the sizes beside -1 must divide 24", -1},
		{"two inferred", &l, Shape{-1, -1}, "cannot reshape (4, 6) to (-1, -1): two sizes are -1; only one size can be inferred", -1},
		{"inferred beside 0", &empty, Shape{0, -1}, "cannot reshape (0, 6) to (0, -1): beside a 0 any size fits; give every size", -1},
		{"negative", &l, Shape{-2, -1}, "shape (-2, -1): axis -2 is negative; sizes are 0 or more", -2},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, ok, err := c.l.Reshape(c.to)
			wantError(t, err, c.text, c.axis)
			if ok {
				t.Error("ok beside an error")
			}
		})
	}
	if _, _, err := empty.Reshape(Shape{0, half, half}); err == nil {
		t.Error("reshaped to a shape whose sizes overflow")
	}
}
