package nn

import (
	"slices"

	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/tensor"
)

// BatchNorm normalises x, such as (N, C, H, W), by known statistics of each
// channel, as in inference: (x - mean) / sqrt(variance + eps) · scale + bias.
// mean and variance are (C).
func BatchNorm(x, mean, variance *tensor.Tensor, o NormOpts) *tensor.Tensor {
	return one("batchnorm", []*tensor.Tensor{x, orEmpty(mean), orEmpty(variance), o.Scale, o.Bias}, func(s *tensor.Scope) (*tensor.Tensor, error) {
		axis, err := o.channels(x, mean, variance)
		if err != nil {
			return nil, err
		}
		p, err := precisionOf(x, mean, variance, o.Scale, o.Bias)
		if err != nil {
			return nil, err
		}
		return p.round(o.normalized(s, p, axis, p.wide(s, x), p.wide(s, mean), p.wide(s, variance))), nil
	})
}

// BatchNormTrain normalises x by the statistics of x itself, along all axes
// but that of the channels, as in training. It also returns these: the mean
// and the variance (divided by the number of elements) of each channel, (C),
// in float32 for halves. A running statistic follows them by
// running.Lerp(mean, tensor.Scalar(rate)); PyTorch's divides the variance by
// one element less.
func BatchNormTrain(x *tensor.Tensor, o NormOpts) (y, mean, variance *tensor.Tensor) {
	r := tensor.Compose("batchnorm", 3, given([]*tensor.Tensor{x, o.Scale, o.Bias}), func(s *tensor.Scope) ([]*tensor.Tensor, error) {
		axis, err := o.channels(x)
		if err != nil {
			return nil, err
		}
		p, err := precisionOf(x, o.Scale, o.Bias)
		if err != nil {
			return nil, err
		}
		wide := p.wide(s, x)
		axes := others(x.Rank(), axis)
		mean, variance := wide.Mean(axes...), wide.Var(axes...)
		return []*tensor.Tensor{p.round(o.normalized(s, p, axis, wide, mean, variance)), mean, variance}, nil
	})
	return r[0], r[1], r[2]
}

// normalized is the formula of BatchNorm: one pass takes the difference, which
// is exact near the mean, and one multiplies and adds.
func (o NormOpts) normalized(s *tensor.Scope, p precision, axis int, x, mean, variance *tensor.Tensor) *tensor.Tensor {
	rank := x.Rank()
	scale := variance.AddScalar(epsOr(o.Eps)).Sqrt().Reciprocal()
	if o.Scale != nil {
		scale = p.wide(s, o.Scale).Mul(scale)
	}
	return affine(x.Sub(beside(mean, rank, axis)), beside(scale, rank, axis), beside(p.wide(s, o.Bias), rank, axis))
}

// InstanceNorm normalises each channel of each sample of x, such as
// (N, C, H, W), by the mean and variance over its other axes.
func InstanceNorm(x *tensor.Tensor, o NormOpts) *tensor.Tensor {
	return one("instancenorm", []*tensor.Tensor{x, o.Scale, o.Bias}, func(s *tensor.Scope) (*tensor.Tensor, error) {
		axis, err := o.channels(x)
		if err != nil {
			return nil, err
		}
		if x.Rank() == 2 {
			return nil, &broadcast.ShapeError{Shapes: []broadcast.Shape{x.Shape()}, Msg: x.Shape().String() + " has one element for each sample and channel, and no variance",
				Hint: "x is (N, C, ...); use LayerNorm or BatchNormTrain for (N, C)"}
		}
		return o.grouped(s, x, axis, x.Dim(axis))
	})
}

// GroupNorm normalises groups of neighbouring channels of each sample of x,
// such as (N, C, H, W), by the mean and variance over a group's channels and
// all axes behind the batch. The number of groups divides that of channels.
func GroupNorm(x *tensor.Tensor, groups int, o NormOpts) *tensor.Tensor {
	return one("groupnorm", []*tensor.Tensor{x, o.Scale, o.Bias}, func(s *tensor.Scope) (*tensor.Tensor, error) {
		axis, err := o.channels(x)
		if err != nil {
			return nil, err
		}
		if groups <= 0 || x.Dim(axis)%groups != 0 {
			return nil, &broadcast.ShapeError{Shapes: []broadcast.Shape{x.Shape()},
				Msg: itoa(groups) + " groups do not divide the " + itoa(x.Dim(axis)) + " channels of " + x.Shape().String(), Hint: "give a divisor"}
		}
		return o.grouped(s, x, axis, groups)
	})
}

// grouped standardises a view of x in which the channel axis is two: the
// groups and what is in one.
func (o NormOpts) grouped(s *tensor.Scope, x *tensor.Tensor, axis, groups int) (*tensor.Tensor, error) {
	p, err := precisionOf(x, o.Scale, o.Bias)
	if err != nil {
		return nil, err
	}
	shape := x.Shape()
	split := slices.Concat(shape[:axis], []int{groups, shape[axis] / max(groups, 1)}, shape[axis+1:])
	y := p.wide(s, x).Reshape(split...).Standardize(epsOr(o.Eps), others(len(split), 0, axis)...)
	y = y.Reshape(shape...)
	return p.round(affine(y, beside(p.wide(s, o.Scale), len(shape), axis), beside(p.wide(s, o.Bias), len(shape), axis))), nil
}
