package kernels

import (
	"math"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/stride0/stride0/dtype"
)

// mathSamples returns patterns that stress one transcendental row: every
// binade, the region that matters evenly, and the places where the float32
// expression changes its mind.
func mathSamples(op Op, d dtype.DType) []uint64 {
	perBinade := 100
	if d == dtype.Float64 {
		perBinade = 6
	}
	s := append(specials(d), exponents(d, perBinade)...)
	const steps = 50_000
	for i := range steps {
		u := float64(i) / steps
		switch op {
		case Log:
			s = append(s, patternOfFloat(d, 0.5+1.5*u))
		case Tanh:
			s = append(s, patternOfFloat(d, 25*u-2))
		default:
			s = append(s, patternOfFloat(d, 200*u-110))
		}
	}
	for k := -155.0; k <= 130; k++ { // where the rounding of x/ln 2 turns, and multiples of ln 2
		s = append(s, around(d, 12, k*math.Ln2, (k+0.5)*math.Ln2, (k+0.5)*math.Ln2/2)...)
	}
	return append(s, around(d, 300, 0.5, 2.0/3, 1, 4.0/3, 2, 9, 10, 19, 22, 88.722839, 87.336544, 103.97208, 104, 709.782712893384, 745.1332191019412)...)
}

// quick are references good enough for float32, in float64 and not by way of
// the expressions. Row.Ref is some hundred times slower.
var quick = map[Op]func(x float64) float64{
	Exp:  math.Exp,
	Log:  math.Log,
	Tanh: math.Tanh,
	Sigmoid: func(x float64) float64 {
		if t := math.Exp(-math.Abs(x)); x < 0 {
			return t / (1 + t)
		}
		return 1 / (1 + math.Exp(-x))
	},
}

func TestFloat32MathWithinBounds(t *testing.T) {
	for op, ref := range quick {
		t.Run(op.String(), func(t *testing.T) {
			samples := mathSamples(op, dtype.Float32)
			require.Greater(t, len(samples), 100_000)
			if os.Getenv("STRIDE0_FULL") == "1" { // one in 1,009 of all
				for x := uint64(0); x < 1<<32; x += 1009 {
					samples = append(samples, x)
				}
			}
			checkBound(t, op, dtype.Float32, samples, ref)
			for i := 0; i < len(samples); i += 50 {
				x := floatOf(dtype.Float32, samples[i])
				require.LessOrEqual(t, ulps(dtype.Float64, math.Float64bits(ref(x)), op.Row().Ref.Float([]float64{x})), 3.0, "the references differ at %v", x)
			}
		})
	}
}

// The references in big floats take minutes under the race detector:
// STRIDE0_FULL asks for all samples.
func TestFloat64MathWithinBounds(t *testing.T) {
	every := 7
	if os.Getenv("STRIDE0_FULL") == "1" {
		every = 1
	}
	for op := range quick {
		t.Run(op.String(), func(t *testing.T) {
			t.Parallel()
			all := mathSamples(op, dtype.Float64)
			var samples []uint64
			for i := 0; i < len(all); i += every {
				samples = append(samples, all[i])
			}
			checkBound(t, op, dtype.Float64, samples, func(x float64) float64 {
				return op.Row().Ref.Float([]float64{x})
			})
		})
	}
}

func checkBound(t *testing.T, op Op, d dtype.DType, samples []uint64, ref func(x float64) float64) {
	body, err := RowBody(op, []dtype.DType{d}, d)
	require.NoError(t, err)
	worst, at := 0.0, uint64(0)
	for _, x := range samples {
		f := floatOf(d, x)
		if err := op.Row().ulps(d, []float64{f}, body.Eval([]uint64{x})[0], ref(f)); err > worst {
			worst, at = err, x
		}
	}
	t.Logf("%d samples, at most %.3f ULP (at %v)", len(samples), worst, floatOf(d, at))
	assert.LessOrEqual(t, worst, op.Row().Bound.of(d), "at %#x = %v", at, floatOf(d, at))
}

// TestMathLimits states the values that users know.
func TestMathLimits(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		op      Op
		x, want float64
	}{
		{Exp, 0, 1}, {Exp, -inf, 0}, {Exp, inf, inf}, {Exp, nan, nan}, {Exp, 1e30, inf}, {Exp, -1e30, 0},
		{Log, 1, 0}, {Log, 0, -inf}, {Log, math.Copysign(0, -1), -inf}, {Log, -1, nan}, {Log, -inf, nan}, {Log, inf, inf}, {Log, nan, nan},
		{Tanh, 1e30, 1}, {Tanh, -1e30, -1}, {Tanh, inf, 1}, {Tanh, -inf, -1}, {Tanh, nan, nan}, {Tanh, 0, 0}, {Tanh, math.Copysign(0, -1), math.Copysign(0, -1)},
		{Sigmoid, 0, 0.5}, {Sigmoid, -1000, 0}, {Sigmoid, 1000, 1}, {Sigmoid, -inf, 0}, {Sigmoid, inf, 1}, {Sigmoid, nan, nan},
	} {
		for _, d := range []dtype.DType{dtype.Float32, dtype.Float64} {
			body, err := RowBody(c.op, []dtype.DType{d}, d)
			require.NoError(t, err)
			got := body.Eval([]uint64{patternOfFloat(d, c.x)})[0]
			assert.True(t, sameValue(d, patternOfFloat(d, c.want), got), "%v of %v in %v = %v", c.op, c.x, d, floatOf(d, got))
		}
	}
}
