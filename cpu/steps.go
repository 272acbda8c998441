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
	cost    int    // of one element, in eighths of an addition
	applies int    // how many full steps are rows

	reduce   *reduceLoops  // nil without a reduction
	reduceIn kernels.Value // the element that is reduced
	slot     []int         // per value: its slot, -1 when it has none
	half     halfRow

	err error // why the Program cannot run: ErrUnsupported, naming the row and its dtypes
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

// compiler makes the steps of a Program.
type compiler struct {
	*steps
	p    *kernels.Program
	last []int // per value: the last instruction that reads it
	free []int // slots
}

// compile returns the *steps of p; see kernels.Program.HostForm.
func compile(p *kernels.Program) any {
	c := compiler{steps: &steps{cost: 1, half: findHalf(p)}, p: p}
	if p.Reduce >= 0 && !p.Runnable() {
		c.err = fmt.Errorf("%w: more than one reduction at once; cut the program with kernels.Split", device.ErrUnsupported)
		return c.steps
	}
	c.liveness()
	for v := range p.Instrs {
		c.add(kernels.Value(v))
	}
	for _, list := range [][]step{c.full, c.post} {
		if len(list) > 0 {
			list[len(list)-1].final = true
		}
	}
	return c.steps
}

// liveness finds the last reader of every value. Outputs are read at the end.
func (c *compiler) liveness() {
	for v := range c.p.Instrs {
		c.last, c.slot = append(c.last, v), append(c.slot, -1)
		for _, a := range c.p.Arguments(kernels.Value(v)) {
			c.last[a] = v
		}
	}
	for _, v := range c.p.Outputs {
		c.last[v] = len(c.p.Instrs)
	}
}

// add appends the step of instruction v.
func (c *compiler) add(v kernels.Value) {
	in := &c.p.Instrs[v]
	st := step{out: v, args: in.Args, nargs: uint8(in.NArg), elem: in.Type.Size(), source: int(in.Slot), slot: -1}
	switch in.Op {
	case kernels.OpScalar:
		st.kind = stepScalar
		c.uniform = append(c.uniform, st)
		return
	case kernels.OpInput:
		st.kind = stepLoad
	case kernels.OpIndex:
		st.kind = stepIndex
	default:
		if v == c.p.Reduce {
			c.addReduce(v)
			return
		}
		if st.loops = findMap(c.p, v); st.loops == nil {
			c.fail(v)
			return
		}
	}
	if c.isUniform(v) {
		c.uniform = append(c.uniform, st)
		return
	}
	st.slot = c.take(v)
	c.giveBack(v)
	if in.Reduced {
		c.post = append(c.post, st)
		return
	}
	c.full = append(c.full, st)
	if st.kind == stepApply {
		c.applies++
		c.cost += st.loops.weight()
	} else {
		c.cost++
	}
}

// addReduce notes the reduction. Its results take a slot like any value.
func (c *compiler) addReduce(v kernels.Value) {
	c.reduceIn = c.p.Instrs[v].Args[0]
	from, to := c.p.TypeOf(c.reduceIn), c.p.TypeOf(v)
	if row := reduceTable[c.p.Instrs[v].Op]; row != nil {
		c.reduce = row[from][to]
	}
	if c.reduce == nil {
		c.fail(v)
		return
	}
	c.cost += addition * c.reduce.cost
	c.take(v)
	c.giveBack(v)
}

// isUniform reports whether v is made of scalars only: values that depend on
// elements have steps with slots, or are the reduction.
func (c *compiler) isUniform(v kernels.Value) bool {
	args := c.p.Arguments(v)
	for _, a := range args {
		if c.slot[a] >= 0 {
			return false
		}
	}
	return len(args) > 0
}

// take gives v a slot.
func (c *compiler) take(v kernels.Value) int {
	slot := c.slots
	if n := len(c.free); n > 0 {
		slot, c.free = c.free[n-1], c.free[:n-1]
	} else {
		c.slots++
	}
	c.slot[v] = slot
	return slot
}

// giveBack frees the slots of the arguments that v reads last. It comes after
// v took its own: a loop may not write where a shorter element is still read.
func (c *compiler) giveBack(v kernels.Value) {
	args := c.p.Arguments(v)
	for i, a := range args {
		again := false
		for _, b := range args[:i] {
			again = again || a == b
		}
		if c.last[a] == int(v) && c.slot[a] >= 0 && !again {
			c.free = append(c.free, c.slot[a])
		}
	}
}

// fail notes that there is no loop for the row v.
func (c *compiler) fail(v kernels.Value) {
	if c.err == nil {
		c.err = unsupported(c.p, v)
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
