package broadcast

import (
	"slices"
	"strings"
	"testing"
)

func TestShapes(t *testing.T) {
	for _, c := range []struct {
		name   string
		shapes []Shape
		want   Shape
	}{
		{"no shapes", nil, nil},
		{"one shape", []Shape{{2, 3}}, Shape{2, 3}},
		{"equal", []Shape{{2, 3}, {2, 3}}, Shape{2, 3}},
		{"rank 0 goes with all", []Shape{{}, {2, 3, 4}}, Shape{2, 3, 4}},
		{"1 stretches up", []Shape{{3, 1}, {3, 4}}, Shape{3, 4}},
		{"1 stretches down to 0", []Shape{{1}, {0}}, Shape{0}},
		{"missing stretches to 0", []Shape{{}, {0}}, Shape{0}},
		{"0 with 0 in turns", []Shape{{0, 1}, {1, 0}}, Shape{0, 0}},
		{"0 stays", []Shape{{3, 0}, {3, 1}}, Shape{3, 0}},
		{"missing axis before a 0", []Shape{{1, 1}, {0}}, Shape{1, 0}},
		{"both stretch", []Shape{{3, 1}, {4}}, Shape{3, 4}},
		{"both stretch in turns", []Shape{{2, 2, 2, 2, 1, 2}, {1, 2, 1, 2, 2, 2}}, Shape{2, 2, 2, 2, 2, 2}},
		{"both stretch in turns, rank 8", []Shape{{1, 2, 1, 1, 2, 2, 2, 2}, {2, 2, 2, 2, 1, 2, 2, 1}}, Shape{2, 2, 2, 2, 2, 2, 2, 2}},
		{"both stretch, ranks differ", []Shape{{8, 1, 6, 1}, {7, 1, 5}}, Shape{8, 7, 6, 5}},
		{"four operands", []Shape{{6, 7}, {5, 6, 1}, {7}, {5, 1, 7}}, Shape{5, 6, 7}},
		{"grows along a chain", []Shape{{8, 1}, {1, 5}, {7, 8, 1}}, Shape{7, 8, 5}},
		{"33 operands", slices.Repeat([]Shape{{3, 1}, {4}, {}}, 11), Shape{3, 4}},
		{"100 operands", slices.Repeat([]Shape{{3, 1}, {4}}, 50), Shape{3, 4}},
		{"rank 32", []Shape{slices.Repeat([]int{1, 2}, 16), {3, 1}}, append(slices.Repeat([]int{1, 2}, 15), 3, 2)},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Shapes(c.shapes...)
			if err != nil || !got.Equal(c.want) {
				t.Errorf("%v, %v, want %v", got, err, c.want)
			}
			slices.Reverse(c.shapes)
			got, err = Shapes(c.shapes...)
			if err != nil || !got.Equal(c.want) {
				t.Errorf("in reverse: %v, %v, want %v", got, err, c.want)
			}
		})
	}
}

func TestShapesErrors(t *testing.T) {
	const rule = "sizes on an axis must be equal, or one of them 1"
	for _, c := range []struct {
		name   string
		shapes []Shape
		text   string
		axis   int
	}{
		{"the last axis", []Shape{{2, 3}, {4}}, "cannot broadcast (2, 3) with (4): axis -1 is 3 and 4; " + rule, -1},
		{"missing trailing axis", []Shape{{3, 2}, {3}}, "cannot broadcast (3, 2) with (3): axis -1 is 2 and 3; unsqueeze (3) at axis 1 to make it (3, 1), as a reduction's Keep form does", -1},
		{"the same the other way round", []Shape{{3}, {3, 2}}, "cannot broadcast (3) with (3, 2): axis -1 is 3 and 2; unsqueeze (3) at axis 1 to make it (3, 1), as a reduction's Keep form does", -1},
		{"equal only on the left", []Shape{{2, 3}, {2}}, "cannot broadcast (2, 3) with (2): axis -1 is 3 and 2; unsqueeze (2) at axis 1 to make it (2, 1), as a reduction's Keep form does", -1},
		{"two missing axes", []Shape{{8, 3, 32, 32}, {3}}, "cannot broadcast (8, 3, 32, 32) with (3): axis -1 is 32 and 3; unsqueeze (3) at axes 1, 2 to make it (3, 1, 1), as a reduction's Keep form does", -1},
		{"missing axis in the middle", []Shape{{8, 3, 32}, {8, 32}}, "cannot broadcast (8, 3, 32) with (8, 32): axis -2 is 3 and 8; unsqueeze (8, 32) at axis 1 to make it (8, 1, 32), as a reduction's Keep form does", -2},
		{"missing axis beside a 1", []Shape{{4, 3, 1, 2}, {4, 3}}, "cannot broadcast (4, 3, 1, 2) with (4, 3): axis -1 is 2 and 3; unsqueeze (4, 3) at axes 2, 3 to make it (4, 3, 1, 1), as a reduction's Keep form does", -1},
		{"missing axis that a 1 could take", []Shape{{5, 1, 2}, {5, 3}}, "cannot broadcast (5, 1, 2) with (5, 3): axis -1 is 2 and 3; unsqueeze (5, 3) at axis 2 to make it (5, 3, 1)", -1},
		{"transposed", []Shape{{2, 3}, {3, 2}}, "cannot broadcast (2, 3) with (3, 2): axis -1 is 3 and 2; transpose (3, 2) to make it (2, 3)", -1},
		{"permuted", []Shape{{2, 3, 4}, {4, 2, 3}}, "cannot broadcast (2, 3, 4) with (4, 2, 3): axis -1 is 4 and 3; permute (4, 2, 3) with axes 1, 2, 0 to make it (2, 3, 4)", -1},
		{"only one axis disagrees", []Shape{{2, 3, 4}, {5, 3, 1}}, "cannot broadcast (2, 3, 4) with (5, 3, 1): axis -3 is 2 and 5; " + rule, -3},
		{"0 is no wildcard", []Shape{{0}, {2}}, "cannot broadcast (0) with (2): axis -1 is 0 and 2; a size of 0 goes only with 0 and 1", -1},
		{"0 is no wildcard on any axis", []Shape{{0, 3}, {2, 3}}, "cannot broadcast (0, 3) with (2, 3): axis -2 is 0 and 2; a size of 0 goes only with 0 and 1", -2},
		{"two lists", []Shape{{3}, {4}}, "cannot broadcast (3) with (4): axis -1 is 3 and 4; unsqueeze (3) at axis 1 to make it (3, 1) if all pairs are meant", -1},
		{"third of four", []Shape{{6, 7}, {5, 6, 1}, {8}, {5, 1, 7}}, "cannot broadcast (6, 7) with (8) (operands 1 and 3 of 4): axis -1 is 7 and 8; " + rule, -1},
		{"the axis does not depend on order", []Shape{{2, 1}, {3, 4}, {1, 5}}, "cannot broadcast (3, 4) with (1, 5) (operands 2 and 3 of 3): axis -1 is 4 and 5; " + rule, -1},
		{"negative size", []Shape{{2, -1}, {2, 3}}, "shape (2, -1): axis -1 is negative; sizes are 0 or more", -1},
		{"negative size that nothing contradicts", []Shape{{2, -1}, {2, 1}}, "shape (2, -1): axis -1 is negative; sizes are 0 or more", -1},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Shapes(c.shapes...)
			wantError(t, err, c.text, c.axis)
			if got != nil {
				t.Errorf("shape %v beside an error", got)
			}
		})
	}
}

func TestShapesRefusesSizeOverflow(t *testing.T) {
	for _, shapes := range [][]Shape{
		{{half, 1}, {1, half}},
		{{half, 1, 1}, {1, half, 1}, {0}},
		{slices.Repeat([]int{1}, MaxRank+1), {1}},
	} {
		if got, err := Shapes(shapes...); err == nil {
			t.Errorf("%v broadcast to %v", shapes, got)
		}
	}
}

func TestShapeErrorKeepsNoReference(t *testing.T) {
	a, b := Shape{2, 3}, Shape{4}
	_, err := Shapes(a, b)
	a[0], b[0] = 7, 7
	e := err.(*ShapeError)
	if !e.Shapes[0].Equal(Shape{2, 3}) || !e.Shapes[1].Equal(Shape{4}) {
		t.Errorf("shapes of the error changed to %v", e.Shapes)
	}
	if !strings.HasPrefix(e.Error(), e.Msg) || !strings.HasSuffix(e.Error(), e.Hint) {
		t.Errorf("%q holds not both %q and %q", e.Error(), e.Msg, e.Hint)
	}
}

func TestShapesIntoReusesItsDestination(t *testing.T) {
	a, b, dst := Shape{3, 1}, Shape{4}, make(Shape, 5)
	got, err := ShapesInto(dst, a, b)
	if err != nil || !got.Equal(Shape{3, 4}) || &got[0] != &dst[0] {
		t.Errorf("%v, %v", got, err)
	}
	if n := testing.AllocsPerRun(100, func() { dst, _ = ShapesInto(dst, a, b) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// A mended shape must go with the shape it is mended for.
func TestHintsKeepTheirWord(t *testing.T) {
	for _, c := range []struct{ short, long Shape }{
		{Shape{3}, Shape{3, 2}}, {Shape{1, 3}, Shape{5, 3, 2}}, {Shape{3, 1}, Shape{3, 1, 4, 2}},
		{Shape{2, 2}, Shape{2, 3, 2, 4}}, {Shape{5, 3}, Shape{5, 1, 2}}, {Shape{4, 1, 4}, Shape{4, 5, 4, 6}},
	} {
		l := RowMajor(c.short)
		made := embed(c.short, c.long, true)
		if made == nil {
			t.Fatalf("nothing found for %v with %v", c.short, c.long)
		}
		if _, err := Shapes(made, c.long); err != nil {
			t.Errorf("%v mended to %v: %v", c.short, made, err)
		}
		if v, ok, err := l.Reshape(made); err != nil || !ok || !v.Shape().Equal(made) {
			t.Errorf("%v is not %v with axes of size 1", made, c.short)
		}
	}
}

func TestMend(t *testing.T) {
	for _, c := range []struct {
		name     string
		from, to Shape
		want     string
	}{
		{"nothing to mend", Shape{1, 3}, Shape{2, 3}, ""},
		{"a column meant", Shape{3}, Shape{3, 1}, "unsqueeze (3) at axis 1 to make it (3, 1)"},
		{"a channel meant", Shape{3}, Shape{2, 3, 4, 5}, "unsqueeze (3) at axes 1, 2 to make it (3, 1, 1)"},
		{"an axis too many", Shape{1, 3}, Shape{3}, "squeeze (1, 3) at axis 0 to make it (3)"},
		{"an axis of several too many", Shape{2, 3}, Shape{3}, ""},
		{"transposed", Shape{2, 3}, Shape{3, 2}, "transpose (2, 3) to make it (3, 2)"},
		{"another size", Shape{4}, Shape{3}, ""},
		{"an empty axis beside one of 1", Shape{0}, Shape{1}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Mend(c.from, c.to); got != c.want {
				t.Errorf("Mend(%v, %v) = %q, want %q", c.from, c.to, got, c.want)
			}
		})
	}
}
