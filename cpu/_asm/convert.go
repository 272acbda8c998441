package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/stride0/stride0/dtype"
)

// widenBFloat16: a bfloat16 is the upper half of a float32.
func (f *loop) widenBFloat16(in operand.Op) reg.VecPhysical {
	r := f.to(f.VPMOVZXWD, low(in))
	f.VPSLLD(operand.U8(16), r, r)
	return r
}

// oneNaN returns float32 values in which the payload of a NaN is that of the
// quiet one, of the same sign: instructions keep the upper bits of the payload,
// the op table does not.
func (f *loop) oneNaN(in operand.Op) reg.VecPhysical {
	r, nan, is := f.loaded(in), f.regs.take(), f.regs.take()
	f.VORPS(f.mem(constant{4, 0x7fc00000}), r, nan)
	f.VANDPS(f.mem(constant{4, 0xffc00000}), nan, nan)
	f.VCMPPS(operand.U8(unordered), r, r, is)
	f.VBLENDVPS(is, nan, r, r)
	f.regs.give(nan)
	f.regs.give(is)
	return r
}

// The predicates unordered (one of the operands is NaN) and ordered.
const (
	unordered = 3
	ordered   = 7
)

func (f *loop) narrowFloat16(in operand.Op) reg.VecPhysical {
	r := f.oneNaN(in)
	f.VCVTPS2PH(operand.U8(0), r, r.AsX()) // 0: to nearest, ties to even
	return r
}

// narrowBFloat16 adds just under half a unit of the last place, and the bit
// that stays there; a carry runs into the exponent, up to infinity.
func (f *loop) narrowBFloat16(in operand.Op) reg.VecPhysical {
	r, odd := f.oneNaN(in), f.regs.take()
	f.VPSRLD(operand.U8(16), r, odd)
	f.VPAND(f.mem(constant{4, 1}), odd, odd)
	f.VPADDD(f.mem(constant{4, 0x7fff}), r, r)
	f.VPADDD(odd, r, r)
	f.VPSRLD(operand.U8(16), r, r)
	f.packWords(r)
	return r
}

// packWords makes eight words of numbers of 32 bits that fit.
func (f *loop) packWords(r reg.VecPhysical) {
	high := f.regs.take()
	f.VEXTRACTI128(operand.U8(1), r, high.AsX())
	f.VPACKUSDW(high.AsX(), r.AsX(), r.AsX())
	f.regs.give(high)
}

// truncateFloat64 saturates, and makes 0 of NaN: both limits are numbers of
// float64, and what lies between the upper one and 2^31 truncates to it.
func (f *loop) truncateFloat64(in operand.Op) reg.VecPhysical {
	r, is := f.loaded(in), f.regs.take()
	f.VCMPPD(operand.U8(ordered), r, r, is)
	f.VANDPD(is, r, r)
	f.VMAXPD(f.mem(constant{8, 0xc1e0000000000000}), r, r) // -2^31
	f.VMINPD(f.mem(constant{8, 0x41dfffffffc00000}), r, r) // 2^31 - 1
	f.VCVTTPD2DQY(r, r.AsX())
	return r
}

// extension widens integers, with the sign of those that have one.
func extension(from dtype.DType, size int) conversion {
	signed := from.Kind() == dtype.IntKind
	return conversion{vectorBytes / size, func(f *loop, in operand.Op) reg.VecPhysical {
		return f.to(f.extend(from.Size(), size, signed), low(in))
	}}
}

func (f *loop) extend(from, to int, signed bool) func(...operand.Op) {
	type widths struct{ from, to int }
	zero := map[widths]func(...operand.Op){{1, 2}: f.VPMOVZXBW, {1, 4}: f.VPMOVZXBD, {1, 8}: f.VPMOVZXBQ,
		{2, 4}: f.VPMOVZXWD, {2, 8}: f.VPMOVZXWQ, {4, 8}: f.VPMOVZXDQ}
	sign := map[widths]func(...operand.Op){{1, 2}: f.VPMOVSXBW, {1, 4}: f.VPMOVSXBD, {1, 8}: f.VPMOVSXBQ,
		{2, 4}: f.VPMOVSXWD, {2, 8}: f.VPMOVSXWQ, {4, 8}: f.VPMOVSXDQ}
	if signed {
		return sign[widths{from, to}]
	}
	return zero[widths{from, to}]
}

// halving holds, by their size, the integers that keep the lower half of those
// twice as wide.
var halving = map[int]func(f *loop, in operand.Op) reg.VecPhysical{
	1: func(f *loop, in operand.Op) reg.VecPhysical {
		r := f.loaded(in)
		f.VPAND(f.mem(constant{2, 0xff}), r, r)
		f.packBytes(r)
		return r
	},
	2: func(f *loop, in operand.Op) reg.VecPhysical {
		r := f.loaded(in)
		f.VPAND(f.mem(constant{4, 0xffff}), r, r)
		f.packWords(r)
		return r
	},
	4: func(f *loop, in operand.Op) reg.VecPhysical {
		r, high := f.loaded(in), f.regs.take()
		f.VEXTRACTI128(operand.U8(1), r, high.AsX())
		f.VSHUFPS(operand.U8(0x88), high.AsX(), r.AsX(), r.AsX()) // the lower halves of both
		f.regs.give(high)
		return r
	},
}

// packBytes makes bytes of sixteen words that fit.
func (f *loop) packBytes(r reg.VecPhysical) {
	high := f.regs.take()
	f.VEXTRACTI128(operand.U8(1), r, high.AsX())
	f.VPACKUSWB(high.AsX(), r.AsX(), r.AsX())
	f.regs.give(high)
}

// integerToFloat32 goes through int32, which float32 holds up to 24 bits.
func integerToFloat32(from dtype.DType) conversion {
	wide := extension(from, 4)
	return conversion{wide.per, func(f *loop, in operand.Op) reg.VecPhysical {
		r := wide.emit(f, in)
		f.VCVTDQ2PS(r, r)
		return r
	}}
}

// float32ToInteger saturates, and makes 0 of NaN: both limits of a type of up
// to 16 bits are numbers of float32.
func float32ToInteger(to dtype.DType) conversion {
	width := 8 * to.Size()
	least, greatest := 0.0, float64(int(1)<<width-1)
	if to.Kind() == dtype.IntKind {
		least, greatest = -float64(int(1)<<(width-1)), float64(int(1)<<(width-1)-1)
	}
	limit := func(x float64) constant {
		bits, err := dtype.FloatNumber(x).Bits(dtype.Float32)
		if err != nil {
			panic(err) // every number is one of float32
		}
		return constant{4, bits}
	}
	return conversion{8, func(f *loop, in operand.Op) reg.VecPhysical {
		r, is := f.loaded(in), f.regs.take()
		f.VCMPPS(operand.U8(ordered), r, r, is)
		f.VANDPS(is, r, r)
		f.regs.give(is)
		f.VMAXPS(f.mem(limit(least)), r, r)
		f.VMINPS(f.mem(limit(greatest)), r, r)
		f.VCVTTPS2DQ(r, r)
		f.VPAND(f.mem(constant{4, 1<<width - 1}), r, r)
		f.packWords(r)
		if width == 8 {
			f.VPACKUSWB(r.AsX(), r.AsX(), r.AsX())
		}
		return r
	}}
}
