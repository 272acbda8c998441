package conform

import "github.com/stride0/stride0/tensor"

// logic holds comparisons, truth values and choices by them.
var logic = table{
	"Equal":          dyadic((*tensor.Tensor).Eq),
	"Greater":        dyadic((*tensor.Tensor).Gt),
	"GreaterOrEqual": dyadic((*tensor.Tensor).Ge),
	"Less":           dyadic((*tensor.Tensor).Lt),
	"LessOrEqual":    dyadic((*tensor.Tensor).Le),
	"Where":          single(where),
}

func where(k *call) *tensor.Tensor { return k.arg(0).Where(k.arg(1), k.arg(2)) }
