package nn_test

import (
	"maps"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"testing"

	"github.com/stride0/stride0/cpu"
	"github.com/stride0/stride0/device"
	_ "github.com/stride0/stride0/device/all"
	"github.com/stride0/stride0/device/devicetest"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/nn"
	"github.com/stride0/stride0/tensor"
)

// everything adds what takes labels or lengths to the layers.
func everything() map[string]func(x, s, b *tensor.Tensor) *tensor.Tensor {
	all := map[string]func(x, s, b *tensor.Tensor) *tensor.Tensor{
		"crossentropy of labels": func(x, s, b *tensor.Tensor) *tensor.Tensor {
			return nn.CrossEntropy(x, x.ArgMax(1), nn.ClassOpts{Weight: s.Abs(), Ignore: []int{3}})
		},
		"bcewithlogits": func(x, s, b *tensor.Tensor) *tensor.Tensor {
			return nn.BCEWithLogits(x, x.Sigmoid(), nn.LossOpts{Reduction: nn.Sum})
		},
		"lasttoken": func(x, s, b *tensor.Tensor) *tensor.Tensor {
			return nn.LastToken(nn.LengthMask(x.Cast(dtype.Int32), 5, nn.PadLeft)).Cast(dtype.Float32)
		},
	}
	for name, f := range layers {
		all[name] = f
	}
	return all
}

// views are the same elements in other layouts, the first contiguous.
var views = []struct {
	name string
	of   func(x *tensor.Tensor) *tensor.Tensor
}{
	{"contiguous", func(x *tensor.Tensor) *tensor.Tensor { return x }},
	{"turned", func(x *tensor.Tensor) *tensor.Tensor { return x.Permute(2, 1, 0).Contiguous().Permute(2, 1, 0) }},
	{"reversed", func(x *tensor.Tensor) *tensor.Tensor { return x.Flip().Contiguous().Flip() }},
	{"stepped", stepped},
}

// checkDevice compares layers on a device, on the first n views, with the
// CPU's on contiguous operands: the same bits.
func checkDevice(t *testing.T, dev device.Device, n int, names ...string) {
	t.Helper()
	x, s, b := normal(21, 2, 6, 5).MulScalar(3), normal(22, 6), normal(23, 6)
	all := everything()
	if len(names) == 0 {
		names = slices.Sorted(maps.Keys(all))
	}
	for _, name := range names {
		want := all[name](x, s, b)
		for _, v := range views[:n] {
			t.Run(name+" "+v.name, func(t *testing.T) {
				wantSame(t, all[name](v.of(x.To(dev)), s.To(dev), b.To(dev)).To(cpu.Default()), want)
			})
		}
	}
}

// stepped returns x as every second element of a larger tensor.
func stepped(x *tensor.Tensor) *tensor.Tensor {
	two := x.Unsqueeze(-1).BroadcastTo(append(x.Shape(), 2)...).Contiguous()
	return two.Index(-1, 1)
}

func TestLayersOnViews(t *testing.T) { checkDevice(t, cpu.Default(), len(views)) }

func TestLayersOnALaggingDevice(t *testing.T) {
	checkDevice(t, devicetest.Lagging(cpu.Default(), devicetest.LagOptions{Seed: 9}), len(views))
}

func TestLayersOnOpenCL(t *testing.T) {
	dev := devicetest.Open(t, "opencl:0")
	x := tensor.Ones(dtype.Float32, 1, 2).To(dev)
	wantError(t, nn.CrossEntropy(x, tensor.New([]int{0}).To(dev), nn.ClassOpts{}), device.ErrUnsupported, "crossentropy", "AllowHost")
	device.AllowHost(dev)
	if os.Getenv("STRIDE0_FULL") == "1" {
		checkDevice(t, dev, len(views))
		return
	}
	checkDevice(t, dev, 1, "groupnorm", "maskedsoftmax", "crossentropy of labels") // each kernel takes a second to compile
}

// Results do not depend on how many threads make them.
func TestLayersWithOneThread(t *testing.T) {
	x, s, b := normal(31, 2, 6, 40_000), normal(32, 6), normal(33, 6)
	for name, f := range everything() {
		if name == "lasttoken" {
			continue // of one length for each element
		}
		many := f(x, s, b)
		before := runtime.GOMAXPROCS(1)
		one := f(x, s, b)
		runtime.GOMAXPROCS(before)
		t.Run(name, func(t *testing.T) { wantSame(t, one, many) })
	}
}

// Whatever a layer computes on the way is freed when it returns, without the
// garbage collector, and so it is where it fails at its last step.
func TestLayersLeaveNothing(t *testing.T) {
	dev := devicetest.Lagging(cpu.Default(), devicetest.LagOptions{})
	x, scale, bias := normal(1, 2, 6, 5).To(dev), normal(2, 6).To(dev), normal(3, 6).To(dev)
	mask, half, labels, lengths := x.Gt(tensor.Scalar(0)), x.Sigmoid(), x.ArgMax(1), scale.Cast(dtype.Int32)
	o := nn.NormOpts{Scale: scale, Bias: bias}
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	for name, f := range map[string]func() []*tensor.Tensor{
		"layernorm": func() []*tensor.Tensor {
			return list(nn.LayerNorm(x, nn.LayerNormOpts{Axes: []int{1}, Scale: scale.Unsqueeze(1)}))
		},
		"batchnorm":      func() []*tensor.Tensor { return list(nn.BatchNorm(x, scale, scale, o)) },
		"batchnormtrain": func() []*tensor.Tensor { return list(nn.BatchNormTrain(x, o)) },
		"groupnorm":      func() []*tensor.Tensor { return list(nn.GroupNorm(x, 2, o)) },
		"maskedmean":     func() []*tensor.Tensor { return list(nn.MaskedMean(x, mask, nn.MaskedMeanOpts{})) },
		"maskedsoftmax":  func() []*tensor.Tensor { return list(nn.MaskedSoftmax(x, mask)) },
		"mse":            func() []*tensor.Tensor { return list(nn.MSE(x, half, nn.LossOpts{})) },
		"bce":            func() []*tensor.Tensor { return list(nn.BCE(half, half, nn.LossOpts{})) },
		"bcewithlogits":  func() []*tensor.Tensor { return list(nn.BCEWithLogits(x, half, nn.LossOpts{})) },
		"crossentropy": func() []*tensor.Tensor {
			return list(nn.CrossEntropy(x, labels, nn.ClassOpts{Weight: scale, Ignore: []int{1, 2}}))
		},
		"of probabilities": func() []*tensor.Tensor { return list(nn.CrossEntropy(x, half, nn.ClassOpts{Weight: scale})) },
		"lengthmask":       func() []*tensor.Tensor { return list(nn.LengthMask(lengths, 3, nn.PadLeft)) },
		"lasttoken":        func() []*tensor.Tensor { return list(nn.LastToken(mask)) },
		"that fails at its last step": func() []*tensor.Tensor {
			return list(nn.LayerNorm(x, nn.LayerNormOpts{Bias: normal(4, 5)}))
		},
	} {
		before := liveBytes(t, dev)
		for _, y := range f() {
			if y.Err() == nil {
				must(t, y.Free())
			}
		}
		if after := liveBytes(t, dev); after > before {
			t.Errorf("%s leaves %d bytes", name, after-before)
		}
	}
}

func list(ts ...*tensor.Tensor) []*tensor.Tensor { return ts }

func liveBytes(t *testing.T, dev device.Device) int64 {
	t.Helper()
	must(t, dev.Sync())
	return dev.(device.PoolReporter).PoolStats().Live
}

// A result belongs to the scope of its operands.
func TestLayersJoinAScope(t *testing.T) {
	s := tensor.NewScope()
	x := normal(1, 2, 3).In(s)
	y, kept := nn.LayerNorm(x, nn.LayerNormOpts{}), nn.RMSNorm(x, nn.LayerNormOpts{})
	s.Keep(kept)
	s.Close()
	if y.Err() != tensor.ErrFreed || kept.Err() != nil {
		t.Errorf("after its scope was closed: %v, and kept %v", y.Err(), kept.Err())
	}
}

// Operands on two devices are refused, by the name of the layer.
func TestLayersOnTwoDevices(t *testing.T) {
	dev := devicetest.Lagging(cpu.Default(), devicetest.LagOptions{})
	wantError(t, nn.MSE(normal(1, 3), normal(1, 3).To(dev), nn.LossOpts{}), tensor.ErrDevices, "mse: operands on different devices")
	wantError(t, nn.LayerNorm(normal(1, 3), nn.LayerNormOpts{Bias: normal(1, 3).To(dev)}), tensor.ErrDevices, "layernorm")
}
