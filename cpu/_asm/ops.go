package main

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// op3 is an instruction with three operands in the order of Go's assembler:
// the last source, which may be in memory, the first source, the destination.
type op3 func(c *build.Context, m, a, d operand.Op)

// any3 and vex3 make an op3 of the two kinds of methods that avo has.
func any3(f func(*build.Context, ...operand.Op)) op3 {
	return func(c *build.Context, m, a, d operand.Op) { f(c, m, a, d) }
}

func vex3(f func(c *build.Context, m, a, d operand.Op)) op3 { return f }

type ctx = build.Context

// floatOps are the primitives of floats that are one instruction, by size.
var floatOps = map[kernels.Prim]map[int]op3{
	kernels.PrimAdd: {4: any3((*ctx).VADDPS), 8: any3((*ctx).VADDPD)},
	kernels.PrimSub: {4: any3((*ctx).VSUBPS), 8: any3((*ctx).VSUBPD)},
	kernels.PrimMul: {4: any3((*ctx).VMULPS), 8: any3((*ctx).VMULPD)},
	kernels.PrimDiv: {4: any3((*ctx).VDIVPS), 8: any3((*ctx).VDIVPD)},
}

// integerOps are the same for integers and for bools as masks.
var integerOps = map[kernels.Prim]map[int]op3{
	kernels.PrimAdd:   {1: any3((*ctx).VPADDB), 2: any3((*ctx).VPADDW), 4: any3((*ctx).VPADDD), 8: any3((*ctx).VPADDQ)},
	kernels.PrimSub:   {1: any3((*ctx).VPSUBB), 2: any3((*ctx).VPSUBW), 4: any3((*ctx).VPSUBD), 8: any3((*ctx).VPSUBQ)},
	kernels.PrimMul:   {2: any3((*ctx).VPMULLW), 4: any3((*ctx).VPMULLD)},
	kernels.PrimAnd:   bitwise(vex3((*ctx).VPAND)),
	kernels.PrimOr:    bitwise(vex3((*ctx).VPOR)),
	kernels.PrimXor:   bitwise(vex3((*ctx).VPXOR)),
	kernels.PrimShlBy: {4: any3((*ctx).VPSLLVD), 8: any3((*ctx).VPSLLVQ)},
	kernels.PrimShrBy: {4: any3((*ctx).VPSRLVD), 8: any3((*ctx).VPSRLVQ)},
	kernels.PrimEq:    equal,
}

func bitwise(f op3) map[int]op3 { return map[int]op3{1: f, 2: f, 4: f, 8: f} }

// equal and greater compare integers; greater takes them as signed and yields
// a > m.
var (
	equal   = map[int]op3{1: any3((*ctx).VPCMPEQB), 2: any3((*ctx).VPCMPEQW), 4: any3((*ctx).VPCMPEQD), 8: any3((*ctx).VPCMPEQQ)}
	greater = map[int]op3{1: any3((*ctx).VPCMPGTB), 2: any3((*ctx).VPCMPGTW), 4: any3((*ctx).VPCMPGTD), 8: any3((*ctx).VPCMPGTQ)}
)

// The shifts by a number, which takes the place of m.
var (
	shiftLeft  = map[int]op3{2: any3((*ctx).VPSLLW), 4: any3((*ctx).VPSLLD), 8: any3((*ctx).VPSLLQ)}
	shiftRight = map[int]op3{2: any3((*ctx).VPSRLW), 4: any3((*ctx).VPSRLD), 8: any3((*ctx).VPSRLQ)}
	shiftArith = map[int]op3{2: any3((*ctx).VPSRAW), 4: any3((*ctx).VPSRAD)}
)

// The forms of a fused multiply-add: 231 is d = a*m + d, 213 is d = a*d + m.
var (
	fma231 = map[int]op3{4: any3((*ctx).VFMADD231PS), 8: any3((*ctx).VFMADD231PD)}
	fma213 = map[int]op3{4: any3((*ctx).VFMADD213PS), 8: any3((*ctx).VFMADD213PD)}
	fma132 = map[int]op3{4: any3((*ctx).VFMADD132PS), 8: any3((*ctx).VFMADD132PD)}
)

// floatCompares are the predicates of a ? m, ordered and quiet, and those of
// m ? a.
var floatCompares = map[kernels.Prim][2]operand.U8{
	kernels.PrimLt: {0x11, 0x1e},
	kernels.PrimLe: {0x12, 0x1d},
	kernels.PrimEq: {0x00, 0x00},
}

// direct returns the instruction of a node whose primitive is one, nil if it is not.
func direct(n kernels.Node, args dtype.DType, size int) op3 {
	if args.IsFloat() {
		return floatOps[n.Prim][size]
	}
	if n.Prim == kernels.PrimShrBy && n.Type.Kind() == dtype.IntKind {
		if size == 4 {
			return any3((*ctx).VPSRAVD)
		}
		return nil
	}
	return integerOps[n.Prim][size]
}
