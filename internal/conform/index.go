package conform

import (
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

// indexing holds what reads, writes or finds elements by positions.
var indexing = table{
	"Compress":        single(compress),
	"CumProd":         single(func(k *call) *tensor.Tensor { return k.running((*tensor.Tensor).CumProd) }),
	"CumSum":          single(func(k *call) *tensor.Tensor { return k.running((*tensor.Tensor).CumSum) }),
	"Gather":          single(func(k *call) *tensor.Tensor { return k.arg(0).Gather(attrOr(k, "axis", 0), k.arg(1)) }),
	"GatherElements":  single(func(k *call) *tensor.Tensor { return k.arg(0).GatherElements(attrOr(k, "axis", 0), k.arg(1)) }),
	"GatherND":        single(gatherND),
	"NonZero":         unary(func(t *tensor.Tensor) *tensor.Tensor { return t.NonZero().T() }),
	"OneHot":          single(oneHot),
	"Scatter":         single(scatterElements), // as it was called before version 11
	"ScatterElements": single(scatterElements),
	"ScatterND":       single(func(k *call) *tensor.Tensor { return k.arg(0).ScatterND(k.arg(1), k.arg(2), k.merge()) }),
	"TopK":            topK,
}

// compress selects the slices of an axis, or without one the elements, at
// which a list of truth values, perhaps a shorter one, is true.
func compress(k *call) *tensor.Tensor {
	t := k.arg(0)
	axis, ok := attr[int](k, "axis")
	if !ok {
		axis, t = 0, t.Reshape(t.Size())
	}
	return t.IndexSelect(axis, k.arg(1).NonZero().Index(-1, 0))
}

// running applies a sum or product so far along an axis; the result has the
// dtype of the operand.
func (k *call) running(f func(t *tensor.Tensor, axis int, opts ...tensor.CumOpts) *tensor.Tensor) *tensor.Tensor {
	t := k.arg(0)
	opts := tensor.CumOpts{Exclusive: attrOr(k, "exclusive", 0) != 0, Reverse: attrOr(k, "reverse", 0) != 0}
	return k.as(f(t, k.integer(1), opts), t.DType())
}

func gatherND(k *call) *tensor.Tensor {
	return k.arg(0).GatherND(k.arg(1), tensor.GatherOpts{Batch: attrOr(k, "batch_dims", 0)})
}

func scatterElements(k *call) *tensor.Tensor {
	return k.arg(0).ScatterElements(attrOr(k, "axis", 0), k.arg(1), k.arg(2), k.merge())
}

// merge returns what becomes of an element that is written to.
func (k *call) merge() tensor.Merge {
	switch name := attrOr(k, "reduction", "none"); name {
	case "none":
		return tensor.MergeReplace
	case "add":
		return tensor.MergeAdd
	case "mul":
		return tensor.MergeMul
	case "min":
		return tensor.MergeMin
	case "max":
		return tensor.MergeMax
	default:
		k.unsupported("reduction %q", name)
		return tensor.MergeReplace
	}
}

// oneHot puts an axis of the given depth in place: the second of two values
// where its index is the element, the first elsewhere.
func oneHot(k *call) *tensor.Tensor {
	hot := k.arg(0).Cast(dtype.Int64).OneHot(k.integer(1), dtype.Bool)
	axis := k.axis(hot, attrOr(k, "axis", -1))
	order := k.allAxes(hot)
	if k.err != nil {
		return nil
	}
	last := hot.Rank() - 1
	copy(order[axis+1:], order[axis:last])
	order[axis] = last
	values := k.arg(2)
	return hot.Permute(order...).Where(values.Index(0, 1), values.Index(0, 0))
}

// topK returns the greatest elements along an axis, or the least, and where
// they stand. ONNX leaves their order open where `sorted` is 0.
func topK(k *call) []*tensor.Tensor {
	n, ok := attr[int](k, "k") // before version 10
	if !ok {
		n = k.integer(1)
	}
	values, positions := k.arg(0).TopK(n, attrOr(k, "axis", -1), attrOr(k, "largest", 1) != 0)
	return []*tensor.Tensor{values, positions}
}
