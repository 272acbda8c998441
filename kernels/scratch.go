package kernels

import "github.com/stride0/stride0/broadcast"

// Block is the number of elements that the canonical tree reduces into one
// state, and Lanes the number of partial states inside a block.
const (
	Block = 1024
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
		n = (n + Block - 1) / Block
		total += n
	}
	return total
}
