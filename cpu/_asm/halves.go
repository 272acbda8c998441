package main

import (
	"slices"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// halves adds the loops of a row that computes float16 and bfloat16 in float32:
// with its operands widened as they are loaded and its result rounded as it is
// stored, instead of in passes of their own over blocks in the cache. Rows whose
// arithmetic takes longer than that gain little and have none.
func (g *generator) halves(op kernels.Op, row *kernels.Row, s kernels.Signature) error {
	args := s.Args[:row.Arity]
	other := func(d dtype.DType) bool { return d != dtype.Float32 }
	if other(s.Result) || slices.ContainsFunc(args, other) || row.Computes(dtype.Float16) != dtype.Float32 {
		return nil
	}
	body, err := kernels.RowBody(op, args, s.Result)
	if err != nil || work(body) > 2*cheap {
		return err
	}
	for _, d := range []dtype.DType{dtype.Float16, dtype.BFloat16} {
		e := entry{op: op, from: d, to: d}
		for k, form := range forms(row) {
			f, err := best(body, loop{args: args, result: s.Result, scalar: k - 1, half: d}, row.Name+"_"+d.String()+"_"+form+"_avx2")
			if err != nil {
				return err
			}
			f.doc = row.Doc + formDoc[k]
			e.loops[k] = g.add(f)
		}
		g.half = append(g.half, e)
	}
	return nil
}

// loadHalf emits the load of elements of 16 bits as float32.
func (f *loop) loadHalf(m operand.Mem, r reg.VecPhysical) {
	in := operand.Op(m)
	if f.mode == one {
		f.spread(2, m, r)
		in = r.AsX()
	}
	if f.half == dtype.Float16 {
		f.VCVTPH2PS(in, r)
		return
	}
	f.VPMOVZXWD(in, r)
	f.VPSLLD(operand.U8(16), r, r)
}

// storeHalf emits the store of float32 rounded to 16 bits.
func (f *loop) storeHalf(m operand.Mem, r reg.VecPhysical) {
	narrow := f.narrowBFloat16
	if f.half == dtype.Float16 {
		narrow = f.narrowFloat16
	}
	t := narrow(r)
	if f.mode == one {
		f.storeOne(2, t, m)
	} else {
		f.VMOVDQU(t.AsX(), m)
	}
	f.regs.give(t)
}
