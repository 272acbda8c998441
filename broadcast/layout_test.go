package broadcast

import (
	"math"
	"slices"
	"strings"
	"testing"
)

func TestRowMajor(t *testing.T) {
	for _, c := range []struct {
		s    Shape
		want string
	}{
		{nil, "() strides () offset 0"},
		{Shape{5}, "(5) strides (1) offset 0"},
		{Shape{2, 3, 4}, "(2, 3, 4) strides (12, 4, 1) offset 0"},
		{Shape{2, 0, 4}, "(2, 0, 4) strides (4, 4, 1) offset 0"},
		{Shape{2, 2, 2, 2, 2, 2, 2}, "(2, 2, 2, 2, 2, 2, 2) strides (64, 32, 16, 8, 4, 2, 1) offset 0"},
	} {
		l := RowMajor(c.s)
		if l.String() != c.want {
			t.Errorf("%s, want %s", l.String(), c.want)
		}
		if !l.IsContiguous() || l.Rank() != len(c.s) || l.Size() != c.s.Size() || !l.Shape().Equal(c.s) {
			t.Errorf("%s: contiguous %v, rank %d, size %d", l.String(), l.IsContiguous(), l.Rank(), l.Size())
		}
		for i, n := range c.s {
			if l.Dim(i) != n {
				t.Errorf("%v: size of axis %d = %d", c.s, i, l.Dim(i))
			}
		}
	}
}

func TestNewLayoutErrors(t *testing.T) {
	const leaves = "; every element must lie at 0 or more; a negative stride needs an offset"
	for _, c := range []struct {
		name    string
		s       Shape
		strides []int
		offset  int
		text    string
	}{
		{"a stride too few", Shape{2, 3}, []int{3}, 0, "shape (2, 3) with 1 strides; give one stride for each axis"},
		{"negative offset", Shape{2}, []int{1}, -1, "shape (2) with strides (1) and offset -1 leaves its buffer" + leaves},
		{"walks below 0", Shape{3}, []int{-1}, 1, "shape (3) with strides (-1) and offset 1 leaves its buffer" + leaves},
		{"two axes together walk below 0", Shape{3, 3}, []int{-3, -1}, 7, "shape (3, 3) with strides (-3, -1) and offset 7 leaves its buffer" + leaves},
		{"negative size", Shape{-3}, []int{-1}, 1, "shape (-3): axis -1 is negative; sizes are 0 or more"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := NewLayout(c.s, c.strides, c.offset)
			axis := 0
			if c.s[0] < 0 {
				axis = -1
			}
			wantError(t, err, c.text, axis)
		})
	}
	for _, c := range []operand{
		{[]int{3}, []int{math.MaxInt / 2}, 1},
		{[]int{2, 2}, []int{math.MaxInt - 1, 1}, 0},
		{[]int{2}, []int{math.MinInt}, math.MaxInt - 1},
		{[]int{1}, []int{0}, math.MaxInt},
	} {
		if l, err := NewLayout(c.sizes, c.strides, c.offset); err == nil {
			t.Errorf("%s reaches beyond int", l.String())
		}
	}
}

func TestNewLayoutAtTheLimits(t *testing.T) {
	for _, c := range []operand{
		{[]int{3}, []int{-2}, 4},
		{[]int{2}, []int{math.MaxInt - 1}, 0},
		{[]int{2}, []int{-(math.MaxInt - 1)}, math.MaxInt - 1},
		{[]int{1, 2}, []int{math.MinInt, 1}, 0},
		{[]int{0, 2}, []int{-5, math.MinInt}, 0},
	} {
		if _, err := NewLayout(c.sizes, c.strides, c.offset); err != nil {
			t.Errorf("%v: %v", c, err)
		}
	}
}

func TestSpan(t *testing.T) {
	for _, c := range []struct {
		operand
		lo, hi int
	}{
		{view(3, nil, nil), 3, 4},
		{view(0, []int{2, 3}, []int{3, 1}), 0, 6},
		{view(9, []int{2, 3}, []int{-5, 1}), 4, 12},
		{view(9, []int{1, 3}, []int{-5, 0}), 9, 10},
		{view(9, []int{2, 0}, []int{-5, 1}), 9, 9},
	} {
		l := c.layout(t)
		if lo, hi := l.Span(); lo != c.lo || hi != c.hi {
			t.Errorf("%s spans %d to %d, want %d to %d", l, lo, hi, c.lo, c.hi)
		}
	}
}

func TestIsContiguous(t *testing.T) {
	for _, c := range []struct {
		name string
		operand
		want bool
	}{
		{"rank 0", view(5, nil, nil), true},
		{"with an offset", view(5, []int{2, 3}, []int{3, 1}), true},
		{"size 1 with any stride", view(0, []int{2, 1, 3}, []int{3, -77, 1}), true},
		{"empty", view(0, []int{2, 0}, []int{7, 9}), true},
		{"gap", view(0, []int{2, 3}, []int{4, 1}), false},
		{"step", view(0, []int{3}, []int{2}), false},
		{"reversed", view(2, []int{3}, []int{-1}), false},
		{"transposed", view(0, []int{2, 3}, []int{1, 2}), false},
		{"stretched", view(0, []int{2, 3}, []int{0, 1}), false},
	} {
		if got := c.layout(t).IsContiguous(); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

func TestZeroLayoutIsOneElement(t *testing.T) {
	var l Layout
	if l.Size() != 1 || l.Rank() != 0 || !l.IsContiguous() {
		t.Errorf("zero Layout: %s", l.String())
	}
}

// Layouts of more than six axes keep them in a slice: copies may share it only
// as long as nothing writes to it.
func TestLayoutsAreValues(t *testing.T) {
	sizes := []int{2, 3, 2, 1, 2, 3, 2, 2}
	l := RowMajor(sizes)
	before := l.String()
	permuted := []int{7, 6, 5, 4, 3, 2, 1, 0}
	for name, view := range map[string]func() (Layout, error){
		"Permute":     func() (Layout, error) { return l.Permute(permuted...) },
		"Transpose":   func() (Layout, error) { return l.Transpose(0, -1) },
		"Flip":        func() (Layout, error) { return l.Flip() },
		"Slice":       func() (Layout, error) { return l.Slice(R(0, 1), R(1, 3)) },
		"Index":       func() (Layout, error) { return l.Index(1, 1) },
		"Unsqueeze":   func() (Layout, error) { return l.Unsqueeze(3) },
		"Squeeze":     func() (Layout, error) { return l.Squeeze() },
		"BroadcastTo": func() (Layout, error) { return l.BroadcastTo(Shape{2, 3, 2, 5, 2, 3, 2, 2}) },
		"Reshape":     func() (Layout, error) { v, _, err := l.Reshape(Shape{-1}); return v, err },
	} {
		v, err := view()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if l.String() != before {
			t.Fatalf("%s changed its operand to %s", name, l.String())
		}
		if v.String() == before {
			t.Errorf("%s changed nothing", name)
		}
	}
	if !slices.Equal(l.AppendShape(Shape{9}), append([]int{9}, sizes...)) {
		t.Error("AppendShape drops what was there")
	}
}

func TestHotPathsDoNotAllocate(t *testing.T) {
	s, wide := Shape{2, 1, 2, 3, 1, 2}, Shape{2, 4, 2, 3, 5, 2}
	sum := 0
	n := testing.AllocsPerRun(100, func() {
		l := RowMajor(s)
		v, err := l.BroadcastTo(wide)
		if err != nil {
			t.Error(err)
		}
		w, _ := v.Flip()
		u, _ := w.Transpose(0, 1)
		sum += u.Dim(0) + u.Stride(1) + u.Offset() + u.Size()
		if u.IsContiguous() || Overlaps(&u, 4, &l, 8) == Disjoint {
			sum++
		}
		if _, shared := l.SharedAxis(); shared {
			sum++
		}
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
	if strings.Count(wide.String(), ",") != 5 || sum == 0 {
		t.Error("the views above have six axes")
	}
}
