package tensor_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/stride0/stride0/device/devicetest"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

func TestLinspace(t *testing.T) {
	wantData(t, tensor.Linspace(dtype.Float32, 0, 1, 5), tensor.Shape{5}, float32(0), 0.25, 0.5, 0.75, 1)
	wantData(t, tensor.Linspace(dtype.Float64, 3, -1, 3), tensor.Shape{3}, 3.0, 1, -1)
	wantData(t, tensor.Linspace(dtype.Float64, 2, 7, 1), tensor.Shape{1}, 2.0)
	wantData(t, tensor.Linspace(dtype.Float64, 2, 7, 2), tensor.Shape{2}, 2.0, 7)
	wantData[float64](t, tensor.Linspace(dtype.Float64, 2, 7, 0), tensor.Shape{0})
	wantData(t, tensor.Linspace(dtype.Float32, 5, 5, 3), tensor.Shape{3}, float32(5), 5, 5)
	wantData(t, tensor.Linspace(dtype.Float32, -math.MaxFloat32, math.MaxFloat32, 2), tensor.Shape{2}, float32(-math.MaxFloat32), math.MaxFloat32)
	wantData(t, tensor.Linspace(dtype.Float64, -math.MaxFloat64, math.MaxFloat64, 3), tensor.Shape{3}, -math.MaxFloat64, 0, math.MaxFloat64)
	wantData(t, tensor.Linspace(dtype.Float64, int64(1<<53), int64(math.MinInt64), 2), tensor.Shape{2}, 0x1p53, -0x1p63)
}

// Ends are exact and the rest within a unit in the last place of the larger
// end, also where the step is far from what the dtype holds.
func TestLinspaceIsAccurate(t *testing.T) {
	for _, c := range []struct {
		start, stop float64
		n           int
	}{{0, 1, 11}, {-1, 1, 1000}, {0.1, 0.7, 4096}, {1e6, -1e-6, 777}, {1e-30, 1e30, 65}, {0, 1, 100_003}, {-3, -2.9, 50}} {
		f32 := data[float32](t, tensor.Linspace(dtype.Float32, c.start, c.stop, c.n))
		f64 := data[float64](t, tensor.Linspace(dtype.Float64, c.start, c.stop, c.n))
		if f32[0] != float32(c.start) || f32[c.n-1] != float32(c.stop) || f64[0] != c.start || f64[c.n-1] != c.stop {
			t.Errorf("%v: ends %v %v, %v %v", c, f32[0], f32[c.n-1], f64[0], f64[c.n-1])
		}
		unit := math.Max(math.Abs(c.start), math.Abs(c.stop)) * 0x1p-23
		for i := range f32 {
			a, b := big.NewFloat(c.start), big.NewFloat(c.stop)
			step := new(big.Float).SetPrec(200).Sub(b, a)
			step.Quo(step.Mul(step, big.NewFloat(float64(i))), big.NewFloat(float64(c.n-1)))
			want, _ := step.Add(step, a).Float64()
			if math.Abs(float64(f32[i])-want) > unit || math.Abs(f64[i]-want) > unit*0x1p-29 {
				t.Fatalf("%v: element %d is %v and %v, want %v", c, i, f32[i], f64[i], want)
			}
			if i > 0 && (c.start < c.stop) != (f64[i-1] < f64[i]) {
				t.Fatalf("%v: elements %d are out of order", c, i)
			}
		}
	}
}

func TestLinspaceOnADevice(t *testing.T) {
	dev := lagging(t, devicetest.LagOptions{Seed: 5})
	want := data[float32](t, tensor.Linspace(dtype.Float32, -1, 2.5, 1001))
	x := tensor.On(dev).Linspace(dtype.Float32, -1, 2.5, 1001)
	wantData(t, x, tensor.Shape{1001}, want...)
	if x.Device() != dev {
		t.Errorf("on %v", x.Device())
	}
}

func TestLinspaceErrors(t *testing.T) {
	for name, err := range map[string]error{
		"int64":             tensor.Linspace(dtype.Int64, 0, 1, 5).Err(),
		"not a finite":      tensor.Linspace(dtype.Float64, 0, math.Inf(1), 5).Err(),
		"NaN":               tensor.Linspace(dtype.Float64, math.NaN(), 1, 5).Err(),
		"finite float32":    tensor.Linspace(dtype.Float32, 0, 1e39, 5).Err(),
		"-1":                tensor.Linspace(dtype.Float32, 0, 1, -1).Err(),
		"string":            tensor.Linspace(dtype.Float32, "0", 1, 5).Err(),
		"nil device":        tensor.On(nil).Linspace(dtype.Float32, 0, 1, 5).Err(),
		"linspace_test.go:": tensor.Linspace(dtype.Float32, 0, 1, -1).Err(),
	} {
		wantError(t, err, nil, "linspace", name)
	}
}
