package tensor_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stride0/stride0/cpu"
	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/device/devicetest"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
	"github.com/stride0/stride0/tensor"
)

// lagging returns a device whose work is done late and elsewhere. What lives
// on it must be garbage at the end of the test.
func lagging(t *testing.T, opts devicetest.LagOptions) device.Device {
	if opts.Delay == 0 {
		opts.Delay = 20 * time.Microsecond
	}
	return devicetest.Lagging(cpu.Default(), opts)
}

func TestToAndBack(t *testing.T) {
	dev := lagging(t, devicetest.LagOptions{Seed: 1})
	for name, x := range map[string]*tensor.Tensor{
		"small":       iota32(2, 3),
		"large":       iota32(100, 30),
		"view":        iota32(100, 30).T(),
		"flipped":     iota32(5, 7).Flip(0, 1),
		"rank 0":      tensor.Full(dtype.Float32, 4),
		"empty":       tensor.Zeros(dtype.Float32, 0, 3),
		"stretched":   iota32(3).BroadcastTo(4, 3),
		"with offset": iota32(9).Slice(tensor.R(2, 8)),
	} {
		t.Run(name, func(t *testing.T) {
			y := x.To(dev)
			if y.Err() != nil || y.Device() != dev {
				t.Fatalf("on %v: %v", y.Device(), y.Err())
			}
			want := data[float32](t, x)
			wantData(t, y, x.Shape(), want...)
			wantData(t, y.To(cpu.Default()), x.Shape(), want...)
			if r := y.Rank(); r > 1 {
				wantData(t, y.T().To(cpu.Default()).T(), x.Shape(), want...)
			}
		})
	}
}

func TestToTheSameDevice(t *testing.T) {
	x := iota32(2)
	y := x.To(cpu.Default())
	if err := y.Free(); err != nil {
		t.Fatal(err)
	}
	wantData(t, x, tensor.Shape{2}, float32(0), 1)
}

// The same program gives the same bits on a device that lags.
func TestLaggingDeviceGivesTheSameBits(t *testing.T) {
	program := func(place tensor.Place, g *tensor.Rand) *tensor.Tensor {
		x := g.Uniform(dtype.Float32, 60, 40)
		w := g.Uniform(dtype.Float32, 40, 30).SubScalar(0.5)
		bias := place.Arange(dtype.Float32, 0, 3, 0.1)
		h := x.MatMul(w).Add(bias).Tanh()
		_ = tensor.Into(h.Slice(tensor.R(1, 50)), kernels.Add, h.Slice(tensor.R(1, 50)), h.Slice(tensor.R(0, 49)))
		p := h.Sub(h.MaxKeep(1)).Exp()
		return p.Div(p.SumKeep(1)).Mul(place.Eye(dtype.Float32, 30).Sum(0)).SumTo(30)
	}
	host := program(tensor.On(cpu.Default()), tensor.NewRand(11))
	dev := lagging(t, devicetest.LagOptions{Seed: 2})
	late := program(tensor.On(dev), tensor.NewRand(11).On(dev))
	wantData(t, late, host.Shape(), data[float32](t, host)...)
	if late.Device() != dev {
		t.Errorf("the result is on %v", late.Device())
	}
}

func TestOperandsOnDifferentDevices(t *testing.T) {
	dev := lagging(t, devicetest.LagOptions{})
	x, y := iota32(2), iota32(2).To(dev)
	for name, err := range map[string]error{
		"add":    x.Add(y).Err(),
		"where":  x.Gt(tensor.Scalar(0)).Where(x, y).Err(),
		"matmul": y.Unsqueeze(0).MatMul(x.Unsqueeze(1)).Err(),
		"copy":   tensor.Into(x, kernels.Copy, y),
	} {
		wantError(t, err, tensor.ErrDevices, name, "cpu", "lagging(cpu)", "To")
	}
	wantData(t, y.Add(tensor.Scalar(1)), tensor.Shape{2}, float32(1), 2)
	wantData(t, tensor.Scalar(2.5).To(dev), tensor.Shape{}, float32(2.5))
	wantData(t, tensor.ZerosLike(y), tensor.Shape{2}, float32(0), 0)
}

func TestPrintingNamesTheDevice(t *testing.T) {
	y := iota32(2).To(lagging(t, devicetest.LagOptions{}))
	if got, want := y.String(), "[0. 1.] (lagging(cpu))"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestWithDataNeedsAMapper(t *testing.T) {
	y := iota32(2).To(lagging(t, devicetest.LagOptions{}))
	err := tensor.WithData(y, func([]float32) error { return nil })
	wantError(t, err, device.ErrUnsupported, "withdata", "lagging(cpu)", "Data")
}

func TestUnsupportedOperationsGoThroughTheHostIfAllowed(t *testing.T) {
	dev := lagging(t, devicetest.LagOptions{DropAbilities: true})
	a, b := iota32(2, 3).To(dev), iota32(3, 2).To(dev)
	wantError(t, a.MatMul(b).Err(), device.ErrUnsupported, "matmul", "lagging(cpu)")

	device.AllowHost(dev)
	before := device.Stats(dev)
	c := a.MatMul(b)
	wantData(t, c, tensor.Shape{2, 2}, float32(10), 13, 28, 40)
	if c.Device() != dev {
		t.Errorf("the result is on %v", c.Device())
	}
	after := device.Stats(dev)
	if n := after.HostFallbacks - before.HostFallbacks; n != 1 {
		t.Errorf("%d operations counted, want 1", n)
	}
	if n, want := after.HostBytes-before.HostBytes, int64(4*(6+6+4)); n != want {
		t.Errorf("%d bytes counted, want %d", n, want)
	}
	s := tensor.NewScope()
	d := a.In(s).MatMul(b)
	s.Close()
	if d.Err() != tensor.ErrFreed {
		t.Errorf("a result through the host does not belong to its operand's scope: %v", d.Err())
	}
}

// refusing is a device that can only copy: whatever else it is asked to run it
// does not support.
type refusing struct{ device.Device }

func (d refusing) Run(l *device.Launch) error {
	if l.Label == "copy" {
		return d.Device.Run(l)
	}
	return &device.Error{Device: "refusing", Call: "Run", Err: device.ErrUnsupported}
}

func TestIntoThroughTheHost(t *testing.T) {
	dev := &refusingBase{refusing: refusing{lagging(t, devicetest.LagOptions{})}}
	x := iota32(2, 3).To(dev)
	row := tensor.New([]float32{10, 20, 30}).To(dev)
	wantError(t, x.Add(row).Err(), device.ErrUnsupported, "add")
	device.AllowHost(dev)
	into(t, x.Slice(tensor.R(1, 2)), kernels.Add, x.Slice(tensor.R(1, 2)), row)
	wantData(t, x, tensor.Shape{2, 3}, float32(0), 1, 2, 13, 24, 35)
	wantData(t, x.Sum(1), tensor.Shape{2}, float32(3), 72)
	wantError(t, tensor.Into(row, kernels.Add, x, row), nil, "never enlarged")
	if n := device.Stats(dev).HostFallbacks; n != 2 {
		t.Errorf("%d operations counted, want 2", n)
	}
}

// refusingBase gives a refusing device its own marks and counters.
type refusingBase struct {
	refusing
	device.Base
}

func TestOutOfMemory(t *testing.T) {
	dev := lagging(t, devicetest.LagOptions{FailAlloc: 2})
	x := iota32(4).To(dev)
	wantError(t, x.Add(x).Err(), device.ErrOutOfMemory, "add")
	wantData(t, x.Add(x), tensor.Shape{4}, float32(0), 2, 4, 6)
}

func TestLaunchFailureWritesNothing(t *testing.T) {
	dev := lagging(t, devicetest.LagOptions{FailRun: 1})
	x := iota32(4).To(dev)
	if err := tensor.Into(x, kernels.Add, x, x); err == nil || !strings.HasPrefix(err.Error(), "add: ") {
		t.Fatalf("error %v", err)
	}
	wantData(t, x, tensor.Shape{4}, float32(0), 1, 2, 3)
}

func TestLostDevice(t *testing.T) {
	dev := lagging(t, devicetest.LagOptions{FaultRun: 2})
	x := iota32(4).To(dev)
	y := x.Add(x)
	z := y.Exp() // accepted, and lost when its turn comes
	if err := dev.Sync(); !errors.Is(err, device.ErrLost) {
		t.Fatalf("Sync: %v", err)
	}
	if z.Err() != nil {
		t.Errorf("the error of a tensor changed after it was made: %v", z.Err())
	}
	_, err := tensor.Data[float32](z)
	wantError(t, err, device.ErrLost, "data")
	wantError(t, y.Add(y).Err(), device.ErrLost, "add", "exp")
	wantError(t, tensor.Into(x, kernels.Add, x, x), device.ErrLost)
	if err := y.Free(); err != nil {
		t.Errorf("Free on a lost device: %v", err)
	}
}
