package kernels

import (
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/stride0/stride0/dtype"
)

// TestPowerLimits states the values of C99 (F.9) that programs rely on.
func TestPowerLimits(t *testing.T) {
	inf, nan, minus0 := math.Inf(1), math.NaN(), math.Copysign(0, -1)
	for _, c := range []struct {
		op         Op
		x, y, want float64 // y is for operations of two operands
	}{
		{Pow, nan, 0, 1}, {Pow, nan, minus0, 1}, {Pow, 1, nan, 1}, {Pow, nan, 1, nan}, {Pow, 2, nan, nan}, {Pow, -1, nan, nan},
		{Pow, -1, inf, 1}, {Pow, -1, -inf, 1}, {Pow, 2, inf, inf}, {Pow, 2, -inf, 0}, {Pow, 0.5, inf, 0}, {Pow, -0.5, -inf, inf},
		{Pow, -inf, 3, -inf}, {Pow, -inf, 2, inf}, {Pow, -inf, -3, minus0}, {Pow, -inf, 0.5, inf}, {Pow, inf, -0.5, 0}, {Pow, inf, 2, inf},
		{Pow, minus0, -1, -inf}, {Pow, minus0, -2, inf}, {Pow, minus0, 3, minus0}, {Pow, minus0, 0.5, 0}, {Pow, 0, -0.5, inf}, {Pow, 0, inf, 0}, {Pow, minus0, -inf, inf},
		{Pow, -8, 1.0 / 3, nan}, {Pow, -2, 3, -8}, {Pow, -2, 1e9, inf}, {Pow, -2, -1e30, 0}, {Pow, -3, 2, 9}, {Pow, 10, 2, 100}, {Pow, 0.5, 2, 0.25}, {Pow, 0, 0, 1},
		{Hypot, inf, nan, inf}, {Hypot, nan, -inf, inf}, {Hypot, nan, 1, nan}, {Hypot, 3e30, 4e30, 5e30}, {Hypot, -3, 4, 5}, {Hypot, minus0, 0, 0}, {Hypot, minus0, -7, 7},
		{LogAddExp, -inf, -inf, -inf}, {LogAddExp, inf, inf, inf}, {LogAddExp, inf, -inf, inf}, {LogAddExp, -inf, 3, 3}, {LogAddExp, 3, -inf, 3},
		{LogAddExp, nan, inf, nan}, {LogAddExp, -inf, nan, nan}, {LogAddExp, 1, nan, nan}, {LogAddExp, 1e30, -1e30, 1e30}, {LogAddExp, 0, 0, math.Ln2},
		{Exp2, 10, 0, 1024}, {Exp2, -inf, 0, 0}, {Exp2, inf, 0, inf}, {Exp2, nan, 0, nan}, {Exp2, -140, 0, 0x1p-140}, {Exp2, 1e30, 0, inf},
		{Expm1, minus0, 0, minus0}, {Expm1, -inf, 0, -1}, {Expm1, inf, 0, inf}, {Expm1, nan, 0, nan}, {Expm1, 0x1p-140, 0, 0x1p-140},
		{Log1p, minus0, 0, minus0}, {Log1p, -1, 0, -inf}, {Log1p, -1.5, 0, nan}, {Log1p, inf, 0, inf}, {Log1p, nan, 0, nan}, {Log1p, -0x1p-140, 0, -0x1p-140}, {Log1p, -inf, 0, nan},
		{Log2, 0x1p-140, 0, -140}, {Log2, 0x1p100, 0, 100}, {Log2, 1, 0, 0}, {Log2, 0, 0, -inf}, {Log2, -1, 0, nan}, {Log2, inf, 0, inf},
		{Log10, 1000, 0, 3}, {Log10, 1e10, 0, 10}, {Log10, 1, 0, 0}, {Log10, minus0, 0, -inf}, {Log10, -inf, 0, nan}, {Log10, nan, 0, nan},
		{Cbrt, -27, 0, -3}, {Cbrt, minus0, 0, minus0}, {Cbrt, -inf, 0, -inf}, {Cbrt, 0x1p-147, 0, 0x1p-49}, {Cbrt, nan, 0, nan},
		{Rsqrt, 4, 0, 0.5}, {Rsqrt, 0, 0, inf}, {Rsqrt, minus0, 0, -inf}, {Rsqrt, inf, 0, 0}, {Rsqrt, -1, 0, nan}, {Rsqrt, 0x1p-148, 0, 0x1p74},
		{Sinh, minus0, 0, minus0}, {Sinh, -inf, 0, -inf}, {Sinh, 1e30, 0, inf}, {Sinh, nan, 0, nan}, {Cosh, 0, 0, 1}, {Cosh, -inf, 0, inf}, {Cosh, nan, 0, nan},
		{Asinh, minus0, 0, minus0}, {Asinh, -inf, 0, -inf}, {Asinh, nan, 0, nan}, {Acosh, 1, 0, 0}, {Acosh, 0.5, 0, nan}, {Acosh, -3, 0, nan}, {Acosh, inf, 0, inf}, {Acosh, -inf, 0, nan},
		{Atanh, minus0, 0, minus0}, {Atanh, 1, 0, inf}, {Atanh, -1, 0, -inf}, {Atanh, 1.5, 0, nan}, {Atanh, -inf, 0, nan}, {Atanh, nan, 0, nan},
	} {
		for _, d := range []dtype.DType{dtype.Float32, dtype.Float64} {
			args := []uint64{patternOfFloat(d, c.x), patternOfFloat(d, c.y)}
			got := evalRow(t, c.op, d, args[:c.op.Row().Arity]...)
			assert.True(t, sameValue(d, patternOfFloat(d, c.want), got), "%v of %v, %v in %v = %v", c.op, c.x, c.y, d, floatOf(d, got))
		}
	}
	assert.Equal(t, 5e200, math.Float64frombits(evalRow(t, Hypot, dtype.Float64, math.Float64bits(3e200), math.Float64bits(4e200))))
}

// evalRow applies the expression of op in d once.
func evalRow(t *testing.T, op Op, d dtype.DType, x ...uint64) uint64 {
	body, err := RowBody(op, []dtype.DType{d, d}[:len(x)], d)
	require.NoError(t, err)
	return body.Eval(x)[0]
}

// pairs returns operands whose result is of moderate size, or not far from
// the ends of the range.
func pairs(op Op, d dtype.DType, n int) [][2]uint64 {
	rng := rand.New(rand.NewPCG(11, uint64(op)))
	top, least := 105.0, -149
	if d == dtype.Float64 {
		top, least = 750, -1074
	}
	all := make([][2]uint64, n)
	for i := range all {
		x := math.Ldexp(1+rng.Float64(), least+rng.IntN(-2*least-22))
		if i%3 == 0 {
			x = 1 + (rng.Float64()-0.5)*math.Ldexp(1, -rng.IntN(40))
		}
		var y float64
		switch op {
		case Pow:
			y = (2*rng.Float64() - 1) * top / math.Log(x)
		case Hypot:
			y = x * math.Ldexp(rng.Float64(), rng.IntN(30)-15)
		case LogAddExp:
			x = (2*rng.Float64() - 1) * top
			y = x + rng.NormFloat64()*math.Ldexp(1, rng.IntN(8)-2)
		}
		all[i] = [2]uint64{patternOfFloat(d, x), patternOfFloat(d, y)}
	}
	return all
}

// TestPairsWithinBounds measures the rows of two operands.
func TestPairsWithinBounds(t *testing.T) {
	n := 3_000
	if os.Getenv("STRIDE0_FULL") == "1" {
		n = 1_000_000
	}
	for _, op := range []Op{Pow, Hypot, LogAddExp} {
		for _, d := range []dtype.DType{dtype.Float32, dtype.Float64} {
			t.Run(op.String()+"/"+d.String(), func(t *testing.T) {
				t.Parallel()
				checkPairs(t, op, d, n)
			})
		}
	}
}

func checkPairs(t *testing.T, op Op, d dtype.DType, n int) {
	body, err := RowBody(op, []dtype.DType{d, d}, d)
	require.NoError(t, err)
	worst, at, finite := 0.0, [2]uint64{}, 0
	for _, p := range pairs(op, d, n) {
		x, y := floatOf(d, p[0]), floatOf(d, p[1])
		want := op.Row().Ref.Float([]float64{x, y})
		if op == LogAddExp && math.Abs(want) < max(math.Abs(x), math.Abs(y))/1024 {
			continue // TestLogAddExpCancels
		}
		if got := ulps(d, body.Eval(p[:])[0], want); got > worst {
			worst, at = got, p
		}
		if want != 0 && !math.IsInf(want, 0) {
			finite++
		}
	}
	t.Logf("at most %.3f ULP (at %v, %v)", worst, floatOf(d, at[0]), floatOf(d, at[1]))
	assert.LessOrEqual(t, worst, op.Row().Bound.of(d), "at %#x", at)
	assert.Greater(t, finite, n*3/4)
}

// TestLogAddExpCancels: where the sum is near 1, and its logarithm near 0, the
// error stays below 1/1024 of the last place of the operands.
func TestLogAddExpCancels(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	for _, d := range []dtype.DType{dtype.Float32, dtype.Float64} {
		last := math.Ldexp(1, -24)
		if d == dtype.Float64 {
			last = math.Ldexp(1, -53)
		}
		body, err := RowBody(LogAddExp, []dtype.DType{d, d}, d)
		require.NoError(t, err)
		for range 500 {
			p := 0.3 + 0.4*rng.Float64()
			x, y := patternOfFloat(d, math.Log(p)), patternOfFloat(d, math.Log(1-p))
			want := refLogAddExp(floatOf(d, x), floatOf(d, y))
			got := floatOf(d, body.Eval([]uint64{x, y})[0])
			require.LessOrEqual(t, math.Abs(got-want), max(last/1024, math.Abs(want)*2*last), "of %v and %v", floatOf(d, x), floatOf(d, y))
		}
	}
}

// TestPowOfIntegers compares with a loop over the exponent, or with big
// integers: all pairs of bytes, and exponents with bits in every place.
func TestPowOfIntegers(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 16))
	for _, d := range []dtype.DType{dtype.Int8, dtype.Uint8, dtype.Int16, dtype.Uint16, dtype.Int32, dtype.Uint32, dtype.Int64, dtype.Uint64} {
		t.Run(d.String(), func(t *testing.T) {
			body, err := RowBody(Pow, []dtype.DType{d, d}, d)
			require.NoError(t, err)
			n := uint64(1 << 16)
			if d.Size() > 1 {
				n = 4_000
			}
			for i := range n {
				x, y := i>>8, i&0xff
				if d.Size() > 1 {
					x, y = rng.Uint64()>>rng.IntN(64), rng.Uint64()>>rng.IntN(64)
				}
				x, y = wrap(d, x), wrap(d, y)
				require.Equal(t, powOf(d, x, y), body.Eval([]uint64{x, y})[0], "%#x to the power %#x", x, y)
			}
		})
	}
}

func powOf(d dtype.DType, x, y uint64) uint64 {
	if d.Kind() == dtype.IntKind && signed(d, y) < 0 {
		return wrap(d, uint64(refPowInt(signed(d, x), signed(d, y))))
	}
	modulus := new(big.Int).Lsh(big.NewInt(1), uint(8*d.Size()))
	b := func(v uint64) *big.Int { return new(big.Int).SetUint64(v) }
	return b(0).Exp(b(x), b(y), modulus).Uint64()
}

// TestPowOfIntegersByHand: the corner cases that users know.
func TestPowOfIntegersByHand(t *testing.T) {
	for _, c := range []struct{ x, y, want int64 }{
		{0, 0, 1}, {0, -1, 0}, {0, 5, 0}, {1, -7, 1}, {-1, -3, -1}, {-1, -4, 1}, {2, -1, 0}, {10, -1, 0}, {-2, -1, 0},
		{-2, 3, -8}, {2, 31, math.MinInt32}, {2, 32, 0}, {3, 20, -808182895}, {-1, math.MinInt32, 1}, {-1, math.MaxInt32, -1}, {math.MinInt32, 1, math.MinInt32},
	} {
		got := evalRow(t, Pow, dtype.Int32, wrap(dtype.Int32, uint64(c.x)), wrap(dtype.Int32, uint64(c.y)))
		assert.Equal(t, c.want, signed(dtype.Int32, got), "%d to the power %d", c.x, c.y)
	}
	assert.EqualValues(t, 217, evalRow(t, Pow, dtype.Uint8, 3, 6), "wraps")
}
