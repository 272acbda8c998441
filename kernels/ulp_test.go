package kernels

import (
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/stride0/stride0/dtype"
)

// TestULP measures the error of every element-wise row that rounds, in every
// float dtype, on special values, on values of every binade and on ordinary
// ones, and holds it to the row's bound. STRIDE0_SAMPLES says how many;
// `make ulp` prints what it finds for a million.
func TestULP(t *testing.T) {
	n := 400
	if s := os.Getenv("STRIDE0_SAMPLES"); s != "" {
		var err error
		n, err = strconv.Atoi(s)
		require.NoError(t, err)
	}
	for _, op := range Ops() {
		row := op.Row()
		if row.Expr.Float64 == nil || row.Raw || row.Rule == RuleArange || row.Rule == RuleRandom || row.Rule == RuleCast {
			continue
		}
		if body := rowOn(t, op, dtype.Float64); body.Nodes[body.Outs[0]].Type != dtype.Float64 {
			continue // a comparison or its like
		}
		for _, d := range []dtype.DType{dtype.Float16, dtype.BFloat16, dtype.Float32, dtype.Float64} {
			t.Run(op.String()+"/"+d.String(), func(t *testing.T) {
				t.Parallel()
				measure(t, op, d, n)
			})
		}
	}
}

func measure(t *testing.T, op Op, d dtype.DType, n int) {
	row := op.Row()
	args := make([]dtype.DType, row.Arity)
	for i := range args {
		args[i] = d
	}
	body := rowOn(t, op, d)
	wide := rowOn(t, op, dtype.Float64)
	bound := row.Bound.of(d)
	if d.IsHalf() && bound > 0 {
		bound = 0.5 + math.Ldexp(row.Bound.Float32, floatLayoutOf(d).fraction-23)
	}
	worst, at := 0.0, []float64(nil)
	x, v := make([]uint64, row.Arity), make([]float64, row.Arity)
	for i, s := range ulpSamples(d, row.Arity, n) {
		copy(x, s)
		for j := range x {
			v[j] = floatOf(d, x[j])
		}
		want := row.Ref.Float
		if d != dtype.Float64 && i%64 != 0 { // the reference is some hundred times slower than the row in float64
			want = func(v []float64) float64 { return evalFloats(wide, v) }
		}
		err := row.ulps(d, v, body.Eval(x)[0], want(v), bound)
		if !(err <= worst) {
			worst, at = err, append([]float64(nil), v...)
		}
	}
	t.Logf("%s %s: at most %.3f ULP at %v, bound %.3g", op, d, worst, at, bound)
	assert.LessOrEqual(t, worst, bound, "%s of %v", op, at)
}

// rowOn returns the row as devices compute it on operands of type d.
func rowOn(t *testing.T, op Op, d dtype.DType) Body {
	args, leaves := make([]Arg, op.Row().Arity), make([]Leaf, op.Row().Arity)
	for i := range args {
		args[i].DType = d
		leaves[i] = Leaf{Kind: OpInput, DType: d}
	}
	sig, err := Resolve(op, Attr{}, args)
	require.NoError(t, err)
	p, err := Single(op, sig, sig.Result, leaves...)
	require.NoError(t, err)
	l, err := Lower(p)
	require.NoError(t, err)
	for i, leaf := range l.Leaves {
		require.Equal(t, i, int(leaf.Slot), "leaves in the order of operands")
	}
	return l.Map
}

func evalFloats(b Body, v []float64) float64 {
	x := make([]uint64, len(v))
	for i := range v {
		x[i] = math.Float64bits(v[i])
	}
	return math.Float64frombits(b.Eval(x)[0])
}

// ulpSamples returns operands of a row: of one half, every 31st pattern, or all
// where n asks for as many; of others at least n, special values with each other, and then values of any
// binade and of ordinary size in turn.
func ulpSamples(d dtype.DType, arity, n int) (all [][]uint64) {
	if d.IsHalf() && arity == 1 {
		step := uint64(1)
		if n < 1<<16 {
			step = 31
		}
		for p := uint64(0); p < 1<<16; p += step {
			all = append(all, []uint64{p})
		}
		return all
	}
	special := specials(d)
	rng := rand.New(rand.NewPCG(3, uint64(d)))
	for i := range n + len(special) {
		x := make([]uint64, arity)
		for j := range x {
			switch k := i + j*(i/len(special)); {
			case i < len(special):
				x[j] = special[(i*(j+1)+j)%len(special)]
			case k%4 == 0:
				x[j] = wrap(d, rng.Uint64())
			case k%16 == 1:
				x[j] = special[rng.IntN(len(special))]
			default:
				x[j] = patternOfFloat(d, rng.NormFloat64()*math.Exp2(float64(rng.IntN(12)-6)))
			}
		}
		all = append(all, x)
	}
	return all
}
