package kernels

import "strconv"

var primNames = [...]string{
	PrimArg: "arg", PrimConst: "const",
	PrimAdd: "add", PrimSub: "sub", PrimMul: "mul", PrimDiv: "div", PrimSqrt: "sqrt", PrimFma: "fma",
	PrimLt: "lt", PrimLe: "le", PrimEq: "eq", PrimSelect: "select",
	PrimAnd: "and", PrimOr: "or", PrimXor: "xor", PrimNot: "not", PrimShl: "shl", PrimShr: "shr",
	PrimQuo: "quo", PrimShlBy: "shlby", PrimShrBy: "shrby",
	PrimConvert: "convert", PrimBits: "bits",
}

// String returns the name of p: "fma".
func (p Prim) String() string {
	if int(p) < len(primNames) {
		return primNames[p]
	}
	return "prim(" + strconv.Itoa(int(p)) + ")"
}
