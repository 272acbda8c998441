package kernels

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/stride0/stride0/dtype"
)

// reducing runs a Reducer's expressions.
type reducing struct{ *Reducer }

func newReducing(t *testing.T, op Op, d dtype.DType) reducing {
	r, err := ReduceBody(op, d)
	require.NoError(t, err)
	return reducing{r}
}

func (r reducing) lift(x []uint64) [][]uint64 {
	states := make([][]uint64, len(x))
	for i := range x {
		states[i] = r.Lift.Eval([]uint64{x[i], uint64(i)})
	}
	return states
}

func (r reducing) combine(s, t []uint64) []uint64 {
	return r.Combine.Eval(append(append([]uint64{}, s...), t...))
}

// fold reduces in order, from the identity.
func (r reducing) fold(states [][]uint64) uint64 {
	acc := r.Identity.Eval(nil)
	for _, s := range states {
		acc = r.combine(acc, s)
	}
	return r.Finish.Eval(acc)[0]
}

// shuffled reduces in a random tree and a random order, some identities mixed in.
func (r reducing) shuffled(rng *rand.Rand, states [][]uint64) uint64 {
	states = append(append([][]uint64{}, states...), r.Identity.Eval(nil), r.Identity.Eval(nil))
	for len(states) > 1 {
		i := rng.IntN(len(states))
		s := states[i]
		states[i] = states[len(states)-1]
		states = states[:len(states)-1]
		j := rng.IntN(len(states))
		states[j] = r.combine(s, states[j])
	}
	return r.Finish.Eval(states[0])[0]
}

// reducible returns the dtypes that a reduction computes in.
func reducible(op Op) (ds []dtype.DType) {
	for _, d := range dtype.All() {
		if op.Row().Kinds.Has(d) && op.Row().Computes(d) == d {
			ds = append(ds, d)
		}
	}
	return ds
}

// sequences returns short sequences of values that meet their like: ties,
// zeros of both signs, NaN, and only the lowest value.
func sequences(d dtype.DType) [][]uint64 {
	rng := rand.New(rand.NewPCG(9, uint64(d)))
	pool := specials(d)
	all := [][]uint64{{pool[0]}}
	for range 300 {
		few := make([]uint64, 1+rng.IntN(4)) // few values, so that they repeat
		for i := range few {
			few[i] = pool[rng.IntN(len(pool))]
		}
		x := make([]uint64, 1+rng.IntN(12))
		for i := range x {
			x[i] = few[rng.IntN(len(few))]
		}
		all = append(all, x)
	}
	if d.IsFloat() {
		zero, minus, nan, low := patternOfFloat(d, 0), patternOfFloat(d, math.Copysign(0, -1)), patternOfFloat(d, math.NaN()), patternOfFloat(d, math.Inf(-1))
		all = append(all, []uint64{minus, zero}, []uint64{zero, minus}, []uint64{minus, minus}, []uint64{low, low, low},
			[]uint64{low, nan, low, nan}, []uint64{nan}, []uint64{patternOfFloat(d, math.Inf(1)), nan})
	}
	return all
}

// TestReductionsAgreeWithRef folds in order and, where the order must not
// matter, in random trees.
func TestReductionsAgreeWithRef(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 11))
	for _, op := range []Op{Max, Min, ArgMax, ArgMin, Sum, Prod, Any, All, CountNonzero} {
		for _, d := range reducible(op) {
			r := newReducing(t, op, d)
			for _, x := range sequences(d) {
				want := refReduce(op, r.Result, d, x)
				if r.Ordered {
					continue // TestSumOfFloats, TestProductOfFloats
				}
				got := r.fold(r.lift(x))
				require.True(t, sameValue(r.Result, got, want), "%v of %v %#x = %#x, want %#x", op, d, x, got, want)
				got = r.shuffled(rng, r.lift(x))
				require.True(t, sameValue(r.Result, got, want), "%v of %v %#x in another order = %#x, want %#x", op, d, x, got, want)
			}
		}
	}
}

func refReduce(op Op, result, d dtype.DType, x []uint64) uint64 {
	row := op.Row()
	if d == dtype.Uint64 && row.RefUint != nil {
		return row.RefUint(x)
	}
	if !d.IsFloat() {
		ints := make([]int64, len(x))
		for i := range x {
			ints[i] = integerOf(d, x[i])
		}
		return wrap(result, uint64(row.Ref.Int(ints)))
	}
	floats := make([]float64, len(x))
	for i := range x {
		floats[i] = floatOf(d, x[i])
	}
	r := row.Ref.Float(floats)
	if result.IsFloat() {
		return patternOfFloat(result, r)
	}
	return wrap(result, uint64(int64(r)))
}

func TestIdentityChangesNothing(t *testing.T) {
	for _, op := range []Op{Max, Min, ArgMax, ArgMin, Sum, Prod, Any, All, CountNonzero} {
		for _, d := range reducible(op) {
			r := newReducing(t, op, d)
			id := r.Identity.Eval(nil)
			for _, x := range specials(d) {
				s := r.Lift.Eval([]uint64{x, 5})
				if op == Sum && d.IsFloat() && floatOf(d, x) == 0 {
					s = id // -0 becomes +0: SEMANTICS "sum of only -0"
				}
				for i, part := range r.State {
					assert.True(t, sameValue(part, s[i], r.combine(id, s)[i]), "%v of %v: identity, %#x", op, d, x)
					assert.True(t, sameValue(part, s[i], r.combine(s, id)[i]), "%v of %v: %#x, identity", op, d, x)
				}
			}
		}
	}
}

func TestSumOfFloats(t *testing.T) {
	for _, d := range []dtype.DType{dtype.Float32, dtype.Float64} {
		r := newReducing(t, Sum, d)
		sum := func(xs ...float64) float64 {
			var patterns []uint64
			for _, x := range xs {
				patterns = append(patterns, patternOfFloat(d, x))
			}
			return floatOf(d, r.fold(r.lift(patterns)))
		}
		inf := math.Inf(1)
		assert.Equal(t, 0.0, sum(), "nothing")
		assert.False(t, math.Signbit(sum(math.Copysign(0, -1))), "only -0 sums to +0")
		assert.Equal(t, 6.5, sum(1, 2, 3.5))
		assert.Equal(t, inf, sum(1, inf))
		assert.True(t, math.IsNaN(sum(inf, -inf)))
		assert.True(t, r.Ordered, "the order of float additions matters")
	}
	assert.False(t, newReducing(t, Sum, dtype.Int32).Ordered)
}

func TestProductOfFloats(t *testing.T) {
	for _, d := range []dtype.DType{dtype.Float32, dtype.Float64} {
		r := newReducing(t, Prod, d)
		product := func(xs ...float64) float64 {
			var patterns []uint64
			for _, x := range xs {
				patterns = append(patterns, patternOfFloat(d, x))
			}
			return floatOf(d, r.fold(r.lift(patterns)))
		}
		inf := math.Inf(1)
		assert.Equal(t, 1.0, product(), "nothing")
		assert.True(t, math.Signbit(product(math.Copysign(0, -1))), "the sign of -0 stays")
		assert.Equal(t, -30.0, product(2, -3, 5))
		assert.Equal(t, -inf, product(-1, inf))
		assert.True(t, math.IsNaN(product(0, inf)))
		assert.True(t, r.Ordered, "the order of float products matters")
	}
	assert.False(t, newReducing(t, Prod, dtype.Int32).Ordered)
}

func TestSumOfIntegersIsWide(t *testing.T) {
	r := newReducing(t, Sum, dtype.Int32)
	assert.Equal(t, dtype.Int64, r.Result)
	assert.Equal(t, uint64(2*math.MaxInt32), r.fold(r.lift([]uint64{math.MaxInt32, math.MaxInt32})))
	r = newReducing(t, Sum, dtype.Bool)
	assert.Equal(t, uint64(3), r.fold(r.lift([]uint64{1, 0, 1, 1})))
	r = newReducing(t, Sum, dtype.Int64)
	assert.Equal(t, uint64(1)<<63, r.fold(r.lift([]uint64{math.MaxInt64, 1})), "wraps")
}

func TestReduceRefs(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	assert.Equal(t, 1.0, refSum([]float64{1e300, 1, -1e300}), "exact")
	assert.Equal(t, inf, refSum([]float64{1, inf}))
	assert.True(t, math.IsNaN(refSum([]float64{inf, -inf})))
	assert.Equal(t, 2.0, refMean([]float64{1, 3}))
	assert.Equal(t, 2.0, refArgMax([]float64{1, 5, nan, inf, nan}), "the first NaN")
	assert.Equal(t, 0.0, refArgMax([]float64{math.Copysign(0, -1), 0}), "zeros tie")
	assert.True(t, math.IsNaN(refMax([]float64{1, nan, inf})))
	assert.True(t, math.IsNaN(refMin([]float64{1, nan, -inf})))
	assert.Equal(t, 1.0, refArgMin([]float64{3, -inf, -inf}), "the first")
	assert.Equal(t, 1.0, refProd([]float64{0x1p1000, 0x1p1000, 0x1p-1000, 0x1p-1000}), "beyond the range on the way")
	assert.Equal(t, 1.0, refAll([]float64{}))
	assert.Equal(t, 0.0, refAll([]float64{nan, 0}))
	assert.Equal(t, 1.0, refAny([]float64{0, nan}))
}
