package kernels

import (
	"fmt"
	"math/bits"

	"github.com/stride0/stride0/broadcast"
)

// FormKind is how a kernel walks the space of a Plan.
type FormKind uint8

// The kinds. The first two are element-wise, the others reduce along the
// canonical tree: they differ in who does the work of one of its blocks and
// give the same bits.
const (
	FlatForm  FormKind = iota // one axis at most; operands contiguous or one element
	GridForm                  // any strides; one work-item an element, the grid as the shape
	RowsForm                  // a work-item does a block, all lanes in step: for CPUs
	BlockForm                 // a group of 32 work-items does a block, a lane each: for GPUs
	LeadForm                  // a work-item does a block, lane after lane: for GPUs where neighbouring results lie side by side
)

// Form is everything beside the Program that decides a kernel's source. Forms
// are comparable: Program.Key and Form are the key of compiled kernels.
type Form struct {
	Kind    FormKind
	Scalars uint64 // FlatForm: the input (bit i) of which one element serves all, if there is one
	Kept    int8   // plan axes kept, rounded up by axisClass; at least 3 in GridForm, 0 in FlatForm
	Reduced int8   // plan axes reduced, rounded up
	Unit    bool   // RowsForm: all inputs have stride 1 along the only reduced axis
	Wide    bool   // offsets do not fit 32 bits

	// index tells, for each OpIndex leaf, which plan axis it is: 0 for one of
	// size 1, a+1 for the a-th kept axis from the inside, -a-1 for the a-th
	// reduced axis from the inside.
	index [maxIndexLeaves]int8
}

// maxIndexLeaves is how many OpIndex leaves a kernel may have: one for each
// axis is enough, since equal leaves can be shared.
const maxIndexLeaves = broadcast.MaxRank

// ChooseForm returns the form in which l runs over plan, and for reductions
// the best one for a CPU or else a GPU. Errors: more OpIndex leaves than a
// form holds.
func ChooseForm(l *Lowered, plan *broadcast.Plan, cpu bool) (Form, error) {
	f := Form{Kept: axisClass(plan.Kept), Reduced: axisClass(len(plan.Sizes) - plan.Kept)}
	if l.Reduce != nil {
		f.Kept, f.Reduced = reduceAxes(plan)
	}
	switch {
	case l.Reduce == nil && isFlat(plan):
		f.Kind, f.Scalars, f.Kept = FlatForm, scalars(plan), 0
	case l.Reduce == nil:
		f.Kind, f.Kept = GridForm, max(f.Kept, 3)
	case cpu:
		f.Kind, f.Unit = RowsForm, hasUnitRows(plan)
	case isLead(plan):
		f.Kind = LeadForm
	default:
		f.Kind = BlockForm
	}
	n := 0
	for _, leaf := range l.Leaves {
		if leaf.Op != OpIndex {
			continue
		}
		if n == maxIndexLeaves {
			return f, fmt.Errorf("kernels: a program of more than %d index leaves", maxIndexLeaves)
		}
		f.index[n] = planAxis(plan, int(leaf.Slot))
		n++
	}
	return f, nil
}

// axisClass rounds a number of axes up, so that few kernels serve all ranks: an
// axis too many has size 1 and costs a multiplication, a kernel too many a
// compilation.
func axisClass(n int) int8 {
	for _, c := range [...]int8{0, 1, 2, 4, 6, 8, 12} {
		if n <= int(c) {
			return c
		}
	}
	return int8(n)
}

// reduceAxes rounds more coarsely: kept axes cost little, since they are told
// apart once for a whole block of elements.
func reduceAxes(plan *broadcast.Plan) (kept, reduced int8) {
	kept = axisClass(plan.Kept)
	switch {
	case kept <= 1:
		kept = 1
	case kept <= 4:
		kept = 4
	}
	return kept, max(1, axisClass(len(plan.Sizes)-plan.Kept))
}

// isFlat reports whether one linear index reaches every operand, and one
// element at most stands still.
func isFlat(plan *broadcast.Plan) bool {
	if len(plan.Sizes) > 1 {
		return false
	}
	for o, strides := range plan.Strides {
		isInput := o < min(len(plan.Strides)-plan.Outputs, 64)
		for _, s := range strides {
			if s != 1 && !(s == 0 && isInput) {
				return false
			}
		}
	}
	return bits.OnesCount64(scalars(plan)) <= 1
}

func scalars(plan *broadcast.Plan) uint64 {
	var mask uint64
	for o, strides := range plan.Strides {
		if len(strides) == 1 && strides[0] == 0 {
			mask |= 1 << o
		}
	}
	return mask
}

func hasUnitRows(plan *broadcast.Plan) bool {
	if len(plan.Sizes) != plan.Kept+1 {
		return false
	}
	for _, strides := range plan.Strides[:len(plan.Strides)-plan.Outputs] {
		if strides[plan.Kept] != 1 {
			return false
		}
	}
	return true
}

// isLead reports whether work-items for neighbouring results read
// neighbouring elements, and there are enough of them.
func isLead(plan *broadcast.Plan) bool {
	if plan.Kept == 0 || len(plan.Sizes) == plan.Kept || plan.Sizes[plan.Kept-1] < 2*Lanes {
		return false
	}
	for _, strides := range plan.Strides[:len(plan.Strides)-plan.Outputs] {
		along, across := strides[plan.Kept-1], strides[len(strides)-1]
		if along != 0 && across != 0 {
			return max(along, -along) < max(across, -across)
		}
	}
	return false
}

// planAxis returns the code of a logical axis in Form.index.
func planAxis(plan *broadcast.Plan, logical int) int8 {
	for a, axis := range plan.Logical {
		switch {
		case axis != logical:
		case a < plan.Kept:
			return int8(plan.Kept - a)
		default:
			return -int8(len(plan.Sizes) - a)
		}
	}
	return 0
}

// String returns the form as it stands in kernel names: "flat", "ls" and "rs"
// with a left or right scalar, "s2" with another input as the scalar, "nd3" for
// up to three axes, "r4", "r6" and so on beyond, "rows", "block", "lead".
func (f Form) String() string {
	switch f.Kind {
	case FlatForm:
		switch f.Scalars {
		case 0:
			return "flat"
		case 1:
			return "ls"
		case 2:
			return "rs"
		}
		return fmt.Sprintf("s%d", bits.TrailingZeros64(f.Scalars))
	case GridForm:
		if f.Kept <= 3 {
			return "nd3"
		}
		return fmt.Sprintf("r%d", f.Kept)
	case RowsForm:
		return "rows"
	case BlockForm:
		return "block"
	}
	return "lead"
}

// FormNamed returns the form of l with the given name, to look at: over one
// kept axis, and one reduced axis in a reduction. Errors: no such form of l, or
// one whose scalar is an input that l does not have.
func FormNamed(l *Lowered, name string) (Form, error) {
	f := Form{Kept: 1, Reduced: 1}
	if n := l.indexLeaves(); n > 0 {
		f.index[0] = 1 // as along the innermost axis
	}
	reduce := map[string]FormKind{"rows": RowsForm, "block": BlockForm, "lead": LeadForm}
	kind, ok := reduce[name]
	switch {
	case l.Reduce != nil && ok:
		f.Kind = kind
		return f, nil
	case l.Reduce != nil:
		return f, fmt.Errorf("a reduction has no form %q; there are rows, block and lead", name)
	}
	f.Kept, f.Reduced = 0, 0
	scalar := map[string]uint64{"flat": 0, "ls": 1, "rs": 2, "s2": 4}
	if mask, ok := scalar[name]; ok {
		if need := bits.Len64(mask); need > l.inputs() {
			return f, fmt.Errorf("form %q makes a scalar of input %d; the operation has %d", name, need, l.inputs())
		}
		f.Scalars = mask
		return f, nil
	}
	f.Kind = GridForm
	for _, f.Kept = range []int8{3, 4, 6, 8, 12} {
		if f.String() == name {
			return f, nil
		}
	}
	return f, fmt.Errorf("an element-wise operation has no form %q; there are flat, ls, rs, s2, nd3, r4, r6, r8 and r12", name)
}

// inputs counts the inputs that l reads.
func (l *Lowered) inputs() int {
	n := 0
	for _, leaf := range l.Leaves {
		if leaf.Op == OpInput {
			n++
		}
	}
	return n
}
