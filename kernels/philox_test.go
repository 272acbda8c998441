package kernels

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/stride0/stride0/dtype"
)

func philoxBody(t *testing.T) Body {
	e := NewEmit()
	var x [6]V
	for i := range x {
		x[i] = e.Arg(i, dtype.Uint32)
	}
	w := philox(e, [4]V(x[:4]), [2]V(x[4:]))
	b, err := e.Body(w[:]...)
	require.NoError(t, err)
	return b
}

// TestPhiloxKnownAnswers uses the vectors of Random123 (kat_vectors).
func TestPhiloxKnownAnswers(t *testing.T) {
	const ones = 0xffffffff
	for _, c := range []struct {
		name string
		in   []uint64 // counter, key
		want []uint64
	}{
		{"zeros", make([]uint64, 6), []uint64{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
		{"ones", []uint64{ones, ones, ones, ones, ones, ones}, []uint64{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
		{"pi", []uint64{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0},
			[]uint64{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
	} {
		assert.Equal(t, c.want, philoxBody(t).Eval(c.in), c.name)
	}
}

// TestRandomUsesAllOfIndexAndSeed compares the row with the words of philox.
func TestRandomUsesAllOfIndexAndSeed(t *testing.T) {
	words := philoxBody(t)
	args := []dtype.DType{dtype.Int64, dtype.Uint64}
	r32, err := RowBody(Random, args, dtype.Float32)
	require.NoError(t, err)
	r64, err := RowBody(Random, args, dtype.Float64)
	require.NoError(t, err)
	for _, c := range [][2]uint64{{0, 0}, {1, 0}, {0, 1}, {1 << 32, 0}, {0, 1 << 32}, {math.MaxInt64, math.MaxUint64}, {123456789012, 0xfeedfacecafebeef}} {
		index, seed := c[0], c[1]
		w := words.Eval([]uint64{index & 0xffffffff, index >> 32, 0, 0, seed & 0xffffffff, seed >> 32})
		want32, want64 := math.Ldexp(float64(w[0]>>8), -24), math.Ldexp(float64((w[0]<<32|w[1])>>11), -53)
		assert.Equal(t, want32, floatOf(dtype.Float32, r32.Eval(c[:])[0]), "float32 of %v", c)
		assert.Equal(t, want64, floatOf(dtype.Float64, r64.Eval(c[:])[0]), "float64 of %v", c)
	}
}

// TestRandomIsUniform checks range, mean and variance of a stretch: of 1/2 and
// 1/12, at 20,000 numbers, four standard errors are 0.0082 and 0.0022.
func TestRandomIsUniform(t *testing.T) {
	for _, d := range []dtype.DType{dtype.Float32, dtype.Float64} {
		body, err := RowBody(Random, []dtype.DType{dtype.Int64, dtype.Uint64}, d)
		require.NoError(t, err)
		const n = 20_000
		var sum, squares float64
		for i := range uint64(n) {
			x := floatOf(d, body.Eval([]uint64{i, 42})[0])
			require.True(t, 0 <= x && x < 1, "%v is outside [0, 1)", x)
			sum += x
			squares += (x - 0.5) * (x - 0.5)
		}
		assert.InDelta(t, 0.5, sum/n, 0.0082, "%v", d)
		assert.InDelta(t, 1.0/12, squares/n, 0.0022, "%v", d)
	}
}
