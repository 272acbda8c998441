package kernels

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/stride0/stride0/dtype"
)

// TestTrigAndSpecialLimits states the values that users know.
func TestTrigAndSpecialLimits(t *testing.T) {
	inf, nan, zero := math.Inf(1), math.NaN(), math.Copysign(0, -1)
	for _, c := range []struct {
		op      Op
		x, want float64
	}{
		{Sin, 0, 0}, {Sin, zero, zero}, {Sin, inf, nan}, {Sin, -inf, nan}, {Sin, nan, nan}, {Sin, 0x1p-149, 0x1p-149},
		{Cos, 0, 1}, {Cos, zero, 1}, {Cos, inf, nan}, {Cos, -inf, nan}, {Cos, nan, nan},
		{Tan, 0, 0}, {Tan, zero, zero}, {Tan, inf, nan}, {Tan, -inf, nan}, {Tan, nan, nan}, {Tan, -0x1p-149, -0x1p-149},
		{Asin, zero, zero}, {Asin, 1, math.Pi / 2}, {Asin, -1, -math.Pi / 2}, {Asin, 1.0000001, nan}, {Asin, -2, nan}, {Asin, inf, nan}, {Asin, nan, nan},
		{Acos, 1, 0}, {Acos, -1, math.Pi}, {Acos, 0, math.Pi / 2}, {Acos, zero, math.Pi / 2}, {Acos, 1.0000001, nan}, {Acos, -inf, nan}, {Acos, nan, nan},
		{Atan, zero, zero}, {Atan, inf, math.Pi / 2}, {Atan, -inf, -math.Pi / 2}, {Atan, nan, nan}, {Atan, 1, math.Pi / 4},
		{Erf, 0, 0}, {Erf, zero, zero}, {Erf, inf, 1}, {Erf, -inf, -1}, {Erf, nan, nan},
		{Erfc, 0, 1}, {Erfc, zero, 1}, {Erfc, inf, 0}, {Erfc, -inf, 2}, {Erfc, nan, nan}, {Erfc, 30, 0},
		{Lgamma, 0, inf}, {Lgamma, zero, inf}, {Lgamma, -1, inf}, {Lgamma, -1e30, inf}, {Lgamma, inf, inf}, {Lgamma, -inf, inf}, {Lgamma, nan, nan},
		{Lgamma, 1, 0}, {Lgamma, 2, 0},
		{Digamma, 0, -inf}, {Digamma, zero, inf}, {Digamma, -1, nan}, {Digamma, -1e30, nan}, {Digamma, inf, inf}, {Digamma, -inf, nan}, {Digamma, nan, nan},
	} {
		for _, d := range []dtype.DType{dtype.Float32, dtype.Float64} {
			body, err := RowBody(c.op, []dtype.DType{d}, d)
			require.NoError(t, err)
			got := body.Eval([]uint64{patternOfFloat(d, c.x)})[0]
			assert.True(t, sameValue(d, patternOfFloat(d, c.want), got), "%v of %v in %v = %v", c.op, c.x, d, floatOf(d, got))
		}
	}
}

// TestOddFunctionsAreOdd compares patterns, so that zeros count.
func TestOddFunctionsAreOdd(t *testing.T) {
	for _, op := range []Op{Sin, Tan, Asin, Atan, Erf} {
		for _, d := range []dtype.DType{dtype.Float32, dtype.Float64} {
			body, err := RowBody(op, []dtype.DType{d}, d)
			require.NoError(t, err)
			sign := uint64(1) << (8*d.Size() - 1)
			for _, x := range append(specials(d), exponents(d, 1)...) {
				got, mirrored := body.Eval([]uint64{x})[0], body.Eval([]uint64{x ^ sign})[0]
				require.True(t, sameValue(d, got^sign, mirrored) || floatOf(d, got) != floatOf(d, got), "%v of %#x in %v", op, x, d)
			}
		}
	}
}

// TestSpecialReferences holds the references to values from tables
// (Abramowitz and Stegun 6.1, 6.3, 7.1; Wolfram's of the roots).
func TestSpecialReferences(t *testing.T) {
	for _, c := range []struct {
		f       func(x float64) float64
		x, want float64
	}{
		{refErf, 0.5, 0.5204998778130465}, {refErf, -2, -0.9953222650189527},
		{refErfc, 5, 1.5374597944280349e-12}, {refErfc, 6, 2.1519736712498913e-17}, {refErfc, 20, 5.395865611607901e-176},
		{refLgamma, 0.5, 0.5723649429247001}, {refLgamma, 100, 359.1342053695754}, {refLgamma, -0.5, 1.2655121234846454},
		{refLgamma, -2.5, -0.05624371649767405},
		{refDigamma, 1, -0.5772156649015329}, {refDigamma, 0.5, -1.9635100260214235}, {refDigamma, 10, 2.251752589066721},
		{refDigamma, -0.5, 0.03648997397857652}, {refDigamma, -2.5, 1.103156640645243},
		{refSin, 1, 0.8414709848078965}, {refCos, 3, -0.9899924966004454}, {refTan, 2, -2.185039863261519},
		{refAtan, 0.5, 0.4636476090008061}, {refAsin, 0.5, 0.5235987755982989}, {refAcos, -0.25, 1.8234765819369754},
	} {
		assert.InEpsilon(t, c.want, c.f(c.x), 1e-15, "at %v", c.x)
	}
}

// TestGammaNearItsZeros has the places where nothing may cancel: 1 and 2 for
// lgamma, 1.4616 for digamma, and one unit next to each.
func TestGammaNearItsZeros(t *testing.T) {
	for _, d := range []dtype.DType{dtype.Float32, dtype.Float64} {
		for op, zeros := range map[Op][]float64{Lgamma: {1, 2}, Digamma: {digammaZero}} {
			body, err := RowBody(op, []dtype.DType{d}, d)
			require.NoError(t, err)
			for _, x := range around(d, 3, zeros...) {
				f := floatOf(d, x)
				if f < 0 {
					continue
				}
				want := op.Row().Ref.Float([]float64{f})
				got := body.Eval([]uint64{x})[0]
				assert.LessOrEqual(t, ulps(d, got, want), op.Row().Bound.of(d), "%v(%v) of %v = %v", op, f, d, floatOf(d, got))
			}
		}
	}
}
