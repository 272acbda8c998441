package tensor_test

import (
	"fmt"
	"testing"

	"github.com/stride0/stride0/cpu"
	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
	"github.com/stride0/stride0/tensor"
)

// singles is a device that runs one instruction a launch, as one without a
// compiler does.
type singles struct {
	*cpu.Device
	launches int
}

func (d *singles) SplitMode() kernels.SplitMode { return kernels.SplitSingle }

func (d *singles) Run(l *device.Launch) error {
	n := 0
	for _, in := range l.Program.Instrs {
		if in.NArg > 0 {
			n++
		}
	}
	if n != 1 {
		return fmt.Errorf("a Program of %d instructions", n)
	}
	d.launches++
	return d.Device.Run(l)
}

// A device that runs single instructions gives the bits of one that runs whole
// Programs.
func TestSingleInstructionsGiveTheSameBits(t *testing.T) {
	x := tensor.New([]float32{-2, -0.5, 0, 1, 3, 1e-3}, 2, 3)
	half := x.Cast(dtype.Float16)
	for name, f := range map[string]func(x, h *tensor.Tensor) *tensor.Tensor{
		"halves":              func(_, h *tensor.Tensor) *tensor.Tensor { return h.Add(h.Slice(tensor.All, tensor.R(1, 2))) },
		"a scalar and halves": func(_, h *tensor.Tensor) *tensor.Tensor { return h.MulScalar(0.3) },
		"mixed dtypes":        func(x, h *tensor.Tensor) *tensor.Tensor { return x.Mul(h) },
		"comparison":          func(x, h *tensor.Tensor) *tensor.Tensor { return h.Lt(x) },
		"where":               func(x, h *tensor.Tensor) *tensor.Tensor { return x.Gt(tensor.Scalar(0)).Where(h, x) },
		"sum of halves":       func(_, h *tensor.Tensor) *tensor.Tensor { return h.Sum(1) },
		"mean":                func(x, _ *tensor.Tensor) *tensor.Tensor { return x.Mean(0) },
		"mean of halves":      func(_, h *tensor.Tensor) *tensor.Tensor { return h.Mean() },
		"variance":            func(x, _ *tensor.Tensor) *tensor.Tensor { return x.Var(1) },
		"softmax":             func(x, _ *tensor.Tensor) *tensor.Tensor { return x.Softmax(1) },
		"softmax of halves":   func(_, h *tensor.Tensor) *tensor.Tensor { return h.Softmax(0) },
		"log of sums":         func(_, h *tensor.Tensor) *tensor.Tensor { return h.LogSumExp(0) },
		"norm":                func(x, _ *tensor.Tensor) *tensor.Tensor { return x.NormL2(1) },
		"bytes":               func(x, _ *tensor.Tensor) *tensor.Tensor { return x.Abs().Cast(dtype.Uint8).Sum() },
	} {
		t.Run(name, func(t *testing.T) {
			dev := &singles{Device: cpu.Default()}
			want, got := f(x, half), f(x.To(dev), half.To(dev)).To(cpu.Default())
			if err := got.Err(); err != nil {
				t.Fatal(err)
			}
			if dev.launches == 0 {
				t.Fatal("nothing ran on the device")
			}
			if g, w := got.String(), want.String(); g != w || got.DType() != want.DType() {
				t.Errorf("got %v %v, want %v %v", got.DType(), g, want.DType(), w)
			}
		})
	}
}
