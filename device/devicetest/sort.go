package devicetest

import (
	"fmt"
	"slices"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
)

// sortChecks test the ability to order elements, where the device has it.
func (s *suite) sortChecks() []check {
	sorter, ok := s.dev.(device.Sorter)
	if !ok {
		return nil
	}
	var checks []check
	for _, d := range dtype.All() {
		for _, descending := range []bool{false, true} {
			c := sortCase{sorter, d, descending}
			checks = append(checks, check{fmt.Sprintf("sort %v descending=%v", d, descending), c.check})
		}
	}
	return checks
}

type sortCase struct {
	sorter     device.Sorter
	dtype      dtype.DType
	descending bool
}

// sortShapes are shapes with the axis to sort along and how many are wanted.
var sortShapes = []struct {
	sizes   []int
	axis, k int
}{{[]int{9}, 0, 9}, {[]int{1}, 0, 1}, {[]int{0}, 0, 0}, {[]int{9}, 0, 0}, {[]int{4, 7}, 1, 7}, {[]int{7, 4}, 0, 3}, {[]int{3, 4, 5}, 1, 4},
	{[]int{3, 0, 5}, 2, 2}, {[]int{2, 1, 3, 2}, 2, 1}, {[]int{3, 300}, 1, 300}, {[]int{300, 3}, 0, 300}, {[]int{2, 1000}, 1, 7}, {[]int{2, 1000}, 1, 1},
	{[]int{1000}, 0, 500}, {[]int{5000}, 0, 5000}, {[]int{255}, 0, 255}, {[]int{256}, 0, 256}, {[]int{257}, 0, 257}}

func (c sortCase) check(s *suite) error {
	var errs collector
	for i, sh := range sortShapes {
		for j, m := range []mood{wild, ties, plain} {
			in := newOperand(c.dtype, walkPlaces[(i+j)%len(walkPlaces)](sh.sizes), guardCells)
			in.fill(newSource(uint64(i), m))
			errs.add(c.on(in, sh.axis, sh.k, (i+3*j)%len(walkPlaces), j).run(s.dev))
		}
	}
	return errs.err()
}

// on is the case of sorting in; of the two results each is left out in turn.
func (c sortCase) on(in operand, axis, k, place, turn int) *abilityCase {
	sizes := slices.Clone(in.view.sizes)
	n := sizes[axis]
	sizes[axis] = k
	values := newOperand(c.dtype, walkPlaces[place](sizes), guardCells)
	positions := newOperand(dtype.Int64, walkPlaces[(place+1)%len(walkPlaces)](sizes), guardCells)
	a := newAbilityCase(fmt.Sprintf("sort %d of %v %v along axis %d into %v and %v, descending %v", k, c.dtype, in.view, axis, values.view, positions.view, c.descending),
		in, values, positions)
	outer := slices.Clone(sizes)
	outer[axis] = 1
	odometer(outer, func(p []int) {
		line := make([]uint64, n)
		for i := range line {
			p[axis] = i
			line[i] = in.get(p)
		}
		for i, pos := range c.order(line)[:k] {
			p[axis] = i
			if turn != 1 {
				a.expect(values, p, line[pos])
			}
			if turn != 2 {
				a.expect(positions, p, uint64(pos))
			}
		}
		p[axis] = 0
	})
	a.call = func(b buffers) error {
		axes := lineAxes(len(in.view.sizes), axis)
		s := &device.Sort{DType: c.dtype, Descending: c.descending, N: n, K: k, In: b.strided(in, axes...), Label: "sort"}
		for _, x := range axes[:len(axes)-1] {
			s.Lines = append(s.Lines, in.view.sizes[x])
		}
		if turn != 1 {
			s.Values = b.strided(values, axes...)
		}
		if turn != 2 {
			s.Positions = b.strided(positions, axes...)
		}
		defer clear(s.Lines)
		defer clear(s.In.Strides)
		return c.sorter.Sort(s)
	}
	return a
}

// order returns the positions of a line's elements in order, by a stable sort
// with the plainest comparison.
func (c sortCase) order(line []uint64) []int {
	at := upTo(len(line))
	slices.SortStableFunc(at, func(i, j int) int {
		a, b := line[i], line[j]
		if x, y := isNaN(c.dtype, a), isNaN(c.dtype, b); x || y {
			switch {
			case x && y:
				return 0
			case x:
				return 1
			}
			return -1
		}
		if c.descending {
			a, b = b, a
		}
		switch {
		case c.less(a, b):
			return -1
		case c.less(b, a):
			return 1
		}
		return 0
	})
	return at
}

func (c sortCase) less(a, b uint64) bool {
	switch c.dtype.Kind() {
	case dtype.FloatKind:
		return toFloat(c.dtype, a) < toFloat(c.dtype, b)
	case dtype.IntKind:
		return toInt(c.dtype, a) < toInt(c.dtype, b)
	}
	return a < b
}
