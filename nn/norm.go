package nn

import (
	"slices"

	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/tensor"
)

// DefaultEps is added to variances where the options give no other number: it
// is PyTorch's and ONNX's.
const DefaultEps = 1e-5

// LayerNormOpts are the options of LayerNorm and RMSNorm.
type LayerNormOpts struct {
	Axes []int // what one mean is taken over; the last axis without any
	// Scale and Bias broadcast against the result, whose shape is that of x; nil
	// for none. RMSNorm has no bias.
	Scale, Bias *tensor.Tensor
	// Eps is added to the variance; 0 stands for DefaultEps. For none give a
	// number that is 0 in the dtype, such as 1e-300.
	Eps float64
}

// LayerNorm returns x, brought to mean 0 and variance 1 along the axes, times
// Scale plus Bias: (x - mean) / sqrt(variance + eps) · scale + bias.
func LayerNorm(x *tensor.Tensor, o LayerNormOpts) *tensor.Tensor {
	return layerNorm("layernorm", x, o, (*tensor.Tensor).Standardize)
}

// RMSNorm returns x divided by the root of the mean of its squares along the
// axes, times Scale: x / sqrt(mean(x²) + eps) · scale.
func RMSNorm(x *tensor.Tensor, o LayerNormOpts) *tensor.Tensor {
	return layerNorm("rmsnorm", x, o, (*tensor.Tensor).RMSNormalize)
}

func layerNorm(op string, x *tensor.Tensor, o LayerNormOpts, f func(x *tensor.Tensor, eps float64, axes ...int) *tensor.Tensor) *tensor.Tensor {
	return one(op, []*tensor.Tensor{x, o.Scale, o.Bias}, func(s *tensor.Scope) (*tensor.Tensor, error) {
		if err := stretches("the scale", o.Scale, x); err != nil {
			return nil, err
		}
		if err := stretches("the bias", o.Bias, x); err != nil {
			return nil, err
		}
		p, err := precisionOf(x, o.Scale, o.Bias)
		if err != nil {
			return nil, err
		}
		axes := o.Axes
		if len(axes) == 0 {
			axes = []int{-1}
		}
		y := f(p.wide(s, x), epsOr(o.Eps), axes...)
		return p.round(affine(y, p.wide(s, o.Scale), p.wide(s, o.Bias))), nil
	})
}

func epsOr(eps float64) float64 {
	if eps == 0 {
		return DefaultEps
	}
	return eps
}

// affine is x·scale + bias, each of which may be missing, rounded once.
func affine(x, scale, bias *tensor.Tensor) *tensor.Tensor {
	switch {
	case scale != nil && bias != nil:
		return x.FMA(scale, bias)
	case scale != nil:
		return x.Mul(scale)
	case bias != nil:
		return x.Add(bias)
	}
	return x
}

// NormOpts are the options of normalisations by channel.
type NormOpts struct {
	// ChannelAxis is the axis of channels, negative ones counted from the end:
	// -1 for (N, H, W, C). 0, the batch, stands for axis 1, of (N, C, H, W).
	ChannelAxis int
	// Scale and Bias have one number for each channel; nil for none.
	Scale, Bias *tensor.Tensor
	// Eps is added to the variance; 0 stands for DefaultEps. For none give a
	// number that is 0 in the dtype, such as 1e-300.
	Eps float64
}

// channels resolves ChannelAxis and checks the shape of what is per channel.
func (o NormOpts) channels(x *tensor.Tensor, perChannel ...*tensor.Tensor) (axis int, err error) {
	shape := x.Shape()
	axis = o.ChannelAxis
	switch {
	case axis == 0:
		axis = 1
	case axis < 0:
		axis += len(shape)
	}
	if axis <= 0 || axis >= len(shape) {
		return 0, &broadcast.ShapeError{Shapes: []broadcast.Shape{shape},
			Msg: "there is no channel axis " + itoa(o.ChannelAxis) + " in " + shape.String(), Hint: "x is (N, C, ...), or (N, ..., C) with a ChannelAxis of -1"}
	}
	want := broadcast.Shape{shape[axis]}
	for _, t := range append(perChannel, o.Scale, o.Bias) {
		if t != nil && !t.Shape().Equal(want) {
			return 0, &broadcast.ShapeError{Shapes: []broadcast.Shape{t.Shape(), shape},
				Msg: t.Shape().String() + " is not one number for each channel of " + shape.String(), Hint: "give it the shape " + want.String()}
		}
	}
	return axis, nil
}

// beside gives a tensor of one axis the axes of size 1 to stand at that axis
// of rank; nil stays nil.
func beside(t *tensor.Tensor, rank, axis int) *tensor.Tensor {
	if t == nil {
		return nil
	}
	sizes := []int{t.Dim(0)}
	for range rank - axis - 1 {
		sizes = append(sizes, 1)
	}
	return t.Reshape(sizes...)
}

// others returns the axes of rank that are not listed.
func others(rank int, not ...int) (axes []int) {
	for a := range rank {
		if !slices.Contains(not, a) {
			axes = append(axes, a)
		}
	}
	return axes
}
