package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// shift emits a shift by a number.
func (e *emitter) shift(l *lane, i int, n kernels.Node) error {
	a, count := e.register(l, n.Args[0]), operand.U8(n.Bits)
	f := shiftLeft[e.size]
	if n.Prim == kernels.PrimShr {
		f = shiftRight[e.size]
		if n.Type.Kind() == dtype.IntKind {
			if e.size == 8 {
				return e.shiftSigned64(l, i, n)
			}
			f = shiftArith[e.size]
		}
	}
	if f == nil {
		return fmt.Errorf("no instruction for %v of %v", n.Prim, n.Type)
	}
	f(e.Context, count, a, e.result(l, i))
	return nil
}

// shiftSigned64: AVX2 has no arithmetic shift of 64 bits. After a logical one
// the sign stands at bit 63-n; exclusive-or and subtraction of that bit copy it
// upwards.
func (e *emitter) shiftSigned64(l *lane, i int, n kernels.Node) error {
	a, bit := e.register(l, n.Args[0]), e.mem(constant{8, 1 << (63 - n.Bits)})
	d := e.result(l, i)
	e.VPSRLQ(operand.U8(n.Bits), a, d)
	e.VPXOR(bit, d, d)
	e.VPSUBQ(bit, d, d)
	return nil
}

// product emits the products that AVX2 has no instruction for.
func (e *emitter) product(l *lane, i int, n kernels.Node) {
	a, b := e.register(l, n.Args[0]), e.register(l, n.Args[1])
	t, u := e.scratch(l), e.scratch(l)
	if e.size == 1 { // even bytes as words, odd bytes as words from their upper half
		low := e.mem(constant{2, 0x00ff})
		e.VPSRLW(operand.U8(8), a, t)
		e.VPAND(e.mem(constant{2, 0xff00}), b, u)
		e.VPMULLW(u, t, t)
		e.VPMULLW(b, a, u)
		e.VPAND(low, u, u)
		e.VPOR(u, t, e.result(l, i))
		return
	}
	e.VPSRLQ(operand.U8(32), a, t) // 64 bits: (ah*bl + al*bh) << 32 + al*bl
	e.VPMULUDQ(b, t, t)
	e.VPSRLQ(operand.U8(32), b, u)
	e.VPMULUDQ(a, u, u)
	e.VPADDQ(u, t, t)
	e.VPSLLQ(operand.U8(32), t, t)
	e.VPMULUDQ(b, a, u)
	e.VPADDQ(u, t, e.result(l, i))
}
