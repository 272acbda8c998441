package kernels

import (
	"cmp"
	"math"
	"math/big"
)

// The references below share nothing with the expressions: they compute in
// 2,200 bits, in which sums and products of float64 are exact, or in integers.

const exactPrec = 2200

// exactly makes a reference of an operation on big floats, rounded once; what
// math/big refuses (Inf - Inf, 0 * Inf) is NaN, as in IEEE 754. A reference of
// one operand gets it twice.
func exactly(op func(z, x, y *big.Float) *big.Float) func(x []float64) float64 {
	return func(x []float64) (r float64) {
		a, b := x[0], x[len(x)-1]
		if math.IsNaN(a) || math.IsNaN(b) {
			return math.NaN()
		}
		defer func() {
			if p := recover(); p != nil {
				if _, ok := p.(big.ErrNaN); !ok {
					panic(p)
				}
				r = math.NaN()
			}
		}()
		z := new(big.Float).SetPrec(exactPrec)
		r, _ = op(z, big.NewFloat(a), big.NewFloat(b)).Float64()
		return r
	}
}

func on1[T any](f func(x T) T) func(x []T) T {
	return func(x []T) T { return f(x[0]) }
}

func on2[T any](f func(x, y T) T) func(x []T) T {
	return func(x []T) T { return f(x[0], x[1]) }
}

// uintCmp is byCmp for uint64.
func uintCmp(when func(cmp int) bool) func(x []uint64) uint64 {
	return func(x []uint64) uint64 { return truth(when(cmp.Compare(x[0], x[1]))) }
}

// byCmp is the reference of a comparison: a condition on the order of the
// operands, and the answer when there is none.
func byCmp(when func(cmp int) bool, unordered bool) Ref {
	truth := func(b bool) int { return map[bool]int{true: 1}[b] }
	return Ref{
		Float: func(x []float64) float64 {
			if math.IsNaN(x[0]) || math.IsNaN(x[1]) {
				return float64(truth(unordered))
			}
			return float64(truth(when(big.NewFloat(x[0]).Cmp(big.NewFloat(x[1])))))
		},
		Int: func(x []int64) int64 {
			return int64(truth(when(big.NewInt(x[0]).Cmp(big.NewInt(x[1])))))
		},
	}
}

func refWhere[T float64 | int64 | uint64](x []T) T {
	if x[0] != 0 {
		return x[1]
	}
	return x[2]
}

func refArange(x []float64) float64 {
	for _, v := range x {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return math.NaN()
		}
	}
	z := new(big.Float).SetPrec(exactPrec).Mul(big.NewFloat(x[0]), big.NewFloat(x[2]))
	r, _ := z.Add(z, big.NewFloat(x[1])).Float64()
	return r
}

// refSum adds exactly. Infinities and NaN decide the sum in any order.
func refSum(x []float64) float64 {
	special, sum := 0.0, new(big.Float).SetPrec(exactPrec)
	for _, v := range x {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			special += v
			continue
		}
		sum.Add(sum, big.NewFloat(v))
	}
	if special != 0 {
		return special
	}
	r, _ := sum.Float64()
	return r
}

func refSumInt(x []int64) (sum int64) {
	for _, v := range x {
		sum += v
	}
	return sum
}

func refMean(x []float64) float64 { return refSum(x) / float64(len(x)) }

func refMax[T float64 | int64 | uint64](x []T) T {
	m := x[0]
	for _, v := range x {
		m = max(m, v)
	}
	return m
}

func refArgMax[T float64 | int64 | uint64](x []T) T {
	at := 0
	for i, v := range x {
		if v != v && x[at] == x[at] || v > x[at] {
			at = i
		}
	}
	return T(at)
}
