package conform

import "github.com/stride0/stride0/tensor"

// activations holds the activation functions of networks.
var activations = table{
	"Relu":    unary((*tensor.Tensor).Relu),
	"Sigmoid": unary((*tensor.Tensor).Sigmoid),
}
