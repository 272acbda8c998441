package kernels

import "fmt"

// Lowered is a runnable Program flattened to primitives: what a dialect
// spells as one kernel.
type Lowered struct {
	Leaves []Instr // argument i of Map is Leaves[i]: an input, a scalar or an index
	Map    Body    // yields the outputs or, with Reduce, the element to reduce

	Reduce     *Reducer // nil without a reduction
	PostLeaves []Instr  // argument i+1 of Post is PostLeaves[i]: scalars
	Post       Body     // argument 0: the result of Reduce; yields the outputs
}

// Lower flattens a runnable Program.
func Lower(p *Program) (*Lowered, error) {
	if !p.Runnable() {
		return nil, fmt.Errorf("kernels: the program must be split first")
	}
	l := &Lowered{}
	if p.Reduce < 0 {
		var err error
		l.Map, l.Leaves, err = flatten(p, -1, p.Outputs...)
		return l, err
	}
	reduce := p.Instrs[p.Reduce]
	var err error
	if l.Map, l.Leaves, err = flatten(p, -1, reduce.Args[0]); err != nil {
		return nil, err
	}
	if l.Reduce, err = ReduceBody(reduce.Op, p.Instrs[reduce.Args[0]].Type); err != nil {
		return nil, err
	}
	l.Post, l.PostLeaves, err = flatten(p, p.Reduce, p.Outputs...)
	return l, err
}

// flatten spells the values outs of p as one Body. The value root, when there
// is one, becomes argument 0; leaves become the arguments after it.
func flatten(p *Program, root Value, outs ...Value) (Body, []Instr, error) {
	f := flattener{p: p, e: NewEmit(), done: map[Value]V{}}
	if root >= 0 {
		f.done[root] = f.e.Arg(0, p.Instrs[root].Type)
		f.args = 1
	}
	vs := make([]V, len(outs))
	for i, v := range outs {
		var err error
		if vs[i], err = f.value(v); err != nil {
			return Body{}, nil, err
		}
	}
	body, err := f.e.Body(vs...)
	return body, f.leaves, err
}

type flattener struct {
	p      *Program
	e      *Emit
	done   map[Value]V
	args   int
	leaves []Instr
}

func (f *flattener) value(v Value) (V, error) {
	if x, ok := f.done[v]; ok {
		return x, nil
	}
	in := f.p.Instrs[v]
	if in.NArg == 0 {
		x := f.e.Arg(f.args, in.Type)
		f.args++
		f.leaves = append(f.leaves, in)
		f.done[v] = x
		return x, nil
	}
	args := make([]V, in.NArg)
	for i, a := range f.p.Arguments(v) {
		var err error
		if args[i], err = f.value(a); err != nil {
			return 0, err
		}
	}
	x, err := emitRow(f.e, in.Op, args, in.Type)
	f.done[v] = x
	return x, err
}
