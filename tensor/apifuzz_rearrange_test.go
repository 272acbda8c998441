package tensor_test

import (
	"slices"

	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

// rearrange calls an operation that only moves elements of one tensor.
func (p *player) rearrange() {
	t := p.any()
	base := t
	if t.isWeak() {
		base = t.settled(p.host)
	}
	switch p.next(7) {
	case 0:
		p.tile(t, base)
	case 1:
		p.repeat(t, base)
	case 2:
		p.roll(t, base)
	case 3:
		p.pad(t, base)
	case 4:
		p.triangle(t, base)
	case 5, 6:
		p.split(t)
	}
}

// moved takes in a result whose element at to is base's at from, or other
// where that index is -1. where fills in from; nil means that it must fail.
func (p *player) moved(got *tensor.Tensor, t, base *twin, sizes []int, other uint64, where func(to, from []int)) {
	dev, want := p.operands(t)
	switch {
	case want != nil:
	case base.dead || where == nil || len(sizes) > broadcast.MaxRank:
		want = failing(nil)
	default:
		bits, cells, from := make([]uint64, 0, shapeSize(sizes)), base.bits(), make([]int, len(base.sizes))
		each(sizes, func(to []int) {
			if where(to, from); slices.Contains(from, -1) {
				bits = append(bits, other)
			} else {
				bits = append(bits, cells[position(base.sizes, from)])
			}
		})
		want = derived(dev, base.store.dtype, sizes, bits, t)
	}
	p.result(got, want)
}

func (p *player) tile(t, base *twin) {
	copies := make([]int, p.next(len(base.sizes)+3))
	ok, n := true, shapeSize(base.sizes)
	for i := range copies {
		copies[i] = [...]int{1, 1, 2, 3, 0, 1, 2, 5}[p.next(8)]
		if p.rarely(64) {
			copies[i] = -1
		}
		if ok = ok && copies[i] >= 0; copies[i]*n > maxCells {
			copies[i] = 1
		}
		n *= max(copies[i], 1)
	}
	p.note("Tile", t, copies)
	got := t.real.Tile(copies...)
	more := max(len(copies)-len(base.sizes), 0)
	sizes := append(slices.Repeat([]int{1}, more), base.sizes...)
	for i, c := range copies {
		sizes[len(sizes)-len(copies)+i] *= c
	}
	where := func(to, from []int) {
		for i, n := range base.sizes {
			from[i] = to[more+i] % n
		}
	}
	if !ok {
		where = nil
	}
	p.moved(got, t, base, sizes, 0, where)
}

func (p *player) repeat(t, base *twin) {
	axis, n := p.axis(len(base.sizes)), p.next(5)
	if p.rarely(32) {
		n = -1
	}
	if shapeSize(base.sizes)*n > maxCells {
		n = 1
	}
	p.note("Repeat", t, axis, n)
	got := t.real.Repeat(axis, n)
	a, ok := from(axis, len(base.sizes))
	if !ok || n < 0 {
		p.moved(got, t, base, nil, 0, nil)
		return
	}
	sizes := slices.Clone(base.sizes)
	sizes[a] *= n
	p.moved(got, t, base, sizes, 0, func(to, from []int) {
		copy(from, to)
		from[a] /= n
	})
}

func (p *player) roll(t, base *twin) {
	axis, n := p.axis(len(base.sizes)), p.next(40)-20
	if p.rarely(16) {
		n *= 1 << 24
	}
	p.note("Roll", t, axis, n)
	got := t.real.Roll(axis, n)
	a, ok := from(axis, len(base.sizes))
	if !ok {
		p.moved(got, t, base, nil, 0, nil)
		return
	}
	size := base.sizes[a]
	p.moved(got, t, base, base.sizes, 0, func(to, from []int) {
		copy(from, to)
		from[a] = ((to[a]-n)%size + size) % size
	})
}

// pad draws Sides for the last axes of sizes.
func (p *player) sides(sizes []int) [][2]int {
	sides := make([][2]int, p.next(min(len(sizes), 3)+1))
	if p.rarely(32) {
		sides = make([][2]int, len(sizes)+1)
	}
	room := maxCells / max(shapeSize(sizes), 1)
	for i := range sides {
		for j := range 2 {
			sides[i][j] = [...]int{0, 1, 2, 0, 1, -1, 3, 7, -2, 11, 0, 1, 0, 1, 2, 5}[p.next(16)]
			if sides[i][j]+1 > room {
				sides[i][j] = 0
			}
			room /= max(sides[i][j]+1, 1)
		}
	}
	return sides
}

func (p *player) pad(t, base *twin) {
	o := tensor.PadOpts{Sides: p.sides(base.sizes), Mode: tensor.PadMode(p.next(4))}
	if p.rarely(64) {
		o.Mode = 9
	}
	other, err := dtype.BoolNumber(false).Bits(dtype.Bool)
	if p.rarely(2) {
		v, n := p.number()
		if o.Value = v; !t.dead {
			other, err = n.Bits(t.dtype())
		}
	}
	p.note("Pad", t, o)
	got := t.real.Pad(o)
	missing := len(base.sizes) - len(o.Sides)
	if missing < 0 || o.Mode > tensor.PadWrap || err != nil {
		p.moved(got, t, base, nil, 0, nil)
		return
	}
	sizes, first, kept := slices.Clone(base.sizes), make([]int, len(base.sizes)), slices.Clone(base.sizes)
	ok, before := true, make([]int, len(base.sizes))
	for i, s := range o.Sides {
		a := missing + i
		first[a], before[a] = max(-s[0], 0), max(s[0], 0)
		kept[a] += min(s[0], 0) + min(s[1], 0)
		ok = ok && kept[a] >= 0 && (kept[a] > 0 || o.Mode == tensor.PadConstant || max(s[0], s[1]) <= 0)
		sizes[a] = kept[a] + before[a] + max(s[1], 0)
	}
	where := func(to, from []int) {
		for i, j := range to {
			if from[i] = padSource(o.Mode, j-before[i], kept[i]); from[i] >= 0 {
				from[i] += first[i]
			}
		}
	}
	if !ok {
		where = nil
	}
	p.moved(got, t, base, sizes, other, where)
}

// padSource returns which of n elements stands at i, -1 for the constant.
func padSource(mode tensor.PadMode, i, n int) int {
	switch {
	case i >= 0 && i < n:
		return i
	case mode == tensor.PadConstant:
		return -1
	case mode == tensor.PadEdge || n == 1:
		return max(0, min(i, n-1))
	case mode == tensor.PadWrap:
		return (i%n + n) % n
	}
	period := 2 * (n - 1)
	if i = (i%period + period) % period; i >= n {
		i = period - i
	}
	return i
}

func (p *player) triangle(t, base *twin) {
	k := p.next(9) - 4
	if p.rarely(16) {
		k *= 1 << 27
	}
	name, method, side := "Tril", (*tensor.Tensor).Tril, 1
	if p.rarely(2) {
		name, method, side = "Triu", (*tensor.Tensor).Triu, -1
	}
	p.note(name, t, k)
	got := method(t.real, k)
	rank := len(base.sizes)
	if rank < 2 {
		p.moved(got, t, base, nil, 0, nil)
		return
	}
	p.moved(got, t, base, base.sizes, 0, func(to, from []int) {
		copy(from, to)
		if (to[rank-2]+k-to[rank-1])*side < 0 {
			from[0] = -1
		}
	})
}
