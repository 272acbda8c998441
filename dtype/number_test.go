package dtype_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/stride0/stride0/dtype"
)

func TestNumberBits(t *testing.T) {
	f32bits := func(x float32) uint64 { return uint64(math.Float32bits(x)) }
	tests := []struct {
		name string
		n    dtype.Number
		d    dtype.DType
		want uint64
	}{
		{"true as bool", dtype.BoolNumber(true), b, 1},
		{"true as float32", dtype.BoolNumber(true), f32, f32bits(1)},
		{"-1 as int32 has 32 bits", dtype.IntNumber(-1), i32, 0xffffffff},
		{"-1 as int64 has 64 bits", dtype.IntNumber(-1), i64, math.MaxUint64},
		{"255 as uint8", dtype.IntNumber(255), u8, 255},
		{"least int32", dtype.IntNumber(math.MinInt32), i32, 0x80000000},
		{"greatest uint64", dtype.UintNumber(math.MaxUint64), u64, math.MaxUint64},
		{"uint below 2^63 as int64", dtype.UintNumber(7), i64, 7},
		{"float32 rounds", dtype.FloatNumber(0.1), f32, f32bits(0.1)},
		{"too large becomes +Inf", dtype.FloatNumber(1e200), f32, f32bits(float32(math.Inf(1)))},
		{"too small becomes -Inf", dtype.FloatNumber(-1e200), f32, f32bits(float32(math.Inf(-1)))},
		{"-0 stays", dtype.FloatNumber(math.Copysign(0, -1)), f32, 0x80000000},
		{"float64 keeps its bits", dtype.FloatNumber(0.1), f64, math.Float64bits(0.1)},
		{"2^24+1 as float32 ties to even", dtype.IntNumber(1<<24 + 1), f32, f32bits(1 << 24)},
	}
	for _, tt := range tests {
		got, err := tt.n.Bits(tt.d)
		require.NoError(t, err, tt.name)
		assert.Equal(t, tt.want, got, tt.name)
		assert.True(t, tt.n.Fits(tt.d), tt.name)
	}
}

func TestNumberOutsideRange(t *testing.T) {
	tests := []struct {
		n    dtype.Number
		d    dtype.DType
		text string
	}{
		{dtype.IntNumber(256), u8, "256 is outside the range of uint8; cast the tensor to a wider type"},
		{dtype.IntNumber(-1), u8, "-1 is outside the range of uint8; cast the tensor to a wider type"},
		{dtype.IntNumber(math.MaxInt32 + 1), i32, "2147483648 is outside the range of int32; cast the tensor to a wider type"},
		{dtype.IntNumber(math.MinInt32 - 1), i32, "-2147483649 is outside the range of int32; cast the tensor to a wider type"},
		{dtype.UintNumber(1 << 63), i64, "9223372036854775808 is outside the range of int64; cast the tensor to a wider type"},
		{dtype.IntNumber(-1), u64, "-1 is outside the range of uint64; cast the tensor to a wider type"},
		{dtype.FloatNumber(1.5), i32, "int32 cannot hold the float 1.5; cast the tensor to a type that holds it"},
		{dtype.IntNumber(1), b, "bool cannot hold the integer 1; cast the tensor to a type that holds it"},
		{dtype.Number{}, i32, "int32 cannot hold the none none; cast the tensor to a type that holds it"},
	}
	for _, tt := range tests {
		_, err := tt.n.Bits(tt.d)
		var e *dtype.Error
		require.ErrorAs(t, err, &e, tt.text)
		assert.Equal(t, tt.text, err.Error())
		assert.False(t, tt.n.Fits(tt.d), tt.text)
	}
}

// An integer rounds to float32 once: through float64 2^60+2^36+1 would first
// lose its last bit and then tie the wrong way.
func TestNumberRoundsOnce(t *testing.T) {
	for _, v := range []int64{1<<60 + 1<<36 + 1, -(1<<60 + 1<<36 + 1), 1<<62 + 1<<38 + 1, math.MaxInt64, math.MinInt64, 1<<53 + 1, 87249655955456, 1<<53 - 1} {
		want, _ := new(big.Float).SetInt64(v).Float32()
		got, err := dtype.IntNumber(v).Bits(f32)
		require.NoError(t, err)
		assert.Equal(t, want, math.Float32frombits(uint32(got)), "%d", v)
	}
}

func TestNumberOfAndValues(t *testing.T) {
	assert.Equal(t, dtype.IntNumber(-5), dtype.NumberOf(int32(-5)))
	assert.Equal(t, dtype.IntNumber(5), dtype.NumberOf(5))
	assert.Equal(t, dtype.IntNumber(5), dtype.NumberOf(uint8(5)))
	assert.Equal(t, dtype.IntNumber(5), dtype.NumberOf(int64(5)))
	assert.Equal(t, dtype.IntNumber(-5), dtype.NumberOf(int8(-5)))
	assert.Equal(t, dtype.IntNumber(-5), dtype.NumberOf(int16(-5)))
	assert.Equal(t, dtype.IntNumber(5), dtype.NumberOf(uint16(5)))
	assert.Equal(t, dtype.IntNumber(5), dtype.NumberOf(uint32(5)))
	assert.Equal(t, dtype.UintNumber(math.MaxUint64), dtype.NumberOf(uint64(math.MaxUint64)))
	assert.Equal(t, dtype.FloatNumber(0.5), dtype.NumberOf(dtype.NewF16(0.5)))
	assert.Equal(t, dtype.FloatNumber(0.5), dtype.NumberOf(dtype.NewBF16(0.5)))
	assert.Equal(t, dtype.FloatNumber(0.5), dtype.NumberOf(float32(0.5)))
	assert.Equal(t, dtype.FloatNumber(0.5), dtype.NumberOf(0.5))
	assert.Equal(t, dtype.BoolNumber(true), dtype.NumberOf(true))
	assert.Equal(t, dtype.IntNumber(7), dtype.UintNumber(7), "one value, one Number")

	assert.Equal(t, 9223372036854775808.0, dtype.UintNumber(1<<63).Float64())
	assert.Equal(t, -3.0, dtype.IntNumber(-3).Float64())
	v, ok := dtype.IntNumber(-3).Int64()
	assert.Equal(t, int64(-3), v)
	assert.True(t, ok)
	_, ok = dtype.FloatNumber(3).Int64()
	assert.False(t, ok)
	assert.Equal(t, "true 3 18446744073709551615 0.5 none", dtype.BoolNumber(true).String()+" "+dtype.IntNumber(3).String()+" "+
		dtype.UintNumber(math.MaxUint64).String()+" "+dtype.FloatNumber(0.5).String()+" "+dtype.Number{}.String())
}

// Patterns of floats go through float64 and back unchanged, and are those that
// a Number rounds to.
func TestFloatPatterns(t *testing.T) {
	for _, d := range every {
		if !d.IsFloat() {
			assert.True(t, math.IsNaN(d.FloatOf(1)), "%v", d)
			assert.Zero(t, d.PatternOf(1), "%v", d)
			continue
		}
		for _, x := range []float64{0, math.Copysign(0, -1), 1, -1.5, 0.1, 65504, 1e30, math.Inf(1), math.Inf(-1), 0x1p-24} {
			want, err := dtype.FloatNumber(x).Bits(d)
			require.NoError(t, err)
			assert.Equal(t, want, d.PatternOf(x), "%v of %v", d, x)
			assert.Equal(t, want, d.PatternOf(d.FloatOf(want)), "%v of %v", d, x)
		}
	}
	assert.Equal(t, 0.0999755859375, f16.FloatOf(f16.PatternOf(0.1)))
	assert.Equal(t, 0.10009765625, bf.FloatOf(bf.PatternOf(0.1)))
}
