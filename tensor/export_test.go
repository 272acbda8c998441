package tensor

import "github.com/stride0/stride0/kernels"

// Apply gives tests any row by its constant.
func Apply(op kernels.Op, attr kernels.Attr, in ...*Tensor) *Tensor {
	return apply(call{Op: op, Attr: attr}, in...)
}
