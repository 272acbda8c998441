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
	Prod
	Min
	ArgMin
	Any
	All
	CountNonzero
)

var reduceRows = map[Op]Row{
	Sum: {
		Name: "sum", Arity: 1, Rule: RuleSum, Kinds: AllKinds, Hot: true,
		Doc:    "the sum of x, 0 of nothing; integers sum to int64 or uint64 and wrap, bools to int64",
		Reduce: accumulation(0, (*Emit).Add),
		Ref:    Ref{refSum, refSumInt},
		Bound:  sumBound,
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
		Doc:     "the greatest x; NaN wins, -0 is below +0",
		Reduce:  extreme(lowest, maximum),
		Ref:     Ref{refMax[float64], refMax[int64]},
		RefUint: refMax[uint64],
	},
	ArgMax: {
		Name: "argmax", Arity: 1, Rule: RuleArg, Kinds: AllKinds,
		Doc:    "the first position of the greatest x; the first NaN wins, -0 and +0 tie",
		Reduce: position(lowest, less),
		Ref:    Ref{refArgMax[float64], refArgMax[int64]}, RefUint: refArgMax[uint64],
	},
	Prod: {
		Name: "prod", Arity: 1, Rule: RuleSum, Kinds: AllKinds, Hot: true,
		Doc:    "the product of x, 1 of nothing; integers multiply to int64 or uint64 and wrap, bools to int64",
		Reduce: accumulation(1, (*Emit).Mul),
		Ref:    Ref{refProd, refProdInt},
		Bound:  prodBound,
	},
	Min: {
		Name: "min", Arity: 1, Rule: RuleCopy, Kinds: AllKinds, Hot: true,
		Doc:    "the least x; NaN wins, -0 is below +0",
		Reduce: extreme(highest, minimum),
		Ref:    Ref{refMin[float64], refMin[int64]}, RefUint: refMin[uint64],
	},
	ArgMin: {
		Name: "argmin", Arity: 1, Rule: RuleArg, Kinds: AllKinds,
		Doc:    "the first position of the least x; the first NaN wins, -0 and +0 tie",
		Reduce: position(highest, func(e *Emit, x, y V) V { return less(e, y, x) }),
		Ref:    Ref{refArgMin[float64], refArgMin[int64]}, RefUint: refArgMin[uint64],
	},
	Any: {
		Name: "any", Arity: 1, Rule: RuleTruth, Kinds: AllKinds,
		Doc:    "whether some x is not 0, false of nothing; NaN is not 0",
		Reduce: truthReduction(0, (*Emit).Or),
		Ref:    Ref{refAny[float64], refAny[int64]},
	},
	All: {
		Name: "all", Arity: 1, Rule: RuleTruth, Kinds: AllKinds,
		Doc:    "whether every x is not 0, true of nothing; NaN is not 0",
		Reduce: truthReduction(1, (*Emit).And),
		Ref:    Ref{refAll[float64], refAll[int64]},
	},
	CountNonzero: {
		Name: "countnonzero", Arity: 1, Rule: RuleCount, Kinds: AllKinds,
		Doc: "how many x are not 0, an int64; NaN is not 0",
		Reduce: &Reduction{
			Lift:     func(e *Emit, x, _ V) []V { return []V{e.Convert(dtype.Int64, castExpr(e, dtype.Bool, x))} },
			Identity: func(e *Emit, _ dtype.DType) []V { return []V{e.Const(dtype.Int64, 0)} },
			Combine:  func(e *Emit, s, t []V) []V { return []V{e.Add(s[0], t[0])} },
			Finish:   first,
			Empty:    true,
		},
		Ref: Ref{refCount[float64], refCount[int64]},
	},
}

// sumBound is the error of the canonical tree in units in the last place of
// the sum of the magnitudes, for each factor of 1,024 elements: 36 additions
// deep, half a unit each.
var sumBound = Bound{18, 18}

// prodBound is the same for products: each of 37 roundings (a block starts
// from 1) is of the whole product, up to one unit in its last place.
var prodBound = Bound{37, 37}

func first(_ *Emit, s []V) V { return s[0] }

// accumulation is the reduction by op, starting from the number start.
func accumulation(start float64, op func(e *Emit, x, y V) V) *Reduction {
	return &Reduction{
		Lift:     func(e *Emit, x, _ V) []V { return []V{e.Convert(sumType(e.Type(x)), x)} },
		Identity: func(e *Emit, elem dtype.DType) []V { return []V{e.Const(sumType(elem), start)} },
		Combine:  func(e *Emit, s, t []V) []V { return []V{op(e, s[0], t[0])} },
		Finish:   first,
		Ordered:  true,
		Empty:    true,
	}
}

// extreme is the reduction to the value that pick prefers; worst is preferred
// to nothing but itself.
func extreme(worst func(e *Emit, d dtype.DType) V, pick func(e *Emit, x, y V) V) *Reduction {
	return &Reduction{
		Lift:     func(_ *Emit, x, _ V) []V { return []V{x} },
		Identity: func(e *Emit, elem dtype.DType) []V { return []V{worst(e, elem)} },
		Combine:  func(e *Emit, s, t []V) []V { return []V{pick(e, s[0], t[0])} },
		Finish:   first,
	}
}

// position is the reduction to the first position of the value above all
// others in the order before.
func position(worst func(e *Emit, d dtype.DType) V, before func(e *Emit, x, y V) V) *Reduction {
	return &Reduction{
		Lift: func(_ *Emit, x, index V) []V { return []V{x, index} },
		Identity: func(e *Emit, elem dtype.DType) []V {
			return []V{worst(e, elem), e.Bits(dtype.Int64, math.MaxInt64)}
		},
		Combine: func(e *Emit, s, t []V) []V { return laterOf(e, s, t, before) },
		Finish:  func(_ *Emit, s []V) V { return s[1] },
	}
}

// truthReduction is the reduction of bools by op, starting from the bool start.
func truthReduction(start uint64, op func(e *Emit, x, y V) V) *Reduction {
	return &Reduction{
		Lift:     func(e *Emit, x, _ V) []V { return []V{castExpr(e, dtype.Bool, x)} },
		Identity: func(e *Emit, _ dtype.DType) []V { return []V{e.Bits(dtype.Bool, start)} },
		Combine:  func(e *Emit, s, t []V) []V { return []V{op(e, s[0], t[0])} },
		Finish:   first,
		Empty:    true,
	}
}

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

// highest is the value of type d that is not below any other, but for NaN.
func highest(e *Emit, d dtype.DType) V {
	switch d.Kind() {
	case dtype.FloatKind:
		return e.Const(d, math.Inf(1))
	case dtype.IntKind:
		return e.Bits(d, 1<<(8*d.Size()-1)-1)
	}
	return e.Bits(d, math.MaxUint64>>(64-8*d.Size()))
}

// laterOf merges two states. It takes t when its value comes after that of s
// in the order before, or is equal at an earlier position; a NaN comes after
// any number and is equal to a NaN. It does not rely on s being before t, so
// that any tree will do.
func laterOf(e *Emit, s, t []V, before func(e *Emit, x, y V) V) []V {
	later, equal := before(e, s[0], t[0]), e.Eq(s[0], t[0])
	if e.Type(s[0]).IsFloat() {
		sNaN, tNaN := e.Ne(s[0], s[0]), e.Ne(t[0], t[0])
		later = e.Or(later, e.And(tNaN, e.Not(sNaN)))
		equal = e.Or(equal, e.And(sNaN, tNaN))
	}
	take := e.Or(later, e.And(equal, e.Lt(t[1], s[1])))
	return []V{e.Select(take, t[0], s[0]), e.Select(take, t[1], s[1])}
}
