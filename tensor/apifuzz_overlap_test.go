package tensor_test

import (
	"slices"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
	"github.com/stride0/stride0/tensor"
)

// entangle writes into a view of a tensor from other views of it that cover it
// in part. Most have more elements than a device takes at a time, so that what
// is written early would be read late. The tensors stay out of the pool: they
// are large.
func (p *player) entangle() {
	pool := p.pool
	p.pool = nil
	defer func() { p.pool = pool }()
	switch p.next(6) {
	case 0:
		p.shiftedLines()
	case 1, 2:
		p.shiftedBlocks()
	case 3:
		p.intoWindows()
	case 4:
		p.turnedBlocks()
	case 5:
		p.intoOwnRow()
	}
	p.checkAll()
	for _, t := range p.pool {
		if !t.dead && t.store != nil {
			_ = t.real.Free()
		}
	}
}

// cut takes count elements of each axis, step apart, and turns some axes round.
func (p *player) cut(t *twin, start, count, step []int) *twin {
	ranges, mask := make([]tensor.Range, len(start)), p.next(16)
	var flipped []int
	for i := range start {
		ranges[i] = tensor.R(start[i], start[i]+(count[i]-1)*step[i]+1, step[i])
		if mask>>i&1 == 1 && p.rarely(2) {
			flipped = append(flipped, i)
		}
	}
	p.note("Slice", t, ranges)
	v := p.result(t.real.Slice(ranges...), t.pick(count, func(to, from []int) {
		for i, j := range to {
			from[i] = start[i] + j*step[i]
		}
	}))
	if len(flipped) == 0 {
		return v
	}
	p.note("Flip", v, flipped)
	return p.result(v.real.Flip(flipped...), v.pick(count, func(to, from []int) {
		for i, j := range to {
			if from[i] = j; slices.Contains(flipped, i) {
				from[i] = count[i] - 1 - j
			}
		}
	}))
}

// size draws the length of a line that is mostly longer than a block.
func (p *player) length() int { return []int{40, 1100, 1500, 2100, 2600}[p.next(5)] }

func (p *player) shiftedLines() {
	n, step := p.length(), 1+p.next(2)
	base := p.new(p.dtype(), []int{n*step + 64})
	dst := p.cut(base, []int{p.next(64)}, []int{n}, []int{step})
	p.combine(dst, p.cut(base, []int{p.next(64)}, []int{n}, []int{step}), base)
}

// shiftedBlocks writes into a block of a matrix, or of each of several.
func (p *player) shiftedBlocks() {
	h := []int{3, 20, 33, 60}[p.next(4)]
	w := []int{2, 30, 37, 50}[p.next(4)]
	step := 1 + p.next(2)
	sizes, count := []int{h + 4, w*step + 4}, []int{h, w}
	steps, corner := []int{1, step}, func() []int { return []int{p.next(5), p.next(5)} }
	if p.rarely(4) {
		sizes, count, steps = []int{3, h + 4, w*step + 4}, []int{2, h, w}, []int{1, 1, step}
		corner = func() []int { return []int{p.next(2), p.next(5), p.next(5)} }
	}
	base := p.new(p.dtype(), sizes)
	dst := p.cut(base, corner(), count, steps)
	p.combine(dst, p.cut(base, corner(), count, steps), base)
}

// turnedBlocks writes a transposed square into one that it overlaps.
func (p *player) turnedBlocks() {
	n := []int{3, 33, 40, 52}[p.next(4)]
	base := p.new(p.dtype(), []int{n + 3, n + 3})
	dst := p.cut(base, []int{p.next(4), p.next(4)}, []int{n, n}, []int{1, 1})
	src := p.cut(base, []int{p.next(4), p.next(4)}, []int{n, n}, []int{1, 1})
	p.note("T", src)
	p.combine(dst, p.result(src.real.T(), src.permuted([]int{1, 0})), base)
}

// intoWindows writes into windows, which is refused where they overlap.
func (p *player) intoWindows() {
	n, size, step := 6+p.next(40), 1+p.next(5), 1+p.next(5)
	sizes, axis := []int{n}, 0
	if p.rarely(2) {
		sizes, axis = []int{3, n}, p.next(2)
		size = min(size, sizes[axis])
	}
	base := p.new(p.dtype(), sizes)
	shape := append(slices.Clone(sizes), size)
	shape[axis] = (sizes[axis]-size)/step + 1
	p.note("Windows", base, axis, size, step)
	dst := p.result(base.real.Windows(axis, size, step), base.pick(shape, func(to, from []int) {
		copy(from, to)
		from[axis] = to[axis]*step + to[len(sizes)]
	}))
	if p.rarely(3) {
		order := p.random().Perm(len(shape))
		p.note("Permute", dst, order)
		dst = p.result(dst.real.Permute(order...), dst.permuted(order))
	}
	src := p.new(base.store.dtype, slices.Clone(dst.sizes))
	if p.rarely(2) {
		src = base.elementAt(p, make([]int, len(sizes)))
	}
	p.combine(dst, src, base)
}

// elementAt is the view of one element.
func (t *twin) elementAt(p *player, index []int) *twin {
	for _, i := range index {
		p.note("Index", t, 0, i)
		t = p.result(t.real.Index(0, i), t.pick(slices.Clone(t.sizes[1:]), func(to, from []int) {
			from[0] = i
			copy(from[1:], to)
		}))
	}
	return t
}

// combine writes src, or what becomes of it beside another operand, into dst.
func (p *player) combine(dst, src, base *twin) {
	c := rowCall{op: kernels.Copy, dst: dst, in: []*twin{src}, host: p.host}
	switch p.next(8) {
	case 0, 1, 2:
		p.note("Assign", dst, src)
		p.written(dst.real.Assign(src.real), c)
		return
	case 3:
		c.op, c.in = kernels.Add, []*twin{dst, src}
		p.note("AddAssign", dst, src)
		p.written(dst.real.AddAssign(src.real), c)
		return
	case 4:
		c.op = kernels.Square
	case 5:
		c.op, c.in = kernels.Sub, []*twin{src, base.elementAt(p, make([]int, len(base.sizes)))}
	case 6:
		c.op, c.in = kernels.Maximum, []*twin{src, dst}
	case 7: // a value for each element, in several steps
		c.op, c.attr.Axes, c.axes = kernels.Softmax, kernels.Axes(-1), axisChoice{true, 1 << (len(dst.sizes) - 1), false}
		c.op = []kernels.Op{kernels.Softmax, kernels.LogSoftmax}[p.next(2)]
	}
	p.into(c)
}

func (p *player) into(c rowCall) {
	in, words := []*tensor.Tensor{}, []any{c.dst, c.op, c.attr}
	for _, t := range c.in {
		in, words = append(in, t.real), append(words, t)
	}
	p.note("Into", words...)
	p.ops[c.op]++
	p.readNaNs(c.op, c.in...)
	p.written(tensor.Into(c.dst.real, c.op.With(c.attr), in...), c)
}

// intoOwnRow reduces a matrix into one of its own rows.
func (p *player) intoOwnRow() {
	d := []dtype.DType{dtype.Float32, dtype.Float64, dtype.Int64, dtype.Float16}[p.next(4)]
	base := p.new(d, []int{1 + p.next(40), 1 + p.next(60)})
	dst := base.elementAt(p, []int{p.next(base.sizes[0])})
	c := rowCall{dst: dst, in: []*twin{base}, host: p.host, axes: axisChoice{true, 1, false}, attr: kernels.Attr{Axes: kernels.Axes(0)}}
	c.op = []kernels.Op{kernels.Sum, kernels.Max, kernels.Mean, kernels.LogSumExp, kernels.Std, kernels.NormL2}[p.next(6)]
	if c.op == kernels.Std {
		one := weakTwin(dtype.IntNumber(1))
		one.real = tensor.Scalar(1)
		c.in = append(c.in, one)
	}
	p.into(c)
}
