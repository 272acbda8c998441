package broadcast

import "math"

// IndexLimit is the limit for Pieces of a device that computes with 32-bit
// signed indices.
const IndexLimit = math.MaxInt32

// TreeBlock is the number of reduced elements in a block of the canonical
// reduction tree (package kernels). Pieces cuts reduced axes only at multiples
// of it, so that no block is torn.
const TreeBlock = 1024

// Piece is a part of a Plan: a box of its space.
type Piece struct {
	Plan        *Plan // the same axes in the same order, sizes smaller (1 too), Offsets moved
	Base        []int // per plan axis: the index at which the piece starts
	ReducedBase int   // the linear position of its first element among the reduced ones, a multiple of 1,024
	Wide        bool  // it reaches the limit and cannot be cut: it needs 64-bit indices
}

// Fits reports whether p has fewer than limit elements, and no operand two
// elements limit or more apart: whether Pieces would leave it whole.
func (p *Plan) Fits(limit int) bool { return p.fits(p.Sizes, limit) }

// Pieces cuts p into boxes that fit the limit, see Fits. Together they cover
// the space exactly once, in row-major order of their places. Kept axes are cut
// first. Reduced axes are cut only where that cannot be enough, from the
// outermost, so that each piece is one run of reduced elements in logical
// order, which starts at a multiple of 1,024. When no such cuts make p fit,
// it is one piece and Wide. There are no pieces when there are no results.
func (p *Plan) Pieces(limit int) []Piece {
	if p.Outer == 0 {
		return nil
	}
	if p.Fits(limit) {
		return []Piece{{Plan: p, Base: make([]int, len(p.Sizes))}}
	}
	box := append([]int(nil), p.Sizes...)
	if !p.cutReduced(box, limit) {
		return []Piece{{Plan: p, Base: make([]int, len(p.Sizes)), Wide: true}}
	}
	p.cutKept(box, limit)
	return p.tile(box)
}

// fits is Fits for a box of the plan's space.
func (p *Plan) fits(box []int, limit int) bool {
	return p.count(box) < limit && p.farthest(box, limit) < 0
}

// count returns the number of elements in the box, or of results when nothing
// is reduced to each.
func (p *Plan) count(box []int) int {
	return product(box[:p.Kept]) * max(product(box[p.Kept:]), 1)
}

// farthest returns the first operand with two elements in the box limit or
// more apart, -1 when there is none.
func (p *Plan) farthest(box []int, limit int) int {
	for o, row := range p.Strides {
		apart := 0 // untouched operands have strides 0, so sizes 0 do no harm
		for k, n := range box {
			apart += (n - 1) * abs(row[k])
		}
		if apart >= limit {
			return o
		}
	}
	return -1
}

// cutReduced halves the reduced axes of the box until it would fit if it had
// one kept element. It reports false when no cuts do that.
func (p *Plan) cutReduced(box []int, limit int) bool {
	one := append([]int(nil), box...)
	for k := range p.Kept {
		one[k] = 1
	}
	for k := p.Kept; !p.fits(one, limit); {
		if k == len(one) {
			return false
		}
		if one[k] == 1 {
			k++
			continue
		}
		grain := TreeBlock / int(gcd(TreeBlock, int64(product(p.Sizes[k+1:]))))
		half := (one[k] + 1) / 2
		half = (half + grain - 1) / grain * grain
		if half >= one[k] {
			return false
		}
		one[k] = half
	}
	copy(box[p.Kept:], one[p.Kept:])
	return true
}

// cutKept halves kept axes of the box until it fits. Against too many elements
// the outermost goes first, which leaves inner loops whole; against an operand
// that reaches too far, the axis along which it reaches farthest.
func (p *Plan) cutKept(box []int, limit int) {
	for {
		cut, reach := -1, 0
		if p.count(box) >= limit {
			for cut = 0; box[cut] == 1; {
				cut++
			}
		} else if o := p.farthest(box, limit); o >= 0 {
			for k := range p.Kept {
				if r := (box[k] - 1) * abs(p.Strides[o][k]); r > reach {
					cut, reach = k, r
				}
			}
		}
		if cut < 0 {
			return
		}
		box[cut] = (box[cut] + 1) / 2
	}
}

// tile covers the space with boxes of the given sizes, smaller ones at the ends.
func (p *Plan) tile(box []int) []Piece {
	var pieces []Piece
	base := make([]int, len(box))
	for {
		pieces = append(pieces, p.piece(base, box))
		k := len(box) - 1
		for ; k >= 0; k-- {
			if base[k] += box[k]; base[k] < p.Sizes[k] {
				break
			}
			base[k] = 0
		}
		if k < 0 {
			return pieces
		}
	}
}

// piece returns the part of p from base on, as large as box where there is room.
func (p *Plan) piece(base, box []int) Piece {
	q := p.Clone()
	reducedBase := 0
	for k := range q.Sizes {
		q.Sizes[k] = min(box[k], p.Sizes[k]-base[k])
		for o, row := range p.Strides {
			q.Offsets[o] += base[k] * row[k]
		}
		if k >= p.Kept {
			reducedBase = reducedBase*p.Sizes[k] + base[k]
		}
	}
	q.Outer, q.Inner = product(q.Sizes[:q.Kept]), product(q.Sizes[q.Kept:])
	q.classify()
	return Piece{Plan: q, Base: append([]int(nil), base...), ReducedBase: reducedBase}
}
