package conform

import (
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

// conversions holds changes of dtype.
var conversions = table{
	"BitCast":  single(bitCast),
	"Cast":     single(cast),
	"CastLike": single(func(k *call) *tensor.Tensor { return k.arg(0).Cast(k.arg(1).DType()) }),
	"Identity": unary(func(t *tensor.Tensor) *tensor.Tensor { return t }),
}

func cast(k *call) *tensor.Tensor {
	_, to, err := typeOfCode(attrOr(k, "to", 0))
	if err != nil {
		k.fail(err)
		return nil
	}
	return k.arg(0).Cast(to.dtype)
}

// bitCast reads the bits of elements as another dtype of their size. A bool has
// those of the number 0 or 1.
func bitCast(k *call) *tensor.Tensor {
	t := k.arg(0)
	_, to, err := typeOfCode(attrOr(k, "to", 0))
	switch {
	case err != nil:
		k.fail(err)
		return nil
	case t.DType() == to.dtype:
		return t
	case t.DType() == dtype.Bool:
		t = t.Cast(dtype.Uint8)
	case to.dtype == dtype.Bool:
		return t.BitCast(dtype.Uint8).Ne(tensor.Scalar(0))
	}
	return t.BitCast(to.dtype)
}
