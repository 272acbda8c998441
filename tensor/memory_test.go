package tensor_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stride0/stride0/cpu"
	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/device/devicetest"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

// limit bounds the memory of the CPU until the test ends.
func limit(t *testing.T, bytes int64) {
	settle()
	must(t, device.SetLimit(cpu.Default(), bytes))
	t.Cleanup(func() { must(t, device.SetLimit(cpu.Default(), 0)) })
}

func TestLimitRefusesAndSaysTheCost(t *testing.T) {
	limit(t, 2_000_000)
	lag := lagging(t, devicetest.LagOptions{})
	before := device.Stats(cpu.Default()).Pool
	wide := tensor.Ones(dtype.Float32, 1).BroadcastTo(1000, 1000)
	_, dataErr := tensor.Data[float32](wide)
	for name, c := range map[string]struct {
		err  error
		text string
	}{
		"constructor":         {tensor.Zeros(dtype.Float32, 1000, 1000).Err(), "zeros: (1000, 1000) float32 is 4.0 MB; limit 2 MB on cpu"},
		"on another device":   {tensor.On(lag).Ones(dtype.Float64, 300_000).Err(), "ones: (300000) float64 is 2.4 MB; limit 2 MB on cpu"},
		"operation":           {wide.Lt(tensor.Scalar(3)).Cast(dtype.Int64).Err(), "cast: (1000, 1000) int64 is 8.0 MB; limit 2 MB on cpu"},
		"copy":                {wide.Clone().Err(), "(1000, 1000) float32 is 4.0 MB; limit 2 MB"},
		"copy to the Go heap": {dataErr, "data: (1000, 1000) float32 is 4.0 MB; limit 2 MB"},
		"to another device":   {wide.To(lag).Err(), "to: (1000, 1000) float32 is 4.0 MB; limit 2 MB"},
		"product":             {wide.MatMul(tensor.Ones(dtype.Float32, 1000, 1)).MatMul(tensor.Ones(dtype.Float32, 1, 1000)).Err(), "matmul: "},
	} {
		t.Run(name, func(t *testing.T) {
			wantError(t, c.err, device.ErrOutOfMemory, c.text, "memory_test.go")
			var e *tensor.Error
			var m *tensor.MemoryError
			var o *device.OutOfMemoryError
			if !errors.As(c.err, &e) || !errors.As(c.err, &m) || !errors.As(c.err, &o) {
				t.Fatalf("%#v lacks a part", c.err)
			}
			if len(e.Shapes) == 0 || len(e.DTypes) == 0 || m.Shape.Size() == 0 || o.Limit != 2_000_000 {
				t.Errorf("%#v, %#v, %#v", e, m, o)
			}
		})
	}
	if after := device.Stats(cpu.Default()).Pool; after.Peak > max(before.Peak, 2_000_000) || after.Live > 2_000_000 || after.Limit != 2_000_000 {
		t.Errorf("before %+v, after %+v", before, after)
	}
}

// What is asked of a limit that others have used up is told what is free.
func TestLimitUsedUp(t *testing.T) {
	limit(t, 4_000_000)
	held := tensor.Zeros(dtype.Uint8, 3_000_000)
	defer held.Free()
	err := tensor.Zeros(dtype.Uint8, 2_000_000).Err()
	wantError(t, err, device.ErrOutOfMemory, "zeros: (2000000) uint8 is 2.0 MB; free ", " of the limit 4 MB on cpu; free tensors")
	must(t, held.Free())
	x := tensor.Zeros(dtype.Uint8, 2_000_000)
	must(t, x.Err())
	must(t, device.SetLimit(cpu.Default(), 1_000_000)) // below what lives
	if v := data[uint8](t, x.Slice(tensor.R(0, 1))); v[0] != 0 {
		t.Error(v)
	}
	wantError(t, tensor.Zeros(dtype.Uint8, 500_000).Err(), device.ErrOutOfMemory, "free 0 B of the limit 1 MB")
	must(t, x.Free())
	must(t, tensor.Zeros(dtype.Uint8, 500_000).Free())
}

// A refusal above the limit waits for nothing, however much garbage there is.
func TestRefusalIsQuick(t *testing.T) {
	limit(t, 1<<20)
	start := time.Now()
	for range 1000 {
		if tensor.Zeros(dtype.Float32, 1<<20).Err() == nil {
			t.Fatal("4 MiB within 1 MiB")
		}
	}
	if took := time.Since(start); took > 2*time.Second {
		t.Errorf("1000 refusals took %v", took)
	}
}

func TestMemoryErrorWithoutALimit(t *testing.T) {
	lag := lagging(t, devicetest.LagOptions{FailAlloc: 1})
	wantError(t, tensor.On(lag).Zeros(dtype.Float32, 10).Err(), device.ErrOutOfMemory,
		"zeros: (10) float32 is 40 B; lagging(cpu) has no memory for it; free tensors")
}
