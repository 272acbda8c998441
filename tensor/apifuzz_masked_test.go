package tensor_test

import (
	"slices"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
)

// masked calls MaskedSelect, NonZero or OneHot.
func (p *player) masked() {
	switch p.next(3) {
	case 0:
		p.maskedSelect()
	case 1:
		p.nonZero()
	case 2:
		p.oneHot()
	}
}

func (p *player) maskedSelect() {
	t := p.any()
	mask := p.any()
	if t.store != nil && !p.rarely(6) {
		sizes := slices.Clone(t.sizes)
		for i := range sizes {
			if p.rarely(6) {
				sizes[i] = 1
			}
		}
		mask = p.newOn(t.store.dev, dtype.Bool, sizes)
	}
	if shapeSize(t.sizes)*shapeSize(mask.sizes) > maxCells*maxCells/16 {
		return
	}
	p.note("MaskedSelect", t, mask)
	got := t.real.MaskedSelect(mask.real)
	dev, want := p.operands(t, mask)
	if want == nil {
		want = selected(t, mask, dev)
	}
	p.result(got, want)
}

// selected is the elements of t where mask is true.
func selected(t, mask *twin, dev device.Device) *twin {
	base, chosen := t.based(dev), mask.based(dev)
	if base.dead || chosen.dead || chosen.store.dtype != dtype.Bool {
		return failing(nil)
	}
	sizes, ok := stretch(base.sizes, chosen.sizes)
	if !ok {
		return failing(nil)
	}
	bits, _ := base.spread(base.store.dtype, sizes)
	set, _ := chosen.spread(dtype.Bool, sizes)
	var out []uint64
	for i, b := range bits {
		if set[i] != 0 {
			out = append(out, b)
		}
	}
	if len(out) > 0 && !able[device.Gatherer](dev) {
		return failing(device.ErrUnsupported)
	}
	return derived(dev, base.store.dtype, []int{len(out)}, out, t, mask)
}

func (p *player) nonZero() {
	t := p.any()
	p.note("NonZero", t)
	got := t.real.NonZero()
	dev, want := p.operands(t)
	if want != nil {
		p.result(got, want)
		return
	}
	base := t.based(dev)
	if base.dead {
		p.result(got, failing(nil))
		return
	}
	var out []uint64
	n, i, bits := 0, 0, base.bits()
	each(base.sizes, func(index []int) {
		if convert(base.store.dtype, dtype.Bool, bits[i]) != 0 {
			for _, j := range index {
				out = append(out, uint64(j))
			}
			n++
		}
		i++
	})
	p.result(got, derived(dev, dtype.Int64, []int{n, len(base.sizes)}, out, t))
}

func (p *player) oneHot() {
	t := p.any()
	if t.store != nil && !t.store.dtype.IsInteger() && !p.rarely(4) {
		t = p.newIndex(t, 4, []int{p.next(4), p.next(4)})
	}
	depth, d := p.next(7)-p.next(2), p.dtype()
	if p.rarely(32) {
		d = dtype.Invalid
	}
	if shapeSize(t.sizes) > maxCells/8 {
		return
	}
	p.note("OneHot", t, depth, d)
	got := t.real.OneHot(depth, d)
	dev, want := p.operands(t)
	if want != nil {
		p.result(got, want)
		return
	}
	base := t.based(dev)
	if base.dead || !base.store.dtype.IsInteger() || depth < 0 || !d.Valid() {
		p.result(got, failing(nil))
		return
	}
	var out []uint64
	for _, b := range base.bits() {
		at := int64(convert(base.store.dtype, dtype.Int64, b))
		if at < 0 && base.store.dtype != dtype.Uint64 {
			at += int64(depth)
		}
		for j := range depth {
			hot := uint64(0)
			if at == int64(j) {
				hot = 1
			}
			out = append(out, convert(dtype.Bool, d, hot))
		}
	}
	p.result(got, derived(dev, d, append(slices.Clone(base.sizes), depth), out, t))
}
