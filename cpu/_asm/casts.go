package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/stride0/stride0/dtype"
)

// conversion is a cast between types of two widths, which no expression of one
// width spells: per elements a step, emit makes of those at in (memory, or the
// low end of a register) results at the low end of a register. Casts share no
// memory with what they read, so that the last step may overlap the one before.
type conversion struct {
	per  int
	emit func(f *loop, in operand.Op) reg.VecPhysical
}

// castPair is what a cast is from and to.
type castPair struct{ from, to dtype.DType }

// conversions returns the casts that have instructions: between floats but for
// those from float64 to a half, which would round twice, between integers, to
// float32 from integers of up to 16 bits and back, and between int32 and float64.
func conversions() map[castPair]conversion {
	c := map[castPair]conversion{
		{dtype.Float16, dtype.Float32}:  {8, func(f *loop, in operand.Op) reg.VecPhysical { return f.to(f.VCVTPH2PS, low(in)) }},
		{dtype.BFloat16, dtype.Float32}: {8, (*loop).widenBFloat16},
		{dtype.Float32, dtype.Float16}:  {8, (*loop).narrowFloat16},
		{dtype.Float32, dtype.BFloat16}: {8, (*loop).narrowBFloat16},
		{dtype.Float32, dtype.Float64}:  {4, func(f *loop, in operand.Op) reg.VecPhysical { return f.to(f.VCVTPS2PD, low(in)) }},
		{dtype.Float64, dtype.Float32}:  {4, func(f *loop, in operand.Op) reg.VecPhysical { return f.toLow(f.VCVTPD2PSY, in) }},
		{dtype.Int32, dtype.Float64}:    {4, func(f *loop, in operand.Op) reg.VecPhysical { return f.to(f.VCVTDQ2PD, low(in)) }},
		{dtype.Float64, dtype.Int32}:    {4, (*loop).truncateFloat64},
	}
	integers := []dtype.DType{dtype.Uint8, dtype.Int8, dtype.Uint16, dtype.Int16, dtype.Uint32, dtype.Int32, dtype.Uint64, dtype.Int64}
	for _, from := range integers {
		for _, to := range integers {
			switch {
			case from.Size() < to.Size():
				c[castPair{from, to}] = extension(from, to.Size())
			case from.Size() == 2*to.Size():
				c[castPair{from, to}] = conversion{vectorBytes / from.Size(), halving[to.Size()]}
			}
		}
		if from.Size() <= 2 {
			c[castPair{from, dtype.Float32}] = integerToFloat32(from)
			c[castPair{dtype.Float32, from}] = float32ToInteger(from)
		}
	}
	return c
}

// low returns the operand of an instruction that reads half a register or less.
func low(in operand.Op) operand.Op {
	if r, ok := in.(reg.VecPhysical); ok {
		return r.AsX()
	}
	return in
}

// to emits an instruction whose result is a whole register, toLow one whose
// result is the low half of one.
func (f *loop) to(emit func(...operand.Op), in operand.Op) reg.VecPhysical {
	r := f.regs.take()
	emit(in, r)
	return r
}

func (f *loop) toLow(emit func(...operand.Op), in operand.Op) reg.VecPhysical {
	r := f.regs.take()
	emit(in, r.AsX())
	return r
}

// loaded returns in in a register that may be written.
func (f *loop) loaded(in operand.Op) reg.VecPhysical {
	r := f.regs.take()
	f.VMOVDQU(in, r)
	return r
}

// cast emits the function of a conversion.
func (f *loop) cast(c conversion, from, to int) {
	f.Load(f.Param("n"), left)
	f.Load(f.Param("p"), mask)
	f.MOVQ(operand.Mem{Base: mask}, dst)
	f.MOVQ(operand.Mem{Base: mask, Disp: 8}, src[0])
	f.XORQ(at, at)
	f.MOVQ(left, until)
	f.SUBQ(operand.U8(c.per), until)
	f.JLT(operand.LabelRef("few"))

	in, out := operand.Mem{Base: src[0], Index: at, Scale: uint8(from)}, operand.Mem{Base: dst, Index: at, Scale: uint8(to)}
	f.Label("step")
	f.storeLow(c.per*to, c.emit(f, in), out)
	f.ADDQ(operand.U8(c.per), at)
	f.CMPQ(at, until)
	f.JLE(operand.LabelRef("step"))
	f.SUBQ(operand.U8(c.per), at)
	f.CMPQ(at, until)
	f.JEQ(operand.LabelRef("end"))
	f.MOVQ(until, at) // the last elements once more, with those before them
	f.JMP(operand.LabelRef("step"))

	f.Label("few")
	f.TESTQ(left, left)
	f.JEQ(operand.LabelRef("end"))
	f.Label("one")
	f.regs = regs{}
	r := f.regs.take()
	f.spread(from, in, r)
	f.storeOne(to, c.emit(f, r), out)
	f.INCQ(at)
	f.DECQ(left)
	f.JNZ(operand.LabelRef("one"))
	f.Label("end")
	f.VZEROUPPER()
	f.RET()
}

// storeLow stores the low bytes of a register.
func (f *loop) storeLow(bytes int, r reg.VecPhysical, m operand.Mem) {
	switch bytes {
	case 32:
		f.VMOVDQU(r, m)
	case 16:
		f.VMOVDQU(r.AsX(), m)
	default:
		f.storeOne(bytes, r, m)
	}
}

// castRow returns the function of a cast, false if there is none.
func castRow(name string, from, to dtype.DType) (function, bool, error) {
	c, ok := conversions()[castPair{from, to}]
	if !ok {
		return function{}, false, nil
	}
	f := newPlainLoop(name)
	f.cast(c, from.Size(), to.Size())
	made, err := f.text(name)
	return made, true, err
}
