package kernels

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/stride0/stride0/dtype"
)

// normalBody is the quantile alone, of a uint64 of random bits.
func normalBody(t *testing.T, d dtype.DType) Body {
	e := NewEmit()
	b, err := e.Body(normal(e, d, e.Arg(0, dtype.Uint64)))
	require.NoError(t, err)
	return b
}

// bigDensity is the density of the normal distribution at z, |z| below 30.
func bigDensity(z *big.Float) *big.Float {
	root, _ := wide(0).SetString("0.398942280401432677939946059934381868475858631164934657665926") // 1/sqrt(2 pi)
	x := wide(0).Mul(z, z)
	return root.Mul(root, bigExp(x.Neg(x.SetMantExp(x, -1))))
}

// bigInside is the probability between 0 and z >= 0: the density at z times
// z + z³/3 + z⁵/(3·5) + ..., all terms positive (Abramowitz and Stegun 26.2.11).
func bigInside(z *big.Float) *big.Float {
	square := wide(0).Mul(z, z)
	term, sum := wide(0).Copy(z), wide(0).Copy(z)
	for n := 3.0; term.MantExp(nil) > sum.MantExp(nil)-mathPrec; n += 2 {
		term.Quo(term.Mul(term, square), wide(n))
		sum.Add(sum, term)
	}
	return sum.Mul(sum, bigDensity(z))
}

// normalError is how far the pattern got is from the quantile at the odd
// numerator next to w + 1/2, in units in the last place. The distance is
// Newton's step from got, which is right to the square of itself.
func normalError(d dtype.DType, w, got uint64) float64 {
	m := w - 1<<63
	if w < 1<<63 {
		m = 1<<63 - 1 - w
	}
	p := wide(0).SetUint64(m | 1)
	p.SetMantExp(p, -64)
	z := floatOf(d, got)
	if (z < 0) != (w < 1<<63) || z != z || math.IsInf(z, 0) {
		return math.Inf(1)
	}
	at := wide(math.Abs(z))
	step := p.Sub(bigInside(at), p)
	off, _ := step.Quo(step, bigDensity(at)).Float64()
	_, e := math.Frexp(z)
	mantissa := 53
	if d == dtype.Float32 {
		mantissa = 24
	}
	return math.Ldexp(math.Abs(off), mantissa-e)
}

// normalSamples returns words at both ends, around the middle, around the
// places where the expression changes its mind, in every binade of both
// distances, and anywhere.
func normalSamples() []uint64 {
	rng := rand.New(rand.NewPCG(3, 4))
	samples := []uint64{0, 1, 2, 3, math.MaxUint64, math.MaxUint64 - 1, 1 << 63, 1<<63 - 1, 1<<63 + 1}
	for bit := range 63 {
		for range 8 {
			x := 1<<bit | rng.Uint64()&(1<<bit-1)
			samples = append(samples, x, ^x, 1<<63+x, 1<<63-x)
		}
	}
	for i := range 200 {
		near := uint64(0x1p63 + 0.425*0x1p64 + float64(i-100)*0x1p38) // the centre's edge
		far := uint64(math.Exp(-25)*0x1p64) + uint64(i-100)<<10       // r is 5
		samples = append(samples, near, ^near, far, ^far)
	}
	for range 1500 {
		samples = append(samples, rng.Uint64())
	}
	return samples
}

func TestNormalWithinBound(t *testing.T) {
	for _, d := range []dtype.DType{dtype.Float32, dtype.Float64} {
		body := normalBody(t, d)
		worst, at := 0.0, uint64(0)
		for _, w := range normalSamples() {
			if off := normalError(d, w, body.Eval([]uint64{w})[0]); off > worst {
				worst, at = off, w
			}
		}
		t.Logf("%v: at most %.3f ULP (at %#x)", d, worst, at)
		assert.LessOrEqual(t, worst, RandomNormal.Row().Bound.of(d), "%v at %#x", d, at)
	}
}

// TestNormalErrorMeasures: the measure of the test above is right about
// quantiles found in tables, and sees a change of the last digits.
func TestNormalErrorMeasures(t *testing.T) {
	const w = 0xf999999999999999 // 0.975 - 2^-66
	good := math.Float64bits(1.959963984540054)
	assert.Less(t, normalError(dtype.Float64, w, good), 1.5)
	assert.InDelta(t, 8, normalError(dtype.Float64, w, good+8), 1.5)
	assert.InDelta(t, 8, normalError(dtype.Float32, w, uint64(math.Float32bits(1.959964)+8)), 1.5)
	assert.Equal(t, math.Inf(1), normalError(dtype.Float64, w, good|1<<63))
	assert.Equal(t, math.Inf(1), normalError(dtype.Float64, w, math.Float64bits(math.NaN())))
}

// TestNormalEnds: the least and the greatest number there are, and those next
// to zero, which itself does not come.
func TestNormalEnds(t *testing.T) {
	for _, d := range []dtype.DType{dtype.Float32, dtype.Float64} {
		body := normalBody(t, d)
		at := func(w uint64) float64 { return floatOf(d, body.Eval([]uint64{w})[0]) }
		least := at(0)
		assert.InDelta(t, -9.080155, least, 2e-6, "%v", d)
		assert.Equal(t, -least, at(math.MaxUint64), "%v is symmetric", d)
		assert.InDelta(t, math.Sqrt(2*math.Pi)*0x1p-64, at(1<<63), 0x1p-84, "%v", d)
		assert.Equal(t, -at(1<<63), at(1<<63-1), "%v is symmetric", d)
	}
}

// TestNormalIsTheQuantileOfUniform: the two rows draw from the same bits, so
// the normal number of an index lies where its uniform number says.
func TestNormalIsTheQuantileOfUniform(t *testing.T) {
	args := []dtype.DType{dtype.Int64, dtype.Uint64}
	for _, d := range []dtype.DType{dtype.Float32, dtype.Float64} {
		flat, err := RowBody(Random, args, d)
		require.NoError(t, err)
		bell, err := RowBody(RandomNormal, args, d)
		require.NoError(t, err)
		for i := range uint64(2000) {
			x := []uint64{i << (i % 40), 0xfeedfacecafebeef}
			u, z := floatOf(d, flat.Eval(x)[0]), floatOf(d, bell.Eval(x)[0])
			require.InDelta(t, u, math.Erfc(-z/math.Sqrt2)/2, 1e-6, "%v at %v", d, x)
		}
	}
}
