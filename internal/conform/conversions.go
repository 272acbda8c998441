package conform

import (
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

// bitCast reads the bytes of elements as another dtype of their size, on the
// host.
func bitCast(k *call) *tensor.Tensor {
	name, _, err := typeOfCode(attrOr(k, "to", 0))
	if err != nil {
		k.fail(err)
		return nil
	}
	v, err := valueOf(k.arg(0))
	if err != nil {
		k.fail(err)
		return nil
	}
	v.DType = name
	t, err := v.Tensor() // refuses another size
	if err != nil {
		k.fail(err)
		return nil
	}
	return t.To(k.dev)
}
