package kernels

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/stride0/stride0/dtype"
)

// TestNextafter: a neighbour depends on the dtype, so that there is no Row.Ref.
func TestNextafter(t *testing.T) {
	for _, d := range []dtype.DType{dtype.Float16, dtype.BFloat16, dtype.Float32, dtype.Float64} {
		types := []dtype.DType{d, d}
		body, err := RowBody(Nextafter, types, d)
		require.NoError(t, err)
		for _, p := range combinations(types) {
			want := neighbour(d, p[0], p[1])
			got := body.Eval(p)[0]
			require.True(t, sameValue(d, want, got), "nextafter(%v, %v) of %v = %#x, want %#x", floatOf(d, p[0]), floatOf(d, p[1]), d, got, want)
		}
	}
}

// neighbour finds the next value without bits: by ever smaller steps from x
// towards y, as long as they change it.
func neighbour(d dtype.DType, px, py uint64) uint64 {
	x, y := floatOf(d, px), floatOf(d, py)
	switch {
	case x == y:
		return py // as C has it; Go returns x, which matters for zeros
	case d == dtype.Float64:
		return math.Float64bits(math.Nextafter(x, y))
	case d == dtype.Float32:
		return f32Bits(math.Nextafter32(float32(x), float32(y)))
	case x != x || y != y:
		return patternOfFloat(d, math.NaN())
	}
	greatest := floatOf(d, patternOfFloat(d, math.Inf(1))-1)
	if math.IsInf(x, 0) {
		return patternOfFloat(d, math.Copysign(greatest, x))
	}
	for step := 0x1p-150; ; step *= 2 { // float64 holds x plus half a step exactly, or nearly
		if next := patternOfFloat(d, x+math.Copysign(step, y-x)); floatOf(d, next) != x {
			return next
		}
	}
}

// TestBitCast: the same bits, at every pair of dtypes of one size.
func TestBitCast(t *testing.T) {
	pairs := 0
	for _, sig := range signatures(t, BitCast) {
		from, to := sig.Args[0], sig.Result
		body, err := RowBody(BitCast, []dtype.DType{from}, to)
		require.NoError(t, err)
		for _, x := range specials(from) {
			require.Equal(t, x, body.Eval([]uint64{x})[0], "%v as %v", from, to)
		}
		pairs++
	}
	assert.Greater(t, pairs, 8)
}

// TestRoundingRows takes every binade, and halves between integers.
func TestRoundingRows(t *testing.T) {
	for _, op := range []Op{Floor, Ceil, Trunc, Round, Frac} {
		for _, d := range []dtype.DType{dtype.Float32, dtype.Float64} {
			body, err := RowBody(op, []dtype.DType{d}, d)
			require.NoError(t, err)
			samples := exponents(d, 50)
			for i := -2000; i < 2000; i++ {
				samples = append(samples, patternOfFloat(d, float64(i)/2))
			}
			samples = append(samples, around(d, 4, 0x1p22, 0x1p23, 0x1p24, 0x1p51, 0x1p52, 0x1p53)...)
			for _, x := range samples {
				want := patternOfFloat(d, op.Row().Ref.Float([]float64{floatOf(d, x)}))
				got := body.Eval([]uint64{x})[0]
				require.True(t, sameValue(d, want, got), "%v(%v) = %v, want %v", op, floatOf(d, x), floatOf(d, got), floatOf(d, want))
			}
		}
	}
}

// TestFloatRemainders takes quotients of every length: of all pairs of
// binades some, and significands at which a product modulo the divisor is
// hardest to get right.
func TestFloatRemainders(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for _, d := range []dtype.DType{dtype.Float32, dtype.Float64} {
		all := exponents(d, 3)
		top := patternOfFloat(d, math.Inf(1))
		for _, op := range []Op{Rem, Mod, FloorDiv} {
			body, err := RowBody(op, []dtype.DType{d, d}, d)
			require.NoError(t, err)
			for range 8_000 {
				x, y := all[rng.IntN(len(all))], all[rng.IntN(len(all))]
				if rng.IntN(3) == 0 { // near multiples of y
					x = patternOfFloat(d, floatOf(d, y)*float64(rng.IntN(1<<20)))
					x += uint64(rng.IntN(3)) - 1
				}
				if x &= top<<1 - 1; x >= top {
					x = top - 1
				}
				args := []float64{floatOf(d, x), floatOf(d, y)}
				want := op.Row().Ref.Float(args)
				got := body.Eval([]uint64{x, y})[0]
				require.LessOrEqual(t, ulps(d, got, want), op.Row().Bound.of(d), "%v(%v, %v) in %v = %v, want %v", op, args[0], args[1], d, floatOf(d, got), want)
			}
		}
	}
}

// TestIntegerDivisionOfBytes takes all pairs of 8 bits.
func TestIntegerDivisionOfBytes(t *testing.T) {
	checked := 0
	for d := dtype.Invalid + 1; int(d) < dtype.Count; d++ {
		if !d.IsInteger() || d.Size() != 1 {
			continue
		}
		for _, op := range []Op{FloorDiv, Mod, Rem, ShiftLeft, ShiftRight} {
			body, err := RowBody(op, []dtype.DType{d, d}, d)
			require.NoError(t, err)
			for x := range uint64(1 << 16) {
				args := []uint64{x >> 8, x & 0xff}
				ints := []int64{integerOf(d, args[0]), integerOf(d, args[1])}
				want := wrap(d, uint64(op.Row().Ref.Int(ints)))
				require.Equal(t, want, body.Eval(args)[0], "%v of %v %d", op, d, ints)
				checked++
			}
		}
	}
	assert.Positive(t, checked)
}

// TestDivisionValues states the values that users know.
func TestDivisionValues(t *testing.T) {
	inf, nan, minus0 := math.Inf(1), math.NaN(), math.Copysign(0, -1)
	for _, c := range []struct {
		op         Op
		x, y, want float64
	}{
		{FloorDiv, -7.5, 2, -4}, {FloorDiv, 7.5, 2, 3}, {FloorDiv, 7.5, -2, -4}, {FloorDiv, 1, 0, inf}, {FloorDiv, -1, 0, -inf},
		{FloorDiv, 0, 0, nan}, {FloorDiv, inf, 2, nan}, {FloorDiv, -1, inf, -1}, {FloorDiv, 1, inf, 0}, {FloorDiv, 1, 0.1, 9},
		{FloorDiv, -0x1p-140, 1, -1}, {FloorDiv, minus0, 3, minus0}, {FloorDiv, 0x1.fffffep23, 1, 0x1.fffffep23},
		{Mod, -7.5, 2, 0.5}, {Mod, 7.5, -2, -0.5}, {Mod, -4, 2, 0}, {Mod, 4, -2, minus0}, {Mod, -1, inf, inf}, {Mod, 1, inf, 1}, {Mod, 1, 0, nan}, {Mod, inf, 2, nan},
		{Rem, -7.5, 2, -1.5}, {Rem, 7.5, -2, 1.5}, {Rem, -4, 2, minus0}, {Rem, -1, inf, -1}, {Rem, 1, 0, nan}, {Rem, nan, 2, nan}, {Rem, 0x1p120, 3, 1}, {Rem, 0x1p127, 0x1.8p-148, 0x1p-149},
	} {
		for _, d := range []dtype.DType{dtype.Float32, dtype.Float64} {
			body, err := RowBody(c.op, []dtype.DType{d, d}, d)
			require.NoError(t, err)
			got := body.Eval([]uint64{patternOfFloat(d, c.x), patternOfFloat(d, c.y)})[0]
			assert.True(t, sameValue(d, patternOfFloat(d, c.want), got), "%v(%v, %v) in %v = %v, want %v", c.op, c.x, c.y, d, floatOf(d, got), c.want)
		}
	}
}
