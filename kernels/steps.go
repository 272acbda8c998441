package kernels

import (
	"fmt"
	"math"

	"github.com/stride0/stride0/broadcast"
)

// Step is one kernel launch. Its arguments are, in this order: the inputs
// unless Stage has FromStates; the outputs unless it has ToStates; the scratch
// if it has either; the scalars unless it has both; Geometry.
type Step struct {
	Stage Stage
	Form  Form   // as chosen, and Wide where this step needs it
	Items [3]int // work-items along x, y, z; none is 0
	Group [3]int // work-items in a group; Items are rounded up to multiples, the kernel ignores the surplus.
	// A device that must make a group smaller does so along x first: then no
	// step has more groups along y and z than Limits say.
	Geometry []byte
}

// Limits bound a single launch. Tests lower them.
type Limits struct {
	Index  int // elements that 32-bit indices reach
	Groups int // groups along y, and along z
}

// DeviceLimits are the limits of devices: CUDA has 65,535 groups along y and z
// (CUDA C Programming Guide, "Technical Specifications per Compute
// Capability"), and 2^31-1 along x, which Index keeps; OpenCL has none.
var DeviceLimits = Limits{Index: broadcast.IndexLimit, Groups: 65_535}

// Steps returns the launches that run p over plan, in order; none for a plan
// without elements.
//
// base holds, per operand, the element at its byte offset, and scratch the
// state at the scratch's.
//
// A reduction of more than Block elements keeps the states of the canonical
// tree in scratch, level after level from the elements up, each level as a
// row-major array of results by blocks. A state of one part is that element,
// one of several parts has 8 bytes for each.
//
// Errors: more than 2³¹ results of a reduction that needs scratch.
func Steps(p *Program, l *Lowered, f Form, plan *broadcast.Plan, base []int64, scratch int64, limits Limits) ([]Step, error) {
	if plan.Outer == 0 {
		return nil, nil
	}
	s := stepper{p: p, l: l, f: f, base: base, scratch: scratch, limits: limits}
	var steps []Step
	blocks := 0 // of the first level, for each result
	if l.Reduce != nil && plan.Inner > Block {
		if plan.Outer > math.MaxInt32 {
			return nil, fmt.Errorf("a reduction to %d results of more than %d elements each", plan.Outer, Block)
		}
		blocks = (plan.Inner + Block - 1) / Block
	}
	for _, piece := range plan.Pieces(limits.Index) {
		if max(piece.Plan.Outer, piece.Plan.Inner) > math.MaxInt32 {
			return nil, fmt.Errorf("a launch over %d times %d elements", piece.Plan.Outer, piece.Plan.Inner)
		}
		steps = s.piece(steps, piece, plan, blocks)
	}
	if blocks > 0 {
		steps = s.folds(steps, plan, blocks)
	}
	return steps, nil
}

type stepper struct {
	p       *Program
	l       *Lowered
	f       Form
	base    []int64
	scratch int64
	limits  Limits
}

// piece appends the steps that read elements: to the outputs, or to the first
// level of states when each result has blocks.
func (s *stepper) piece(steps []Step, piece broadcast.Piece, whole *broadcast.Plan, blocks int) []Step {
	n := &numbers{plan: piece.Plan, inner: piece.Plan.Inner, position: int64(piece.ReducedBase), index: s.indexBase(piece)}
	n.base = s.origins(piece.Plan)
	stage := Stage(0)
	if blocks > 0 {
		stage = ToStates
		n.toStride = rowMajor(whole, int64(blocks))
		n.to = s.scratch + int64(piece.ReducedBase/Block)
		for a, stride := range n.toStride {
			n.to += int64(piece.Base[a]) * stride
		}
	} else {
		n.toStride = make([]int64, piece.Plan.Kept)
	}
	return s.step(steps, stage, n, piece.Wide)
}

// folds appends the steps that reduce level after level of states, the last one
// to the outputs.
func (s *stepper) folds(steps []Step, whole *broadcast.Plan, states int) []Step {
	wide := !whole.Fits(s.limits.Index)
	n := numbers{plan: whole, base: s.origins(whole), index: make([]int64, s.l.indexLeaves()), from: s.scratch}
	for {
		n.inner = states
		n.to = n.from + int64(whole.Outer)*int64(states)
		states = n.blocks()
		n.toStride = rowMajor(whole, int64(states))
		if states == 1 {
			return s.step(steps, FromStates, &n, wide)
		}
		steps = s.step(steps, FromStates|ToStates, &n, wide)
		n.from = n.to
	}
}

// origins returns the element of each operand at the plan's origin.
func (s *stepper) origins(plan *broadcast.Plan) []int64 {
	at := make([]int64, len(s.base))
	for o, b := range s.base {
		at[o] = b + int64(plan.Offsets[o])
	}
	return at
}

// indexBase returns where each OpIndex leaf starts in a piece.
func (s *stepper) indexBase(piece broadcast.Piece) []int64 {
	at := make([]int64, s.l.indexLeaves())
	for i := range at {
		switch a := int(s.f.index[i]); {
		case a > 0:
			at[i] = int64(piece.Base[piece.Plan.Kept-a])
		case a < 0:
			at[i] = int64(piece.Base[len(piece.Base)+a])
		}
	}
	return at
}

// rowMajor returns the strides of the plan's kept axes in a row-major array
// of their results, each with n states.
func rowMajor(plan *broadcast.Plan, n int64) []int64 {
	strides := make([]int64, plan.Kept)
	for a := plan.Kept - 1; a >= 0; a-- {
		strides[a] = n
		n *= int64(plan.Sizes[a])
	}
	return strides
}

// step appends one step or, where that would have too many groups, several
// that share its work-items along y and z.
func (s *stepper) step(steps []Step, stage Stage, n *numbers, wide bool) []Step {
	f := s.f
	f.Wide = f.Wide || wide
	inputs := len(s.p.Inputs)
	fields := geometryFields(s.l, f, inputs, len(s.base)-inputs, n)
	items, group := grid(f.Kind, n)
	most := s.most(f.Kind, group)
	for z := 0; z < items[2]; z += most[1] {
		for y := 0; y < items[1]; y += most[0] {
			n.origin = [2]int64{int64(y), int64(z)}
			part := [3]int{items[0], min(items[1]-y, most[0]), min(items[2]-z, most[1])}
			steps = append(steps, Step{Stage: stage, Form: f, Items: part, Group: group, Geometry: pack(fields, f.Wide)})
		}
	}
	return steps
}

// most returns the work-items along y and z that a step may have: whole groups.
// Those of BlockForm count one by one, since its groups cannot shrink along x.
func (s *stepper) most(kind FormKind, group [3]int) (items [2]int) {
	for i, g := range group[1:] {
		groups := s.limits.Groups
		if kind == BlockForm {
			groups = max(groups/g, 1)
		}
		items[i] = groups * g
	}
	return items
}

// grid returns the work-items of a step and the size of a group. Groups have
// few sizes, because some drivers compile a kernel again for each.
func grid(kind FormKind, n *numbers) (items, group [3]int) {
	switch kind {
	case FlatForm:
		return [3]int{n.plan.Outer, 1, 1}, [3]int{256, 1, 1}
	case GridForm:
		return n.items(), gridGroup(n.items())
	case RowsForm:
		return [3]int{n.plan.Outer, n.blocks(), 1}, [3]int{16, 1, 1}
	case BlockForm:
		return [3]int{Lanes, n.plan.Outer, n.blocks()}, blockGroup(n.plan.Outer)
	}
	return [3]int{n.plan.Outer, n.blocks(), 1}, [3]int{64, 1, 1}
}

// blockRows is how many blocks of the tree one group of BlockForm does.
const blockRows = 4

// gridGroup returns a group of 256 work-items that covers most shapes with few
// of them idle.
func gridGroup(items [3]int) [3]int {
	switch {
	case items[0] >= 128:
		return [3]int{256, 1, 1}
	case items[0] >= 16:
		return [3]int{32, 8, 1}
	}
	return [3]int{4, 8, 8}
}

// blockGroup returns a group of BlockForm: blocks of several results, or
// several blocks of each.
func blockGroup(results int) [3]int {
	if results >= blockRows {
		return [3]int{Lanes, blockRows, 1}
	}
	return [3]int{Lanes, 1, blockRows}
}
