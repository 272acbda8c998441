package nn_test

import (
	"math"
	"testing"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/nn"
	"github.com/stride0/stride0/tensor"
)

func TestLayerNorm(t *testing.T) {
	x := new32(tensor.Shape{2, 2}, 1, 3, -4, 4)
	none := nn.LayerNormOpts{Eps: 1e-300}
	wantData(t, nn.LayerNorm(x, none), tensor.Shape{2, 2}, float32(-1), 1, -1, 1)
	none.Scale, none.Bias = new32(tensor.Shape{2}, 2, 3), new32(tensor.Shape{2}, 10, 20)
	wantData(t, nn.LayerNorm(x, none), tensor.Shape{2, 2}, float32(8), 23, 8, 23)
	none.Axes, none.Scale, none.Bias = []int{0}, new32(tensor.Shape{2, 1}, 2, 3), nil
	wantData(t, nn.LayerNorm(x, none), tensor.Shape{2, 2}, float32(2), -2, -3, 3)
	wantData(t, nn.LayerNorm(x, nn.LayerNormOpts{Axes: []int{0, 1}, Eps: 1e30, Bias: tensor.New([]float32{5})}), tensor.Shape{2, 2}, float32(5), 5, 5, 5)
	wantData(t, nn.LayerNorm(x.Cast(dtype.Int32), nn.LayerNormOpts{Eps: 1e-300}), tensor.Shape{2, 2}, float32(-1), 1, -1, 1)
}

func TestRMSNorm(t *testing.T) {
	x := new32(tensor.Shape{2, 2}, 1, 7, -4, 4)
	o := nn.LayerNormOpts{Eps: 1e-300, Scale: new32(tensor.Shape{2}, 1, 10)}
	wantNear(t, nn.RMSNorm(x, o), 1e-6, 0.2, 14, -1, 10)
	wantData(t, nn.LayerNorm(tensor.Ones(dtype.Float32), nn.LayerNormOpts{}), tensor.Shape{}, float32(0)) // rank 0 has an axis -1
	wantData(t, nn.RMSNorm(tensor.Zeros(dtype.Float32, 1, 3), nn.LayerNormOpts{}), tensor.Shape{1, 3}, float32(0), 0, 0)
}

// Large numbers that differ little: a variance in one pass would be 0 or
// negative.
func TestNormsTakeTwoPasses(t *testing.T) {
	x := new32(tensor.Shape{1, 4}, 10000, 10001, 10002, 10003)
	want := []float64{-1.5, -0.5, 0.5, 1.5}
	for i := range want {
		want[i] /= math.Sqrt(1.25)
	}
	wantNear(t, nn.LayerNorm(x, nn.LayerNormOpts{Eps: 1e-300}), 1e-6, want...)
	y, mean, variance := nn.BatchNormTrain(x.T(), nn.NormOpts{Eps: 1e-300})
	wantNear(t, y, 1e-6, want...)
	wantData(t, mean, tensor.Shape{1}, float32(10001.5))
	wantData(t, variance, tensor.Shape{1}, float32(1.25))
}

// Each layer of halves is that of float32, rounded once; the mean of squares
// of 300 does not fit float16.
func TestNormsOfHalvesRoundOnce(t *testing.T) {
	for _, d := range []dtype.DType{dtype.Float16, dtype.BFloat16} {
		x := normal(5, 2, 6, 5).MulScalar(300).Cast(d)
		scale, bias := normal(6, 6).Cast(d), normal(7, 6).Cast(d)
		for name, f := range layers {
			want := f(x.Cast(dtype.Float32), scale.Cast(dtype.Float32), bias.Cast(dtype.Float32)).Cast(d)
			t.Run(name, func(t *testing.T) { wantSame(t, f(x, scale, bias), want) })
		}
	}
}

// layers of x, (2, 6, 5), with a scale and a bias of (6).
var layers = map[string]func(x, scale, bias *tensor.Tensor) *tensor.Tensor{
	"layernorm": func(x, s, b *tensor.Tensor) *tensor.Tensor {
		return nn.LayerNorm(x, nn.LayerNormOpts{Axes: []int{1, 2}, Scale: s.Unsqueeze(1), Bias: b.Unsqueeze(1)})
	},
	"rmsnorm": func(x, s, b *tensor.Tensor) *tensor.Tensor {
		return nn.RMSNorm(x, nn.LayerNormOpts{Axes: []int{1}, Scale: s.Unsqueeze(1)})
	},
	"batchnorm": func(x, s, b *tensor.Tensor) *tensor.Tensor {
		return nn.BatchNorm(x, b, s.Abs(), nn.NormOpts{Scale: s, Bias: b})
	},
	"batchnormtrain": func(x, s, b *tensor.Tensor) *tensor.Tensor {
		y, _, _ := nn.BatchNormTrain(x, nn.NormOpts{Scale: s, Bias: b})
		return y
	},
	"instancenorm": func(x, s, b *tensor.Tensor) *tensor.Tensor {
		return nn.InstanceNorm(x, nn.NormOpts{Scale: s, Bias: b})
	},
	"groupnorm": func(x, s, b *tensor.Tensor) *tensor.Tensor {
		return nn.GroupNorm(x, 3, nn.NormOpts{Scale: s, Bias: b})
	},
	"maskedsoftmax": func(x, s, b *tensor.Tensor) *tensor.Tensor {
		return nn.MaskedSoftmax(x, x.Gt(tensor.Scalar(-200)), -1)
	},
	"maskedmean": func(x, s, b *tensor.Tensor) *tensor.Tensor {
		return nn.MaskedMean(x, x.Gt(tensor.Scalar(-200)), nn.MaskedMeanOpts{Axes: []int{1}})
	},
	"crossentropy": func(x, s, b *tensor.Tensor) *tensor.Tensor {
		return nn.CrossEntropy(x, x.Softmax(1), nn.ClassOpts{Weight: s.Abs()})
	},
	"mse": func(x, s, b *tensor.Tensor) *tensor.Tensor {
		return nn.MSE(x.DivScalar(4), tensor.ZerosLike(x), nn.LossOpts{})
	},
}

// The same numbers with the channels last give the same within rounding, and
// those that reduce in the same order the same bits.
func TestNormsWithTheChannelsLast(t *testing.T) {
	x := normal(8, 2, 6, 4, 3)
	last := func(x *tensor.Tensor) *tensor.Tensor { return x.Permute(0, 2, 3, 1) }
	o := nn.NormOpts{Scale: normal(9, 6), Bias: normal(10, 6)}
	l := o
	l.ChannelAxis = -1
	y, mean, variance := nn.BatchNormTrain(x, o)
	y2, mean2, variance2 := nn.BatchNormTrain(last(x), l)
	wantSame(t, y2, last(y))
	wantSame(t, mean2, mean)
	wantSame(t, variance2, variance)
	wantSame(t, nn.BatchNorm(last(x), mean, variance, l), last(nn.BatchNorm(x, mean, variance, o)))
	wantSame(t, nn.BatchNorm(x, mean, variance, o), y)
	wantSame(t, nn.InstanceNorm(last(x), l), last(nn.InstanceNorm(x, o)))
	want, err := tensor.Data[float64](last(nn.GroupNorm(x, 2, o)).Cast(dtype.Float64))
	must(t, err)
	wantNear(t, nn.GroupNorm(last(x), 2, l), 1e-5, want...)
	wantNear(t, nn.GroupNorm(last(x).Contiguous(), 2, l), 1e-5, want...)
}

// Groups of one channel are instances; one group of all is a layer.
func TestGroupNormBetweenInstanceAndLayer(t *testing.T) {
	x := normal(11, 2, 6, 4, 3)
	wantSame(t, nn.GroupNorm(x, 6, nn.NormOpts{}), nn.InstanceNorm(x, nn.NormOpts{}))
	wantSame(t, nn.GroupNorm(x, 1, nn.NormOpts{}), nn.LayerNorm(x, nn.LayerNormOpts{Axes: []int{1, 2, 3}}))
}

func TestNormsOfNothing(t *testing.T) {
	empty := tensor.Zeros(dtype.Float32, 0, 4, 3)
	for name, f := range layers {
		if got := f(tensor.Zeros(dtype.Float32, 0, 6, 5), normal(1, 6), normal(2, 6)); got.Err() != nil {
			t.Errorf("%s of an empty batch: %v", name, got.Err())
		}
	}
	y, mean, _ := nn.BatchNormTrain(empty, nn.NormOpts{})
	wantData(t, y, tensor.Shape{0, 4, 3}, []float32{}...)
	wantData(t, mean, tensor.Shape{4}, nan, nan, nan, nan)
	wantData(t, nn.GroupNorm(tensor.Zeros(dtype.Float32, 2, 4, 0), 2, nn.NormOpts{}), tensor.Shape{2, 4, 0}, []float32{}...)
}

// Operands promote as everywhere: mixed precision gives float32.
func TestNormsPromote(t *testing.T) {
	x, scale := normal(1, 2, 4).Cast(dtype.Float16), normal(2, 4)
	wantSame(t, nn.LayerNorm(x, nn.LayerNormOpts{Scale: scale}), nn.LayerNorm(x.Cast(dtype.Float32), nn.LayerNormOpts{Scale: scale}))
	if d := nn.BatchNorm(x, scale, scale, nn.NormOpts{Bias: scale.Cast(dtype.Float64)}).DType(); d != dtype.Float64 {
		t.Errorf("a bias of float64 gives %v", d)
	}
	_, mean, _ := nn.BatchNormTrain(x, nn.NormOpts{})
	if mean.DType() != dtype.Float32 {
		t.Errorf("the mean of float16 is kept in %v", mean.DType())
	}
}

func TestNormsRefuse(t *testing.T) {
	x := normal(1, 2, 6, 4)
	four := tensor.Ones(dtype.Float32, 4)
	wantError(t, nn.LayerNorm(x, nn.LayerNormOpts{Scale: tensor.Ones(dtype.Float32, 6)}), nil, "layernorm: the scale (6) does not stretch to (2, 6, 4)", "unsqueeze (6) at axis 1")
	wantError(t, nn.LayerNorm(x, nn.LayerNormOpts{Bias: tensor.Ones(dtype.Float32, 3, 2, 6, 4)}), nil, "the bias (3, 2, 6, 4) does not stretch")
	wantError(t, nn.LayerNorm(x, nn.LayerNormOpts{Axes: []int{3}}), nil, "layernorm: axis 3 is out of range")
	wantError(t, nn.LayerNorm(nil, nn.LayerNormOpts{}), tensor.ErrEmpty)
	wantError(t, nn.BatchNorm(x, four, four, nn.NormOpts{}), nil, "batchnorm: (4) is not one number for each channel of (2, 6, 4); give it the shape (6)")
	wantError(t, nn.BatchNorm(x, nil, four, nn.NormOpts{}), tensor.ErrEmpty)
	wantError(t, nn.BatchNorm(four, four, four, nn.NormOpts{}), nil, "there is no channel axis 0 in (4)")
	wantError(t, nn.InstanceNorm(x, nn.NormOpts{ChannelAxis: -3}), nil, "there is no channel axis -3")
	wantError(t, nn.InstanceNorm(x.Index(2, 0), nn.NormOpts{}), nil, "has one element for each sample and channel")
	wantError(t, nn.GroupNorm(x, 4, nn.NormOpts{}), nil, "4 groups do not divide the 6 channels")
	wantError(t, nn.GroupNorm(x, 0, nn.NormOpts{}), nil, "0 groups")
	wantError(t, nn.GroupNorm(x, 2, nn.NormOpts{Scale: four}), nil, "groupnorm: (4) is not one number for each channel")
	_, _, v := nn.BatchNormTrain(x, nn.NormOpts{ChannelAxis: 5})
	wantError(t, v, nil, "there is no channel axis 5")
	freed := normal(1, 3)
	must(t, freed.Free())
	wantError(t, nn.RMSNorm(freed, nn.LayerNormOpts{}), tensor.ErrFreed, "rmsnorm")
}
