package tensor_test

import (
	"slices"

	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

// split calls Split or Chunk.
func (p *player) split(t *twin) {
	axis := p.axis(len(t.sizes))
	a, ok := from(axis, len(t.sizes))
	n := 0
	if ok {
		n = t.sizes[a]
	}
	var sizes []int
	var parts []*tensor.Tensor
	var err error
	if p.rarely(2) {
		count := p.next(min(n, 4)+1) + 1 - p.next(2)
		p.note("Chunk", t, axis, count)
		parts, err = t.real.Chunk(axis, count)
		ok = ok && count >= 1 && count <= max(n, 1)
		for i := range max(count, 0) {
			sizes = append(sizes, (n+count-1-i)/count)
		}
	} else {
		left := n
		for range p.next(4) {
			sizes = append(sizes, p.next(left+1))
			left -= sizes[len(sizes)-1]
		}
		if left > 0 && !p.rarely(16) {
			sizes, left = append(sizes, left), 0
		}
		p.note("Split", t, axis, sizes)
		parts, err = t.real.Split(axis, sizes...)
		ok = ok && left == 0
	}
	want := refusedBy(t)
	if want == nil && !ok {
		want = failing(nil)
	}
	if want != nil {
		p.failure(err, want)
		return
	}
	p.parts(t, a, sizes, parts, err)
}

// parts takes in the views that a split gives.
func (p *player) parts(t *twin, axis int, sizes []int, parts []*tensor.Tensor, err error) {
	if err != nil || len(parts) != len(sizes) {
		p.faultf("%d parts, %v", len(parts), err)
	}
	start := 0
	for i, n := range sizes {
		shape, begin := slices.Clone(t.sizes), start
		shape[axis] = n
		p.result(parts[i], t.pick(shape, func(to, from []int) {
			copy(from, to)
			from[axis] += begin
		}))
		start += n
	}
}

// join calls Concat or Stack.
func (p *player) join() {
	stack := p.rarely(2)
	ts := []*twin{p.any()}
	axis := p.axis(len(ts[0].sizes))
	a, has := from(axis, len(ts[0].sizes))
	for range p.next(3) {
		u := p.any()
		if t := ts[0]; t.store != nil && !p.rarely(8) && shapeSize(t.sizes) < maxCells/4 {
			sizes := slices.Clone(t.sizes)
			if has && !stack {
				sizes[a] = p.next(4)
			}
			u = p.newOn(t.store.dev, p.dtype(), sizes)
		}
		ts = append(ts, u)
	}
	if p.rarely(64) {
		ts = nil
	}
	real, words := make([]*tensor.Tensor, len(ts)), []any{axis}
	for i, t := range ts {
		real[i] = t.real
		words = append(words, t)
	}
	name, method := "Concat", tensor.Concat
	if stack {
		name, method = "Stack", tensor.Stack
	}
	p.note(name, words...)
	got := method(axis, real...)
	dead := refusedBy(ts...)
	if dead == nil {
		dead = concatenated(axis, stack, ts)
	}
	p.result(got, dead)
}

// concatenated is the tensors one after the other along an axis, a new one for a
// stack.
func concatenated(axis int, stack bool, ts []*twin) *twin {
	if len(ts) == 0 {
		return failing(nil)
	}
	var dtypes []dtype.DType
	var dev device.Device
	parts := slices.Clone(ts)
	for i, t := range ts {
		if t.isWeak() || i > 0 && t.store.dev != dev || stack && !slices.Equal(t.sizes, ts[0].sizes) {
			return failing(nil)
		}
		dev = t.store.dev
		dtypes = append(dtypes, t.store.dtype)
		if stack {
			a, ok := from(axis, len(t.sizes)+1)
			if !ok || len(t.sizes) == broadcast.MaxRank {
				return failing(nil)
			}
			parts[i] = t.like(slices.Insert(slices.Clone(t.sizes), a, 1), t.at)
		}
	}
	a, ok := from(axis, len(parts[0].sizes))
	d, err := dtype.Promote(dtypes...)
	if !ok || err != nil {
		return failing(nil)
	}
	sizes := slices.Clone(parts[0].sizes)
	sizes[a] = 0
	for _, t := range parts {
		if len(t.sizes) != len(sizes) || !slices.Equal(slices.Delete(slices.Clone(t.sizes), a, a+1), slices.Delete(slices.Clone(sizes), a, a+1)) {
			return failing(nil)
		}
		sizes[a] += t.sizes[a]
	}
	bits, start := make([]uint64, shapeSize(sizes)), 0
	for _, t := range parts {
		values, i := t.bits(), 0
		each(t.sizes, func(index []int) {
			to := slices.Clone(index)
			to[a] += start
			bits[position(sizes, to)] = convert(t.store.dtype, d, values[i])
			i++
		})
		start += t.sizes[a]
	}
	return derived(dev, d, sizes, bits, ts...)
}
