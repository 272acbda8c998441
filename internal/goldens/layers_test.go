package goldens_test

import (
	"math"
	"slices"
	"testing"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/nn"
	"github.com/stride0/stride0/tensor"
)

// layers compute what PyTorch's functional of that name did. at gives an
// operand by name.
var layers = map[string]func(at func(string) *tensor.Tensor) *tensor.Tensor{
	"batchnorm": func(at func(string) *tensor.Tensor) *tensor.Tensor {
		return nn.BatchNorm(at("x"), at("mean"), at("variance"), affine(at))
	},
	"batchnormtrain": func(at func(string) *tensor.Tensor) *tensor.Tensor {
		y, _, _ := nn.BatchNormTrain(at("x"), affine(at))
		return y
	},
	"instancenorm": func(at func(string) *tensor.Tensor) *tensor.Tensor { return nn.InstanceNorm(at("x"), affine(at)) },
	"groupnorm":    func(at func(string) *tensor.Tensor) *tensor.Tensor { return nn.GroupNorm(at("x"), 3, affine(at)) },
	"layernorm": func(at func(string) *tensor.Tensor) *tensor.Tensor {
		return nn.LayerNorm(at("x"), nn.LayerNormOpts{Scale: at("scale"), Bias: at("bias")})
	},
	"layernorm2": func(at func(string) *tensor.Tensor) *tensor.Tensor {
		return nn.LayerNorm(at("x"), nn.LayerNormOpts{Axes: []int{-2, -1}, Scale: at("scale"), Bias: at("bias"), Eps: 1e-3})
	},
	"rmsnorm": func(at func(string) *tensor.Tensor) *tensor.Tensor {
		return nn.RMSNorm(at("x"), nn.LayerNormOpts{Scale: at("scale")})
	},
	"mse": func(at func(string) *tensor.Tensor) *tensor.Tensor {
		return nn.MSE(at("x"), at("target"), nn.LossOpts{})
	},
	"bce": func(at func(string) *tensor.Tensor) *tensor.Tensor {
		return nn.BCE(at("x"), at("target"), nn.LossOpts{Reduction: nn.None})
	},
	"bcewithlogits": func(at func(string) *tensor.Tensor) *tensor.Tensor {
		return nn.BCEWithLogits(at("x"), at("target"), nn.LossOpts{Reduction: nn.None})
	},
	"crossentropy": func(at func(string) *tensor.Tensor) *tensor.Tensor {
		return nn.CrossEntropy(at("x"), at("target"), nn.ClassOpts{})
	},
	"crossentropy_weighted": func(at func(string) *tensor.Tensor) *tensor.Tensor {
		return nn.CrossEntropy(at("x"), at("target"), nn.ClassOpts{Weight: at("weight"), Ignore: []int{-100}})
	},
	"crossentropy_none": func(at func(string) *tensor.Tensor) *tensor.Tensor {
		return nn.CrossEntropy(at("x"), at("target"), nn.ClassOpts{Weight: at("weight"), Reduction: nn.None})
	},
	"crossentropy_soft": func(at func(string) *tensor.Tensor) *tensor.Tensor {
		return nn.CrossEntropy(at("x"), at("target"), nn.ClassOpts{Weight: at("weight")})
	},
	"nll": func(at func(string) *tensor.Tensor) *tensor.Tensor {
		return nn.NLL(at("x"), at("target"), nn.ClassOpts{Weight: at("weight"), Ignore: []int{-100}, Reduction: nn.Sum})
	},
}

func affine(at func(string) *tensor.Tensor) nn.NormOpts {
	return nn.NormOpts{Scale: at("scale"), Bias: at("bias")}
}

// Each layer in each float type against PyTorch's float64. A step loses at most
// some units in the last place of the greatest number on the way; operands in
// halves are rounded before.
func TestLayers(t *testing.T) {
	tolerance := map[dtype.DType]float64{dtype.Float64: 1e-12, dtype.Float32: 3e-6, dtype.Float16: 1e-2, dtype.BFloat16: 8e-2}
	listed := names(t, "layers")
	for name := range layers {
		if !slices.Contains(listed, name) {
			t.Errorf("%s has no golden", name)
		}
	}
	for _, name := range listed {
		f, ok := layers[name]
		if !ok {
			t.Errorf("the golden %s is not used", name)
			continue
		}
		want := golden(t, "layer_"+name+"_y", dtype.Invalid)
		for _, d := range floats {
			got := f(func(operand string) *tensor.Tensor {
				x := golden(t, "layer_"+name+"_"+operand, dtype.Invalid)
				if x.DType().IsFloat() {
					x = x.Cast(d)
				}
				return x
			})
			if got.DType() != d || !got.Shape().Equal(want.Shape()) {
				t.Fatalf("%s of %v is %v %v, want %v: %v", name, d, got.DType(), got.Shape(), want.Shape(), got.Err())
			}
			g := values(t, got)
			for i, w := range values(t, want) {
				if off := math.Abs(g[i] - w); !(off <= tolerance[d]*math.Max(1, math.Abs(w))) {
					t.Errorf("%s of %v, element %d: %v, the golden %v", name, d, i, g[i], w)
				}
			}
		}
	}
}
