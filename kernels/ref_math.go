package kernels

import (
	"math"
	"math/big"
	"sync"
)

// The transcendental references: series in 128 bits, rounded once to float64.

const mathPrec = 128

// bigLn2 is log 2 by the series of -log(1 - 1/2): the sum of 1/(n·2^n).
var bigLn2 = sync.OnceValue(func() *big.Float {
	sum := wide(0)
	for n := mathPrec; n >= 1; n-- {
		term := wide(0).Quo(wide(1), wide(float64(n)))
		sum.Add(sum, term.SetMantExp(term, -n))
	}
	return sum
})

// bigTaylor holds 1/n! for n from 0.
var bigTaylor = sync.OnceValue(func() (c [11]*big.Float) {
	c[0] = wide(1)
	for n := 1; n < len(c); n++ {
		c[n] = wide(0).Quo(c[n-1], wide(float64(n)))
	}
	return c
})

func wide(x float64) *big.Float { return new(big.Float).SetPrec(mathPrec).SetFloat64(x) }

// bigExp returns e^x for |x| below 1,000: x = k log 2 + 2^8·r, the Taylor
// series of e^r (|r| < 0.0014, so that the 11th power over 11! is below
// 2^-128), eight squarings, and 2^k.
func bigExp(x *big.Float) *big.Float {
	f, _ := x.Float64()
	k := int(math.Round(f / math.Ln2))
	r := wide(0).Mul(bigLn2(), wide(float64(k)))
	r.Sub(x, r)
	r.SetMantExp(r, -8)
	c := bigTaylor()
	sum := wide(0).Copy(c[len(c)-1])
	for n := len(c) - 2; n >= 0; n-- {
		sum.Add(sum.Mul(sum, r), c[n])
	}
	for range 8 {
		sum.Mul(sum, sum)
	}
	return sum.SetMantExp(sum, k)
}

func refExp(x float64) float64 {
	if math.IsNaN(x) || x > 1000 || x < -1000 {
		return math.Exp(x) // NaN, Inf or 0
	}
	r, _ := bigExp(wide(x)).Float64()
	return r
}

// refLog takes x = f·2^k apart, f near 1 so that log 1 is 0, and corrects
// y = log f, good to about 2^-50, by log(f·e^-y), of which d - d²/2 is enough.
// (math.Log itself is wrong for subnormal x on amd64.)
func refLog(x float64) float64 {
	if !(x > 0) || x > math.MaxFloat64 {
		return math.Log(x) // NaN or Inf
	}
	f, k := math.Frexp(x)
	if f < math.Sqrt2/2 {
		f, k = 2*f, k-1
	}
	y := math.Log(f)
	d := bigExp(wide(-y))
	d.Sub(d.Mul(d, wide(f)), wide(1))
	half := wide(0).Mul(d, d)
	d.Sub(d, half.SetMantExp(half, -1))
	whole := wide(0).Mul(bigLn2(), wide(float64(k)))
	r, _ := d.Add(d, whole.Add(whole, wide(y))).Float64()
	return r
}

// refTanh is (t-1)/(t+1) with t = e^2x; below 2^-28 the series x - x³/3 is
// exact to the last bit.
func refTanh(x float64) float64 {
	switch a := math.Abs(x); {
	case math.IsNaN(x):
		return x
	case a < 0x1p-28:
		return x * (1 - x*x/3)
	case a > 30:
		return math.Copysign(1, x)
	}
	t := bigExp(wide(2 * x))
	r, _ := wide(0).Quo(wide(0).Sub(t, wide(1)), wide(0).Add(t, wide(1))).Float64()
	return r
}

// refSigmoid is 1/(1+e^-x).
func refSigmoid(x float64) float64 {
	if math.IsNaN(x) || x > 1000 || x < -1000 {
		return math.Exp(min(x, 0)) // NaN, 1 or 0
	}
	t := bigExp(wide(-x))
	r, _ := wide(0).Quo(wide(1), t.Add(t, wide(1))).Float64()
	return r
}
