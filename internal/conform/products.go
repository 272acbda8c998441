package conform

import "github.com/stride0/stride0/tensor"

// products holds matrix products and what is built on them.
var products = table{
	"Gemm":   single(gemm),
	"MatMul": single(matMul),
}

func matMul(k *call) *tensor.Tensor {
	a, b := k.arg(0), k.arg(1)
	if min(a.Rank(), b.Rank()) < 2 || !a.DType().IsFloat() {
		k.unsupported("%v %v times %v %v", a.DType(), a.Shape(), b.DType(), b.Shape())
		return nil
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
