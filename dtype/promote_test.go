package dtype_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/stride0/stride0/dtype"
)

const (
	b   = dtype.Bool
	u8  = dtype.Uint8
	u16 = dtype.Uint16
	u32 = dtype.Uint32
	u64 = dtype.Uint64
	i8  = dtype.Int8
	i16 = dtype.Int16
	i32 = dtype.Int32
	i64 = dtype.Int64
	f16 = dtype.Float16
	bf  = dtype.BFloat16
	f32 = dtype.Float32
	f64 = dtype.Float64
	bad = dtype.Invalid
)

var every = []dtype.DType{b, u8, u16, u32, u64, i8, i16, i32, i64, f16, bf, f32, f64}

// The table of SEMANTICS: integers as the array API, floats win whatever their
// width, float16 and bfloat16 meet in float32, uint64 with a signed type has
// no answer.
var promotion = [][]dtype.DType{
	/* b */ {b, u8, u16, u32, u64, i8, i16, i32, i64, f16, bf, f32, f64},
	/* u8 */ {u8, u8, u16, u32, u64, i16, i16, i32, i64, f16, bf, f32, f64},
	/* u16 */ {u16, u16, u16, u32, u64, i32, i32, i32, i64, f16, bf, f32, f64},
	/* u32 */ {u32, u32, u32, u32, u64, i64, i64, i64, i64, f16, bf, f32, f64},
	/* u64 */ {u64, u64, u64, u64, u64, bad, bad, bad, bad, f16, bf, f32, f64},
	/* i8 */ {i8, i16, i32, i64, bad, i8, i16, i32, i64, f16, bf, f32, f64},
	/* i16 */ {i16, i16, i32, i64, bad, i16, i16, i32, i64, f16, bf, f32, f64},
	/* i32 */ {i32, i32, i32, i64, bad, i32, i32, i32, i64, f16, bf, f32, f64},
	/* i64 */ {i64, i64, i64, i64, bad, i64, i64, i64, i64, f16, bf, f32, f64},
	/* f16 */ {f16, f16, f16, f16, f16, f16, f16, f16, f16, f16, f32, f32, f64},
	/* bf */ {bf, bf, bf, bf, bf, bf, bf, bf, bf, f32, bf, f32, f64},
	/* f32 */ {f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f64},
	/* f64 */ {f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64},
}

func TestPromotePairs(t *testing.T) {
	for i, x := range every {
		for j, y := range every {
			got, err := dtype.Promote(x, y)
			want := promotion[i][j]
			assert.Equal(t, want, got, "%v with %v", x, y)
			assert.Equal(t, want == bad, err != nil, "%v with %v: %v", x, y, err)
		}
	}
}

func TestPromoteIsOfTheSet(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		ds := make([]dtype.DType, 1+rng.IntN(5))
		for i := range ds {
			ds[i] = every[rng.IntN(len(every))]
		}
		want, wantErr := dtype.Promote(ds...)
		twice := append(append([]dtype.DType{}, ds...), ds...)
		rng.Shuffle(len(twice), func(i, j int) { twice[i], twice[j] = twice[j], twice[i] })
		got, err := dtype.Promote(twice...)
		require.Equal(t, want, got, "%v and %v", ds, twice)
		require.Equal(t, wantErr == nil, err == nil)
	}
}

func TestPromoteFloatDecidesBeforeIntegersClash(t *testing.T) {
	got, err := dtype.Promote(u64, i64, f32)
	require.NoError(t, err)
	assert.Equal(t, f32, got)
}

func TestPromoteErrorsSayWhatToDo(t *testing.T) {
	_, err := dtype.Promote(u64, i32)
	var e *dtype.Error
	require.ErrorAs(t, err, &e)
	assert.Equal(t, "no integer type holds both int32 and uint64; cast one of them first", err.Error())
	for name, ds := range map[string][]dtype.DType{"none": nil, "invalid": {f32, bad}, "beyond": {dtype.DType(200)}} {
		_, err := dtype.Promote(ds...)
		assert.ErrorAs(t, err, &e, name)
	}
}

func TestLiftRaisesKindNeverWidth(t *testing.T) {
	integer, float, truth := dtype.IntNumber(3), dtype.FloatNumber(1.5), dtype.BoolNumber(true)
	tests := []struct {
		d    dtype.DType
		n    dtype.Number
		want dtype.DType
	}{
		{f32, float, f32}, {f64, float, f64}, {f32, integer, f32}, {f32, truth, f32},
		{i32, integer, i32}, {u8, integer, u8}, {i32, float, f32}, {u8, float, f32}, {i64, truth, i64},
		{f16, float, f16}, {bf, integer, bf}, {u16, float, f32}, {i8, integer, i8},
		{b, integer, i64}, {b, float, f32}, {b, truth, b}, {b, dtype.UintNumber(1 << 63), i64},
	}
	for _, tt := range tests {
		assert.Equal(t, tt.want, dtype.Lift(tt.d, tt.n), "%v with %v", tt.d, tt.n)
	}
}
