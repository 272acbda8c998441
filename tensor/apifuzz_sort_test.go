package tensor_test

import (
	"cmp"
	"slices"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

// sort calls Sort, ArgSort or TopK.
func (p *player) sort() {
	t := p.any()
	axis := p.axis(len(t.sizes))
	opts := make([]tensor.SortOpts, p.next(2))
	if p.rarely(64) {
		opts = make([]tensor.SortOpts, 2)
	}
	for i := range opts {
		opts[i].Descending = p.rarely(2)
	}
	k, down := p.next(5)-p.next(2), len(opts) == 1 && opts[0].Descending
	form := p.next(3)
	dev, dead := p.operands(t)
	sorted := func(k int, values bool) *twin {
		if dead != nil {
			return dead
		}
		base := t.based(dev)
		a, ok := from(axis, len(base.sizes))
		if base.dead || !ok || form < 2 && len(opts) > 1 {
			return failing(nil)
		}
		return base.sorted(a, k, form < 2, down, values, dev, t)
	}
	switch form {
	case 0:
		p.note("Sort", t, axis, opts)
		p.result(t.real.Sort(axis, opts...), sorted(0, true))
	case 1:
		p.note("ArgSort", t, axis, opts)
		p.result(t.real.ArgSort(axis, opts...), sorted(0, false))
	case 2:
		p.note("TopK", t, k, axis, down)
		values, positions := t.real.TopK(k, axis, down)
		p.result(values, sorted(k, true))
		p.result(positions, sorted(k, false))
	}
}

// sorted is t with the first k elements of each line in order, or where they
// stood.
func (t *twin) sorted(axis, k int, all, down, values bool, dev device.Device, from *twin) *twin {
	if n := t.sizes[axis]; all {
		k = n
	} else if k < 0 || k > n {
		return failing(nil)
	}
	d, bits := t.store.dtype, t.bits()
	sizes := slices.Clone(t.sizes)
	sizes[axis] = k
	if shapeSize(sizes) > 0 && !able[device.Sorter](dev) {
		return failing(device.ErrUnsupported)
	}
	out, result := make([]uint64, shapeSize(sizes)), dtype.Int64
	if values {
		result = d
	}
	var to [][]int
	onLine(sizes, axis, func(line []int) { to = append(to, line) })
	onLine(t.sizes, axis, func(line []int) {
		order := make([]int, len(line))
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(i, j int) int { return before(d, bits[line[i]], bits[line[j]], down) })
		if len(to) == 0 {
			return
		}
		for i, place := range to[0] {
			if out[place] = uint64(order[i]); values {
				out[place] = bits[line[order[i]]]
			}
		}
		to = to[1:]
	})
	return derived(dev, result, sizes, out, from)
}

// before compares two elements for a sort: NaN comes last either way.
func before(d dtype.DType, a, b uint64, down bool) int {
	x, y := isNaNBits(d, a), isNaNBits(d, b)
	switch {
	case x && y:
		return 0
	case x:
		return 1
	case y:
		return -1
	}
	c := 0
	switch m, n := numberOfBits(d, a), numberOfBits(d, b); {
	case d.IsFloat():
		c = cmp.Compare(m.Float64(), n.Float64())
	case d.Kind() == dtype.IntKind:
		c = cmp.Compare(int64(convert(d, dtype.Int64, a)), int64(convert(d, dtype.Int64, b)))
	default:
		c = cmp.Compare(a, b)
	}
	if down {
		return -c
	}
	return c
}
