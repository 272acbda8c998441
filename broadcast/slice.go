package broadcast

import (
	"fmt"
	"math"
)

// Begin and End stand for a Start and a Stop left out: where a walk over the
// whole axis begins and ends in the direction of Step.
const (
	Begin = math.MinInt
	End   = math.MaxInt
)

// Range picks the indices Start, Start+Step, ... before Stop along one axis.
// Negative Start and Stop count from the end; beyond the axis they are clipped,
// so that no Range is out of range, but it may be empty. With a negative Step
// the walk goes down. R makes a Range; a Step of 0 is an error.
type Range struct{ Start, Stop, Step int }

// All picks every index.
var All = Range{Begin, End, 1}

// R returns the Range from start up to, not including, stop, in steps of step,
// or of 1 without one. R(Begin, End, -1) reverses an axis. More than one step
// is an error when the Range is used.
func R(start, stop int, step ...int) Range {
	switch len(step) {
	case 0:
		return Range{start, stop, 1}
	case 1:
		return Range{start, stop, step[0]}
	}
	return Range{start, stop, 0}
}

// Slice returns the view of the given ranges, one for each axis from the
// first; axes without one are taken whole. Errors (*ShapeError): more ranges
// than axes; a step of 0.
func (l *Layout) Slice(ranges ...Range) (Layout, error) {
	if len(ranges) > l.rank {
		return Layout{}, fail(0, fmt.Sprintf("cannot slice %v with %d ranges", l.Shape(), len(ranges)),
			fmt.Sprintf("it has %d axes", l.rank), l.Shape())
	}
	v := l.clone()
	axes := v.axes()
	empty := l.Size() == 0
	for i, r := range ranges {
		if r.Step == 0 {
			return Layout{}, fail(i-l.rank, fmt.Sprintf("cannot slice axis %d of %v with step 0", i, l.Shape()),
				"R takes one step, other than 0; Index picks one element", l.Shape())
		}
		a := &axes[i]
		first, n := r.clip(a.size)
		if n > 0 && !empty {
			v.offset += first * a.stride
		}
		if n > 1 {
			a.stride *= r.Step
		}
		a.size = n
	}
	return v, nil
}

// clip returns the first index that r picks of size indices, and how many.
func (r Range) clip(size int) (first, n int) {
	low, high := 0, size // where Start and Stop are clipped to
	begin, end := 0, size
	if r.Step < 0 {
		low, high = -1, size-1
		begin, end = size-1, -1
	}
	start, stop := begin, end
	if r.Start != Begin {
		start = bound(r.Start, size, low, high)
	}
	if r.Stop != End {
		stop = bound(r.Stop, size, low, high)
	}
	// Unsigned: negating the least int would overflow.
	switch {
	case r.Step > 0 && start < stop:
		return start, int(uint(stop-start-1)/uint(r.Step)) + 1
	case r.Step < 0 && start > stop:
		return start, int(uint(start-stop-1)/-uint(r.Step)) + 1
	}
	return 0, 0
}

// bound turns an index that may count from the end of size into one between
// low and high.
func bound(i, size, low, high int) int {
	if i < 0 {
		i += size
	}
	return min(max(i, low), high)
}
