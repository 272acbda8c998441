package conform

import (
	"github.com/stride0/stride0/nn"
	"github.com/stride0/stride0/tensor"
)

// layers holds the normalizations of package nn.
var layers = table{
	"BatchNormalization":        batchNormalization,
	"GroupNormalization":        single(groupNormalization),
	"InstanceNormalization":     single(instanceNormalization),
	"LayerNormalization":        layerNormalization,
	"MeanVarianceNormalization": single(meanVarianceNormalization),
	"RMSNormalization":          single(rmsNormalization),
}

// epsilon is what ONNX adds to a variance.
func (k *call) epsilon() float64 { return attrOr(k, "epsilon", 1e-5) }

// byChannel returns the options of a normalization whose inputs from first on
// are scale and bias.
func (k *call) byChannel(first int) nn.NormOpts {
	return nn.NormOpts{Scale: k.arg(first), Bias: k.arg(first + 1), Eps: k.epsilon()}
}

// batchNormalization uses the statistics given or, in training, those of the
// batch, which then follow the running ones.
func batchNormalization(k *call) []*tensor.Tensor {
	x, mean, variance := k.arg(0), k.arg(3), k.arg(4)
	if attrOr(k, "training_mode", 0) == 0 {
		return []*tensor.Tensor{nn.BatchNorm(x, mean, variance, k.byChannel(1))}
	}
	y, batchMean, batchVariance := nn.BatchNormTrain(x, k.byChannel(1))
	keep := attrOr(k, "momentum", 0.9)
	running := func(old, batch *tensor.Tensor) *tensor.Tensor {
		return old.MulScalar(keep).Add(batch.MulScalar(1 - keep))
	}
	return []*tensor.Tensor{y, running(mean, batchMean), running(variance, batchVariance)}
}

func groupNormalization(k *call) *tensor.Tensor {
	if k.opset < 21 {
		k.unsupported("a scale for each group, before version 21")
		return nil
	}
	return nn.GroupNorm(k.arg(0), attrOr(k, "num_groups", 1), k.byChannel(1))
}

func instanceNormalization(k *call) *tensor.Tensor {
	return nn.InstanceNorm(k.arg(0), k.byChannel(1))
}

// trailing returns the axes from the one named to the last.
func (k *call) trailing() []int {
	x := k.arg(0)
	var axes []int
	for a := k.axis(x, attrOr(k, "axis", -1)); a < x.Rank(); a++ {
		axes = append(axes, a)
	}
	return axes
}

// layerNormalization also yields the mean and the reciprocal deviation.
func layerNormalization(k *call) []*tensor.Tensor {
	x, axes := k.arg(0), k.trailing()
	y := nn.LayerNorm(x, nn.LayerNormOpts{Axes: axes, Scale: k.arg(1), Bias: k.arg(2), Eps: k.epsilon()})
	return []*tensor.Tensor{y, x.MeanKeep(axes...), x.VarKeep(axes...).AddScalar(k.epsilon()).Rsqrt()}
}

func rmsNormalization(k *call) *tensor.Tensor {
	return nn.RMSNorm(k.arg(0), nn.LayerNormOpts{Axes: k.trailing(), Scale: k.arg(1), Eps: k.epsilon()})
}

// meanVarianceNormalization adds 1e-9 to the deviation, not to the variance.
func meanVarianceNormalization(k *call) *tensor.Tensor {
	x, axes := k.arg(0), []int{0, 2, 3}
	if given, ok := attr[[]int](k, "axes"); ok {
		axes = given
	}
	return x.Sub(x.MeanKeep(axes...)).Div(x.StdKeep(axes...).AddScalar(1e-9))
}
