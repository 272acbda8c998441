package tensor_test

import (
	"math"
	"testing"

	"github.com/stride0/stride0/cpu"
	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
	"github.com/stride0/stride0/tensor"
)

// lacking is a device without a matrix product and without float64, which
// counts what is allocated.
type lacking struct {
	device.Base
	device.Device
	bytes int64
}

func (d *lacking) Info() device.Info { return device.Info{Name: "lacking"} }

func (d *lacking) Alloc(bytes int64) (device.Buffer, error) {
	d.bytes += bytes
	return d.Device.Alloc(bytes)
}

func (d *lacking) Run(l *device.Launch) error {
	for _, t := range l.Program.Inputs {
		if t == dtype.Float64 && l.Label != "copy" {
			return &device.Error{Device: "lacking", Call: "Run", Err: device.ErrUnsupported}
		}
	}
	return d.Device.Run(l)
}

// What goes through the host is priced there and on the device. An attempt
// that the device refuses takes its result for a moment, which counts as
// refused bytes here.
func TestPriceThroughTheHost(t *testing.T) {
	dev := &lacking{Device: cpu.Default()}
	on := tensor.On(dev)
	a, b := on.Ones(dtype.Float32, 40, 30), on.Ones(dtype.Float32, 30, 20)
	d := on.Ones(dtype.Float64, 40, 30)
	dst := on.Ones(dtype.Float64, 41, 60).Slice(tensor.R(1, 41), tensor.R(0, 60, 2))
	stretched := on.Ones(dtype.Float64, 30).BroadcastTo(40, 30)
	long := on.Ones(dtype.Float64, 3, 3000)
	const m, n, d8 = 4 * 40 * 30, 4 * 30 * 20, 8 * 40 * 30
	sum := kernels.Sum.With(kernels.Attr{Axes: kernels.Axes(1)})
	for name, c := range map[string]struct {
		price   func() (tensor.Cost, error)
		run     func() error
		want    tensor.Cost
		refused int64
	}{
		"matmul": {
			func() (tensor.Cost, error) { return tensor.PriceMatMul(a, b) },
			func() error { return a.MatMul(b).Err() },
			tensor.Cost{Result: 4 * 40 * 20, Host: m + n + 4*40*20}, 0},
		"matmul of transposed": {
			func() (tensor.Cost, error) { return tensor.PriceMatMul(b.T(), a.T()) },
			func() error { return b.T().MatMul(a.T()).Err() },
			tensor.Cost{Result: 4 * 40 * 20, Host: m + n + 4*40*20}, 0},
		"matmul of every second column": {
			func() (tensor.Cost, error) {
				return tensor.PriceMatMul(a.Slice(tensor.All, tensor.R(0, 30, 2)), b.Slice(tensor.R(0, 15)))
			},
			func() error { return a.Slice(tensor.All, tensor.R(0, 30, 2)).MatMul(b.Slice(tensor.R(0, 15))).Err() },
			tensor.Cost{Result: 4 * 40 * 20, Copies: m / 2, Host: m/2 + n/2 + 4*40*20}, 0},
		"float64": {
			func() (tensor.Cost, error) { return tensor.PriceOf(kernels.Exp, d) },
			func() error { return d.Exp().Err() }, tensor.Cost{Result: d8, Host: 2 * d8}, d8},
		"float64 stretched": {
			func() (tensor.Cost, error) { return tensor.PriceOf(kernels.Add, d, stretched) },
			func() error { return d.Add(stretched).Err() }, tensor.Cost{Result: d8, Host: 2*d8 + 8*30}, d8},
		"float64 with a number": {
			func() (tensor.Cost, error) { return tensor.PriceOf(kernels.Mul, d, tensor.Scalar(2)) },
			func() error { return d.MulScalar(2).Err() }, tensor.Cost{Result: d8, Host: 2 * d8}, d8},
		"float64 into a view": {
			func() (tensor.Cost, error) { return tensor.PriceInto(dst, kernels.Neg, d) },
			func() error { return tensor.Into(dst, kernels.Neg, d) }, tensor.Cost{Copies: 2 * d8, Host: 2 * d8}, 0},
		"float64 reduced": {
			func() (tensor.Cost, error) { return tensor.PriceOf(sum, long) },
			func() error { return long.Sum(1).Err() },
			tensor.Cost{Result: 8 * 3, Host: 8*9000 + 8*3 + 8*9}, 8*3 + 8*9},
		"float32 stays": {
			func() (tensor.Cost, error) { return tensor.PriceOf(kernels.Exp, a) },
			func() error { return a.Exp().Err() }, tensor.Cost{Result: m}, 0},
		"a copy stays": {
			func() (tensor.Cost, error) { return tensor.PriceOf(kernels.Copy, d) },
			func() error { return d.Clone().Err() }, tensor.Cost{Result: d8}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			device.AllowHost(dev)
			dev.bytes = 0
			got, err := c.price()
			if got != c.want || err != nil {
				t.Errorf("%+v, %v, want %+v", got, err, c.want)
			}
			if dev.bytes != 0 {
				t.Errorf("pricing allocated %d bytes", dev.bytes)
			}
			if err := c.run(); err != nil || dev.bytes-c.refused != c.want.Result+c.want.Copies+c.want.Scratch {
				t.Errorf("running allocated %d bytes on the device (%v), of them refused %d", dev.bytes, err, c.refused)
			}
		})
	}
	_, err := tensor.PriceMatMul(a, on.Ones(dtype.Float32, 30, 1).BroadcastTo(30, math.MaxInt/128))
	wantError(t, err, nil, "matmul: ")
}

// Without leave to use the host a price is that of the attempt.
func TestPriceWithoutTheHost(t *testing.T) {
	dev := &lacking{Device: cpu.Default()}
	a := tensor.On(dev).Ones(dtype.Float32, 4, 4)
	if c, err := tensor.PriceMatMul(a, a); c != (tensor.Cost{Result: 64}) || err != nil {
		t.Errorf("%+v, %v", c, err)
	}
}
