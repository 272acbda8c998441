package kernels

import (
	"math"
	"math/big"
)

// The references of reductions and of what is composed around them. Like the
// others they share nothing with the expressions: sums and products are exact
// but for the last of 2,200 bits, and powers are those of ref_math.go.

// refProd multiplies with 2,200 bits. NaN, and an infinity beside a zero,
// decide the product in any order.
func refProd(x []float64) float64 {
	z := new(big.Float).SetPrec(exactPrec).SetInt64(1)
	zero, infinite := false, false
	for _, v := range x {
		if math.IsNaN(v) {
			return v
		}
		zero, infinite = zero || v == 0, infinite || math.IsInf(v, 0)
		if zero && infinite {
			return math.NaN()
		}
		z.Mul(z, big.NewFloat(v))
	}
	r, _ := z.Float64()
	return r
}

func refProdInt(x []int64) int64 {
	p := int64(1)
	for _, v := range x {
		p *= v
	}
	return p
}

func refMin[T float64 | int64 | uint64](x []T) T {
	m := x[0]
	for _, v := range x {
		m = min(m, v)
	}
	return m
}

func refArgMin[T float64 | int64 | uint64](x []T) T {
	at := 0
	for i, v := range x {
		if v != v && x[at] == x[at] || v < x[at] {
			at = i
		}
	}
	return T(at)
}

func refCount[T float64 | int64](x []T) (n T) {
	for _, v := range x {
		if v != 0 {
			n++
		}
	}
	return n
}

func refAny[T float64 | int64](x []T) T { return min(refCount(x), 1) }

func refAll[T float64 | int64](x []T) T {
	if int(refCount(x)) == len(x) {
		return 1
	}
	return 0
}

// each returns f of every x.
func each(x []float64, f func(v float64) float64) []float64 {
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = f(v)
	}
	return y
}

func refNormL1(x []float64) float64 { return refSum(each(x, math.Abs)) }

// refNormL2 takes the root of the sum of the squares, both in 2,200 bits.
func refNormL2(x []float64) float64 {
	if s := refNormL1(x); math.IsNaN(s) || math.IsInf(s, 0) {
		return s
	}
	sum := new(big.Float).SetPrec(exactPrec)
	for _, v := range x {
		sum.Add(sum, new(big.Float).SetPrec(exactPrec).Mul(big.NewFloat(v), big.NewFloat(v)))
	}
	r, _ := sum.Sqrt(sum).Float64()
	return r
}

func refNormInf(x []float64) float64 {
	m := 0.0
	for _, v := range x {
		m = max(m, math.Abs(v))
	}
	return m
}

// refVar has the correction behind the elements. The mean is exact but for the
// last of 2,200 bits.
func refVar(x []float64) float64 {
	x, correction := x[:len(x)-1], x[len(x)-1]
	if s := refNormL1(x); math.IsNaN(s) || math.IsInf(s, 0) || len(x) == 0 {
		return math.NaN()
	}
	wide := func() *big.Float { return new(big.Float).SetPrec(exactPrec) }
	mean := wide()
	for _, v := range x {
		mean.Add(mean, big.NewFloat(v))
	}
	mean.Quo(mean, wide().SetInt64(int64(len(x))))
	sum := wide()
	for _, v := range x {
		d := wide().Sub(big.NewFloat(v), mean)
		sum.Add(sum, d.Mul(d, d))
	}
	s, _ := sum.Float64()
	return s / max(float64(len(x))-correction, 0)
}

func refStd(x []float64) float64 { return math.Sqrt(refVar(x)) }

func refLogSumExp(x []float64) float64 {
	if len(x) == 0 {
		return math.Inf(-1)
	}
	m := refMax(x)
	if math.IsInf(m, 0) || math.IsNaN(m) {
		return m
	}
	return m + refLog(refSum(each(x, func(v float64) float64 { return refExp(v - m) })))
}

// refSoftmax is that of x[0].
func refSoftmax(x []float64) float64 {
	m := refMax(x)
	return refExp(x[0]-m) / refSum(each(x, func(v float64) float64 { return refExp(v - m) }))
}

// refLogSoftmax is that of x[0].
func refLogSoftmax(x []float64) float64 {
	m := refMax(x)
	if math.IsInf(m, 0) || math.IsNaN(m) {
		return math.NaN()
	}
	return x[0] - m - refLog(refSum(each(x, func(v float64) float64 { return refExp(v - m) })))
}

// refStandardize is that of x[0]; eps stands behind the elements.
func refStandardize(x []float64) float64 {
	x, eps := x[:len(x)-1], x[len(x)-1]
	mean := refSum(x) / float64(len(x))
	return (x[0] - mean) / math.Sqrt(refVar(append(x[:len(x):len(x)], 0))+eps)
}

// standardizeTerms is the magnitude of an element and of a mean without
// cancellation, both divided as the distance is.
func standardizeTerms(x []float64) float64 {
	x, eps := x[:len(x)-1], x[len(x)-1]
	terms := math.Abs(x[0]) + refNormL1(x)/float64(len(x))
	return terms / math.Sqrt(refVar(append(x[:len(x):len(x)], 0))+eps)
}

// refRMSNormalize is that of x[0]; eps stands behind the elements.
func refRMSNormalize(x []float64) float64 {
	x, eps := x[:len(x)-1], x[len(x)-1]
	return x[0] / math.Sqrt(refSum(each(x, func(v float64) float64 { return v * v }))/float64(len(x))+eps)
}
