package main

import (
	"math"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

// The parameters of the network, as places in a params.
const (
	w1 = iota // (pixels, hidden)
	b1        // (hidden)
	w2        // (hidden, classes)
	b2        // (classes)
	parameters
)

// params holds one float32 tensor per parameter: the network itself, its
// gradients, or an average of them.
type params [parameters]*tensor.Tensor

// newNetwork returns a network on dev with zero biases and weights drawn
// uniformly from ±sqrt(6/(in+out)) (Glorot and Bengio, 2010). The same seed
// gives the same weights on every device.
func newNetwork(dev device.Device, hidden int, seed uint64) params {
	rng := tensor.NewRand(seed).On(dev)
	weights := func(in, out int) *tensor.Tensor {
		limit := math.Sqrt(6 / float64(in+out))
		return rng.Uniform(dtype.Float32, in, out).MulScalar(2 * limit).AddScalar(-limit)
	}
	here := tensor.On(dev)
	return params{
		w1: weights(pixels, hidden),
		b1: here.Zeros(dtype.Float32, hidden),
		w2: weights(hidden, classes),
		b2: here.Zeros(dtype.Float32, classes),
	}
}

// zerosLike returns zeros of the shapes and on the device of p.
func (p params) zerosLike() params {
	var z params
	for i, t := range p {
		z[i] = tensor.ZerosLike(t)
	}
	return z
}

// err returns the error of the first parameter that has one.
func (p params) err() error {
	for _, t := range p {
		if err := t.Err(); err != nil {
			return err
		}
	}
	return nil
}

// forward returns the hidden layer (N, hidden) and the scores (N, classes) of
// images x (N, pixels).
func (p params) forward(x *tensor.Tensor) (hidden, scores *tensor.Tensor) {
	hidden = x.MatMul(p[w1]).Add(p[b1]).Relu()
	return hidden, hidden.MatMul(p[w2]).Add(p[b2])
}

// gradients returns the mean cross-entropy of images x (N, pixels) with
// one-hot labels y (N, classes), and its gradient by every parameter.
func (p params) gradients(x, y *tensor.Tensor) (loss *tensor.Tensor, g params) {
	hidden, scores := p.forward(x)
	z := scores.Sub(scores.MaxKeep(1)) // no exponential overflows
	e := z.Exp()
	sum := e.SumKeep(1)
	loss = sum.Log().Sub(z).Mul(y).Sum(1).Mean()

	// Softmax and cross-entropy together have the gradient softmax - y.
	n := x.Dim(0)
	dScores := e.Div(sum).Sub(y).MulScalar(1 / float64(n))
	dHidden := dScores.MatMul(p[w2].T()).Mul(hidden.Gt(tensor.Scalar(0)).Cast(dtype.Float32))
	return loss, params{
		w1: x.T().MatMul(dHidden),
		b1: dHidden.SumTo(p[b1].Shape()...),
		w2: hidden.T().MatMul(dScores),
		b2: dScores.SumTo(p[b2].Shape()...),
	}
}

// predict returns the digit the network reads in each of the images x (N, pixels).
func (p params) predict(x *tensor.Tensor) ([]int64, error) {
	_, scores := p.forward(x)
	return tensor.Data[int64](scores.ArgMax(1))
}
