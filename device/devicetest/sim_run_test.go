package devicetest

import (
	"slices"

	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// run visits the elements of the plan, or of its pieces, as any device would,
// and does what the planted bug says.
func (r *simRun) run() {
	r.plan, r.base = r.l.Plan, make([]int, len(r.l.Plan.Sizes))
	if r.d.has("clears the result first") {
		odometer(r.plan.Sizes[:r.plan.Kept], func(at []int) { r.store(len(r.l.Inputs), r.full(at), 0) })
	}
	pieces := []broadcast.Piece{{Plan: r.plan, Base: r.base}}
	if r.d.limit > 0 {
		pieces = r.plan.Pieces(r.d.limit)
	}
	sequences := map[int][][]uint64{} // by the cell of the result: states in order
	for _, piece := range pieces {
		r.plan = piece.Plan
		if !r.d.has("ignores where a piece starts") {
			r.base = piece.Base
		}
		if r.p.Reduce >= 0 {
			r.collect(sequences, piece.ReducedBase)
			continue
		}
		odometer(r.plan.Sizes, func(at []int) { r.finish(at, nil) })
	}
	r.plan = r.l.Plan
	if r.p.Reduce >= 0 {
		odometer(r.plan.Sizes[:r.plan.Kept], func(at []int) {
			index := r.full(at)
			r.finish(index, sequences[r.cell(len(r.l.Inputs), index)])
		})
	}
	if r.plan.Outer > 0 {
		r.stray()
	}
}

// finish computes and stores the results at an index.
func (r *simRun) finish(index []int, states [][]uint64) {
	e := &simEval{r: r, index: index, done: map[kernels.Value]uint64{}}
	if r.p.Reduce >= 0 {
		e.done[r.p.Reduce] = r.fold(states)
	}
	for i, v := range r.p.Outputs {
		if i > 0 && r.d.has("repeats the first output") {
			v = r.p.Outputs[0]
		}
		r.last = r.store(len(r.l.Inputs)+i, index, e.value(v))
	}
}

// stray touches cells that are not the launch's.
func (r *simRun) stray() {
	p, out := r.plan, len(r.mem)-1
	if r.d.has("writes one element beyond") {
		r.put(out, r.last+1, 0)
	}
	if r.d.has("writes one element before") {
		r.put(out, p.Offsets[out]-1, 0)
	}
	if r.d.has("modifies an input") && len(r.l.Inputs) > 0 {
		r.put(0, p.Offsets[0], 0)
	}
	if r.d.has("writes the gaps") && p.Kept > 0 && p.Strides[out][p.Kept-1] > 1 {
		r.put(out, p.Offsets[out]+1, 0)
	}
}

// full appends zeros for the reduced axes.
func (r *simRun) full(at []int) []int {
	return append(slices.Clone(at), make([]int, len(r.plan.Sizes)-len(at))...)
}

// collect appends the states of the plan's elements to the sequences of their results.
func (r *simRun) collect(sequences map[int][][]uint64, start int) {
	p := r.plan
	arg := r.p.Instrs[r.p.Reduce].Args[0]
	lift := r.reducer().Lift
	odometer(p.Sizes[:p.Kept], func(at []int) {
		position := start
		result := r.cell(len(r.l.Inputs), r.full(at))
		odometer(p.Sizes[p.Kept:], func(inner []int) {
			e := &simEval{r: r, index: slices.Concat(at, inner), done: map[kernels.Value]uint64{}}
			where := uint64(position)
			if r.d.has("counts positions within a block") {
				where %= treeBlock
			}
			if position++; r.d.has("skips the last element reduced") && position == r.l.Plan.Inner && position > treeBlock {
				return
			}
			sequences[result] = append(sequences[result], lift.Eval([]uint64{e.value(arg), where}))
		})
	})
}

func (r *simRun) reducer() *kernels.Reducer {
	in := r.p.Instrs[r.p.Reduce]
	red, err := kernels.ReduceBody(in.Op, r.p.Instrs[in.Args[0]].Type)
	if err != nil {
		panic(err)
	}
	return red
}

// fold reduces states in the canonical tree unless a bug says otherwise.
func (r *simRun) fold(states [][]uint64) uint64 {
	red := r.reducer()
	combine := func(s, t []uint64) []uint64 { return red.Combine.Eval(slices.Concat(s, t)) }
	state := red.Identity.Eval(nil)
	switch {
	case r.d.has("adds in order"):
		for _, t := range states {
			state = combine(state, t)
		}
	case r.d.has("starts from the first element") && len(states) == 1:
		state = states[0]
	case r.d.has("takes the last of ties") && len(red.State) > 1:
		for _, s := range states {
			s[1] = -s[1] // the first position is now the least
		}
		state = canonical(states, state, combine)
		state[1] = -state[1]
	default:
		state = canonical(states, state, combine)
	}
	return red.Finish.Eval(state)[0]
}

// cell returns where operand i has its element at an index of the plan.
func (r *simRun) cell(i int, index []int) int {
	p := r.plan
	at := p.Offsets[i]
	if r.d.has("ignores the layout's offset") && i == 0 && at > 0 && at < 8 {
		at = 0
	}
	for axis, x := range index {
		stride := p.Strides[i][axis]
		if r.d.has("swaps two strides") && len(index) > 1 && axis < 2 && i == 0 && p.Sizes[0] == p.Sizes[1] {
			stride = p.Strides[i][1-axis]
		}
		if r.d.has("stretches nothing but scalars") && stride == 0 && i < len(r.l.Inputs) && slices.Max(p.Strides[i]) > 0 {
			stride = 1
		}
		at += stride * x
	}
	return at
}

func (r *simRun) store(i int, index []int, v uint64) int {
	cell := r.cell(i, index)
	r.put(i, cell, v)
	return cell
}

// put writes a cell if there is one.
func (r *simRun) put(i, cell int, v uint64) {
	if at := r.off[i] + cell*r.size[i]; at >= 0 && at+r.size[i] <= len(r.mem[i]) {
		copy(r.mem[i][at:], encode(r.size[i], []uint64{v}))
	}
}

// simEval computes Program values at one index of the plan.
type simEval struct {
	r     *simRun
	index []int
	done  map[kernels.Value]uint64
}

func (e *simEval) value(v kernels.Value) uint64 {
	if x, ok := e.done[v]; ok {
		return x
	}
	x := e.compute(e.r.p.Instrs[v])
	e.done[v] = x
	return x
}

func (e *simEval) compute(in kernels.Instr) uint64 {
	switch in.Op {
	case kernels.OpInput:
		return e.input(int(in.Slot), in.Type)
	case kernels.OpScalar:
		return e.r.l.Scalars[in.Slot]
	case kernels.OpIndex:
		return e.logical(int(in.Slot))
	}
	var args []uint64
	var types []dtype.DType
	for _, a := range in.Args[:in.NArg] {
		args, types = append(args, e.value(a)), append(types, e.r.p.Instrs[a].Type)
	}
	if e.r.d.has("swaps operands") && len(args) == 2 && types[0] == types[1] {
		args[0], args[1] = args[1], args[0]
	}
	return e.r.d.body(in, types).Eval(args)[0]
}

// simBody is what an expression depends on.
type simBody struct {
	op     kernels.Op
	args   [kernels.MaxArity]dtype.DType
	result dtype.DType
}

// body returns the expression of a row, spelt once.
func (d *sim) body(in kernels.Instr, types []dtype.DType) kernels.Body {
	key := simBody{op: in.Op, result: in.Type}
	copy(key.args[:], types)
	if b, ok := d.bodies[key]; ok {
		return b
	}
	b, err := kernels.RowBody(in.Op, types, in.Type)
	if err != nil {
		panic(err)
	}
	d.bodies[key] = b
	return b
}

func (e *simEval) input(slot int, d dtype.DType) uint64 {
	at := e.r.off[slot] + e.r.cell(slot, e.index)*e.r.size[slot]
	if at < 0 || at+e.r.size[slot] > len(e.r.mem[slot]) {
		return 0
	}
	v := decode(e.r.size[slot], e.r.mem[slot][at:at+e.r.size[slot]])[0]
	switch {
	case e.r.d.has("drops NaN") && isNaN(d, v):
		return 0
	case e.r.d.has("flushes subnormals") && d == dtype.Float32 && v&0x7f800000 == 0:
		return v & 0x80000000
	}
	return v
}

func (e *simEval) logical(axis int) uint64 {
	if e.r.d.has("swaps index axes") && axis < 2 {
		axis = 1 - axis
	}
	for k, logical := range e.r.plan.Logical {
		if logical == axis {
			return uint64(e.index[k] + e.r.base[k])
		}
	}
	return 0
}
