package tensor_test

import (
	"fmt"
	"math"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stride0/stride0/cpu"
	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/device/devicetest"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

func TestFormat(t *testing.T) {
	thirds := tensor.New([]float64{1.0 / 3, -20.0 / 3}, 2)
	ints := tensor.New([]int32{5, -10, 255}, 3)
	for _, c := range []struct {
		format string
		x      *tensor.Tensor
		want   string
	}{
		{"%.3f", thirds, "[ 0.333 -6.667]"},
		{"%8.2f", thirds, "[    0.33    -6.67]"},
		{"%+.1f", thirds, "[+0.3 -6.7]"},
		{"%-8.2f|", thirds, "[0.33     -6.67   ]|"},
		{"%-.2f|", thirds, "[0.33  -6.67]|"},
		{"%.2e", thirds, "[ 3.33e-01 -6.67e+00]"},
		{"%.3g", thirds, "[0.333 -6.67]"},
		{"%.3v", thirds, "[0.333 -6.67]"},
		{"%9v", ints, "[        5       -10       255]"},
		{"%d", ints, "[  5 -10 255]"},
		{"%04d", ints, "[0005 -010 0255]"},
		{"%x", tensor.New([]uint8{9, 255}), "[ 9 ff]"},
		{"%t", tensor.New([]bool{true, false}), "[ true false]"},
		{"%.1f", tensor.New([]float32{nan, inf, -inf, minus0}), "[ NaN +Inf -Inf -0.0]"},
		{"%.1f", iota32(2, 1, 2), "[[[0.0 1.0]]\n\n [[2.0 3.0]]]"},
		{"%.1f", tensor.Full(dtype.Float64, 2), "2.0"},
		{"%.1f", tensor.Scalar(0.5), "0.5"},
		{"%.1f", tensor.Zeros(dtype.Float32, 0, 3), "[]"},
		{"%.1f", iota32(2000), "[   0.0    1.0    2.0 ... 1997.0 1998.0 1999.0]"},
		{"%d", tensor.New([]float32{1.5, 2}), "[%!d(float32=1.5)   %!d(float32=2)]"},
		{"%f", ints, "[  %!f(int32=5) %!f(int32=-10) %!f(int32=255)]"},
		{"%y", tensor.Full(dtype.Float64, 2), "%!y(float64=2)"},
		{"%+v", iota32(2, 2), "[[0. 1.]\n [2. 3.]] (shape (2, 2), float32, cpu)"},
		{"%#v", ints, "[  5 -10 255] (shape (3), int32, cpu)"},
		{"%+v", iota32(2, 2).T(), "[[0. 2.]\n [1. 3.]] (shape (2, 2), float32, cpu, strides (1, 2))"},
		{"%+v", iota32(4).Flip(0), "[3. 2. 1. 0.] (shape (4), float32, cpu, strides (-1), offset 3)"},
		{"%+v", tensor.Full(dtype.Bool, true), "true (shape (), bool, cpu)"},
		{"%+v", tensor.Zeros(dtype.Float32, 0, 3), "[] (shape (0, 3), float32, cpu)"},
		{"%+v", tensor.Scalar(3), "3 (scalar)"},
		{"%12s|", tensor.New([]int64{1}), " [1] (int64)|"},
		{"%q", iota32(1), `"[0.]"`},
		{"%T", ints, "*tensor.Tensor"},
	} {
		if got := fmt.Sprintf(c.format, c.x); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.format, got, c.want)
		}
	}
}

// Whatever the verb, a failed tensor prints its error, a nil one and a freed
// one too.
func TestFormatOfErrors(t *testing.T) {
	freed := tensor.New([]float64{math.Pi})
	if err := freed.Free(); err != nil {
		t.Fatal(err)
	}
	for want, x := range map[string]*tensor.Tensor{
		"add: cannot broadcast (2) with (3)": iota32(2).Add(iota32(3)),
		tensor.ErrEmpty.Error():              nil,
		tensor.ErrFreed.Error():              freed,
	} {
		for _, format := range []string{"%v", "%+v", "%#v", "%s", "%.3f", "%8d", "%.2v", "%q", "%y"} {
			if got := fmt.Sprintf(format, x); !strings.Contains(got, want) {
				t.Errorf("%s of a failed tensor prints %q", format, got)
			}
		}
	}
}

// readCounter is a device that counts what the host reads from it.
type readCounter struct {
	device.Device
	reads, bytes atomic.Int64
}

func (d *readCounter) Read(dst []byte, src device.Buffer, off int64) error {
	d.reads.Add(1)
	d.bytes.Add(int64(len(dst)))
	return d.Device.Read(dst, src, off)
}

// A tensor on a device is read once, and of a large one only what is printed.
func TestPrintingReadsOnce(t *testing.T) {
	inner := &readCounter{Device: cpu.Default()}
	dev := devicetest.Lagging(inner, devicetest.LagOptions{Seed: 7})
	for name, c := range map[string]struct {
		x     *tensor.Tensor
		bytes int64
	}{
		"small":      {iota32(20, 5), 400},
		"view":       {iota32(20, 5).T(), 400},
		"vector":     {iota32(5000), 24},
		"matrix":     {iota32(100, 100), 144},
		"transposed": {iota32(50, 100).T(), 144},
		"sliced":     {iota32(50, 100).Slice(tensor.R(1, 40, 1), tensor.R(99, tensor.Begin, -2)), 144},
		"narrow":     {iota32(1000, 2), 48},
		"empty":      {tensor.Zeros(dtype.Float32, 3, 0), 0},
	} {
		there := c.x.To(dev)
		inner.reads.Store(0)
		inner.bytes.Store(0)
		got := there.String()
		plain := strings.NewReplacer(" (lagging(cpu))", "", ", lagging(cpu)", "").Replace(got)
		if want := c.x.String(); plain != want || plain == got {
			t.Errorf("%s prints as\n%s\nwant\n%s and the device", name, got, want)
		}
		if r := inner.reads.Load(); r > 1 || inner.bytes.Load() != c.bytes {
			t.Errorf("%s: %d reads of %d bytes, want 1 of %d", name, r, inner.bytes.Load(), c.bytes)
		}
	}
	if got, want := fmt.Sprintf("%+v", iota32(2).To(dev)), "[0. 1.] (shape (2), float32, lagging(cpu))"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
