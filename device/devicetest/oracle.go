package devicetest

import (
	"fmt"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// oracle computes what a Program yields, one logical element at a time and
// one instruction at a time, from nothing but the rows' expressions. It knows
// no Plan, no fused loop and no order but the canonical tree's.
type oracle struct {
	program *kernels.Program
	bodies  []kernels.Body // per instruction that is an element-wise row
	reducer *kernels.Reducer
}

func newOracle(p *kernels.Program) (*oracle, error) {
	o := &oracle{program: p, bodies: make([]kernels.Body, len(p.Instrs))}
	if !p.Runnable() {
		return nil, fmt.Errorf("devicetest: the program of a case must be split first")
	}
	for v, in := range p.Instrs {
		types := make([]dtype.DType, in.NArg)
		for i, a := range p.Arguments(kernels.Value(v)) {
			types[i] = p.Instrs[a].Type
		}
		var err error
		switch {
		case in.NArg == 0:
		case kernels.Value(v) == p.Reduce:
			o.reducer, err = kernels.ReduceBody(in.Op, types[0])
		default:
			o.bodies[v], err = kernels.RowBody(in.Op, types, in.Type)
		}
		if err != nil {
			return nil, err
		}
	}
	return o, nil
}

// evaluation computes values at one index after another.
type evaluation struct {
	o      *oracle
	c      *launchCase
	index  []int
	done   []bool
	values []uint64
}

func (o *oracle) evaluation(c *launchCase) *evaluation {
	n := len(o.program.Instrs)
	return &evaluation{o: o, c: c, index: make([]int, len(c.space)), done: make([]bool, n), values: make([]uint64, n)}
}

// move goes to the sum of two indices.
func (e *evaluation) move(a, b []int) {
	for i := range e.index {
		e.index[i] = a[i] + b[i]
	}
	clear(e.done)
}

// value returns the instruction v at the evaluation's index.
func (e *evaluation) value(v kernels.Value) uint64 {
	if e.done[v] {
		return e.values[v]
	}
	in := e.o.program.Instrs[v]
	var x uint64
	switch in.Op {
	case kernels.OpInput:
		x = e.c.in[in.Slot].get(e.index)
	case kernels.OpScalar:
		x = e.c.scalars[in.Slot]
	case kernels.OpIndex:
		x = uint64(e.index[in.Slot])
	default:
		var args [kernels.MaxArity]uint64
		for i, a := range e.o.program.Arguments(v) {
			args[i] = e.value(a)
		}
		x = e.o.bodies[v].Eval(args[:in.NArg])[0]
	}
	e.done[v], e.values[v] = true, x
	return x
}

// results returns the elements of every output of a case, in the row-major
// order of the output's shape.
func (o *oracle) results(c *launchCase) [][]uint64 {
	out := make([][]uint64, len(o.program.Outputs))
	kept, reduced := c.split()
	e, origin := o.evaluation(c), make([]int, len(c.space))
	odometer(kept, func(index []int) {
		reduction := uint64(0)
		if o.reducer != nil {
			reduction = o.reduce(e, index, reduced)
		}
		e.move(index, origin)
		if o.reducer != nil {
			e.values[o.program.Reduce], e.done[o.program.Reduce] = reduction, true
		}
		for i, v := range o.program.Outputs {
			out[i] = append(out[i], e.value(v))
		}
	})
	return out
}

// reduce returns the reduction at an index of the kept axes.
func (o *oracle) reduce(e *evaluation, at, reduced []int) uint64 {
	arg := o.program.Arguments(o.program.Reduce)[0]
	var states [][]uint64
	odometer(reduced, func(index []int) {
		e.move(at, index)
		states = append(states, o.reducer.Lift.Eval([]uint64{e.value(arg), uint64(len(states))}))
	})
	state := canonical(states, o.reducer.Identity.Eval(nil), func(s, t []uint64) []uint64 {
		return o.reducer.Combine.Eval(append(append(make([]uint64, 0, 4), s...), t...))
	})
	return o.reducer.Finish.Eval(state)[0]
}
