package tensor

import "github.com/stride0/stride0/kernels"

// Apply gives tests any row by its constant.
func Apply(op kernels.Op, attr kernels.Attr, in ...*Tensor) *Tensor {
	return apply(call{Op: op, Attr: attr}, in...)
}

// Bytes returns the elements of t in row-major order as they lie in memory.
func Bytes(t *Tensor) ([]byte, error) {
	if !t.live() {
		return nil, t.Err()
	}
	b := make([]byte, t.byteSize())
	return b, t.readInto("bytes", b)
}
