package broadcast

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestOverlaps(t *testing.T) {
	full := rowMajorOperand
	for _, c := range []struct {
		name  string
		a     operand
		aSize int
		b     operand
		bSize int
		want  Overlap
	}{
		{"the same", full(4, 5), 4, full(4, 5), 4, Exact},
		{"the same but for size 1", view(3, []int{4, 1, 5}, []int{5, 9, 1}), 4, view(3, []int{1, 4, 5}, []int{7, 5, 1}), 4, Exact},
		{"one element as rank 0 and 3", view(3, nil, nil), 4, view(3, []int{1, 1, 1}, []int{5, 6, 7}), 4, Exact},
		{"the same cells under other sizes", full(4, 5), 4, full(20), 4, Maybe},
		{"transposed in place", full(4, 4), 4, view(0, []int{4, 4}, []int{1, 4}), 4, Maybe},
		{"reversed in place", full(5), 4, view(4, []int{5}, []int{-1}), 4, Maybe},
		{"shifted by one", view(1, []int{9}, []int{1}), 4, view(0, []int{9}, []int{1}), 4, Maybe},
		{"one element within", full(9), 4, view(8, []int{1}, []int{1}), 4, Maybe},
		{"adjacent", full(5), 4, view(5, []int{5}, []int{1}), 4, Disjoint},
		{"empty within", full(5), 4, view(2, []int{0}, []int{1}), 4, Disjoint},
		{"empty twice", full(0), 4, full(0), 4, Disjoint},
		{"even and odd elements", view(0, []int{5}, []int{2}), 4, view(1, []int{5}, []int{2}), 4, Disjoint},
		{"even and odd, one reversed", view(0, []int{5}, []int{2}), 4, view(9, []int{5}, []int{-2}), 4, Disjoint},
		{"even and every fourth", view(0, []int{50}, []int{2}), 4, view(2, []int{25}, []int{4}), 4, Maybe},
		{"even and odd columns", view(0, []int{30, 5}, []int{10, 2}), 4, view(1, []int{30, 5}, []int{10, 2}), 4, Disjoint},
		{"left and right half of the columns", view(0, []int{30, 5}, []int{10, 1}), 4, view(5, []int{30, 5}, []int{10, 1}), 4, Disjoint},
		{"halves that share a column", view(0, []int{30, 6}, []int{10, 1}), 4, view(5, []int{30, 5}, []int{10, 1}), 4, Maybe},
		{"even and odd rows", view(0, []int{4, 10}, []int{20, 1}), 4, view(10, []int{4, 10}, []int{20, 1}), 4, Disjoint},
		{"upper left and lower right block", view(0, []int{5, 5}, []int{10, 1}), 4, view(55, []int{5, 5}, []int{10, 1}), 4, Disjoint},
		{"a column and a row that miss", view(3, []int{9}, []int{10}), 4, view(94, []int{6}, []int{1}), 4, Disjoint},
		{"a column and a row that cross", view(3, []int{10}, []int{10}), 4, view(50, []int{10}, []int{1}), 4, Maybe},
		{"steps 2 and 3 between the bounds", view(0, []int{2}, []int{6}), 4, view(2, []int{3}, []int{1}), 4, Disjoint},
		{"many elements at even and odd places", view(0, []int{500, 300}, []int{3000, 6}), 4, view(1, []int{700, 400}, []int{2000, 4}), 4, Disjoint},
		{"stretched over an element", view(3, []int{100}, []int{0}), 4, full(9), 4, Maybe},
		{"stretched beside all elements", view(3, []int{100}, []int{0}), 4, view(0, []int{9}, []int{2}), 4, Disjoint},
		{"bytes within words", full(5), 4, view(19, []int{1}, []int{1}), 1, Maybe},
		{"bytes after words", full(5), 4, view(20, []int{1}, []int{1}), 1, Disjoint},
		{"words over the same offset and layout as bytes", full(5), 4, full(5), 1, Maybe},
		{"words between bytes of every other word", view(0, []int{5}, []int{2}), 4, view(4, []int{5}, []int{8}), 1, Disjoint},
		{"the last byte of a word", view(0, []int{5}, []int{2}), 4, view(3, []int{5}, []int{8}), 1, Maybe},
		{"doubles over every other float", view(0, []int{5}, []int{2}), 4, full(5), 8, Maybe},
		{"doubles between pairs of floats", view(0, []int{5, 2}, []int{4, 1}), 4, view(1, []int{5}, []int{2}), 8, Disjoint},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, b := c.a.layout(t), c.b.layout(t)
			if got := Overlaps(a, c.aSize, b, c.bSize); got != c.want {
				t.Errorf("%v, want %v", got, c.want)
			}
			if got := Overlaps(b, c.bSize, a, c.aSize); got != c.want {
				t.Errorf("the other way round %v, want %v", got, c.want)
			}
		})
	}
}

// hard is a subset-sum problem: strides of one magnitude without a common
// divisor, so that neither bounds nor divisibility cut the search short.
func hard() operand {
	var o operand
	random := rand.New(rand.NewPCG(3, 4))
	for range 24 {
		o.sizes, o.strides = append(o.sizes, 2), append(o.strides, 30_000_000+random.IntN(30_000_000))
	}
	return o
}

func TestOverlapSearchIsBounded(t *testing.T) {
	o := hard()
	a, b := o.layout(t), view(540_000_007, nil, nil).layout(t)
	if got := Overlaps(a, 4, b, 4); got != Maybe {
		t.Errorf("%v, want maybe", got)
	}
	var e equation
	for i, n := range o.sizes {
		e.add(int64(o.strides[i]), 0, int64(n-1))
	}
	if got := e.solvable(540_000_007, searchSteps); got != unknown || e.steps < 0 {
		t.Errorf("answer %d with %d steps left, want it to run out of steps", got, e.steps)
	}
}

func TestOverlapsBeyondEveryBuffer(t *testing.T) {
	if math.MaxInt == math.MaxInt32 {
		t.Skip("bytes counted from an int of 32 bits fit 64")
	}
	far := view(math.MaxInt-2, []int{2}, []int{-1}).layout(t)
	near := view(math.MaxInt-2, []int{1}, []int{1}).layout(t)
	if got := Overlaps(far, 1<<30, near, 1<<29); got != Maybe {
		t.Errorf("%v, want maybe", got)
	}
}

func TestSharedAxis(t *testing.T) {
	for _, c := range []struct {
		name string
		operand
		axis int // -1 for none
	}{
		{"rank 0", view(0, nil, nil), -1},
		{"row-major", rowMajorOperand(2, 3, 4), -1},
		{"transposed and reversed", view(11, []int{3, 4}, []int{-1, -3}), -1},
		{"stretched", view(0, []int{2, 3, 4}, []int{4, 0, 1}), 1},
		{"stride 0 on size 1", view(0, []int{2, 1}, []int{1, 0}), -1},
		{"stretched but empty", view(0, []int{0, 3}, []int{0, 0}), -1},
		{"overlapping windows", view(0, []int{5, 3}, []int{1, 1}), 1},
		{"overlapping windows that advance by 2", view(0, []int{5, 3}, []int{2, 1}), 0},
		{"adjoining windows", view(0, []int{5, 3}, []int{3, 1}), -1},
		{"windows reversed", view(12, []int{5, 3}, []int{-2, -1}), 0},
		{"steps of 2 and 3 that never meet", view(0, []int{2, 2}, []int{3, 2}), -1},
		{"steps of 2 and 3 that meet at 6", view(0, []int{3, 4}, []int{3, 2}), 0},
		{"diagonals", view(0, []int{4, 4}, []int{5, 4}), -1},
	} {
		t.Run(c.name, func(t *testing.T) {
			axis, shared := c.layout(t).SharedAxis()
			if axis != c.axis || shared != (c.axis >= 0) {
				t.Errorf("axis %d, shared %v, want axis %d", axis, shared, c.axis)
			}
		})
	}
}

func TestSharedAxisSearchIsBounded(t *testing.T) {
	var e equation
	o := hard()
	e.add(int64(o.strides[23]), 1, 1)
	for _, stride := range o.strides[:23] {
		e.add(int64(stride), -1, 1)
	}
	if got := e.solvable(1, searchSteps); got != unknown {
		t.Errorf("answer %d, want it to run out of steps", got)
	}
	if _, shared := o.layout(t).SharedAxis(); !shared {
		t.Error("a layout that is too hard to tell must count as shared")
	}
}

func TestOverlapString(t *testing.T) {
	if s := Disjoint.String() + Exact.String() + Maybe.String(); s != "disjointexactmaybe" {
		t.Error(s)
	}
}

func FuzzOverlap(f *testing.F) {
	seeds(f, 2000, 60)
	f.Fuzz(func(t *testing.T, data []byte) {
		s := source{data}
		sizes := []int{1, 2, 4, 8}
		aSize, bSize := sizes[s.below(4)], sizes[s.below(4)]
		if s.oneIn(2) {
			bSize = aSize
		}
		a := s.operand(s.sizes(3, 6, 40), false)
		b := s.operand(s.sizes(3, 6, 40), false)
		a.offset, b.offset = a.offset+s.below(8), b.offset+s.below(8)
		if s.oneIn(8) {
			b = a
		}
		share := shareByte(a, aSize, b, bSize)
		same := aSize == bSize && !slices.Contains(a.sizes, 0)
		la, lb := a.layout(t), b.layout(t)
		got := Overlaps(la, aSize, lb, bSize)
		switch {
		case share != (got != Disjoint): // so small a search is never cut short
			t.Errorf("%v, share a byte: %v", got, share)
		case got != Overlaps(lb, bSize, la, aSize):
			t.Error("depends on the order")
		case same && fmt.Sprint(a) == fmt.Sprint(b) && got != Exact:
			t.Errorf("%v with itself", got)
		case got == Exact && (!same || !sameWalk(a, b)):
			t.Errorf("exact, but elements differ")
		}
		if t.Failed() {
			t.Logf("a %v of %d bytes, b %v of %d bytes", a, aSize, b, bSize)
		}
	})
}

// shareByte lists the bytes of a and looks for those of b among them.
func shareByte(a operand, aSize int, b operand, bSize int) bool {
	bytes, share := map[int]bool{}, false
	odometer(a.sizes, func(index []int) {
		for i := range aSize {
			bytes[a.at(index)*aSize+i] = true
		}
	})
	odometer(b.sizes, func(index []int) {
		for i := range bSize {
			share = share || bytes[b.at(index)*bSize+i]
		}
	})
	return share
}

// sameWalk reports whether element i of a is element i of b, for all i.
func sameWalk(a, b operand) bool {
	var left, right []int
	odometer(a.sizes, func(index []int) { left = append(left, a.at(index)) })
	odometer(b.sizes, func(index []int) { right = append(right, b.at(index)) })
	return slices.Equal(left, right)
}
