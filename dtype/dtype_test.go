package dtype_test

import (
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"

	"github.com/stride0/stride0/dtype"
)

func TestNamesSizesKinds(t *testing.T) {
	tests := []struct {
		d    dtype.DType
		name string
		size int
		kind dtype.Kind
	}{
		{b, "bool", 1, dtype.BoolKind}, {u8, "uint8", 1, dtype.UintKind}, {u32, "uint32", 4, dtype.UintKind},
		{u64, "uint64", 8, dtype.UintKind}, {u16, "uint16", 2, dtype.UintKind}, {i8, "int8", 1, dtype.IntKind}, {i16, "int16", 2, dtype.IntKind},
		{f16, "float16", 2, dtype.FloatKind}, {bf, "bfloat16", 2, dtype.FloatKind}, {i32, "int32", 4, dtype.IntKind}, {i64, "int64", 8, dtype.IntKind},
		{f32, "float32", 4, dtype.FloatKind}, {f64, "float64", 8, dtype.FloatKind},
		{bad, "invalid", 0, dtype.NoKind}, {dtype.DType(255), "invalid", 0, dtype.NoKind},
	}
	for _, tt := range tests {
		assert.Equal(t, tt.name, tt.d.String())
		assert.Equal(t, "dtype."+tt.name, strings.ToLower(tt.d.GoString()))
		assert.Equal(t, tt.size, tt.d.Size(), tt.name)
		assert.Equal(t, tt.kind, tt.d.Kind(), tt.name)
		assert.Equal(t, tt.kind == dtype.FloatKind, tt.d.IsFloat(), tt.name)
		assert.Equal(t, tt.kind == dtype.IntKind || tt.kind == dtype.UintKind, tt.d.IsInteger(), tt.name)
	}
}

func TestAllIsEveryType(t *testing.T) {
	assert.Equal(t, every, dtype.All())
	assert.Len(t, every, dtype.Count-1)
	for _, d := range every {
		assert.True(t, d.Valid())
		assert.Equal(t, d == f16 || d == bf, d.IsHalf(), "%v", d)
	}
	assert.False(t, bad.Valid())
	assert.False(t, dtype.DType(255).Valid())
}

func TestOf(t *testing.T) {
	checkOf[bool](t, b)
	checkOf[uint8](t, u8)
	checkOf[uint16](t, u16)
	checkOf[uint32](t, u32)
	checkOf[uint64](t, u64)
	checkOf[int8](t, i8)
	checkOf[int16](t, i16)
	checkOf[dtype.F16](t, f16)
	checkOf[dtype.BF16](t, bf)
	checkOf[int32](t, i32)
	checkOf[int64](t, i64)
	checkOf[int](t, i64)
	checkOf[float32](t, f32)
	checkOf[float64](t, f64)
}

func checkOf[T dtype.Element](t *testing.T, want dtype.DType) {
	t.Helper()
	var zero T
	assert.Equal(t, want, dtype.Of[T](), "%T", zero)
	if _, isInt := any(zero).(int); !isInt {
		assert.Equal(t, int(unsafe.Sizeof(zero)), want.Size(), "%T", zero)
	}
}
