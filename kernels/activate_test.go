package kernels

import (
	"math"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/stride0/stride0/dtype"
)

// TestActivationsWithinBounds measures every activation of one tensor, with
// some parameters, where its curve bends and in all binades.
func TestActivationsWithinBounds(t *testing.T) {
	params := map[Op][][]float64{
		LeakyRelu: {{0.01}, {-3}}, PRelu: {{0.25}}, Elu: {{1}, {0.3}, {-7}}, Celu: {{1}, {0.3}, {70}}, HardTanh: {{-1, 1}, {0, 6}}, Threshold: {{0.1, 20}},
	}
	for op := range activateRows {
		t.Run(op.String(), func(t *testing.T) {
			t.Parallel()
			lists := params[op]
			if lists == nil {
				lists = [][]float64{nil}
			}
			for _, d := range []dtype.DType{dtype.Float32, dtype.Float64} {
				for _, list := range lists {
					measureActivation(t, op, d, list)
				}
			}
		})
	}
}

func measureActivation(t *testing.T, op Op, d dtype.DType, params []float64) {
	row := op.Row()
	types := []dtype.DType{d, d, d}[:row.Arity]
	body, err := RowBody(op, types, d)
	require.NoError(t, err)
	worst, at := 0.0, 0.0
	for _, x := range activationSamples(d) {
		args, floats := []uint64{x}, []float64{floatOf(d, x)}
		for _, p := range params {
			args = append(args, patternOfFloat(d, p))
			floats = append(floats, floatOf(d, patternOfFloat(d, p)))
		}
		if err := ulps(d, body.Eval(args)[0], row.Ref.Float(floats)); err > worst {
			worst, at = err, floats[0]
		}
	}
	t.Logf("%v of %v with %v: at most %.3f ULP (at %v)", op, d, params, worst, at)
	assert.LessOrEqual(t, worst, row.Bound.of(d), "%v with %v at %v", d, params, at)
}

func activationSamples(d dtype.DType) []uint64 {
	steps := 400
	if os.Getenv("STRIDE0_FULL") == "1" {
		steps = 20_000
	}
	s := exponents(d, 1)
	if d == dtype.Float64 {
		s = thinned(s, 13)
	}
	for i := range steps {
		u := float64(i) / float64(steps)
		s = append(s, patternOfFloat(d, 20*u-12), patternOfFloat(d, 140*u-115))
	}
	return append(s, around(d, 6, 0.5, 1, 3, 6, 11, 17.3, 22, 38, 88.7, 103.9, 104, 112, 120, 709.78, 745.13, 762)...)
}

// TestActivationLimits states the values that users know.
func TestActivationLimits(t *testing.T) {
	inf, nan, minus0 := math.Inf(1), math.NaN(), math.Copysign(0, -1)
	for _, c := range []struct {
		op      Op
		x, want float64
	}{
		{Softplus, 100, 100}, {Softplus, -1e7, 0}, {Softplus, -inf, 0}, {Softplus, inf, inf}, {Softplus, 1e30, 1e30}, {Softplus, -1e30, 0}, {Softplus, nan, nan},
		{LogSigmoid, -100, -100}, {LogSigmoid, -inf, -inf}, {LogSigmoid, inf, minus0}, {LogSigmoid, -1e30, -1e30}, {LogSigmoid, nan, nan},
		{Silu, -1000, minus0}, {Silu, -inf, minus0}, {Silu, inf, inf}, {Silu, 1e30, 1e30}, {Silu, -1e30, minus0}, {Silu, 0, 0}, {Silu, minus0, minus0}, {Silu, nan, nan},
		{Mish, 100, 100}, {Mish, -inf, minus0}, {Mish, inf, inf}, {Mish, 1e30, 1e30}, {Mish, -1e30, minus0}, {Mish, nan, nan},
		{GeluTanh, -inf, minus0}, {GeluTanh, inf, inf}, {GeluTanh, 1e30, 1e30}, {GeluTanh, -1e30, minus0}, {GeluTanh, 100, 100}, {GeluTanh, nan, nan},
		{Gelu, -inf, minus0}, {Gelu, inf, inf}, {Gelu, 1e30, 1e30}, {Gelu, -1e30, minus0}, {Gelu, 0, 0}, {Gelu, minus0, minus0}, {Gelu, 100, 100}, {Gelu, nan, nan},
		{Softsign, inf, 1}, {Softsign, -inf, -1}, {Softsign, 1e30, 1}, {Softsign, nan, nan},
		{HardSwish, -inf, minus0}, {HardSwish, inf, inf}, {HardSigmoid, inf, 1}, {HardSigmoid, -inf, 0}, {HardSigmoid, nan, nan},
		{Selu, inf, inf}, {Selu, 0, 0}, {Selu, minus0, minus0}, {Selu, -inf, -seluScale * seluAlpha},
	} {
		for _, d := range []dtype.DType{dtype.Float32, dtype.Float64} {
			body, err := RowBody(c.op, []dtype.DType{d}, d)
			require.NoError(t, err)
			got := body.Eval([]uint64{patternOfFloat(d, c.x)})[0]
			assert.True(t, sameValue(d, patternOfFloat(d, c.want), got), "%v of %v in %v = %v", c.op, c.x, d, floatOf(d, got))
		}
	}
	body, err := RowBody(Softplus, []dtype.DType{dtype.Float32}, dtype.Float32)
	require.NoError(t, err)
	assert.Equal(t, uint64(27), body.Eval([]uint64{f32Bits(-100)})[0], "3.78e-44, not flushed")
}
