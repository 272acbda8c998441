package kernels

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stride0/stride0/dtype"
)

// specials are the bit patterns of type d at which an expression may go wrong.
func specials(d dtype.DType) []uint64 {
	switch d {
	case dtype.Bool:
		return []uint64{0, 1}
	case dtype.Float16, dtype.BFloat16, dtype.Float32, dtype.Float64:
		return floatSpecials(d)
	}
	top := uint64(1) << (8*d.Size() - 1)
	var s []uint64
	for _, x := range []uint64{0, 1, 2, 3, 7, top >> 1, top, top - 2, top - 1, top + 1} {
		s = append(s, wrap(d, x), wrap(d, -x))
	}
	return s
}

// core are the special values of type d that meet each other in threes.
func core(d dtype.DType) []uint64 {
	if !d.IsFloat() {
		return specials(d)
	}
	s := []uint64{patternOfFloat(d, math.NaN())}
	for _, x := range []float64{0, 0.5, 1, 3, 255, 0x1p24, 0x1p-126, math.MaxFloat32, 0x1p-149, math.MaxFloat64, math.Inf(1)} {
		s = append(s, patternOfFloat(d, x), patternOfFloat(d, -x))
	}
	return s
}

// floatSpecials has zeros, the ends of the subnormal and normal ranges, small
// integers and halves, the limits of integer types, infinities and NaN, each
// with both signs and its neighbours.
func floatSpecials(d dtype.DType) []uint64 {
	s := []uint64{}
	sign := uint64(1) << (8*d.Size() - 1)
	for _, x := range []float64{0, 0.5, 1, 1.5, 2, 2.5, 3, 10, 255, 0x1p23, 0x1p24, 0x1p31, 0x1p32, 0x1p52, 0x1p53, 0x1p63, 0x1p64,
		0x1p-126, math.MaxFloat32, 0x1p-149, 0x1p-1022, math.MaxFloat64, math.Inf(1)} {
		p := patternOfFloat(d, x)
		s = append(s, p, p|sign)
		if p > 0 && p < patternOfFloat(d, math.Inf(1)) {
			s = append(s, p-1, p+1, p-1|sign, p+1|sign)
		}
	}
	nan := patternOfFloat(d, math.NaN())
	return append(s, nan, nan|sign, nan|3)
}

// exponents returns patterns of the float type d in all its binades of both
// signs: per binade the first, the last and n random ones.
func exponents(d dtype.DType, n int) []uint64 {
	rng := rand.New(rand.NewPCG(5, uint64(d)))
	width, mantissa := 8*d.Size(), floatLayoutOf(d).fraction
	low := uint64(1)<<mantissa - 1
	var s []uint64
	for e := range uint64(1) << (width - mantissa) {
		s = append(s, e<<mantissa, e<<mantissa|low)
		for range n {
			s = append(s, e<<mantissa|rng.Uint64()&low)
		}
	}
	return s
}

// around returns the patterns within n units in the last place of each x, and
// of its negative.
func around(d dtype.DType, n int, xs ...float64) []uint64 {
	var s []uint64
	for _, x := range xs {
		for i := -n; i <= n; i++ {
			p := patternOfFloat(d, x) + uint64(int64(i))
			s = append(s, p, p^1<<(8*d.Size()-1))
		}
	}
	return s
}

// ulps is the distance of the pattern got from want in units in the last
// place of the float type d at want. Infinity counts as the next power of two;
// NaN is equal to NaN, and -0 is not equal to +0.
func ulps(d dtype.DType, got uint64, want float64) float64 {
	g := floatOf(d, got)
	rounded := floatOf(d, patternOfFloat(d, want))
	switch {
	case g != g || want != want:
		if g != g && want != want {
			return 0
		}
		return math.Inf(1)
	case g == rounded:
		if g == 0 && math.Signbit(g) != math.Signbit(want) {
			return math.Inf(1)
		}
		if math.IsInf(g, 0) || d == dtype.Float64 {
			return 0
		}
	}
	clamp := func(x float64) float64 {
		if d != dtype.Float64 {
			limit := math.Ldexp(1, floatLayoutOf(d).bias+1)
			return max(min(x, limit), -limit)
		}
		return max(min(x, math.MaxFloat64), -math.MaxFloat64)
	}
	want = clamp(want)
	return math.Ldexp(math.Abs(clamp(g)-want), -lastPlace(d, want))
}

// lastPlace is the exponent of the unit in the last place of x in type d.
func lastPlace(d dtype.DType, x float64) int {
	layout := floatLayoutOf(d)
	_, e := math.Frexp(x)
	return max(min(e-1, layout.bias), 1-layout.bias) - layout.fraction
}

func TestUlps(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		name      string
		d         dtype.DType
		got, want float64
		ulps      float64
	}{
		{"equal", dtype.Float32, 1, 1, 0},
		{"half", dtype.Float32, 1, 1 + 0x1p-24, 0.5},
		{"one", dtype.Float64, 1 + 0x1p-52, 1, 1},
		{"below a power of two", dtype.Float32, 1, 1 - 0x1p-24, 1},
		{"subnormal", dtype.Float32, 0x1p-149, 0x1.8p-148, 2},
		{"zeros of different sign", dtype.Float64, 0, math.Copysign(0, -1), inf},
		{"NaN for a number", dtype.Float32, math.NaN(), 1, inf},
		{"NaN", dtype.Float32, math.NaN(), math.NaN(), 0},
		{"overflow", dtype.Float32, inf, math.MaxFloat32, 1},
		{"infinity", dtype.Float64, inf, inf, 0},
		{"largest for infinity", dtype.Float32, math.MaxFloat32, inf, 1},
	} {
		require.Equal(t, c.ulps, ulps(c.d, patternOfFloat(c.d, c.got), c.want), c.name)
	}
}

// named is an expression of the table with a name for messages.
type named struct {
	name string
	args []dtype.DType
	body Body
}

// signatures returns the dtypes that an element-wise row computes with, one
// list of arguments and a result for each dtype it can compute in.
func signatures(t *testing.T, op Op) (sigs []Signature) {
	row := op.Row()
	for _, d := range dtype.All() {
		for _, to := range dtype.All() {
			if row.Rule != RuleCast && row.Rule != RuleBits && to != d || !row.Kinds.Has(d) || row.Computes(d) != d {
				continue
			}
			args := make([]Arg, row.Arity)
			for i := range args {
				args[i].DType = d
			}
			switch row.Rule {
			case RuleWhere:
				args[0].DType = dtype.Bool
			case RuleMask:
				args[1].DType = dtype.Bool
			case RuleBits:
				if to.Size() != d.Size() || !row.Kinds.Has(to) {
					continue
				}
			}
			sig, err := Resolve(op, Attr{DType: to}, args)
			require.NoError(t, err, "%v of %v", op, d)
			sigs = append(sigs, sig)
		}
	}
	return sigs
}

// bodies returns every expression of the table in every dtype.
func bodies(t *testing.T) (all []named) {
	for _, op := range Ops() {
		switch row := op.Row(); {
		case row.Reduce != nil:
			for _, d := range dtype.All() {
				if row.Kinds.Has(d) && row.Computes(d) == d {
					all = append(all, reduceBodies(t, op, d)...)
				}
			}
		case row.Expand == nil:
			for _, sig := range signatures(t, op) {
				args := sig.Args[:row.Arity]
				b, err := RowBody(op, args, sig.Result)
				require.NoError(t, err, "%v of %v", op, args)
				all = append(all, named{op.String() + "_" + args[len(args)-1].String() + "_" + sig.Result.String(), args, b})
			}
		}
	}
	require.Greater(t, len(all), 150)
	return all
}

func reduceBodies(t *testing.T, op Op, d dtype.DType) []named {
	r, err := ReduceBody(op, d)
	require.NoError(t, err, "%v of %v", op, d)
	name := op.String() + "_" + d.String()
	return []named{
		{name + "_lift", []dtype.DType{d, dtype.Int64}, r.Lift},
		{name + "_identity", nil, r.Identity},
		{name + "_combine", append(append([]dtype.DType{}, r.State...), r.State...), r.Combine},
		{name + "_finish", r.State, r.Finish},
	}
}
