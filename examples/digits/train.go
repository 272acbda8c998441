package main

import (
	"math"
	"math/rand/v2"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

// batchSize is the number of images per training step.
const batchSize = 64

// Adam's constants (Kingma and Ba, 2015).
const (
	rate    = 0.01  // the largest step of a parameter
	decay1  = 0.9   // of the average gradient
	decay2  = 0.999 // of the average squared gradient
	epsilon = 1e-8
)

// A trainer is a network in training.
type trainer struct {
	dev       device.Device
	train     set
	rng       *rand.Rand // shuffles the images for each epoch
	net       params
	mean, sqr params // running averages of the gradients and their squares
	steps     int
}

// newTrainer returns an untrained network on dev for the images of train.
func newTrainer(dev device.Device, train set, hidden int, seed uint64) *trainer {
	net := newNetwork(dev, hidden, seed)
	return &trainer{
		dev: dev, train: train, rng: rand.New(rand.NewPCG(seed, 1)),
		net: net, mean: net.zerosLike(), sqr: net.zerosLike(),
	}
}

// upload returns s on dev: images (N, pixels) and one-hot labels (N, classes).
func upload(dev device.Device, s set) (x, y *tensor.Tensor) {
	x = tensor.New(s.images, s.len(), pixels).To(dev)
	labels := tensor.New(s.labels, s.len(), 1).To(dev)
	digits := tensor.On(dev).Arange(dtype.Int64, 0, classes, 1)
	return x, labels.Eq(digits).Cast(dtype.Float32)
}

// epoch trains once on every image, in random order, and returns the mean
// loss of the steps. It reads one number from the device, at the end.
func (t *trainer) epoch() (loss float64, err error) {
	n := t.train.len()
	x, y := upload(t.dev, t.train.pick(t.rng.Perm(n)))
	total := tensor.On(t.dev).Zeros(dtype.Float32)
	batches := 0
	for from := 0; from < n; from += batchSize {
		rows := tensor.R(from, min(from+batchSize, n))
		batchLoss, err := t.step(x.Slice(rows), y.Slice(rows))
		if err != nil {
			return 0, err
		}
		total = total.Add(batchLoss)
		batches++
	}
	sum, err := tensor.Item[float32](total)
	return float64(sum) / float64(batches), err
}

// step moves every parameter along its gradient for one batch, as Adam does,
// and returns the loss before the move. Errors are sticky: whatever fails
// below shows in a parameter, so one look at the end is enough.
func (t *trainer) step(x, y *tensor.Tensor) (loss *tensor.Tensor, err error) {
	loss, g := t.net.gradients(x, y)
	t.steps++
	unbias1 := 1 - math.Pow(decay1, float64(t.steps))
	unbias2 := math.Sqrt(1 - math.Pow(decay2, float64(t.steps)))
	for i := range t.net {
		t.mean[i] = t.mean[i].MulScalar(decay1).Add(g[i].MulScalar(1 - decay1))
		t.sqr[i] = t.sqr[i].MulScalar(decay2).Add(g[i].Square().MulScalar(1 - decay2))
		size := t.sqr[i].Sqrt().AddScalar(epsilon)
		t.net[i] = t.net[i].Sub(t.mean[i].Div(size).MulScalar(rate * unbias2 / unbias1))
	}
	return loss, t.net.err()
}

// judge returns which images of s the network misreads, and what it reads in
// every image.
func (t *trainer) judge(s set) (misread []int, read []int64, err error) {
	x, _ := upload(t.dev, s)
	read, err = t.net.predict(x)
	if err != nil {
		return nil, nil, err
	}
	for i, label := range s.labels {
		if read[i] != label {
			misread = append(misread, i)
		}
	}
	return misread, read, nil
}
