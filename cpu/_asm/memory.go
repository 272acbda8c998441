package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// load emits the load of an argument.
func (f *loop) load(l int, n kernels.Node) reg.VecPhysical {
	r := f.regs.take()
	if n.Type == dtype.Bool {
		f.loadBools(src[n.Bits], l, r)
		return r
	}
	m := f.place(src[n.Bits], l, f.stored())
	if int(n.Bits) == f.scalar {
		m = operand.Mem{Base: src[n.Bits]}
	}
	if f.half != dtype.Invalid {
		f.loadHalf(m, r)
		return r
	}
	switch f.mode {
	case whole:
		f.VMOVDQU(m, r)
	case masked:
		f.VMOVDQU(f.maskMem(), r)
		if f.size == 4 {
			f.VMASKMOVPS(m, r, r)
		} else {
			f.VMASKMOVPD(m, r, r)
		}
	default:
		f.spread(f.size, m, r)
	}
	return r
}

// stored returns the bytes of an element in memory.
func (f *loop) stored() int {
	if f.half != dtype.Invalid {
		return f.half.Size()
	}
	return f.size
}

// spread emits the load of one element into all of a vector.
func (f *loop) spread(size int, m operand.Mem, r reg.VecPhysical) {
	switch size {
	case 1:
		f.VPBROADCASTB(m, r)
	case 2:
		f.VPBROADCASTW(m, r)
	case 4:
		f.VBROADCASTSS(m, r)
	case 8:
		f.VBROADCASTSD(m, r)
	}
}

// loadBools emits the load of bools, each one byte, as masks as wide as the
// other elements.
func (f *loop) loadBools(base reg.GPPhysical, l int, r reg.VecPhysical) {
	m := f.place(base, l, 1)
	if f.scalar >= 0 && base == src[f.scalar] {
		m = operand.Mem{Base: base}
	}
	size := f.size
	switch {
	case f.mode == one:
		f.spread(1, m, r)
		size = 1
	case f.size == 1:
		f.VMOVDQU(m, r)
	case f.size == 2:
		f.VPMOVZXBW(m, r)
	case f.size == 4:
		f.VPMOVZXBD(m, r)
	default:
		f.VPMOVZXBQ(m, r)
	}
	greater[size](f.Context, f.mem(constant{8, 0}), r, r)
}

// store emits the store of a result.
func (f *loop) store(l int, r reg.VecPhysical) {
	if f.result == dtype.Bool {
		f.storeBools(l, r)
		return
	}
	m := f.place(dst, l, f.stored())
	if f.half != dtype.Invalid {
		f.storeHalf(m, r)
		return
	}
	switch f.mode {
	case whole:
		if f.past {
			f.VMOVNTDQ(r, m)
		} else {
			f.VMOVDQU(r, m)
		}
	case masked:
		t := f.regs.take()
		f.VMOVDQU(f.maskMem(), t)
		if f.size == 4 {
			f.VMASKMOVPS(r, t, m)
		} else {
			f.VMASKMOVPD(r, t, m)
		}
		f.regs.give(t)
	default:
		f.storeOne(f.size, r, m)
	}
}

func (f *loop) storeOne(size int, r reg.VecPhysical, m operand.Mem) {
	switch size {
	case 1:
		f.VPEXTRB(operand.U8(0), r.AsX(), m)
	case 2:
		f.VPEXTRW(operand.U8(0), r.AsX(), m)
	case 4:
		f.VMOVD(r.AsX(), m)
	case 8:
		f.VMOVQ(r.AsX(), m)
	}
}

// storeBools emits the store of masks as bools: narrowed to bytes and cut to
// their lowest bit.
func (f *loop) storeBools(l int, r reg.VecPhysical) {
	m, bit := f.place(dst, l, 1), f.mem(constant{1, 1})
	t := f.regs.take()
	defer f.regs.give(t)
	x, low := t.AsX(), r.AsX()
	switch {
	case f.mode == one:
		f.VPAND(bit, low, x)
		f.VPEXTRB(operand.U8(0), x, m)
	case f.size == 1:
		f.VPAND(bit, r, t)
		f.VMOVDQU(t, m)
	default:
		f.VEXTRACTI128(operand.U8(1), r, x)
		f.narrow(low, x)
		f.VPAND(bit, x, x)
		f.storeNarrow(x, m)
	}
}

// narrow packs the masks of the lower half low and the upper half x to bytes.
func (f *loop) narrow(low, x operand.Op) {
	switch f.size {
	case 2:
		f.VPACKSSWB(x, low, x)
	case 4:
		f.VPACKSSDW(x, low, x)
		f.VPACKSSWB(x, x, x)
	case 8:
		f.VSHUFPS(operand.U8(0x88), x, low, x) // the lower words of four masks
		f.VPACKSSDW(x, x, x)
		f.VPACKSSWB(x, x, x)
	}
}

// storeNarrow stores as many bytes as a vector has elements.
func (f *loop) storeNarrow(x, m operand.Op) {
	switch f.size {
	case 2:
		f.VMOVDQU(x, m)
	case 4:
		f.VMOVQ(x, m)
	case 8:
		f.VMOVD(x, m)
	}
}
