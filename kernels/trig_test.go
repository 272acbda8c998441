package kernels

import (
	"math"
	"math/big"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/stride0/stride0/dtype"
)

// region is where a row of one operand is sampled evenly.
type region struct {
	op     Op
	quick  func(x float64) float64 // as in the map of that name
	lo, hi float64
	turns  []float64 // where its expression changes its mind
}

var regions = []region{
	{Sin, math.Sin, -20, 20, []float64{math.Pi / 4, math.Pi / 2, math.Pi, 2 * math.Pi, 0.5}},
	{Cos, math.Cos, -20, 20, []float64{math.Pi / 4, math.Pi / 2, math.Pi, 2 * math.Pi, 0.5}},
	{Tan, math.Tan, -20, 20, []float64{math.Pi / 4, math.Pi / 2, math.Pi, 2 * math.Pi, 0.5}},
	{Asin, math.Asin, -1, 1, []float64{0.5, 1}},
	{Acos, math.Acos, -1, 1, []float64{0.5, 1}},
	{Atan, math.Atan, -5, 5, []float64{1}},
	{Erf, math.Erf, -7, 7, []float64{1, 3.9, 5.9}},
	{Erfc, math.Erfc, -6, 28, []float64{0.5, 9.19, 10.05, 10.1, 26.54, 27.22, 27.3}},
	{Lgamma, quickLgamma, -10, 20, []float64{0.125, 0.875, 1, 2, 2.125, 3, 8, 0x1p23, 4.085e36, 0x1p52, 2.556e305}},
	{Digamma, quickDigamma, -10, 20, []float64{0.5, 1, digammaZero, 2, 3, 8, 0x1p23, 0x1p52}},
}

// digammaZero is where digamma is 0.
const digammaZero = 1.4616321449683623

func quickLgamma(x float64) float64 {
	r, _ := math.Lgamma(x)
	if math.IsInf(x, -1) {
		return -r // Inf in C99, and here
	}
	return r
}

// quickDigamma is the recurrence up to 20 and six terms of the asymptotic
// series; near the zero only the reference will do.
func quickDigamma(x float64) float64 {
	r := 0.0
	switch {
	case x <= 0 && x == math.Floor(x) || x != x || math.Abs(x-digammaZero) < 0.01:
		return refDigamma(x)
	case x < 0:
		r = -math.Pi / math.Tan(math.Pi*(x-math.RoundToEven(x)))
		x = 1 - x
	}
	for ; x < 20; x++ {
		r -= 1 / x
	}
	u := 1 / (x * x)
	return r + math.Log(x) - 0.5/x - u*(1./12-u*(1./120-u*(1./252-u*(1./240-u*(1./132-u*691/32760)))))
}

func (r region) samples(d dtype.DType, steps, perBinade int) []uint64 {
	s := append(specials(d), exponents(d, perBinade)...)
	s = append(s, around(d, 20, r.turns...)...)
	for i := range steps {
		s = append(s, patternOfFloat(d, r.lo+(r.hi-r.lo)*(float64(i)+0.37)/float64(steps)))
	}
	return s
}

func TestFloat32TrigAndSpecialWithinBounds(t *testing.T) {
	steps, perBinade := 3_000, 10
	if os.Getenv("STRIDE0_FULL") == "1" {
		steps, perBinade = 2_000_000, 10_000
	}
	for _, r := range regions {
		t.Run(r.op.String(), func(t *testing.T) {
			checkBound(t, r.op, dtype.Float32, r.samples(dtype.Float32, steps, perBinade), r.quick)
		})
	}
}

// STRIDE0_FULL takes some 10^6 samples of all together: the references cost
// 20 to 200 microseconds.
func TestFloat64TrigAndSpecialWithinBounds(t *testing.T) {
	steps, perBinade := 60, 0
	if os.Getenv("STRIDE0_FULL") == "1" {
		steps, perBinade = 60_000, 10
	}
	for _, r := range regions {
		t.Run(r.op.String(), func(t *testing.T) {
			t.Parallel()
			samples := thinned(r.samples(dtype.Float64, steps, perBinade), 3)
			if perBinade == 0 { // a fraction of the ends of all binades
				for x := uint64(0x123456789); x < 1<<63; x += 1<<52*175/2 + 1<<40 {
					samples = append(samples, x, x|1<<63)
				}
			}
			checkBound(t, r.op, dtype.Float64, samples, func(x float64) float64 {
				return r.op.Row().Ref.Float([]float64{x})
			})
		})
	}
}

// TestLargeAnglesAreReducedExactly has the arguments closest to multiples of
// π/2 (for float64 from Muller, Elementary Functions) and what others get
// wrong.
func TestLargeAnglesAreReducedExactly(t *testing.T) {
	for _, c := range []struct {
		op      Op
		d       dtype.DType
		x, want float64
	}{
		{Cos, dtype.Float32, 72000, 0.5573837},
		{Sin, dtype.Float64, 1e22, -0.8522008497671888},
		{Cos, dtype.Float64, 6381956970095103 * 0x1p797, -4.687165924254624e-19},
		{Cos, dtype.Float32, 16367173 * 0x1p72, -1.61476979825e-9},
		{Sin, dtype.Float32, 16367173 * 0x1p72, 1},
	} {
		body, err := RowBody(c.op, []dtype.DType{c.d}, c.d)
		require.NoError(t, err)
		x := patternOfFloat(c.d, c.x)
		got := floatOf(c.d, body.Eval([]uint64{x})[0])
		assert.InEpsilon(t, c.want, got, 2e-7, "%v(%v) of %v", c.op, c.x, c.d)
		assert.InEpsilon(t, c.want, c.op.Row().Ref.Float([]float64{floatOf(c.d, x)}), 2e-7, "the reference of %v(%v)", c.op, c.x)
	}
}

// TestTwoOverPi compares the table with Machin's formula.
func TestTwoOverPi(t *testing.T) {
	const words = 19 // digit 41 of quadrantsFloat64 ends in bit 1,205
	q := new(big.Float).SetPrec(64*words+16).Quo(big.NewFloat(2), bigPi())
	whole, _ := q.SetMantExp(q, 64*words).Int(nil)
	for i := words - 1; i >= 0; i-- {
		word := new(big.Int).And(whole, new(big.Int).SetUint64(math.MaxUint64)).Uint64()
		assert.Equal(t, word, twoOverPi[i], "word %d", i)
		whole.Rsh(whole, 64)
	}
}

func TestAtan2OfZerosAndInfinities(t *testing.T) {
	inf, nan, zero := math.Inf(1), math.NaN(), math.Copysign(0, -1)
	for _, c := range []struct{ y, x, want float64 }{
		{0, 0, 0}, {zero, 0, zero}, {0, zero, math.Pi}, {zero, zero, -math.Pi},
		{0, 1, 0}, {zero, 1, zero}, {0, -1, math.Pi}, {zero, -1, -math.Pi},
		{1, 0, math.Pi / 2}, {-1, 0, -math.Pi / 2}, {1, zero, math.Pi / 2}, {-1, zero, -math.Pi / 2},
		{1, inf, 0}, {-1, inf, zero}, {1, -inf, math.Pi}, {-1, -inf, -math.Pi},
		{inf, 1, math.Pi / 2}, {-inf, 1, -math.Pi / 2}, {inf, -1, math.Pi / 2}, {-inf, -1, -math.Pi / 2},
		{inf, inf, math.Pi / 4}, {-inf, inf, -math.Pi / 4}, {inf, -inf, 3 * math.Pi / 4}, {-inf, -inf, -3 * math.Pi / 4},
		{0, inf, 0}, {zero, -inf, -math.Pi}, {inf, zero, math.Pi / 2}, {-inf, 0, -math.Pi / 2},
		{nan, 1, nan}, {1, nan, nan}, {nan, inf, nan}, {inf, nan, nan}, {0, nan, nan}, {nan, 0, nan},
		{1, 1, math.Pi / 4}, {-1, -1, -3 * math.Pi / 4}, {1, -1, 3 * math.Pi / 4},
	} {
		for _, d := range []dtype.DType{dtype.Float32, dtype.Float64} {
			body, err := RowBody(Atan2, []dtype.DType{d, d}, d)
			require.NoError(t, err)
			got := body.Eval([]uint64{patternOfFloat(d, c.y), patternOfFloat(d, c.x)})[0]
			assert.True(t, sameValue(d, patternOfFloat(d, c.want), got), "atan2(%v, %v) of %v = %v", c.y, c.x, d, floatOf(d, got))
		}
	}
}
