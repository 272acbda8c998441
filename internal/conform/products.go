package conform

import (
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

// products holds matrix products and what is built on them.
var products = table{
	"Einsum": single(func(k *call) *tensor.Tensor {
		return tensor.Einsum(attrOr(k, "equation", ""), k.in...)
	}),
	"Gemm":          single(gemm),
	"MatMul":        dyadic((*tensor.Tensor).MatMul),
	"MatMulInteger": single(matMulInteger),
}

// matMulInteger multiplies matrices of bytes, less their zero points, in int32.
// A list of zero points has one for each row of A, or each column of B.
func matMulInteger(k *call) *tensor.Tensor {
	a, b := k.arg(0).Cast(dtype.Int32), k.arg(1).Cast(dtype.Int32)
	if k.has(2) {
		zero := k.arg(2).Cast(dtype.Int32)
		if zero.Rank() == 1 && zero.Size() > 1 {
			zero = zero.Unsqueeze(-1)
		}
		a = a.Sub(zero)
	}
	if k.has(3) {
		b = b.Sub(k.arg(3).Cast(dtype.Int32))
	}
	return a.MatMul(b)
}

// gemm is alpha·A·B + beta·C, where A and B may be transposed and C broadcasts.
func gemm(k *call) *tensor.Tensor {
	a, b := k.arg(0), k.arg(1)
	if attrOr(k, "transA", 0) != 0 {
		a = a.T()
	}
	if attrOr(k, "transB", 0) != 0 {
		b = b.T()
	}
	y := a.MatMul(b)
	if alpha := attrOr(k, "alpha", 1.0); alpha != 1 {
		y = y.MulScalar(alpha)
	}
	if !k.has(2) {
		return y
	}
	c := k.arg(2)
	if beta := attrOr(k, "beta", 1.0); beta != 1 {
		c = c.MulScalar(beta)
	}
	return y.Add(c)
}
