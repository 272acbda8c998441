package kernels

import (
	"math"

	"github.com/stride0/stride0/dtype"
)

// Reductions.
const (
	Sum Op = baseReduce + iota
	Mean
	Max
	ArgMax
)

var reduceRows = map[Op]Row{
	Sum: {
		Name: "sum", Arity: 1, Rule: RuleSum, Kinds: AllKinds, Hot: true,
		Doc: "the sum of x, 0 of nothing; integers sum to int64 or uint64 and wrap, bools to int64",
		Reduce: &Reduction{
			Lift:     func(e *Emit, x, _ V) []V { return []V{e.Convert(sumType(e.Type(x)), x)} },
			Identity: func(e *Emit, elem dtype.DType) []V { return []V{e.Const(sumType(elem), 0)} },
			Combine:  func(e *Emit, s, t []V) []V { return []V{e.Add(s[0], t[0])} },
			Finish:   first,
			Ordered:  true,
			Empty:    true,
		},
		Ref:   Ref{refSum, refSumInt},
		Bound: sumBound,
	},
	Mean: {
		Name: "mean", Arity: 1, Rule: RuleMean, Kinds: AllKinds,
		Doc:    "the sum of x divided by the number of elements, NaN of nothing; float32 of integers and bools",
		Expand: mean,
		Ref:    Ref{refMean, nil},
		Bound:  Bound{sumBound.Float32 + 0.5, sumBound.Float64 + 0.5},
	},
	Max: {
		Name: "max", Arity: 1, Rule: RuleCopy, Kinds: AllKinds, Hot: true,
		Doc: "the greatest x; NaN wins, -0 is below +0",
		Reduce: &Reduction{
			Lift:     func(_ *Emit, x, _ V) []V { return []V{x} },
			Identity: func(e *Emit, elem dtype.DType) []V { return []V{lowest(e, elem)} },
			Combine:  func(e *Emit, s, t []V) []V { return []V{maximum(e, s[0], t[0])} },
			Finish:   first,
		},
		Ref:     Ref{refMax[float64], refMax[int64]},
		RefUint: refMax[uint64],
	},
	ArgMax: {
		Name: "argmax", Arity: 1, Rule: RuleArg, Kinds: AllKinds,
		Doc: "the first position of the greatest x; the first NaN wins, -0 and +0 tie",
		Reduce: &Reduction{
			Lift: func(_ *Emit, x, index V) []V { return []V{x, index} },
			Identity: func(e *Emit, elem dtype.DType) []V {
				return []V{lowest(e, elem), e.Bits(dtype.Int64, math.MaxInt64)}
			},
			Combine: argMaxOf,
			Finish:  func(_ *Emit, s []V) V { return s[1] },
		},
		Ref:     Ref{refArgMax[float64], refArgMax[int64]},
		RefUint: refArgMax[uint64],
	},
}

// sumBound is the error of the canonical tree in units in the last place of
// the sum of the magnitudes, for each factor of 1,024 elements: 36 additions
// deep, half a unit each.
var sumBound = Bound{18, 18}

func first(_ *Emit, s []V) V { return s[0] }

// sumType is the type that elements of type d are summed in.
func sumType(d dtype.DType) dtype.DType {
	switch d.Kind() {
	case dtype.FloatKind:
		return d
	case dtype.UintKind:
		return dtype.Uint64
	}
	return dtype.Int64
}

// mean divides the sum in the type of the result. The number of elements is
// a scalar, so that one kernel serves all sizes.
func mean(b *Builder, in []Value, a Attr) (Value, error) {
	sum, err := b.Apply(Sum, a, in[0])
	if err != nil {
		return -1, err
	}
	d := b.p.Instrs[sum].Type
	if !d.IsFloat() {
		d = dtype.Float32
	}
	return b.Apply(Div, Attr{}, b.Cast(sum, d), b.Count(d))
}

// lowest is the value of type d that is not above any other, but for NaN.
func lowest(e *Emit, d dtype.DType) V {
	switch d.Kind() {
	case dtype.FloatKind:
		return e.Const(d, math.Inf(-1))
	case dtype.IntKind:
		return e.Bits(d, 1<<(8*d.Size()-1))
	}
	return e.Bits(d, 0)
}

// argMaxOf merges two states. It takes t when its value is greater, or equal
// at an earlier position; a NaN is greater than any number and equal to a NaN.
// It does not rely on s being before t, so that any tree will do.
func argMaxOf(e *Emit, s, t []V) []V {
	greater, equal := less(e, s[0], t[0]), e.Eq(s[0], t[0])
	if e.Type(s[0]).IsFloat() {
		sNaN, tNaN := e.Ne(s[0], s[0]), e.Ne(t[0], t[0])
		greater = e.Or(greater, e.And(tNaN, e.Not(sNaN)))
		equal = e.Or(equal, e.And(sNaN, tNaN))
	}
	take := e.Or(greater, e.And(equal, e.Lt(t[1], s[1])))
	return []V{e.Select(take, t[0], s[0]), e.Select(take, t[1], s[1])}
}
