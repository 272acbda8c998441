package kernels

import (
	"math"
	"math/big"
)

// The references of the other exponentials, logarithms and powers: textbook
// formulas in 128 bits and more, rounded once to float64.

// num returns z, rounded to float64.
func num(z *big.Float) float64 {
	r, _ := z.Float64()
	return r
}

func sum(x, y *big.Float) *big.Float   { return wide(0).Add(x, y) }
func minus(x, y *big.Float) *big.Float { return wide(0).Sub(x, y) }
func times(x, y *big.Float) *big.Float { return wide(0).Mul(x, y) }
func over(x, y *big.Float) *big.Float  { return wide(0).Quo(x, y) }

// bigExpm1 returns e^x - 1: below 2^-10 by its series, whose 14th term is
// below 2^-170 of the sum.
func bigExpm1(x *big.Float) *big.Float {
	if x.MantExp(nil) > -10 {
		return minus(bigExp(x), wide(1))
	}
	term, total := wide(1), wide(0)
	for n := 1.0; n < 14; n++ {
		term = over(times(term, x), wide(n))
		total = sum(total, term)
	}
	return total
}

// bigLog1p returns log(1+x): below 2^-20 by its series, whose 8th term is
// below 2^-140 of the sum, else by bigLog of 1+x in twice the bits.
func bigLog1p(x *big.Float) *big.Float {
	if x.MantExp(nil) > -20 {
		return bigLog(new(big.Float).SetPrec(2*mathPrec).Add(wide(1), x))
	}
	power, total := wide(-1), wide(0)
	for n := 1.0; n < 8; n++ {
		power = times(power, wide(0).Neg(x))
		total = sum(total, over(power, wide(n)))
	}
	return total
}

// bigLog returns log x for x > 0, x = f·2^k with f near 1: y = log f in
// float64, corrected by log(f·e^-y) = d - d²/2 + d³/3, d about 2^-50.
func bigLog(x *big.Float) *big.Float {
	f := new(big.Float)
	k := x.MantExp(f)
	if f.Cmp(wide(math.Sqrt2/2)) < 0 {
		f, k = f.SetMantExp(f, 1), k-1
	}
	y := wide(math.Log(num(f)))
	d := new(big.Float).SetPrec(2*mathPrec).Mul(f, bigExp(wide(0).Neg(y)))
	d.Sub(d, wide(1))
	square := times(d, d)
	d = sum(minus(d, over(square, wide(2))), over(times(square, d), wide(3)))
	return sum(sum(y, d), times(bigLn2(), wide(float64(k))))
}

// positive wraps the reference of a function of finite x > 0.
func positive(x float64, f func(x *big.Float) *big.Float) float64 {
	if !(x > 0) || math.IsInf(x, 1) {
		return math.Log(x)
	}
	return num(f(wide(x)))
}

func refLog2(x float64) float64 {
	return positive(x, func(x *big.Float) *big.Float { return over(bigLog(x), bigLn2()) })
}

func refLog10(x float64) float64 {
	return positive(x, func(x *big.Float) *big.Float { return over(bigLog(x), bigLog(wide(10))) })
}

func refLog1p(x float64) float64 {
	if !(x > -1) || x == 0 || math.IsInf(x, 1) {
		return math.Log1p(x)
	}
	return num(bigLog1p(wide(x)))
}

func refExp2(x float64) float64 {
	if math.IsNaN(x) || math.Abs(x) > 1200 {
		return math.Exp2(x)
	}
	return num(bigExp(times(wide(x), bigLn2())))
}

func refExpm1(x float64) float64 {
	if math.IsNaN(x) || math.Abs(x) > 900 || x == 0 {
		return math.Expm1(x)
	}
	return num(bigExpm1(wide(x)))
}

func refLogAddExp(x, y float64) float64 {
	m, d := math.Max(x, y), math.Abs(x-y)
	switch {
	case math.IsNaN(x) || math.IsNaN(y):
		return math.NaN()
	case math.IsInf(m, 0) || d > 900:
		return m + 0 // of -0, +0
	}
	return num(sum(wide(m), bigLog1p(bigExp(minus(wide(math.Min(x, y)), wide(m))))))
}

// refPow leaves to package math what has no logarithm and what is beyond any
// range: there it has to find the case of C99 only.
func refPow(x, y float64) float64 {
	special := math.Pow(x, y)
	if x == 0 || y == 0 || x == 1 || math.IsNaN(special) || math.IsInf(x, 0) || math.IsInf(y, 0) {
		return special
	}
	e := times(wide(y), bigLog(wide(math.Abs(x))))
	if math.Abs(num(e)) > 900 {
		e = wide(math.Copysign(900, num(e)))
	}
	r := num(bigExp(e))
	if x < 0 && math.Mod(y, 2) != 0 {
		r = -r
	}
	return r
}

// refPowInt is refPowUint, or for negative y the truncated reciprocal.
func refPowInt(x, y int64) int64 {
	switch {
	case y >= 0:
		return int64(refPowUint(uint64(x), uint64(y)))
	case x == 1, x == -1 && y%2 == 0:
		return 1
	case x == -1:
		return -1
	}
	return 0
}

// refPowUint multiplies bit by bit, modulo 2^64.
func refPowUint(x, y uint64) uint64 {
	r := uint64(1)
	for ; y > 0; y >>= 1 {
		if y&1 == 1 {
			r *= x
		}
		x *= x
	}
	return r
}

// logAddExpTerms is the greater of the terms that logaddexp adds.
func logAddExpTerms(x, y float64) float64 {
	return max(math.Abs(max(x, y)), math.Log1p(math.Exp(-math.Abs(x-y))))
}
