package kernels

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/stride0/stride0/dtype"
)

func arangeBody(t *testing.T, d dtype.DType) Body {
	body, err := RowBody(Arange, []dtype.DType{dtype.Int64, d, d}, d)
	require.NoError(t, err)
	return body
}

// TestArangeRoundsOnce compares with big arithmetic below the index at which
// the float type can no longer hold it.
func TestArangeRoundsOnce(t *testing.T) {
	for d, limit := range map[dtype.DType]uint64{dtype.Float32: 1 << 24, dtype.Float64: 1 << 53} {
		body := arangeBody(t, d)
		for _, start := range []float64{0, 1, -5, 0.1, -1e6, 3e7} {
			for _, step := range []float64{1, -1, 0.1, -0.3, 1.0 / 3, 1e-8, 7e5} {
				for _, index := range []uint64{0, 1, 2, 3, 1000, 1<<23 + 1, limit - 1, limit / 3} {
					s, p := patternOfFloat(d, start), patternOfFloat(d, step)
					got := body.Eval([]uint64{index, s, p})[0]
					want := refArange([]float64{float64(index), floatOf(d, s), floatOf(d, p)})
					assert.LessOrEqual(t, ulps(d, got, want), Arange.Row().Bound.of(d), "%v: %v + %d * %v", d, start, index, step)
				}
			}
		}
	}
}

// TestArangeFarInFloat32 counts through zero from far below: the index does
// not fit a float32, the results do.
func TestArangeFarInFloat32(t *testing.T) {
	body := arangeBody(t, dtype.Float32)
	start := patternOfFloat(dtype.Float32, -20_000_000)
	for _, index := range []uint64{16_777_217, 19_999_999, 20_000_001, 30_000_001} {
		got := body.Eval([]uint64{index, start, patternOfFloat(dtype.Float32, 1)})[0]
		assert.Equal(t, float64(index)-20_000_000, floatOf(dtype.Float32, got), "index %d", index)
	}
}

func TestArangeIntegersWrap(t *testing.T) {
	assert.Equal(t, []uint64{0xfffffffe}, arangeBody(t, dtype.Int32).Eval([]uint64{4, 10, wrap(dtype.Int32, ^uint64(2))}))
	assert.Equal(t, []uint64{4}, arangeBody(t, dtype.Uint8).Eval([]uint64{300, 216, 1}), "216 + 300 is 4 modulo 256")
	assert.Equal(t, []uint64{1 << 40}, arangeBody(t, dtype.Int64).Eval([]uint64{1 << 39, 0, 2}))
}
