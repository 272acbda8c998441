package conform

import (
	"github.com/stride0/stride0/tensor"
)

// activations holds the activation functions of networks.
var activations = table{
	"Celu":            single(func(k *call) *tensor.Tensor { return k.arg(0).Celu(attrOr(k, "alpha", 1.0)) }),
	"Elu":             single(func(k *call) *tensor.Tensor { return k.arg(0).Elu(attrOr(k, "alpha", 1.0)) }),
	"Gelu":            single(gelu),
	"HardSigmoid":     single(hardSigmoid),
	"HardSwish":       unary((*tensor.Tensor).HardSwish),
	"LeakyRelu":       single(func(k *call) *tensor.Tensor { return k.arg(0).LeakyRelu(attrOr(k, "alpha", 0.01)) }),
	"Mish":            unary((*tensor.Tensor).Mish),
	"PRelu":           dyadic((*tensor.Tensor).PRelu),
	"Relu":            unary((*tensor.Tensor).Relu),
	"Selu":            single(selu),
	"Shrink":          single(shrink),
	"Sigmoid":         unary((*tensor.Tensor).Sigmoid),
	"Softplus":        unary((*tensor.Tensor).Softplus),
	"Softsign":        unary((*tensor.Tensor).Softsign),
	"SwiGLU":          single(func(k *call) *tensor.Tensor { return k.swish().Mul(k.arg(1)) }),
	"Swish":           single((*call).swish),
	"ThresholdedRelu": single(func(k *call) *tensor.Tensor { return k.arg(0).Threshold(attrOr(k, "alpha", 1.0), 0) }),
}

func gelu(k *call) *tensor.Tensor {
	switch how := attrOr(k, "approximate", "none"); how {
	case "none":
		return k.arg(0).Gelu()
	case "tanh":
		return k.arg(0).GeluTanh()
	default:
		k.unsupported("approximate %q", how)
		return nil
	}
}

// hardSigmoid has a slope and an offset to choose, which package tensor's has
// not.
func hardSigmoid(k *call) *tensor.Tensor {
	alpha, beta := attrOr(k, "alpha", 0.2), attrOr(k, "beta", 0.5)
	return k.arg(0).MulScalar(alpha).AddScalar(beta).Clip(tensor.Scalar(0), tensor.Scalar(1))
}

// selu is gamma·(x for x > 0, else alpha·(e^x - 1)), where the row of the table
// has the numbers that make networks normalize themselves.
func selu(k *call) *tensor.Tensor {
	alpha, other := attr[float64](k, "alpha")
	gamma, otherToo := attr[float64](k, "gamma")
	if !other && !otherToo {
		return k.arg(0).Selu()
	}
	if !other {
		alpha = 1.67326319217681884765625 // ONNX's defaults are these float32 numbers
	}
	if !otherToo {
		gamma = 1.05070102214813232421875
	}
	return k.arg(0).Elu(alpha).MulScalar(gamma)
}

// shrink moves elements beyond ±lambd towards 0 by bias and is 0 between.
func shrink(k *call) *tensor.Tensor {
	x, lambd, bias := k.arg(0), attrOr(k, "lambd", 0.5), attrOr(k, "bias", 0.0)
	zero := tensor.ZerosLike(x)
	y := x.Lt(tensor.Scalar(-lambd)).Where(x.AddScalar(bias), zero)
	return k.as(x.Gt(tensor.Scalar(lambd)).Where(x.SubScalar(bias), y), x.DType())
}

// swish is x·sigmoid(alpha·x).
func (k *call) swish() *tensor.Tensor {
	x := k.arg(0)
	return x.Mul(x.MulScalar(attrOr(k, "alpha", 1.0)).Sigmoid())
}
