package broadcast

import (
	"fmt"
	"slices"
	"strings"
)

// mend says what makes a and b, which disagree on axis, broadcast: the axes to
// insert, the axes to swap, or failing that the rule they break.
func mend(a, b Shape, axis int) string {
	if len(a) != len(b) {
		short, long := a, b
		if len(a) > len(b) {
			short, long = b, a
		}
		if hint := unsqueezeHint(short, long, true); hint != "" {
			return hint
		}
	}
	if hint := permuteHint(b, a); hint != "" {
		return hint
	}
	x, y := a[len(a)+axis], b[len(b)+axis]
	switch {
	case x == 0 || y == 0:
		return "a size of 0 goes only with 0 and 1"
	case len(a) == 1 && len(b) == 1:
		return fmt.Sprintf("unsqueeze %v at axis 1 to make it (%d, 1) if all pairs are meant", a.Clone(), x)
	}
	return "sizes on an axis must be equal, or one of them 1"
}

// mendTo says what makes from broadcast to the fixed shape to, or failing that
// the rule it breaks.
func mendTo(from, to Shape) string {
	switch hint := Mend(from, to); {
	case hint != "":
		return hint
	case len(from) > len(to):
		return "broadcasting drops no axes"
	}
	return "only an axis of size 1 stretches"
}

// Mend says which change of its axes makes from stretch to the fixed shape to:
// "unsqueeze (3) at axis 1 to make it (3, 1)". It is empty when inserting,
// dropping or reordering axes does not help, or nothing has to be mended.
func Mend(from, to Shape) string {
	switch extra := len(from) - len(to); {
	case stretches(from, to):
		return ""
	case extra < 0:
		return unsqueezeHint(from, to, false)
	case extra == 0:
		return permuteHint(from, to)
	case from[:extra].Size() == 1 && stretches(from[extra:], to):
		return fmt.Sprintf("squeeze %v at %s to make it %v", from.Clone(), axisList(count(extra)), from[extra:].Clone())
	}
	return ""
}

// unsqueezeHint finds where short needs axes of size 1 to go with long, each of
// its sizes then meeting an equal one (or, with both, a 1 of long).
func unsqueezeHint(short, long Shape, both bool) string {
	made := embed(short, long, false)
	if made == nil && both {
		made = embed(short, long, true)
	}
	if made == nil {
		return ""
	}
	var inserted []int
	reduced := both // the sizes of short are those of long without some axes, as after a reduction
	next := 0
	for i := range made {
		if next < len(short) && made[i] == short[next] {
			reduced = reduced && made[i] == long[len(long)-len(made)+i]
			next++
		} else {
			inserted = append(inserted, i)
		}
	}
	hint := fmt.Sprintf("unsqueeze %v at %s to make it %v", short.Clone(), axisList(inserted), made)
	if !reduced {
		return hint
	}
	return hint + ", as a reduction's Keep form does"
}

// embed spreads the sizes of short over the axes of long, as far right as they
// go, with axes of size 1 between; nil if there is no way. A size meets an
// equal one, 1 meets all, and with ones every size also meets a 1 of long.
func embed(short, long Shape, ones bool) Shape {
	made := make(Shape, len(long))
	left := len(short)
	for i := len(long) - 1; i >= 0 && left > 0; i-- {
		made[i] = 1
		n := short[left-1]
		if n == long[i] || n == 1 || ones && long[i] == 1 {
			made[i] = n
			left--
		}
		if left == 0 {
			return made[i:]
		}
	}
	return nil
}

// permuteHint says how to permute from into to when it has the same sizes.
func permuteHint(from, to Shape) string {
	if len(from) != len(to) || len(from) < 2 {
		return ""
	}
	axes := make([]int, len(to))
	var used AxisMask
	for i, n := range to {
		axes[i] = -1
		for j := range from {
			if from[j] == n && !used.Has(j) {
				axes[i], used = j, used|1<<j
				break
			}
		}
		if axes[i] < 0 {
			return ""
		}
	}
	if slices.IsSorted(axes) {
		return ""
	}
	if len(from) == 2 {
		return fmt.Sprintf("transpose %v to make it %v", from.Clone(), to.Clone())
	}
	return fmt.Sprintf("permute %v with %s to make it %v", from.Clone(), axisList(axes), to.Clone())
}

// count returns 0, 1, ..., n-1.
func count(n int) []int {
	c := make([]int, n)
	for i := range c {
		c[i] = i
	}
	return c
}

// axisList words axes: "axis 1", "axes 0, 2".
func axisList(axes []int) string {
	if len(axes) == 1 {
		return fmt.Sprintf("axis %d", axes[0])
	}
	return "axes " + strings.Trim(Shape(axes).String(), "()")
}
