package tensor_test

import (
	"errors"
	"slices"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
	"github.com/stride0/stride0/tensor"
)

// lookup is an operation at indices: a space of points, of each of which place
// says where in the table it is, in row-major order, by calling reach.
type lookup struct {
	table, index *twin
	sizes        []int
	place        func(point []int) int
	beyond       bool // an index was out of range
}

// reach returns the index that stands at an index of the index tensor, into an
// axis of size n.
func (l *lookup) reach(n int, at ...int) int {
	bits := l.index.store.cells[l.index.at[position(l.index.sizes, at)]]
	i := int64(convert(l.index.store.dtype, dtype.Int64, bits))
	if i < 0 {
		i += int64(n)
	}
	if i < 0 || i >= int64(n) {
		l.beyond = true
		return -1
	}
	return int(i)
}

// points calls visit with every point of the space, numbered, and its place in
// the table, -1 where an index is out of range.
func (l *lookup) points(visit func(number, place int)) {
	number, wrong := 0, false
	each(l.sizes, func(point []int) {
		l.beyond = false
		place := l.place(point)
		if l.beyond {
			place, wrong = -1, true
		}
		visit(number, place)
		number++
	})
	l.beyond = wrong
}

// where returns the place of an index into the table.
func (l *lookup) where(index []int) int {
	if slices.Contains(index, -1) {
		return -1
	}
	return position(l.table.sizes, index)
}

// slicesAlong is Gather: the axes of the index stand in place of one.
func (l *lookup) slicesAlong(axis int) {
	from, more := l.table.sizes, len(l.index.sizes)
	l.sizes = slices.Concat(from[:axis], l.index.sizes, from[axis+1:])
	l.place = func(p []int) int {
		i := l.reach(from[axis], p[axis:axis+more]...)
		return l.where(slices.Concat(p[:axis], []int{i}, p[axis+more:]))
	}
}

// beside is GatherElements, of a table and an index stretched over it.
func (l *lookup) beside(axis int) {
	l.sizes = l.index.sizes
	l.place = func(p []int) int {
		at := slices.Clone(p)
		at[axis] = l.reach(l.table.sizes[axis], p...)
		return l.where(at)
	}
}

// added is IndexAdd: slices of the updates go along one axis.
func (l *lookup) added(axis int) {
	l.sizes = slices.Clone(l.table.sizes)
	l.sizes[axis] = l.index.sizes[0]
	l.place = func(p []int) int {
		at := slices.Clone(p)
		at[axis] = l.reach(l.table.sizes[axis], p[axis])
		return l.where(at)
	}
}

// tuples is GatherND; ok is false when the index does not fit.
func (l *lookup) tuples(batch int) (ok bool) {
	from, index := l.table.sizes, l.index.sizes
	last := len(index) - 1
	if last < 0 || batch < 0 || batch > last || batch > len(from) || !slices.Equal(from[:batch], index[:batch]) {
		return false
	}
	k := index[last]
	if batch+k > len(from) {
		return false
	}
	l.sizes = slices.Concat(index[:last], from[batch+k:])
	l.place = func(p []int) int {
		at := slices.Clone(p[:batch])
		for j := range k {
			at = append(at, l.reach(from[batch+j], append(slices.Clone(p[:last]), j)...))
		}
		return l.where(append(at, p[last:]...))
	}
	return true
}

// alongside stretches table and index over each other but for an axis, as
// TakeAlongAxis does.
func (l *lookup) alongside(axis int) (ok bool) {
	from, to := slices.Clone(l.table.sizes), slices.Clone(l.index.sizes)
	n, m := from[axis], to[axis]
	from[axis], to[axis] = 1, 1
	sizes, ok := stretch(from, to)
	if !ok {
		return false
	}
	l.table, l.index = l.table.stretched(sizes, axis, n), l.index.stretched(sizes, axis, m)
	l.beside(axis)
	return true
}

// stretched is a view over sizes, but with size n on an axis.
func (t *twin) stretched(sizes []int, axis, n int) *twin {
	sizes = slices.Clone(sizes)
	sizes[axis] = n
	v := t.like(sizes, nil)
	for _, i := range stretchOver(t.sizes, sizes) {
		v.at = append(v.at, t.at[i])
	}
	return v
}

// gathered is the table read at the points; where an index is out of range, 0.
func (l *lookup) gathered(dev device.Device, from ...*twin) *twin {
	bits, cells := make([]uint64, shapeSize(l.sizes)), l.table.bits()
	l.points(func(i, place int) {
		if place >= 0 {
			bits[i] = cells[place]
		}
	})
	return derived(dev, l.table.store.dtype, l.sizes, bits, from...)
}

// scattered is a copy of the table into which updates are merged.
func (l *lookup) scattered(dev device.Device, updates *twin, how tensor.Merge, from ...*twin) *twin {
	to := l.table.store.dtype
	in := to
	if to.IsHalf() && how != tensor.MergeReplace {
		in = dtype.Float32
	}
	values, ok := updates.spread(to, l.sizes)
	if !ok || how > tensor.MergeMax {
		return failing(nil)
	}
	bits := l.table.bits()
	for i := range bits {
		bits[i] = convert(to, in, bits[i])
	}
	merge := merging(how, in)
	l.points(func(i, place int) {
		if place >= 0 {
			bits[place] = merge(bits[place], convert(to, in, values[i]))
		}
	})
	for i := range bits {
		bits[i] = convert(in, to, bits[i])
	}
	return derived(dev, to, l.table.sizes, bits, from...)
}

// spread returns the elements in dtype d over sizes.
func (t *twin) spread(d dtype.DType, sizes []int) (bits []uint64, ok bool) {
	if t.isWeak() {
		b, err := t.weak.Bits(d)
		return slices.Repeat([]uint64{b}, shapeSize(sizes)), err == nil
	}
	if t.store.dtype.Kind() > d.Kind() || !stretchesExactly(t.sizes, sizes) {
		return nil, false
	}
	all := t.bits()
	for _, i := range stretchOver(t.sizes, sizes) {
		bits = append(bits, convert(t.store.dtype, d, all[i]))
	}
	return bits, true
}

// merging returns what a merge does to two elements.
func merging(how tensor.Merge, d dtype.DType) func(a, b uint64) uint64 {
	switch {
	case how == tensor.MergeReplace:
		return func(_, b uint64) uint64 { return b }
	case how == tensor.MergeMin || how == tensor.MergeMul && d == dtype.Bool:
		return pairwise(lesser(d), d)
	case how == tensor.MergeMax || how == tensor.MergeAdd && d == dtype.Bool:
		return pairwise(greater(d), d)
	case how == tensor.MergeMul:
		return pairwise(kernels.Mul, d)
	}
	return pairwise(kernels.Add, d)
}

// late takes the report of a bad index from a device that works late.
func (p *player) late(got *tensor.Tensor, l *lookup, want *twin) *twin {
	switch {
	case want.dead || shapeSize(l.sizes) == 0:
		return want
	case !able[device.Gatherer](want.store.dev):
		return failing(device.ErrUnsupported)
	case l.beyond && want.store.dev == p.host:
		return failing(device.ErrIndex)
	case l.beyond && got.Err() == nil:
		if err := want.store.dev.Sync(); !errors.Is(err, device.ErrIndex) {
			p.faultf("an index is out of range, and Sync says %v", err)
		}
	}
	return want
}

// able reports whether a device has an ability.
func able[A any](dev device.Device) bool {
	_, ok := dev.(A)
	return ok
}
