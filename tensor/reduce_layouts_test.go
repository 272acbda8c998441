package tensor_test

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"runtime"
	"testing"

	"github.com/stride0/stride0/cpu"
	"github.com/stride0/stride0/device"
	_ "github.com/stride0/stride0/device/all"
	"github.com/stride0/stride0/device/devicetest"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
	"github.com/stride0/stride0/tensor"
)

// alongAxes are the rows that work along axes.
var alongAxes = []kernels.Op{
	kernels.Sum, kernels.Mean, kernels.Prod, kernels.Max, kernels.Min, kernels.ArgMax, kernels.ArgMin, kernels.Any, kernels.All, kernels.CountNonzero,
	kernels.NormL1, kernels.NormL2, kernels.NormInf, kernels.Var, kernels.Std, kernels.LogSumExp, kernels.Softmax, kernels.LogSoftmax,
}

// along applies op over axes, all without any, by the method of its name.
func along(op kernels.Op, x *tensor.Tensor, axes ...int) *tensor.Tensor {
	switch op {
	case kernels.ArgMax:
		return x.ArgMax(axes...)
	case kernels.ArgMin:
		return x.ArgMin(axes...)
	case kernels.Softmax:
		return x.Softmax(axes...)
	case kernels.LogSoftmax:
		return x.LogSoftmax(axes...)
	}
	return reductions[op.String()].all(x, axes...)
}

// layoutsOf returns tensors equal to x that are stored in other ways.
func layoutsOf(t *testing.T, x *tensor.Tensor) map[string]*tensor.Tensor {
	t.Helper()
	wide := x.Shape()
	ranges := make([]tensor.Range, len(wide))
	for i := range wide {
		wide[i] = 2*wide[i] + 1
		ranges[i] = tensor.R(1, wide[i], 2)
	}
	stepped := tensor.On(x.Device()).Zeros(x.DType(), wide...).Slice(ranges...)
	must(t, stepped.Assign(x))
	return map[string]*tensor.Tensor{
		"permuted": x.Transpose().Clone().Transpose(),
		"reversed": x.Flip().Clone().Flip(),
		"stepped":  stepped,
		"rotated":  x.Permute(1, 2, 0).Clone().Permute(2, 0, 1),
	}
}

// bitsOf returns the shape and a hash of the elements of a float32, int64 or
// bool tensor.
func bitsOf(t *testing.T, x *tensor.Tensor) string {
	t.Helper()
	if x.Err() != nil {
		t.Fatal(x.Err())
	}
	h := fnv.New64a()
	if x.DType() == dtype.Float32 {
		must(t, binary.Write(h, binary.LittleEndian, data[float32](t, x)))
	} else {
		must(t, binary.Write(h, binary.LittleEndian, data[int64](t, x.Cast(dtype.Int64))))
	}
	return fmt.Sprintf("%v %x", x.Shape(), h.Sum64())
}

// someAxesOf returns lists of axes to reduce for an op over three axes.
func someAxesOf(op kernels.Op) [][]int {
	if op == kernels.ArgMax || op == kernels.ArgMin {
		return [][]int{{0}, {1}, {2}, nil}
	}
	return [][]int{{0}, {1}, {2}, {0, 2}, {0, 1}, {1, 2}, nil}
}

// Permuted, sliced, reversed and expanded operands give the bits of a copy, at
// any number of threads.
func TestReductionsHaveTheSameBitsInEveryLayout(t *testing.T) {
	for _, shape := range [][]int{{40, 3, 33}, {3, 1100, 4}, {70, 41, 2}} {
		x := normal32(shape...)
		row := x.Slice(tensor.R(0, 1))
		for _, op := range alongAxes {
			for _, axes := range someAxesOf(op) {
				want := bitsOf(t, along(op, x, axes...))
				for name, y := range layoutsOf(t, x) {
					if got := bitsOf(t, along(op, y, axes...)); got != want {
						t.Errorf("%v of %v %v over %v has other bits", op, name, shape, axes)
					}
				}
				stretched := row.BroadcastTo(shape...)
				if got, want := bitsOf(t, along(op, stretched, axes...)), bitsOf(t, along(op, stretched.Clone(), axes...)); got != want {
					t.Errorf("%v of stretched %v over %v has other bits", op, shape, axes)
				}
			}
		}
	}
}

func TestReductionsDoNotDependOnThreads(t *testing.T) {
	for _, shape := range [][]int{{150, 7, 100}, {2, 40_000, 2}} {
		x := normal32(shape...)
		want := map[string]string{}
		for _, procs := range []int{1, 2, 7} {
			before := runtime.GOMAXPROCS(procs)
			for _, op := range alongAxes {
				for _, axes := range someAxesOf(op)[:3] {
					key := fmt.Sprint(op, shape, axes)
					got := bitsOf(t, along(op, x, axes...))
					if w, ok := want[key]; ok && got != w {
						t.Errorf("%s has other bits with %d threads", key, procs)
					}
					want[key] = got
				}
			}
			runtime.GOMAXPROCS(before)
		}
	}
}

// On a device that runs everything late.
func TestReductionsRunningLateGiveTheSameBits(t *testing.T) {
	checkDevice(t, devicetest.Lagging(cpu.Default(), devicetest.LagOptions{Seed: 5}), alongAxes)
}

// On OpenCL, where each row takes seconds to compile: only when asked for.
func TestReductionsOnOpenCLGiveTheBitsOfTheCPU(t *testing.T) {
	if !devicetest.Required("opencl") {
		t.Skip("STRIDE0_REQUIRE does not list opencl")
	}
	checkDevice(t, devicetest.Open(t, "opencl"), []kernels.Op{kernels.Prod, kernels.ArgMin, kernels.All, kernels.Var, kernels.LogSumExp, kernels.Softmax})
}

// checkDevice compares a device with the CPU.
func checkDevice(t *testing.T, dev device.Device, ops []kernels.Op) {
	x := normal32(6, 1050, 3)
	must(t, x.Slice(tensor.R(0, 2), tensor.R(0, 1)).Fill(-1e30))
	on := x.To(dev)
	for _, op := range ops {
		for _, axis := range []int{1, 2} {
			if got, want := bitsOf(t, along(op, on, axis)), bitsOf(t, along(op, x, axis)); got != want {
				t.Errorf("%v over axis %d on %v differs from the CPU: %s, %s", op, axis, dev, got, want)
			}
		}
	}
	in := on.Clone()
	must(t, tensor.Into(in.Flip(), kernels.Softmax.With(along1), in))
	if got, want := bitsOf(t, in), bitsOf(t, x.Softmax(1).Flip()); got != want {
		t.Errorf("softmax into its own reverse on %v differs", dev)
	}
}
