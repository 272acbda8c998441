package tensor_test

import (
	"slices"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
	"github.com/stride0/stride0/tensor"
)

// callInto writes the result of any row into a tensor of the pool, from
// operands that may overlap it.
func (p *player) callInto() {
	all := kernels.Ops()
	op := all[(p.next(256)<<8+p.next(256))%len(all)]
	row := op.Row()
	dst := p.target()
	c := rowCall{op: op, dst: dst, host: p.host}
	if row.Rule == kernels.RuleCast || row.Rule == kernels.RuleArange || row.Rule == kernels.RuleRandom {
		c.attr.DType = p.dtype()
	}
	arity := row.Arity
	if p.rarely(64) {
		arity = p.next(5)
	}
	for range arity {
		c.in = append(c.in, p.source(dst))
	}
	if reduces(op) {
		p.reduceInto(&c)
	}
	if row.Rule == kernels.RuleWhere && arity > 0 && !p.rarely(8) && c.in[0].dtype() != dtype.Bool {
		c.in[0] = p.new(dtype.Bool, slices.Clone(dst.sizes))
	}
	in := make([]*tensor.Tensor, len(c.in))
	words := []any{c.dst, op, c.attr}
	for i, t := range c.in {
		in[i] = t.real
		words = append(words, t)
	}
	if p.rarely(8) {
		p.priced(c, in)
	}
	p.note("Into", words...)
	p.ops[op]++
	p.readNaNs(op, c.in...)
	p.written(tensor.Into(c.dst.real, op.With(c.attr), in...), c)
}

// target returns a destination: mostly one with elements, often a view that
// was just taken, which may share cells.
func (p *player) target() *twin {
	switch p.next(8) {
	case 0:
		return p.any()
	case 1, 2:
		return p.viewOf(p.living())
	}
	return p.living()
}

// reduces reports whether the Program of a row has reductions.
func reduces(op kernels.Op) bool {
	args := slices.Repeat([]kernels.Arg{{DType: dtype.Float32}}, op.Row().Arity)
	leaves := slices.Repeat([]kernels.Leaf{{Kind: kernels.OpInput, DType: dtype.Float32}}, op.Row().Arity)
	sig, err := kernels.Resolve(op, kernels.Attr{}, args)
	if err != nil {
		return false
	}
	program, err := kernels.Single(op, sig, sig.Result, leaves...)
	return err == nil && program.Reduces > 0
}

// reduceInto chooses axes and, mostly, a destination of the right shape.
func (p *player) reduceInto(c *rowCall) {
	if len(c.in) == 0 {
		return
	}
	t, row := c.in[0], c.op.Row()
	if !p.rarely(4) {
		t = p.living()
		c.in[0] = t
	}
	for i := len(c.in) - len(row.Params); i > 0 && i < len(c.in) && !p.rarely(8); i++ {
		c.in[i] = p.scalar()
	}
	axes, mask, ok := p.axes(len(t.sizes))
	c.attr.Keep = p.rarely(2)
	if !p.rarely(4) {
		c.attr.Axes, c.axes = kernels.Axes(axes...), axisChoice{true, mask, !ok}
	} else {
		mask = 1<<len(t.sizes) - 1
	}
	if p.rarely(8) {
		return
	}
	var sizes []int
	for i, n := range t.sizes {
		switch {
		case mask>>i&1 == 0:
			sizes = append(sizes, n)
		case c.attr.Keep:
			sizes = append(sizes, 1)
		}
	}
	if p.rarely(2) && t.store != nil && len(sizes) > 0 { // a part of the operand itself, where one fits
		ranges := make([]tensor.Range, len(sizes))
		for i, n := range sizes {
			ranges[i] = tensor.R(0, n)
		}
		if fits(sizes, t.sizes) {
			p.note("Slice", t, ranges)
			c.dst = p.result(t.real.Slice(ranges...), t.pick(sizes, func(to, from []int) { copy(from, to) }))
			return
		}
	}
	d := p.dtype()
	if d.Kind() < dtype.IntKind {
		d = dtype.Float64
	}
	if t.store != nil {
		c.dst = p.newOn(t.store.dev, d, sizes)
	}
}

func fits(sizes, in []int) bool {
	if len(sizes) != len(in) {
		return false
	}
	for i, n := range sizes {
		if n > in[i] {
			return false
		}
	}
	return true
}

// source returns an operand for dst: often one that overlaps it.
func (p *player) source(dst *twin) *twin {
	if dst.store == nil || p.rarely(4) {
		return p.partner(dst)
	}
	switch p.next(5) {
	case 0:
		return dst
	case 1:
		mask := uint32(p.next(256))
		var axes []int
		for i := range dst.sizes {
			if mask>>i&1 == 1 {
				axes = append(axes, i)
			}
		}
		if len(axes) == 0 {
			return dst
		}
		p.note("Flip", dst, axes)
		return p.result(dst.real.Flip(axes...), dst.pick(dst.sizes, func(to, from []int) {
			for i, j := range to {
				if from[i] = j; slices.Contains(axes, i) {
					from[i] = dst.sizes[i] - 1 - j
				}
			}
		}))
	case 2: // the transpose, where it has the same sizes
		order := make([]int, len(dst.sizes))
		for i := range order {
			order[i] = len(order) - 1 - i
		}
		turned := dst.permuted(order)
		p.note("Permute", dst, order)
		r := p.result(dst.real.Permute(order...), turned)
		if stretchesExactly(turned.sizes, dst.sizes) {
			return r
		}
	case 3: // one element, or row, of dst itself
		if len(dst.sizes) > 0 && dst.sizes[0] > 0 {
			at := p.next(dst.sizes[0])
			p.note("Index", dst, 0, at)
			return p.result(dst.real.Index(0, at), dst.pick(dst.sizes[1:], func(to, from []int) {
				from[0] = at
				copy(from[1:], to)
			}))
		}
	case 4:
		for _, t := range p.pool {
			if t != dst && !t.dead && t.store == dst.store && stretchesExactly(t.sizes, dst.sizes) {
				return t
			}
		}
	}
	return p.partner(dst)
}

// priced checks that a price is refused exactly when the operation is.
func (p *player) priced(c rowCall, in []*tensor.Tensor) {
	p.note("PriceInto", c.dst, c.op)
	_, err := tensor.PriceInto(c.dst.real, c.op.With(c.attr), in...)
	before := []uint64(nil)
	if c.dst.store != nil && !c.dst.dead {
		before = c.dst.bits()
	}
	want := c.outcome()
	p.failure(err, want)
	if before != nil && !want.dead {
		c.dst.write(before)
	}
}

// writeOver calls the methods that write other than by a row.
func (p *player) writeOver() {
	dst := p.target()
	c := rowCall{op: kernels.Copy, dst: dst, host: p.host}
	switch p.next(4) {
	case 0:
		src := p.source(dst)
		c.in = []*twin{src}
		p.note("Assign", dst, src)
		err := dst.real.Assign(src.real)
		if want := refusedBy(dst, src); want != nil { // a Scalar as dst and a failed source: either error will do
			p.failure(err, want)
			return
		}
		p.written(err, c)
	case 1:
		v, n := p.number()
		c.in = []*twin{weakTwin(n)}
		p.note("Fill", dst, v)
		p.written(dst.real.Fill(v), c)
	case 2:
		p.set(dst)
	case 3:
		p.note("Fill", dst, "text")
		want := refusedBy(dst)
		if want == nil {
			want = failing(nil)
		}
		p.failure(dst.real.Fill("text"), want)
	}
}

// set writes one element.
func (p *player) set(dst *twin) {
	v, n := p.number()
	index, at, ok := make([]int, len(dst.sizes)), make([]int, len(dst.sizes)), true
	for i := range index {
		exists := false
		index[i] = p.axis(dst.sizes[i])
		at[i], exists = from(index[i], dst.sizes[i])
		ok = ok && exists
	}
	if p.rarely(32) {
		index, ok = append(index, 0), false
	}
	p.note("Set", dst, v, index)
	err := dst.real.Set(v, index...)
	switch {
	case dst.dead:
		p.failure(err, refusedBy(dst))
	case dst.store == nil || !ok:
		p.failure(err, failing(nil))
	case dst.shared():
		p.failure(err, failing(tensor.ErrShared))
	default:
		cell := dst.at[position(dst.sizes, at)]
		e := &twin{sizes: []int{}, at: []int{cell}, store: dst.store}
		want := rowCall{op: kernels.Copy, dst: e, in: []*twin{weakTwin(n)}, host: p.host}.outcome()
		if !p.failure(err, want) {
			p.check(dst)
		}
	}
}
