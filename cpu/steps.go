package cpu

import (
	"fmt"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// steps is a Program as work on one block of elements after another. Values
// that a block needs for a while live in slots of its scratch memory.
type steps struct {
	uniform []step // made of scalars: once per worker
	full    []step // per element
	post    []step // per result of the reduction
	slots   int    // how many values are alive at once
	cost    int    // of one element, in additions
	applies int    // how many full steps are rows

	reduceIn kernels.Value // the element that is reduced
	last     []int         // per value: the last instruction that reads it
	slot     []int         // per value: its slot, -1 when it has none
	free     []int
}

// stepKind says what a step does.
type stepKind uint8

const (
	stepApply  stepKind = iota // a row
	stepLoad                   // a block of an input
	stepIndex                  // a block of logical indices
	stepScalar                 // a number of the launch
)

// step is one instruction.
type step struct {
	kind   stepKind
	nargs  uint8
	final  bool // the last of its list, whose result may go straight to its target
	elem   int  // bytes of an element of the result
	args   [3]kernels.Value
	out    kernels.Value
	source int // stepLoad: the operand; stepIndex: the logical axis; stepScalar: the scalar
	slot   int // where the result goes unless it is elsewhere already
	loops  *mapLoops
}

// compile turns j's Program into steps. Error: ErrUnsupported, naming the row
// and its dtypes.
func (s *steps) compile(j *job) error {
	p := j.prog
	s.uniform, s.full, s.post = s.uniform[:0], s.full[:0], s.post[:0]
	s.slots, s.cost, s.applies, s.free = 0, 1, 0, s.free[:0]
	j.reduce = nil
	if p.Reduce >= 0 && !p.Runnable() {
		return j.fail(fmt.Errorf("%w: more than one reduction at once; cut the program with kernels.Split", device.ErrUnsupported))
	}
	s.liveness(p)
	for v := range p.Instrs {
		if err := s.add(j, kernels.Value(v)); err != nil {
			return err
		}
	}
	for _, list := range [][]step{s.full, s.post} {
		if len(list) > 0 {
			list[len(list)-1].final = true
		}
	}
	return nil
}

// liveness finds the last reader of every value. Outputs are read at the end.
func (s *steps) liveness(p *kernels.Program) {
	s.last, s.slot = s.last[:0], s.slot[:0]
	for v := range p.Instrs {
		s.last, s.slot = append(s.last, v), append(s.slot, -1)
		for _, a := range p.Arguments(kernels.Value(v)) {
			s.last[a] = v
		}
	}
	for _, v := range p.Outputs {
		s.last[v] = len(p.Instrs)
	}
}

// add appends the step of instruction v.
func (s *steps) add(j *job, v kernels.Value) error {
	in := &j.prog.Instrs[v]
	st := step{out: v, args: in.Args, nargs: uint8(in.NArg), elem: in.Type.Size(), source: int(in.Slot), slot: -1}
	switch in.Op {
	case kernels.OpScalar:
		st.kind = stepScalar
		s.uniform = append(s.uniform, st)
		return nil
	case kernels.OpInput:
		st.kind = stepLoad
	case kernels.OpIndex:
		st.kind = stepIndex
	default:
		if v == j.prog.Reduce {
			return s.addReduce(j, v)
		}
		if st.loops = findMap(j.prog, v); st.loops == nil {
			return j.fail(unsupported(j.prog, v))
		}
	}
	if s.isUniform(j.prog, v) {
		s.uniform = append(s.uniform, st)
		return nil
	}
	st.slot = s.take(v)
	s.giveBack(j.prog, v)
	if in.Reduced {
		s.post = append(s.post, st)
		return nil
	}
	s.full = append(s.full, st)
	if st.kind == stepApply {
		s.applies++
		s.cost += st.loops.cost
	} else {
		s.cost++
	}
	return nil
}

// addReduce notes the reduction. Its results take a slot like any value.
func (s *steps) addReduce(j *job, v kernels.Value) error {
	s.reduceIn = j.prog.Instrs[v].Args[0]
	from, to := j.prog.TypeOf(s.reduceIn), j.prog.TypeOf(v)
	if row := reduceTable[j.prog.Instrs[v].Op]; row != nil {
		j.reduce = row[from][to]
	}
	if j.reduce == nil {
		return j.fail(unsupported(j.prog, v))
	}
	s.cost += j.reduce.cost
	s.take(v)
	s.giveBack(j.prog, v)
	return nil
}

// isUniform reports whether v is made of scalars only: values that depend on
// elements have steps with slots, or are the reduction.
func (s *steps) isUniform(p *kernels.Program, v kernels.Value) bool {
	args := p.Arguments(v)
	for _, a := range args {
		if s.slot[a] >= 0 {
			return false
		}
	}
	return len(args) > 0
}

// take gives v a slot.
func (s *steps) take(v kernels.Value) int {
	slot := s.slots
	if n := len(s.free); n > 0 {
		slot, s.free = s.free[n-1], s.free[:n-1]
	} else {
		s.slots++
	}
	s.slot[v] = slot
	return slot
}

// giveBack frees the slots of the arguments that v reads last. It comes after
// v took its own: a loop may not write where a shorter element is still read.
func (s *steps) giveBack(p *kernels.Program, v kernels.Value) {
	args := p.Arguments(v)
	for i, a := range args {
		again := false
		for _, b := range args[:i] {
			again = again || a == b
		}
		if s.last[a] == int(v) && s.slot[a] >= 0 && !again {
			s.free = append(s.free, s.slot[a])
		}
	}
}

// findMap returns the loops of the row v, nil if there are none.
func findMap(p *kernels.Program, v kernels.Value) *mapLoops {
	in := &p.Instrs[v]
	if int(in.Op) >= kernels.OpLimit || in.NArg == 0 {
		return nil
	}
	row := mapTable[in.Op]
	if row == nil {
		return nil
	}
	loops := row[p.TypeOf(in.Args[in.NArg-1])][in.Type]
	if loops == nil {
		return nil
	}
	for i, a := range p.Arguments(v) {
		if loops.args[i] != p.TypeOf(a) {
			return nil
		}
	}
	return loops
}

// unsupported names the row v and its dtypes.
func unsupported(p *kernels.Program, v kernels.Value) error {
	var args []dtype.DType
	for _, a := range p.Arguments(v) {
		args = append(args, p.TypeOf(a))
	}
	return fmt.Errorf("%w: %v of %v to %v", device.ErrUnsupported, p.Instrs[v].Op, args, p.TypeOf(v))
}
