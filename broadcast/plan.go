package broadcast

import "slices"

// Plan puts all operands of an operation on one iteration space. It is the
// only form in which devices see shapes. Build reuses the slices of the Plan,
// so a pooled Plan costs no allocation; a copy must be made with Clone.
//
// Axes of size 1 are left out. An axis that is not in Logical and not part of
// a fused one therefore has size 1, and its index is always 0.
type Plan struct {
	Sizes   []int   // kept axes outermost first, then the reduced axes in logical order; empty: one element
	Kept    int     // how many of Sizes are kept axes
	Strides [][]int // per operand (inputs, then outputs): elements along each of Sizes; 0 where stretched, and for outputs along reduced axes
	Offsets []int   // per operand: the element offset of the plan's origin
	Logical []int   // per plan axis: the axis of the space it is, or -1 when it stands for several
	Classes []Class // per operand
	Outer   int     // product of Sizes[:Kept]: the number of elements, or of results of a reduction
	Inner   int     // product of Sizes[Kept:]: the elements reduced to each result, 1 without reduction
	Outputs int     // how many operands, counted from the end, are outputs

	strides []int // what Strides is cut from
}

// Build makes p the plan of an operation over the logical iteration shape
// space, which passed Check(1). Each operand's layout, inputs before outputs,
// broadcasts to space, aligned at the right; the outputs have its shape, with
// size 1 on the axes in reduced. Build checks none of this.
//
// Kept axes are ordered so that the innermost has the smallest strides: the
// first output decides, then further outputs, then inputs; stride 0 decides
// nothing, and what nobody decides stays in logical order. An axis on which
// the first operand in that order that moves on it goes backwards is flipped;
// an axis that continues its inner neighbour in every operand is fused with it.
// Reduced axes stay in logical order, unflipped, and are fused likewise. The
// axes in indexed, whose index the program uses, are never flipped nor fused.
func (p *Plan) Build(space Shape, reduced, indexed AxisMask, outputs int, operands ...*Layout) {
	p.Outputs = outputs
	if reduced|indexed == 0 && p.buildFlat(space, operands) {
		return
	}
	p.pick(space, reduced)
	p.place(len(space), operands)
	p.sortKept()
	p.flipKept(indexed)
	n := p.fuse(0, 0, p.Kept, indexed)
	p.Kept, n = n, p.fuse(n, p.Kept, len(p.Sizes), indexed)
	p.Sizes, p.Logical = p.Sizes[:n], p.Logical[:n]
	for o, s := range p.Strides {
		p.Strides[o] = s[:n]
	}
	p.classify()
}

// pick sets Sizes and Logical to the axes of size other than 1, kept, then
// reduced ones, and Kept, Outer and Inner from them.
func (p *Plan) pick(space Shape, reduced AxisMask) {
	p.Sizes, p.Logical = p.Sizes[:0], p.Logical[:0]
	for i, n := range space {
		if n != 1 && !reduced.Has(i) {
			p.Sizes, p.Logical = append(p.Sizes, n), append(p.Logical, i)
		}
	}
	p.Kept = len(p.Sizes)
	for i, n := range space {
		if n != 1 && reduced.Has(i) {
			p.Sizes, p.Logical = append(p.Sizes, n), append(p.Logical, i)
		}
	}
	p.Outer, p.Inner = product(p.Sizes[:p.Kept]), product(p.Sizes[p.Kept:])
}

// place sets Strides and Offsets to those of the operands along the picked
// axes of a space of the given rank. An operand of which no element is touched
// gets strides 0, so that no flip or cut moves its origin out of its buffer.
func (p *Plan) place(rank int, operands []*Layout) {
	n := len(p.Sizes)
	p.resize(n, len(operands))
	for o, l := range operands {
		row := p.Strides[o]
		p.Offsets[o] = l.offset
		axes, missing := l.axes(), rank-l.rank
		untouched := p.Outer == 0 || p.Inner == 0 && o < len(operands)-p.Outputs
		for k, i := range p.Logical {
			row[k] = 0
			if i >= missing && axes[i-missing].size != 1 && !untouched {
				row[k] = axes[i-missing].stride
			}
		}
	}
}

// resize gives Strides, Offsets and Classes room for the operands, and Strides
// for n axes.
func (p *Plan) resize(n, operands int) {
	p.strides = sized(p.strides, n*operands)
	p.Strides = sized(p.Strides, operands)
	p.Offsets = sized(p.Offsets, operands)
	p.Classes = sized(p.Classes, operands)
	for o := range p.Strides {
		p.Strides[o] = p.strides[o*n : (o+1)*n : (o+1)*n]
	}
}

// sized returns a slice of n elements, s itself if it has room.
func sized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// byPriority returns the operand that comes i-th in deciding: outputs, then inputs.
func (p *Plan) byPriority(i int) int {
	if i < p.Outputs {
		return len(p.Strides) - p.Outputs + i
	}
	return i - p.Outputs
}

// sortKept orders the kept axes by insertion. An undecided pair does not end
// the search for an axis's place: what one stretched operand leaves open, an
// axis further out may settle.
func (p *Plan) sortKept() {
	for i := 1; i < p.Kept; i++ {
		inner := i
		for outer := i - 1; outer >= 0; outer-- {
			order := p.compare(outer, inner)
			if order > 0 {
				break
			}
			if order < 0 {
				p.swap(outer, inner)
				inner = outer
			}
		}
	}
}

// compare returns how the strides along two axes compare: 1 when those along
// the outer one are larger, -1 when smaller, 0 when no operand decides.
func (p *Plan) compare(outer, inner int) int {
	for i := range p.Strides {
		row := p.Strides[p.byPriority(i)]
		a, b := abs(row[outer]), abs(row[inner])
		switch {
		case a == 0 || b == 0 || a == b:
		case a > b:
			return 1
		default:
			return -1
		}
	}
	return 0
}

// swap exchanges two axes.
func (p *Plan) swap(i, j int) {
	p.Sizes[i], p.Sizes[j] = p.Sizes[j], p.Sizes[i]
	p.Logical[i], p.Logical[j] = p.Logical[j], p.Logical[i]
	for _, row := range p.Strides {
		row[i], row[j] = row[j], row[i]
	}
}

// flipKept reverses the kept axes that the operand deciding on them walks
// backwards, for every operand.
func (p *Plan) flipKept(indexed AxisMask) {
	for k := range p.Kept {
		if !p.backwards(k) || indexed.Has(p.Logical[k]) {
			continue
		}
		for o, row := range p.Strides {
			p.Offsets[o] += (p.Sizes[k] - 1) * row[k]
			row[k] = -row[k]
		}
	}
}

// backwards reports whether the first operand that moves along an axis,
// outputs before inputs, has a negative stride there.
func (p *Plan) backwards(k int) bool {
	for i := range p.Strides {
		if s := p.Strides[p.byPriority(i)][k]; s != 0 {
			return s < 0
		}
	}
	return false
}

// fuse merges neighbours among the axes from..to-1 and moves the result to the
// place at; it returns the place after the last one.
func (p *Plan) fuse(at, from, to int, indexed AxisMask) int {
	first := at
	for k := from; k < to; k++ {
		if at > first && p.continues(at-1, k, indexed) {
			p.Sizes[at-1] *= p.Sizes[k]
			p.Logical[at-1] = -1
			for _, row := range p.Strides {
				row[at-1] = row[k]
			}
			continue
		}
		p.Sizes[at], p.Logical[at] = p.Sizes[k], p.Logical[k]
		for _, row := range p.Strides {
			row[at] = row[k]
		}
		at++
	}
	return at
}

// continues reports whether one step along outer is, for every operand, as far
// as the whole axis inner, and neither is indexed.
func (p *Plan) continues(outer, inner int, indexed AxisMask) bool {
	if p.indexed(outer, indexed) || p.indexed(inner, indexed) {
		return false
	}
	for _, row := range p.Strides {
		if row[outer] != row[inner]*p.Sizes[inner] {
			return false
		}
	}
	return true
}

func (p *Plan) indexed(k int, indexed AxisMask) bool {
	return p.Logical[k] >= 0 && indexed.Has(p.Logical[k])
}

// Clone returns a copy that shares no memory with p.
func (p *Plan) Clone() *Plan {
	q := *p
	q.Sizes, q.Offsets = slices.Clone(p.Sizes), slices.Clone(p.Offsets)
	q.Logical, q.Classes = slices.Clone(p.Logical), slices.Clone(p.Classes)
	q.strides = make([]int, 0, len(p.Strides)*len(p.Sizes))
	q.Strides = make([][]int, len(p.Strides))
	for o, row := range p.Strides {
		from := len(q.strides)
		q.strides = append(q.strides, row...)
		q.Strides[o] = q.strides[from:len(q.strides):len(q.strides)]
	}
	return &q
}

func product(sizes []int) int {
	n := 1
	for _, s := range sizes {
		n *= s
	}
	return n
}
