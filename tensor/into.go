package tensor

import "github.com/stride0/stride0/kernels"

// Into writes the result of an operation into dst, an existing tensor or view;
// operands may overlap it in any way: the result is as if all of them had been
// read before the first write.
//
//	err := tensor.Into(x, kernels.Add, x, y) // x += y
//
// Operands of an element-wise operation broadcast to the shape of dst, which
// is never enlarged; other results must have exactly that shape. dst keeps its
// dtype: a result of a greater kind (a float for an int dst) is an error. On
// error nothing has been written, except when the device was lost.
//
// Errors: *Error, around ErrShared when elements of dst share memory.
func Into(dst *Tensor, op kernels.Applied, in ...*Tensor) error {
	if op == nil {
		return newError("into", errorf("nil operation"), in...)
	}
	code, attr := op.Applied()
	if code.Row() == nil { // opMatMul too: it writes only fresh tensors
		return newError(code.String(), errorf("no such operation"), in...)
	}
	if dst == nil {
		return refuse(opName(code), dst).err
	}
	if dst.store == nil && dst.live() {
		return newError(opName(code), errorf("cannot write into a Scalar: it has no elements"), dst)
	}
	if r := apply(Call{Op: code, Attr: attr, Dst: dst}, in...); r != dst {
		return r.Err()
	}
	return dst.Err()
}
