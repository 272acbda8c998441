package tensor_test

import (
	"errors"
	"math"
	"testing"

	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/cpu"
	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/device/devicetest"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

// A stretched view costs nothing, whatever its size; what would copy it must
// refuse instead of asking the Go heap.
func TestCopiesOfAViewLargerThanMemory(t *testing.T) {
	lag := lagging(t, devicetest.LagOptions{})
	one := tensor.Ones(dtype.Float64, 1)
	const tooManyBytes, tooMuchMemory = math.MaxInt/8 + 2, math.MaxInt / 8 // in float64 elements
	for name, c := range map[string]struct {
		sizes  []int
		reason error
	}{
		"bytes overflow": {[]int{tooManyBytes}, nil},
		"no such memory": {[]int{tooMuchMemory}, device.ErrOutOfMemory},
		"two axes":       {[]int{tooMuchMemory / 1000, 1000}, device.ErrOutOfMemory},
	} {
		for on, x := range map[string]*tensor.Tensor{"cpu": one, "lagging": one.To(lag)} {
			t.Run(name+"/"+on, func(t *testing.T) {
				v, other := x.BroadcastTo(c.sizes...), lag
				if on == "lagging" {
					other = cpu.Default()
				}
				_, err := tensor.Data[float64](v)
				for what, err := range map[string]error{"Data": err, "Clone": v.Clone().Err(), "Add": v.Add(v).Err(), "To": v.To(other).Err()} {
					var s *broadcast.ShapeError
					if c.reason != nil && !errors.Is(err, c.reason) || c.reason == nil && !errors.As(err, &s) {
						t.Errorf("%s: %v, want %v", what, err, c.reason)
					}
				}
			})
		}
	}
}

// Nothing may walk the axes of a tensor without elements.
func TestEmptyTensorsWithLongAxes(t *testing.T) {
	x := tensor.Zeros(dtype.Float32, 1, 0).BroadcastTo(math.MaxInt/8, 0)
	wantData[float32](t, x, tensor.Shape{math.MaxInt / 8, 0})
	wantData[float32](t, x.AddScalar(1).Exp(), tensor.Shape{math.MaxInt / 8, 0})
	wantData[float32](t, x.MatMul(tensor.Ones(dtype.Float32, 0, 0)), tensor.Shape{math.MaxInt / 8, 0})
	wantData[float32](t, x.Sum(0), tensor.Shape{0})
	if got := x.T().String(); got != "[] (shape (0, "+itoa(math.MaxInt/8)+"))" {
		t.Error(got)
	}
	if got := x.Slice(tensor.R(0, 3)).String(); got != "[] (shape (3, 0))" {
		t.Error(got)
	}
	if got := x.String(); got != "[] (shape ("+itoa(math.MaxInt/8)+", 0))" {
		t.Error(got)
	}
}

// recording notes the largest allocation.
type recording struct {
	device.Device
	device.MatMuler
	most int64
}

func (d *recording) Alloc(bytes int64) (device.Buffer, error) {
	d.most = max(d.most, bytes)
	return d.Device.Alloc(bytes)
}

// Matrices that must be copied or converted are copied once, not once for
// every batch they are stretched over.
func TestMatMulCopiesNoStretchedBatch(t *testing.T) {
	for name, dt := range map[string]dtype.DType{"strided": dtype.Float32, "converted": dtype.Int32} {
		t.Run(name, func(t *testing.T) {
			dev := &recording{Device: cpu.Default(), MatMuler: cpu.Default()}
			row := tensor.On(dev).Arange(dt, 0, 100, 1).Flip().Reshape(1, 100).BroadcastTo(3, 200, 1, 100)
			column := tensor.On(dev).Ones(dtype.Float32, 3, 1, 100, 1)
			dev.most = 0
			product := row.MatMul(column)
			if product.Err() != nil || !product.Shape().Equal(tensor.Shape{3, 200, 1, 1}) {
				t.Fatal(product.Shape(), product.Err())
			}
			for i, v := range data[float32](t, product) {
				if v != 4950 {
					t.Fatalf("element %d is %v, want 4950", i, v)
				}
			}
			if result := int64(3 * 200 * 4); dev.most > result {
				t.Errorf("allocated %d bytes at once, the result has %d", dev.most, result)
			}
		})
	}
}
