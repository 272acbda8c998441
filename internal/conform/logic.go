package conform

import "github.com/stride0/stride0/tensor"

// logic holds comparisons, truth values and choices by them.
var logic = table{
	"And":            dyadic((*tensor.Tensor).LogicalAnd),
	"Equal":          dyadic((*tensor.Tensor).Eq),
	"Greater":        dyadic((*tensor.Tensor).Gt),
	"GreaterOrEqual": dyadic((*tensor.Tensor).Ge),
	"IsInf":          single(isInf),
	"IsNaN":          unary((*tensor.Tensor).IsNaN),
	"Less":           dyadic((*tensor.Tensor).Lt),
	"LessOrEqual":    dyadic((*tensor.Tensor).Le),
	"Not":            unary((*tensor.Tensor).LogicalNot),
	"Or":             dyadic((*tensor.Tensor).LogicalOr),
	"Where":          single(where),
	"Xor":            dyadic((*tensor.Tensor).LogicalXor),
}

func where(k *call) *tensor.Tensor { return k.arg(0).Where(k.arg(1), k.arg(2)) }

// isInf can be told to look at one of the infinities only.
func isInf(k *call) *tensor.Tensor {
	t := k.arg(0)
	inf := t.IsInf()
	if attrOr(k, "detect_positive", 1) == 0 {
		inf = inf.LogicalAnd(t.Lt(tensor.Scalar(0)))
	}
	if attrOr(k, "detect_negative", 1) == 0 {
		inf = inf.LogicalAnd(t.Gt(tensor.Scalar(0)))
	}
	return inf
}
