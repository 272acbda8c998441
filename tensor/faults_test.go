package tensor_test

import (
	"os"
	"testing"

	"github.com/stride0/stride0/cpu"
	"github.com/stride0/stride0/device"
	_ "github.com/stride0/stride0/device/all"
	"github.com/stride0/stride0/device/devicetest"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

// The faults_*_test.go files hold faults that other tensor libraries shipped,
// and what their test suites hold against them, each with the values that are
// right, by topic.

// place moves tensors to the device of a test.
type place struct{ device.Device }

func (p place) put(x *tensor.Tensor) *tensor.Tensor { return x.To(p.Device) }

// iota returns 0, 1, 2, ... as float32.
func (p place) iota(sizes ...int) *tensor.Tensor { return p.put(iota32(sizes...)) }

// onEveryDevice runs a test on the CPU, on a device that lags and, where kernels
// may be compiled for minutes (STRIDE0_REQUIRE=opencl, STRIDE0_FULL=1), on the
// first OpenCL device.
func onEveryDevice(t *testing.T, test func(t *testing.T, p place)) {
	t.Run("cpu", func(t *testing.T) { test(t, place{cpu.Default()}) })
	t.Run("lagging", func(t *testing.T) { test(t, place{lagging(t, devicetest.LagOptions{Seed: 5})}) })
	if raced || !devicetest.Required("opencl") && os.Getenv("STRIDE0_FULL") != "1" {
		return
	}
	t.Run("opencl", func(t *testing.T) { test(t, place{devicetest.Open(t, "opencl:0")}) })
}

// views returns views of a fresh tensor of any values by what they stress: all
// of the same shape, (4, 6).
func views(p place, make func(sizes ...int) *tensor.Tensor) map[string]*tensor.Tensor {
	all := tensor.All
	return map[string]*tensor.Tensor{
		"contiguous":                    p.put(make(4, 6)),
		"every second":                  p.put(make(4, 12)).Slice(all, tensor.R(0, tensor.End, 2)),
		"rows reversed":                 p.put(make(4, 6)).Flip(0),
		"all reversed":                  p.put(make(4, 6)).Flip(),
		"offset 1":                      p.put(make(25)).Slice(tensor.R(1, tensor.End)).View(4, 6),
		"offset 7":                      p.put(make(31)).Slice(tensor.R(7, tensor.End)).View(4, 6),
		"transposed":                    p.put(make(6, 4)).T(),
		"stretched row":                 p.put(make(6)).BroadcastTo(4, 6),
		"stretched column":              p.put(make(4, 1)).BroadcastTo(4, 6),
		"one element":                   p.put(make(1)).BroadcastTo(4, 6),
		"steps (2, 3)":                  p.put(make(8, 18)).Slice(tensor.R(0, tensor.End, 2), tensor.R(0, tensor.End, 3)),
		"steps (-2, -3)":                p.put(make(8, 18)).Slice(tensor.R(tensor.End, tensor.Begin, -2), tensor.R(tensor.End, tensor.Begin, -3)),
		"stretched, transposed, sliced": p.put(make(8, 1)).BroadcastTo(8, 4).T().Slice(all, tensor.R(1, 7)),
		"windows":                       p.put(make(9)).Windows(0, 6, 1),
		"diagonals":                     p.put(make(4, 6, 6)).Diagonal(0, 1, 2),
	}
}

// ramp returns values of both signs, with zeros among them.
func ramp(d dtype.DType) func(sizes ...int) *tensor.Tensor {
	return func(sizes ...int) *tensor.Tensor {
		n := tensor.Shape(sizes).Size()
		x := tensor.Arange(dtype.Int32, 0, n, 1).Mul(tensor.Scalar(5)).Reshape(sizes...)
		if d == dtype.Bool {
			return x.Gt(tensor.Scalar(40))
		}
		if d.Kind() != dtype.UintKind {
			x = x.SubScalar(35)
		}
		if d.IsFloat() {
			return x.Cast(d).DivScalar(8)
		}
		return x.Cast(d)
	}
}
