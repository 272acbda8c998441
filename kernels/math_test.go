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
	lo, hi := busy(op)
	for i := range steps {
		s = append(s, patternOfFloat(d, lo+(hi-lo)*float64(i)/steps))
	}
	for k := -155.0; k <= 130; k++ { // where the rounding of x/ln 2 turns, and multiples of ln 2
		s = append(s, around(d, 12, k*math.Ln2, (k+0.5)*math.Ln2, (k+0.5)*math.Ln2/2)...)
	}
	return append(s, around(d, 300, 0.5, 2.0/3, 1, 4.0/3, 2, 9, 10, 19, 22, 88.722839, 87.336544, 103.97208, 104, 709.782712893384, 745.1332191019412)...)
}

// busy is the region in which an expression has the most to do.
func busy(op Op) (lo, hi float64) {
	switch op {
	case Log, Log2, Log10:
		return 0.5, 2
	case Tanh:
		return -2, 23
	case Log1p, Atanh, Sinh:
		return -1.2, 1.5
	case Expm1:
		return -3, 3
	case Cbrt, Rsqrt, Asinh, Acosh:
		return 0, 9
	}
	return -110, 90
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
	Exp2: math.Exp2, Expm1: math.Expm1, Log1p: math.Log1p,
	Log2:  func(x float64) float64 { return math.Log(x) / math.Ln2 },
	Log10: func(x float64) float64 { return math.Log(x) / math.Ln10 },
	Cbrt:  math.Cbrt,
	Rsqrt: func(x float64) float64 { return 1 / math.Sqrt(x) },
	Sinh: func(x float64) float64 {
		if a := math.Abs(x); a > 22 {
			return math.Copysign(halfExp(a), x)
		}
		return math.Sinh(x)
	},
	Cosh: func(x float64) float64 {
		if a := math.Abs(x); a > 22 {
			return halfExp(a)
		}
		return math.Cosh(x)
	},
	Asinh: math.Asinh, Acosh: math.Acosh, Atanh: math.Atanh,
}

// halfExp is e^a / 2; math.Exp itself is Inf from 709.44 on, on amd64.
func halfExp(a float64) float64 { return math.Exp(a/2) * (math.Exp(a/2) / 2) }

// thinned returns one in n of s, or all where STRIDE0_FULL asks for them.
func thinned(s []uint64, n int) []uint64 {
	if os.Getenv("STRIDE0_FULL") == "1" {
		return s
	}
	var some []uint64
	for i := 0; i < len(s); i += n {
		some = append(some, s[i])
	}
	return some
}

func TestFloat32MathWithinBounds(t *testing.T) {
	for op, ref := range quick {
		t.Run(op.String(), func(t *testing.T) {
			samples := mathSamples(op, dtype.Float32)
			require.Greater(t, len(samples), 100_000)
			if op.Row().Hot {
				samples = thinned(samples, 3)
			} else {
				samples = thinned(samples, 16)
			}
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
	for op := range quick {
		t.Run(op.String(), func(t *testing.T) {
			t.Parallel()
			samples := thinned(mathSamples(op, dtype.Float64), 53)
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
		if err := op.Row().ulps(d, []float64{f}, body.Eval([]uint64{x})[0], ref(f), op.Row().Bound.of(d)); err > worst {
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
