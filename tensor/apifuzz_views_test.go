package tensor_test

import (
	"slices"

	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

// takeView calls one method that returns a view.
func (p *player) takeView() { p.viewOf(p.any()) }

func (p *player) viewOf(t *twin) *twin {
	name := viewMethods[p.next(len(viewMethods))]
	base := t
	if t.dead || t.store == nil { // what the shape of a Scalar allows
		base = fresh(p.host, dtype.Bool, nil, []uint64{0})
	}
	got, want := p.view(name, t, base)
	if len(want.sizes) > broadcast.MaxRank {
		want = failing(nil)
	}
	if dead := refusedBy(t); dead != nil {
		want = dead
	} else if t.store == nil && !want.dead {
		want = settledView(p, t, want)
	}
	return p.result(got, want)
}

// settledView is the view of a Scalar: the Scalar itself where it has no axes.
func settledView(p *player, t, view *twin) *twin {
	if len(view.sizes) == 0 {
		return weakTwin(t.weak)
	}
	s := t.settled(p.host)
	if s.dead {
		return s
	}
	return &twin{sizes: view.sizes, at: view.at, store: s.store}
}

var viewMethods = []string{"Permute", "Transpose", "T", "Slice", "Slice", "Slice", "Index", "Unsqueeze", "Squeeze", "BroadcastTo",
	"Expand", "Flip", "View", "Reshape", "Reshape", "Diagonal", "Windows", "Windows", "PadLeft", "Contiguous", "Clone"}

// view calls a method of t and returns what it should give for base.
func (p *player) view(name string, t, base *twin) (*tensor.Tensor, *twin) {
	x, rank := t.real, len(base.sizes)
	switch name {
	case "Transpose":
		p.note(name, t)
		order := make([]int, rank)
		for i := range order {
			order[i] = rank - 1 - i
		}
		return x.Transpose(), base.permuted(order)
	case "T":
		p.note(name, t)
		if rank < 2 {
			return x.T(), failing(nil)
		}
		order := make([]int, rank)
		for i := range order {
			order[i] = i
		}
		order[rank-1], order[rank-2] = rank-2, rank-1
		return x.T(), base.permuted(order)
	case "Permute":
		return p.permute(t, base)
	case "Slice":
		return p.slice(t, base)
	case "Index":
		axis := p.axis(rank)
		i, ok := from(axis, rank)
		n := 0
		if ok {
			n = base.sizes[i]
		}
		at := p.axis(n)
		j, exists := from(at, n)
		p.note(name, t, axis, at)
		if !ok || !exists {
			return x.Index(axis, at), failing(nil)
		}
		return x.Index(axis, at), base.pick(slices.Delete(slices.Clone(base.sizes), i, i+1), func(to, from []int) {
			copy(from, to[:i])
			from[i] = j
			copy(from[i+1:], to[i:])
		})
	case "Flip":
		axes, mask, ok := p.axes(rank)
		p.note(name, t, axes)
		if len(axes) == 0 {
			mask = 1<<rank - 1
		}
		if !ok || rank == 0 && len(axes) > 0 {
			return x.Flip(axes...), failing(nil)
		}
		return x.Flip(axes...), base.pick(base.sizes, func(to, from []int) {
			for i, j := range to {
				from[i] = j
				if mask>>i&1 == 1 {
					from[i] = base.sizes[i] - 1 - j
				}
			}
		})
	case "Diagonal":
		return p.diagonal(t, base)
	case "Windows":
		return p.windows(t, base)
	case "Contiguous":
		p.note(name, t)
		if base.contiguous() {
			return x.Contiguous(), base.like(base.sizes, base.at)
		}
		return x.Contiguous(), base.cloned()
	case "Clone":
		p.note(name, t)
		return x.Clone(), base.cloned()
	}
	return p.resize(name, t, base)
}

// cloned returns a copy in memory of its own.
func (t *twin) cloned() *twin {
	c := fresh(t.store.dev, t.store.dtype, t.sizes, t.bits())
	c.scope = t.scope
	return c
}

// permuted returns the view whose axis i is axis order[i].
func (t *twin) permuted(order []int) *twin {
	sizes := make([]int, len(order))
	for i, a := range order {
		sizes[i] = t.sizes[a]
	}
	return t.pick(sizes, func(to, from []int) {
		for i, a := range order {
			from[a] = to[i]
		}
	})
}

func (p *player) permute(t, base *twin) (*tensor.Tensor, *twin) {
	rank := len(base.sizes)
	order := p.random().Perm(rank)
	named := slices.Clone(order)
	for i := range named {
		if p.rarely(3) {
			named[i] -= rank
		}
	}
	ok := true
	if p.rarely(16) {
		switch ok = false; p.next(3) {
		case 0:
			named = append(named, 0)
		case 1:
			named = append(named[:max(rank-1, 0)], rank)
		case 2:
			if named = named[:max(rank-1, 0)]; rank == 0 {
				ok = true
			}
		}
	}
	p.note("Permute", t, named)
	got := t.real.Permute(named...)
	if !ok {
		return got, failing(nil)
	}
	return got, base.permuted(order)
}

// walk returns the indices that a range picks of n, read as Python reads it.
func walk(r tensor.Range, n int) []int {
	low, high := 0, n
	if r.Step < 0 {
		low, high = -1, n-1
	}
	bound := func(i int) int {
		if i < 0 {
			i += n
		}
		return max(low, min(i, high))
	}
	start, stop := low, high
	if r.Step < 0 {
		start, stop = high, low
	}
	if r.Start != tensor.Begin {
		start = bound(r.Start)
	}
	if r.Stop != tensor.End {
		stop = bound(r.Stop)
	}
	var out []int
	for i := start; r.Step > 0 && i < stop || r.Step < 0 && i > stop; i += r.Step {
		out = append(out, i)
	}
	return out
}

func (p *player) slice(t, base *twin) (*tensor.Tensor, *twin) {
	rank := len(base.sizes)
	ranges := make([]tensor.Range, p.next(rank+1))
	if p.rarely(32) {
		ranges = make([]tensor.Range, rank+1)
	}
	sizes, picks, ok := slices.Clone(base.sizes), make([][]int, rank), len(ranges) <= rank
	for i := range ranges {
		n := 3
		if i < rank {
			n = base.sizes[i]
		}
		ranges[i] = tensor.All
		if p.rarely(4) {
			ranges[i].Step = [...]int{-1, 1, 2, -2, 3, -3, 50, -60}[p.next(8)]
			ranges[i].Start = [...]int{tensor.Begin, p.next(n + 1), -p.next(n + 2), 1000, -1000}[p.next(5)]
			ranges[i].Stop = [...]int{tensor.End, p.next(n + 2), -p.next(n + 2), 1000, -1000}[p.next(5)]
		} else if p.rarely(2) {
			ranges[i] = tensor.R(p.next(n+1), tensor.End, 1+p.next(3)-2*p.next(2))
		}
		ok = ok && ranges[i].Step != 0
		if ok {
			picks[i] = walk(ranges[i], n)
			sizes[i] = len(picks[i])
		}
	}
	p.note("Slice", t, ranges)
	got := t.real.Slice(ranges...)
	if !ok {
		return got, failing(nil)
	}
	return got, base.pick(sizes, func(to, from []int) {
		for i, j := range to {
			if from[i] = j; picks[i] != nil {
				from[i] = picks[i][j]
			}
		}
	})
}
