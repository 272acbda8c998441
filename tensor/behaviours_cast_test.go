package tensor_test

import (
	"math"
	"testing"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

// TestFloatsBecomeIntegersBySaturation covers every float and integer dtype:
// truncated, held to the range, NaN 0.
func TestFloatsBecomeIntegersBySaturation(t *testing.T) {
	values := []float64{math.NaN(), math.Inf(1), math.Inf(-1), -3, -1.5, -0.9, 0.9, 300.7, 3e9, -3e9, 1e30, -1e30, 0x1p63, -0x1p63, 0x1p64, 127.9, -128.9, 255.9}
	for _, from := range []dtype.DType{dtype.Float16, dtype.BFloat16, dtype.Float32, dtype.Float64} {
		x := tensor.New(values).Cast(from)
		rounded := data[float64](t, x.Cast(dtype.Float64))
		for _, to := range []dtype.DType{dtype.Int8, dtype.Int16, dtype.Int32, dtype.Int64, dtype.Uint8, dtype.Uint16, dtype.Uint32, dtype.Uint64} {
			bits := 8 * to.Size()
			lo, hi := 0.0, math.Ldexp(1, bits) // hi is the first number above the range
			top := uint64(math.MaxUint64) >> (64 - bits)
			if to.Kind() == dtype.IntKind {
				lo, hi, top = -math.Ldexp(1, bits-1), math.Ldexp(1, bits-1), top>>1
			}
			got := data[uint64](t, x.Cast(to).Cast(dtype.Uint64))
			for i, v := range rounded {
				var want uint64
				switch v = math.Trunc(v); {
				case v >= hi:
					want = top
				case v <= lo:
					want = uint64(int64(lo))
				case v < 0:
					want = uint64(int64(v))
				case v > 0:
					want = uint64(v)
				}
				if got[i] != want {
					t.Errorf("%v %v to %v is %d, want %d", from, rounded[i], to, int64(got[i]), int64(want))
				}
			}
		}
	}
	wantData(t, f32(-3).Cast(dtype.Uint32), tensor.Shape{1}, uint32(0))
	wantData(t, f32(3e9).Cast(dtype.Int32), tensor.Shape{1}, int32(math.MaxInt32))
}

func TestFloatsBecomeBools(t *testing.T) {
	for _, d := range []dtype.DType{dtype.Float16, dtype.BFloat16, dtype.Float32, dtype.Float64} {
		x := tensor.New([]float64{math.NaN(), math.Inf(-1), 0.1, 6e-8, 0, math.Copysign(0, -1)}).Cast(d)
		wantData(t, x.Cast(dtype.Bool), tensor.Shape{6}, true, true, true, true, false, false)
	}
}

func TestIntegersAreCutAndRounded(t *testing.T) {
	wantData(t, longs(300, -1, 65536).Cast(dtype.Uint8), tensor.Shape{3}, uint8(44), 255, 0)
	wantData(t, longs(16777217, -16777217, 1<<53+1).Cast(dtype.Float32), tensor.Shape{3}, float32(16777216), -16777216, 1<<53)
	wantData(t, longs(1<<53+1, 1<<53+3).Cast(dtype.Float64), tensor.Shape{2}, float64(1<<53), 1<<53+4)
	wantData(t, tensor.New([]uint64{math.MaxUint64, 1<<63 + 1<<10}).Cast(dtype.Float64), tensor.Shape{2}, 0x1p64, 0x1p63)
}

func TestRoundingIsHalfToEven(t *testing.T) {
	for _, d := range []dtype.DType{dtype.Float16, dtype.BFloat16, dtype.Float32, dtype.Float64} {
		x := tensor.New([]float64{0.5, 1.5, 2.5, -0.5, -1.5}).Cast(d)
		wantData(t, x.Round().Cast(dtype.Float32), tensor.Shape{5}, float32(0), 2, 2, minus0, -2)
	}
	for _, op := range []func(*tensor.Tensor) *tensor.Tensor{(*tensor.Tensor).Round, (*tensor.Tensor).Floor, (*tensor.Tensor).Ceil, (*tensor.Tensor).Trunc} {
		wantData(t, op(longs(-3, math.MaxInt64)), tensor.Shape{2}, int64(-3), math.MaxInt64)
		wantData(t, op(tensor.New([]uint8{200})), tensor.Shape{1}, uint8(200))
	}
}

func TestFloat16IsRoundedOnce(t *testing.T) {
	inf16 := dtype.NewF16(math.Inf(1))
	half := func(v ...float64) *tensor.Tensor { return tensor.New(v).Cast(dtype.Float16) }
	wantData(t, f32(65519, 65520, 0x1p-25, 0x1p-25+0x1p-40).Cast(dtype.Float16), tensor.Shape{4},
		dtype.NewF16(65504), inf16, dtype.NewF16(0), dtype.NewF16(0x1p-24))
	// A way through float32 would lose the last bit, which decides.
	wantData(t, half(1+0x1p-11+0x1p-40).Cast(dtype.Float32), tensor.Shape{1}, float32(1+0x1p-10))
	wantData(t, half(2048, 65504).Add(half(1, 16)).Cast(dtype.Float32), tensor.Shape{2}, float32(2048), inf)

	all := make([]uint16, 1<<16)
	for i := range all {
		all[i] = uint16(i)
	}
	for _, d := range []dtype.DType{dtype.Float16, dtype.BFloat16} {
		x := tensor.New(all).BitCast(d)
		back := x.Cast(dtype.Float32).Cast(d)
		same := back.BitCast(dtype.Uint16).Eq(x.BitCast(dtype.Uint16)).LogicalOr(x.IsNaN().LogicalAnd(back.IsNaN()))
		wantData(t, same.All(), tensor.Shape{}, true)
	}
}

func TestBFloat16IsRoundedOnce(t *testing.T) {
	x := f32(257, 259, 1+0x1p-8, 1+3*0x1p-8, 3.3961775e38, 9.18e-41, float32(math.Float32frombits(0x7f800001)))
	wantData(t, x.Cast(dtype.BFloat16).Cast(dtype.Float32), tensor.Shape{7}, float32(256), 260, 1, 1.015625, inf, 0x1p-133, nan)
}

func TestSubnormalNumbersStay(t *testing.T) {
	wantData(t, f32(-100).Softplus(), tensor.Shape{1}, float32(27*0x1p-149))
	wantData(t, f32(0x1p-126).MulScalar(0.5), tensor.Shape{1}, float32(0x1p-127))
	wantData(t, tensor.New([]float64{0x1p-23}).Cast(dtype.Float16).DivScalar(2).Cast(dtype.Float32), tensor.Shape{1}, float32(0x1p-24))
}
