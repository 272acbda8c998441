package conform

import (
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

// constants holds operators that make tensors of attributes, sizes or numbers.
var constants = table{
	"Constant":        single(constant),
	"ConstantOfShape": single(constantOfShape),
	"EyeLike":         single(eyeLike),
	"Range":           single(arange),
	"Shape":           single(shapeOf),
	"Size":            single(func(k *call) *tensor.Tensor { return k.on().Full(dtype.Int64, k.arg(0).Size()) }),
}

// constant is a tensor in whichever attribute there is.
func constant(k *call) *tensor.Tensor {
	if v, ok := attr[Value](k, "value"); ok {
		return k.place(v)
	}
	if v, ok := attr[float32](k, "value_float"); ok {
		return k.on().Full(dtype.Float32, v)
	}
	if v, ok := attr[int64](k, "value_int"); ok {
		return k.on().Full(dtype.Int64, v)
	}
	if v, ok := attr[[]float32](k, "value_floats"); ok {
		return tensor.New(v).To(k.dev)
	}
	if v, ok := attr[[]int64](k, "value_ints"); ok {
		return tensor.New(v).To(k.dev)
	}
	for name, a := range k.node.Attrs {
		k.unsupported("attribute %s of type %s", name, a.Type)
	}
	return nil
}

// place returns v as a tensor on the device of the call.
func (k *call) place(v Value) *tensor.Tensor {
	t, err := v.Tensor()
	if err != nil {
		k.fail(err)
		return nil
	}
	return t.To(k.dev)
}

func constantOfShape(k *call) *tensor.Tensor {
	sizes := k.integers(0)
	v, ok := attr[Value](k, "value")
	if !ok {
		return k.on().Zeros(dtype.Float32, sizes...)
	}
	t := k.place(v)
	return t.Reshape().BroadcastTo(sizes...).Clone()
}

// eyeLike has ones on a diagonal, k places to the right of the main one.
func eyeLike(k *call) *tensor.Tensor {
	d := k.arg(0).DType()
	if code, ok := attr[int](k, "dtype"); ok {
		_, t, err := typeOfCode(code)
		if err != nil {
			k.fail(err)
		}
		d = t.dtype
	}
	t := k.on().Zeros(d, k.arg(0).Shape()...)
	one := any(1)
	if d == dtype.Bool {
		one = true
	}
	if err := t.Diagonal(attrOr(k, "k", 0), 0, 1).Fill(one); err != nil {
		k.fail(err)
	}
	return t
}

func arange(k *call) *tensor.Tensor {
	start, limit, delta := k.number(k.arg(0)), k.number(k.arg(1)), k.number(k.arg(2))
	return k.on().Arange(k.arg(0).DType(), start, limit, delta)
}

// shapeOf returns the sizes of the axes from start to end, which are clipped
// to those there are.
func shapeOf(k *call) *tensor.Tensor {
	shape := k.arg(0).Shape()
	bound := func(name string, otherwise int) int {
		i := attrOr(k, name, otherwise)
		if i < 0 {
			i += len(shape)
		}
		return min(max(i, 0), len(shape))
	}
	start, end := bound("start", 0), bound("end", len(shape))
	sizes := make([]int64, 0, len(shape))
	for i := start; i < end; i++ {
		sizes = append(sizes, int64(shape[i]))
	}
	return tensor.New(sizes, len(sizes)).To(k.dev)
}
