package tensor_test

import (
	"slices"

	"github.com/stride0/stride0/tensor"
)

// diagonal calls Diagonal with an offset that may lie beyond the corners.
func (p *player) diagonal(t, base *twin) (*tensor.Tensor, *twin) {
	rank := len(base.sizes)
	offset, a, b := p.next(9)-4, p.axis(rank), p.axis(rank)
	i, iok := from(a, rank)
	j, jok := from(b, rank)
	p.note("Diagonal", t, offset, a, b)
	got := t.real.Diagonal(offset, a, b)
	if !iok || !jok || i == j {
		return got, failing(nil)
	}
	n := 0
	for k := range base.sizes[i] {
		if k+offset >= 0 && k+offset < base.sizes[j] {
			n++
		}
	}
	var rest, sizes []int
	for axis, size := range base.sizes {
		if axis != i && axis != j {
			rest, sizes = append(rest, axis), append(sizes, size)
		}
	}
	return got, base.pick(append(sizes, n), func(to, from []int) {
		for k, axis := range rest {
			from[axis] = to[k]
		}
		k := to[len(rest)]
		from[i], from[j] = k+max(-offset, 0), k+max(offset, 0)
	})
}

func (p *player) windows(t, base *twin) (*tensor.Tensor, *twin) {
	rank := len(base.sizes)
	axis := p.axis(rank)
	i, ok := from(axis, rank)
	n := 0
	if ok {
		n = base.sizes[i]
	}
	size, step := p.next(min(n, 6)+1), 1+p.next(4)
	if p.rarely(16) {
		size, step = p.next(12)-2, p.next(5)-1
	}
	if ok && shapeSize(base.sizes)*max(size, 1) > maxCells {
		size = 1
	}
	p.note("Windows", t, axis, size, step)
	got := t.real.Windows(axis, size, step)
	if !ok || size < 0 || size > n || step < 1 {
		return got, failing(nil)
	}
	sizes := append(slices.Clone(base.sizes), size)
	sizes[i] = 0
	for start := 0; start+size <= n; start += step {
		sizes[i]++
	}
	return got, base.pick(sizes, func(to, from []int) {
		copy(from, to)
		from[i] = to[i]*step + to[rank]
	})
}

// resize calls the methods that keep the order of the elements or stretch.
func (p *player) resize(name string, t, base *twin) (*tensor.Tensor, *twin) {
	x, rank := t.real, len(base.sizes)
	switch name {
	case "Unsqueeze":
		axis := p.axis(rank + 1)
		p.note(name, t, axis)
		i, ok := from(axis, rank+1)
		if !ok {
			return x.Unsqueeze(axis), failing(nil)
		}
		return x.Unsqueeze(axis), base.like(slices.Insert(slices.Clone(base.sizes), i, 1), base.at)
	case "Squeeze":
		axes, mask, ok := p.axes(rank)
		if len(axes) > 0 && !p.rarely(4) {
			axes, mask, ok = nil, 0, true
			for i, n := range base.sizes {
				if n == 1 && p.rarely(2) {
					axes, mask = append(axes, i), mask|1<<i
				}
			}
		}
		p.note(name, t, axes)
		got := x.Squeeze(axes...)
		sizes := []int{}
		for i, n := range base.sizes {
			squeezed := mask>>i&1 == 1 || len(axes) == 0 && n == 1
			if ok = ok && (!squeezed || n == 1); !squeezed {
				sizes = append(sizes, n)
			}
		}
		if !ok || rank == 0 && len(axes) > 0 {
			return got, failing(nil)
		}
		return got, base.like(sizes, base.at)
	case "PadLeft":
		to := rank + p.next(3)
		if p.rarely(8) {
			to = p.next(40) - 2
		}
		p.note(name, t, to)
		if to < rank || to > 32 {
			return x.PadLeft(to), failing(nil)
		}
		return x.PadLeft(to), base.like(append(slices.Repeat([]int{1}, to-rank), base.sizes...), base.at)
	case "BroadcastTo", "Expand":
		return p.stretch(name, t, base)
	}
	sizes := p.otherSizes(base.sizes)
	p.note(name, t, sizes)
	method := x.Reshape
	if name == "View" {
		method = x.View
	}
	got := method(sizes...)
	resolved, ok := inferred(sizes, shapeSize(base.sizes))
	switch {
	case !ok:
		return got, failing(nil)
	case strided(base.at, resolved):
		return got, base.like(resolved, base.at)
	case name == "View":
		return got, failing(nil)
	}
	c := base.cloned()
	c.sizes = resolved
	return got, c
}

// otherSizes returns sizes of as many elements, mostly.
func (p *player) otherSizes(sizes []int) []int {
	out := slices.Clone(sizes)
	switch p.next(6) {
	case 0:
		return []int{-1}
	case 1: // two axes in one
		if len(out) > 1 {
			i := p.next(len(out) - 1)
			out = slices.Replace(out, i, i+2, out[i]*out[i+1])
		}
	case 2: // one axis in two
		if len(out) > 0 {
			i := p.next(len(out))
			for _, f := range []int{2, 3, 5} {
				if out[i]%f == 0 {
					out = slices.Replace(out, i, i+1, f, out[i]/f)
					break
				}
			}
		}
	case 3:
		slices.Reverse(out)
	case 4:
		if len(out) < 8 {
			out = slices.Insert(out, p.next(len(out)+1), 1)
		}
	case 5:
		out = p.shape()
	}
	if len(out) > 0 && p.rarely(4) {
		out[p.next(len(out))] = -1
	}
	return out
}

// inferred replaces a -1 by what the other sizes leave of n elements.
func inferred(sizes []int, n int) ([]int, bool) {
	out := slices.Clone(sizes)
	open, rest := -1, 1
	for i, s := range sizes {
		switch {
		case s == -1 && open >= 0 || s < -1:
			return nil, false
		case s == -1:
			open = i
		default:
			rest *= s
		}
	}
	if open >= 0 {
		if rest == 0 || n%rest != 0 {
			return nil, false
		}
		out[open] = n / rest
		return out, true
	}
	return out, rest == n
}

// stretch calls BroadcastTo or Expand.
func (p *player) stretch(name string, t, base *twin) (*tensor.Tensor, *twin) {
	sizes := slices.Clone(base.sizes)
	room := 256 / max(shapeSize(sizes), 1)
	grow := func() int {
		n := [...]int{1, 2, 3, 5, 0, 17}[p.next(6)]
		if n > room {
			return 1
		}
		room /= max(n, 1)
		return n
	}
	for i := range sizes {
		if sizes[i] == 1 && p.rarely(2) {
			sizes[i] = grow()
		}
	}
	for range p.next(3) {
		sizes = slices.Insert(sizes, 0, grow())
	}
	if p.rarely(16) {
		sizes = p.shape()
	}
	asked := slices.Clone(sizes)
	ok := true
	for i := range asked {
		j := i - len(asked) + len(base.sizes)
		if !p.rarely(6) {
			continue
		}
		asked[i] = -1
		if ok = ok && name == "Expand" && j >= 0; ok {
			sizes[i] = base.sizes[j]
		}
	}
	p.note(name, t, asked)
	method := t.real.BroadcastTo
	if name == "Expand" {
		method = t.real.Expand
	}
	got := method(asked...)
	if !ok || !stretchesExactly(base.sizes, sizes) {
		return got, failing(nil)
	}
	v := base.like(sizes, nil)
	for _, i := range stretchOver(base.sizes, sizes) {
		v.at = append(v.at, base.at[i])
	}
	return got, v
}
