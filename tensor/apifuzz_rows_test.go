package tensor_test

import (
	"slices"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
	"github.com/stride0/stride0/tensor"
)

// rowCall is what one application of a row must give. axes is the model's own
// reading of attr.Axes.
type rowCall struct {
	op   kernels.Op
	attr kernels.Attr
	axes axisChoice
	dst  *twin
	in   []*twin
	host device.Device
}

// axisChoice is a list of axes as a mask; all of them by default.
type axisChoice struct {
	listed bool
	mask   uint32
	bad    bool // out of range or twice
}

// rowTypes are the dtypes and the numbers of a call.
type rowTypes struct {
	program *kernels.Program
	scalars []uint64
	inputs  []*twin
	result  dtype.DType
}

// outcome returns the result, which is dst when there is one.
func (c rowCall) outcome() *twin {
	if c.dst != nil && c.dst.isWeak() {
		return failing(nil)
	}
	operands := c.in
	if c.dst != nil {
		operands = append([]*twin{c.dst}, c.in...)
	}
	if dead := refusedBy(operands...); dead != nil {
		return dead
	}
	if len(c.in) != c.op.Row().Arity {
		return failing(nil)
	}
	weak := !slices.ContainsFunc(c.in, func(t *twin) bool { return !t.isWeak() })
	if weak && (c.dst == nil || c.op != kernels.Copy) {
		return c.ofNumbers()
	}
	var dev device.Device
	for _, t := range operands {
		if t.store != nil && dev != nil && dev != t.store.dev {
			return failing(tensor.ErrDevices)
		}
		if t.store != nil {
			dev = t.store.dev
		}
	}
	types, ok := c.types()
	if !ok {
		return failing(nil)
	}
	return c.compute(types, dev)
}

// ofNumbers is an operation among Scalars, computed in bool, int64, float64, or
// uint64 where int64 does not hold a number.
func (c rowCall) ofNumbers() *twin {
	row := c.op.Row()
	strong := make([]*twin, len(c.in))
	kinds := [dtype.FloatKind + 1]bool{}
	negative := false
	for _, t := range c.in {
		kinds[t.weak.Kind()] = true
		negative = negative || t.weak.Kind() == dtype.IntKind && t.weak.Float64() < 0
	}
	for i, t := range c.in {
		d := weakType(t.weak)
		switch {
		case i >= len(c.in)-len(row.Params):
			strong[i] = t
			continue
		case row.Rule == kernels.RuleFloat || row.Rule == kernels.RuleMean || d.IsInteger() && kinds[dtype.FloatKind]:
			d = dtype.Float64
		case d.IsInteger() && kinds[dtype.UintKind] && !negative:
			d = dtype.Uint64
		}
		bits, err := t.weak.Bits(d)
		if err != nil {
			return failing(nil)
		}
		strong[i] = fresh(c.host, d, nil, []uint64{bits})
	}
	alone := c
	alone.dst, alone.in = nil, strong
	r := alone.outcome()
	switch {
	case r.dead:
		return failing(nil)
	case c.dst != nil:
		return rowCall{op: kernels.Copy, dst: c.dst, in: []*twin{weakTwin(numberOfBits(r.store.dtype, r.bits()[0]))}, host: c.host}.outcome()
	case c.attr.DType == dtype.Invalid:
		return weakTwin(numberOfBits(r.store.dtype, r.bits()[0]))
	}
	return r
}

// types resolves dtypes by the table's own rules, which have tests of their own.
func (c rowCall) types() (rowTypes, bool) {
	var r rowTypes
	args, leaves := make([]kernels.Arg, len(c.in)), make([]kernels.Leaf, len(c.in))
	for i, t := range c.in {
		args[i].Weak = t.weak
		if t.store != nil {
			args[i] = kernels.Arg{DType: t.store.dtype}
		}
	}
	if c.op == kernels.Copy && c.in[0].isWeak() { // only the destination has a dtype
		bits, err := c.in[0].weak.Bits(c.dst.store.dtype)
		if err != nil {
			return r, false
		}
		c.in = []*twin{fresh(c.dst.store.dev, c.dst.store.dtype, nil, []uint64{bits})}
		return c.types()
	}
	sig, err := kernels.Resolve(c.op, c.attr, args)
	if err != nil {
		return r, false
	}
	if r.result = sig.Result; c.dst != nil {
		if sig.Result.Kind() > c.dst.store.dtype.Kind() {
			return r, false
		}
		r.result = c.dst.store.dtype
	}
	for i, t := range c.in {
		leaves[i] = kernels.Leaf{Kind: kernels.OpInput, DType: args[i].DType}
		if t.store != nil {
			r.inputs = append(r.inputs, t)
			continue
		}
		leaves[i] = kernels.Leaf{Kind: kernels.OpScalar, DType: sig.Args[i]}
		bits, err := sig.Weak[i].Bits(sig.Args[i])
		if err != nil {
			return r, false
		}
		r.scalars = append(r.scalars, bits)
	}
	if !r.result.Valid() {
		return r, false
	}
	r.program, err = kernels.Single(c.op, sig, r.result, leaves...)
	return r, err == nil
}

// compute finds the shape and the elements.
func (c rowCall) compute(types rowTypes, dev device.Device) *twin {
	p := types.program
	var s *space
	var sizes []int
	ok := true
	if p.Reduces > 0 {
		s, sizes, ok = c.reduced(p)
	} else {
		s, sizes, ok = c.stretched(types.inputs)
	}
	if !ok || c.dst != nil && !slices.Equal(sizes, c.dst.sizes) {
		return failing(nil)
	}
	if c.dst != nil && c.dst.shared() {
		return failing(tensor.ErrShared)
	}
	inputs := make([][]uint64, len(types.inputs))
	for i, t := range types.inputs {
		inputs[i] = t.bits()
		if !slices.Equal(t.sizes, s.sizes) {
			bits := inputs[i]
			inputs[i] = nil
			for _, pos := range stretchOver(t.sizes, s.sizes) {
				inputs[i] = append(inputs[i], bits[pos])
			}
		}
	}
	scalars := types.scalars
	if p.CountSlot >= 0 {
		count, _ := dtype.IntNumber(int64(s.full / max(s.kept, 1))).Bits(p.Scalars[p.CountSlot])
		scalars = append(scalars, count)
	}
	e, err := evaluatorOf(p)
	if err != nil {
		panic(err)
	}
	bits := e.run(s, inputs, scalars)
	if c.dst != nil {
		c.dst.write(bits)
		return c.dst
	}
	r := fresh(dev, types.result, sizes, bits)
	for _, t := range c.in {
		if t.scope != nil && (r.scope == nil || t.scope.opened > r.scope.opened) {
			r.scope = t.scope
		}
	}
	return r
}

// stretched is the space of an element-wise operation.
func (c rowCall) stretched(inputs []*twin) (s *space, sizes []int, ok bool) {
	sizes = []int{}
	for _, t := range inputs {
		if sizes, ok = stretch(sizes, t.sizes); !ok {
			return nil, nil, false
		}
	}
	if c.dst != nil {
		if !stretchesExactly(sizes, c.dst.sizes) {
			return nil, nil, false
		}
		sizes = c.dst.sizes
	}
	return newSpace(sizes, 0), sizes, true
}

// reduced is the space of a reduction and the sizes of its result.
func (c rowCall) reduced(p *kernels.Program) (s *space, sizes []int, ok bool) {
	from := c.in[0].sizes
	mask, rank, count := uint32(1<<len(from)-1), len(from), 0
	if c.axes.listed {
		mask = c.axes.mask & mask
	}
	sizes = []int{}
	empty := false
	for i, n := range from {
		if mask>>i&1 == 0 {
			sizes = append(sizes, n)
			continue
		}
		count++
		empty = empty || n == 0
		if c.attr.Keep {
			sizes = append(sizes, 1)
		}
	}
	row := c.op.Row()
	for _, t := range c.in[len(c.in)-len(row.Params):] {
		if !t.isWeak() {
			return nil, nil, false
		}
	}
	for _, in := range p.Instrs {
		if row := in.Op.Row(); row != nil && row.Reduce != nil && !row.Reduce.Empty && empty && !c.op.Row().Empty {
			return nil, nil, false
		}
	}
	if !p.Instrs[p.Outputs[0]].Reduced { // a value for each element
		sizes = from
	}
	arg := row.Rule == kernels.RuleArg && count > 1 && count < rank
	return newSpace(from, mask), sizes, !arg && !c.axes.bad
}
