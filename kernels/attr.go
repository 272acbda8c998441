package kernels

import (
	"fmt"
	"math/bits"

	"github.com/stride0/stride0/dtype"
)

// Attr holds the attributes of one application of an operation. The zero Attr
// is the operation's default: all axes, not kept. Attrs are comparable.
type Attr struct {
	Axes  AxisSet     // the axes a reduction works over; zero means all
	Keep  bool        // keep reduced axes as size 1
	DType dtype.DType // the target of a cast, the type of a constructor
}

// AxisSet is a set of axes, negative ones counted from the end. The zero
// AxisSet means all axes; NoAxes is the empty set.
type AxisSet struct {
	listed bool
	twice  bool   // an axis was named twice
	beyond bool   // an axis was outside ±32
	set    uint64 // bit axis+32
}

// NoAxes is the set of no axes: a reduction over it copies.
var NoAxes = AxisSet{listed: true}

// Axes returns the set of the given axes; without any it is NoAxes. Axes that
// repeat or do not exist are reported by Resolve.
func Axes(axes ...int) AxisSet {
	s := AxisSet{listed: true}
	for _, a := range axes {
		if a < -32 || a > 31 {
			s.beyond = true
			continue
		}
		bit := uint64(1) << (a + 32)
		s.twice = s.twice || s.set&bit != 0
		s.set |= bit
	}
	return s
}

// Resolve returns the set as a mask of the axes 0..rank-1 (bit i for axis i).
// Errors: an axis out of range, or one that is named twice, also once from
// each end.
func (s AxisSet) Resolve(rank int) (uint32, error) {
	if !s.listed {
		return uint32(1<<rank - 1), nil
	}
	axes := max(rank, 1) // of no axes, axis 0 may be named all the same
	if s.beyond {
		return 0, fmt.Errorf("an axis is outside -%d..%d", axes, axes-1)
	}
	if s.twice {
		return 0, fmt.Errorf("an axis is named twice")
	}
	var mask uint32
	for set := s.set; set != 0; set &= set - 1 {
		named := bits.TrailingZeros64(set) - 32
		axis := named
		if axis < 0 {
			axis += axes
		}
		if axis < 0 || axis >= axes {
			return 0, fmt.Errorf("axis %d is out of range for rank %d; valid axes are %d..%d", named, rank, -axes, axes-1)
		}
		if mask&(1<<axis) != 0 {
			return 0, fmt.Errorf("axis %d is named twice (as %d and %d)", axis, axis, axis-axes)
		}
		mask |= 1 << axis
	}
	if rank == 0 {
		mask = 0
	}
	return mask, nil
}

// Applied is an operation with its attributes: a bare Op, or Op.With(Attr).
type Applied interface{ Applied() (Op, Attr) }

type applied struct {
	op   Op
	attr Attr
}

// Applied returns the operation and its default attributes.
func (op Op) Applied() (Op, Attr) { return op, Attr{} }

// Applied returns the operation and its attributes.
func (a applied) Applied() (Op, Attr) { return a.op, a.attr }

// With returns the operation with attributes, for tensor.Into and its like.
func (op Op) With(a Attr) Applied { return applied{op, a} }
