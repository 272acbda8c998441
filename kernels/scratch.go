package kernels

import "github.com/stride0/stride0/broadcast"

// The canonical tree is the one order in which an ordered reduction combines,
// on every device. The reduced elements, in logical row-major order, are cut
// into blocks of Block. In a block, lane l of Lanes starts from the identity and
// takes in elements l, l+32, ... in that order; then lanes l and l+16, +8, +4,
// +2, +1 combine. The states of the blocks are a new sequence, reduced by the
// same rule until one is left. Missing elements are the identity.
const (
	Block = broadcast.TreeBlock
	Lanes = 32
)

// Scratch returns the bytes a runnable Program needs for the states of the
// canonical tree's blocks: for each output, the blocks of every level above
// the elements but the last, which is one state. It is the same on every
// device and at most about 1/64 of the bytes reduced.
func Scratch(p *Program, plan *broadcast.Plan) int64 {
	if p.Reduce < 0 || plan.Inner <= Block {
		return 0
	}
	r, err := ReduceBody(p.Instrs[p.Reduce].Op, p.Instrs[p.Instrs[p.Reduce].Args[0]].Type)
	if err != nil {
		return 0
	}
	return int64(plan.Outer) * int64(Blocks(plan.Inner)) * int64(r.StateSize())
}

// Blocks returns how many states lie between n elements and their one result:
// the blocks of every level of the canonical tree but the last.
func Blocks(n int) int {
	total := 0
	for n > Block {
		n = (n-1)/Block + 1 // n + Block can overflow an int of 32 bits
		total += n
	}
	return total
}
