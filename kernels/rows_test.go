package kernels

import (
	"math/rand/v2"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stride0/stride0/dtype"
)

// TestRowsAgreeWithRef compares every element-wise row with its reference on
// all combinations of special values and on random ones. Cast and the
// constructors have tests of their own.
func TestRowsAgreeWithRef(t *testing.T) {
	for _, op := range Ops() {
		row := op.Row()
		if row.Reduce != nil || row.Expand != nil || row.Rule == RuleCast || row.Rule == RuleBits || op == Nextafter || row.Rule == RuleArange || row.Rule == RuleRandom {
			continue
		}
		for _, sig := range signatures(t, op) {
			t.Run(op.String()+"/"+sig.Args[row.Arity-1].String(), func(t *testing.T) {
				checkRow(t, op, sig)
			})
		}
	}
}

func checkRow(t *testing.T, op Op, sig Signature) {
	row := op.Row()
	types := sig.Args[:row.Arity]
	body, err := RowBody(op, types, sig.Result)
	require.NoError(t, err)
	for _, x := range combinations(types) {
		got := body.Eval(x)[0]
		if want, ok := agrees(row, types, sig.Result, x, got); !ok {
			t.Fatalf("%v(%#x) of %v = %#x, want %v", op, x, types, got, want)
		}
	}
}

// combinations returns arguments of the given types: all special values with
// each other (of several arguments those in core, of two all with STRIDE0_FULL), some of them at random, and
// random ones.
func combinations(types []dtype.DType) [][]uint64 {
	all := [][]uint64{{}}
	for _, d := range types {
		list := specials(d)
		if len(types) > 1 && os.Getenv("STRIDE0_FULL") != "1" || len(types) > 2 {
			list = core(d)
		}
		var longer [][]uint64
		for _, x := range all {
			for _, p := range list {
				longer = append(longer, append(append([]uint64{}, x...), p))
			}
		}
		all = longer
	}
	rng := rand.New(rand.NewPCG(7, 8))
	for n := range 600 {
		x := make([]uint64, len(types))
		for i, d := range types {
			if x[i] = wrap(d, rng.Uint64()); n%3 > 0 {
				x[i] = moderate(d, rng)
			}
			if list := specials(d); n%6 == 5 || n%6 == 4 && rng.IntN(len(types)) == 0 {
				x[i] = list[rng.IntN(len(list))]
			}
		}
		all = append(all, x)
	}
	return all
}

// moderate returns a number between -8 and 8, or a small integer.
func moderate(d dtype.DType, rng *rand.Rand) uint64 {
	if d.IsFloat() {
		return patternOfFloat(d, 16*rng.Float64()-8)
	}
	return wrap(d, uint64(rng.Int64N(17)-8))
}

// agrees compares got with the row's reference: floats within its bound,
// integers after wrapping, bools after != 0.
func agrees(row *Row, types []dtype.DType, result dtype.DType, x []uint64, got uint64) (want any, ok bool) {
	d := types[len(types)-1]
	if d == dtype.Uint64 && row.RefUint != nil {
		r := row.RefUint(x)
		return r, got == r
	}
	if !d.IsFloat() {
		ints := make([]int64, len(x))
		for i := range x {
			ints[i] = integerOf(types[i], x[i])
		}
		r := row.Ref.Int(ints)
		if result == dtype.Bool {
			return r != 0, got == truth(r != 0)
		}
		return r, got == wrap(result, uint64(r))
	}
	floats := make([]float64, len(x))
	for i := range x {
		if floats[i] = float64(x[i]); types[i].IsFloat() {
			floats[i] = floatOf(types[i], x[i])
		}
	}
	r := row.Ref.Float(floats)
	if result == dtype.Bool {
		return r != 0, got == truth(r != 0)
	}
	return r, row.ulps(result, floats, got, r, row.Bound.of(result)) <= row.Bound.of(result)
}

// ulps is the distance of got from want in units in the last place of want, or
// of the terms that it is the sum of.
func (row *Row) ulps(d dtype.DType, x []float64, got uint64, want, bound float64) float64 {
	err := ulps(d, got, want)
	if row.Terms != nil && floatOf(d, got) == 0 && floatOf(d, patternOfFloat(d, want)) == 0 {
		return 0 // which zero depends on how terms cancel
	}
	if err > bound {
		err /= row.Cancelled(d, x, want)
	}
	return err
}

func integerOf(d dtype.DType, x uint64) int64 {
	if d.Kind() == dtype.IntKind {
		return signed(d, x)
	}
	return int64(x)
}

// of returns the bound for results of type d.
func (b Bound) of(d dtype.DType) float64 {
	if d == dtype.Float64 {
		return b.Float64
	}
	return b.Float32
}
