package broadcast

import (
	"math"
	"slices"
)

// Overlap says whether the elements of two layouts over one buffer share bytes.
type Overlap uint8

// Disjoint and Exact are certain. Maybe is the rest: two layouts that share
// some bytes, or that the search did not settle within its 10,000 steps.
const (
	Disjoint Overlap = iota // no byte in common
	Exact                   // element i of one is element i of the other
	Maybe
)

// String returns "disjoint", "exact" or "maybe".
func (o Overlap) String() string {
	return [...]string{"disjoint", "exact", "maybe"}[o]
}

// searchSteps bounds the search for an element that two layouts share.
const searchSteps = 10_000

// Overlaps compares the bytes that a, with elements of aSize bytes, and b, with
// elements of bSize, touch in one buffer; both offsets count from its start.
// Layouts are Exact when offset, element size, and sizes and strides of all
// axes but those of size 1 are equal. Element sizes are 1 or more. It allocates
// nothing.
func Overlaps(a *Layout, aSize int, b *Layout, bSize int) Overlap {
	if a.Size() == 0 || b.Size() == 0 {
		return Disjoint
	}
	if aSize == bSize && sameCells(a, b) {
		return Exact
	}
	// Counted in units that divide both element sizes, the layouts share a
	// byte when they share a unit.
	unit := gcd(int64(aSize), int64(bSize))
	aUnits, bUnits := int64(aSize)/unit, int64(bSize)/unit
	aLow, aHigh := a.Span()
	bLow, bHigh := b.Span()
	if int64(aHigh) > math.MaxInt64/4/aUnits || int64(bHigh) > math.MaxInt64/4/bUnits {
		return Maybe // no buffer is that large
	}
	if int64(aHigh)*aUnits <= int64(bLow)*bUnits || int64(bHigh)*bUnits <= int64(aLow)*aUnits {
		return Disjoint
	}
	// Unit u of a's element at indices i is unit w of b's element at j:
	//	aOffset + Σ i·aStride + u = bOffset + Σ j·bStride + w
	var e equation
	e.add(1, 1-bUnits, aUnits-1)
	for _, x := range a.axes() {
		e.add(int64(x.stride)*aUnits, 0, int64(x.size-1))
	}
	for _, x := range b.axes() {
		e.add(-int64(x.stride)*bUnits, 0, int64(x.size-1))
	}
	if e.solvable(int64(b.offset)*bUnits-int64(a.offset)*aUnits, searchSteps) == no {
		return Disjoint
	}
	return Maybe
}

// sameCells reports whether both layouts have the same offset, and the same
// sizes and strides when axes of size 1 are left out.
func sameCells(a, b *Layout) bool {
	if a.offset != b.offset {
		return false
	}
	x, y := a.axes(), b.axes()
	for {
		for len(x) > 0 && x[0].size == 1 {
			x = x[1:]
		}
		for len(y) > 0 && y[0].size == 1 {
			y = y[1:]
		}
		if len(x) == 0 || len(y) == 0 {
			return len(x) == len(y)
		}
		if x[0] != y[0] {
			return false
		}
		x, y = x[1:], y[1:]
	}
}

// SharedAxis reports whether two elements of the layout lie in the same cell,
// as in a stretched axis or overlapping windows, so that writing through it
// has no one meaning. axis is one along which that happens, -1 when none does.
// When 10,000 steps do not settle it, the layout counts as shared.
func (l *Layout) SharedAxis() (axis int, shared bool) {
	if l.Size() == 0 {
		return -1, false
	}
	var order [MaxRank]int
	n := 0
	for i, a := range l.axes() {
		if a.size == 1 {
			continue
		}
		if a.stride == 0 {
			return i, true
		}
		order[n] = i
		n++
	}
	axes := l.axes()
	slices.SortStableFunc(order[:n], func(i, j int) int { return abs(axes[i].stride) - abs(axes[j].stride) })
	// An axis whose steps are longer than all that the shorter axes span
	// reaches new cells only. Any other must be searched for a step d ≥ 1
	// along it that steps along the shorter axes undo.
	reach := 0
	for k, i := range order[:n] {
		a := axes[i]
		if abs(a.stride) <= reach {
			var e equation
			e.add(int64(a.stride), 1, int64(a.size-1))
			for _, j := range order[:k] {
				e.add(int64(axes[j].stride), 1-int64(axes[j].size), int64(axes[j].size-1))
			}
			if e.solvable(0, searchSteps) != no {
				return i, true
			}
		}
		reach += abs(a.stride) * (a.size - 1)
	}
	return -1, false
}

func abs(x int) int { return max(x, -x) }
