package kernels

import (
	"math"
	"math/big"
	"sync"
)

// The references of error and gamma functions, in 128 bits like the others.

func bigRootPi() *big.Float {
	pi := exactPi(mathPrec)
	return pi.Sqrt(pi)
}

// bigErf is 2/√π e^-x² times the sum of (2x²)^n x / (1·3·...·(2n+1)), all of
// whose terms have one sign; up to |x| = 6.
func bigErf(x *big.Float) *big.Float {
	square := wide(0).Mul(x, x)
	term, sum := wide(0).Set(x), wide(0)
	for n := 1; n < 250 && !negligible(term, sum); n++ {
		sum.Add(sum, term)
		term.Mul(term, square)
		term.Quo(term.Mul(term, wide(2)), wide(float64(2*n+1)))
	}
	if !negligible(square, wide(1)) {
		sum.Mul(sum, bigExp(square.Neg(square)))
	}
	sum.Quo(sum, bigRootPi())
	return sum.SetMantExp(sum, 1)
}

// bigErfcTail is erfc x for x >= 6: e^-x²/√π times the continued fraction
// 1/(x + (1/2)/(x + (2/2)/(x + (3/2)/...))), of which 80 levels are plenty.
func bigErfcTail(x *big.Float) *big.Float {
	f := wide(0).Set(x)
	for n := 80; n > 0; n-- {
		f.Quo(wide(float64(n)/2), f)
		f.Add(f, x)
	}
	square := wide(0).Mul(x, x)
	r := bigExp(square.Neg(square))
	return r.Quo(r, f.Mul(f, bigRootPi()))
}

func refErf(x float64) float64 {
	if math.Abs(x) > 6 {
		return math.Copysign(1, x)
	}
	return ofFinite(x, bigErf)
}

func refErfc(x float64) float64 {
	switch {
	case x != x:
		return x
	case x < -6:
		return 2
	case x > 30:
		return 0
	case math.Abs(x) < 0x1p-60:
		return 1
	}
	r := wide(0)
	if x < 6 {
		r.Sub(wide(1), bigErf(wide(x))) // 55 bits of 128 cancel at most
	} else {
		r = bigErfcTail(wide(x))
	}
	f, _ := r.Float64()
	return f
}

// bernoulli holds B2, B4, ... B48, by the recurrence that the sum of
// binomial(n+1, k) B_k over k <= n is 0.
var bernoulli = sync.OnceValue(func() (even []*big.Rat) {
	all := []*big.Rat{big.NewRat(1, 1)}
	for n := int64(1); n <= 48; n++ {
		sum := new(big.Rat)
		for k, b := range all {
			c := new(big.Rat).SetInt(new(big.Int).Binomial(n+1, int64(k)))
			sum.Add(sum, c.Mul(c, b))
		}
		b := sum.Mul(sum, big.NewRat(-1, n+1))
		all = append(all, b)
		if n%2 == 0 {
			even = append(even, b)
		}
	}
	return even
})

// gammaShift is where the asymptotic series are used: the first term that
// they leave out there is below 2^-140.
const gammaShift = 32

// shifted returns x + n, at least gammaShift, the product of x ... x+n-1 and
// the sum of their reciprocals.
func shifted(x *big.Float) (y, product, sum *big.Float) {
	y, product, sum = wide(0).Set(x), wide(1), wide(0)
	for y.Cmp(wide(gammaShift)) < 0 {
		product.Mul(product, y)
		sum.Add(sum, wide(0).Quo(wide(1), y))
		y.Add(y, wide(1))
	}
	return y, product, sum
}

// bigLgamma is Stirling's series for x > 0: (x-1/2) log x - x + log(2π)/2 and
// the sum of B2n / (2n (2n-1) x^(2n-1)).
func bigLgamma(x *big.Float) *big.Float {
	y, product, _ := shifted(x)
	r := wide(0).Mul(wide(0).Sub(y, wide(0.5)), bigLog(y))
	half := bigLog(wide(0).Mul(exactPi(mathPrec), wide(2)))
	r.Add(r.Sub(r, y), half.SetMantExp(half, -1))
	power, square := wide(0).Quo(wide(1), y), wide(0).Mul(y, y)
	for i, b := range bernoulli() {
		n := float64(2 * (i + 1))
		term := wide(0).Mul(wide(0).SetRat(b), power)
		r.Add(r, term.Quo(term, wide(n*(n-1))))
		power.Quo(power, square)
	}
	return r.Sub(r, bigLog(product))
}

// bigDigamma is log x - 1/(2x) less the sum of B2n / (2n x^2n), for x > 0.
func bigDigamma(x *big.Float) *big.Float {
	y, _, sum := shifted(x)
	r := bigLog(y)
	r.Sub(r, wide(0).Quo(wide(0.5), y))
	square := wide(0).Mul(y, y)
	power := wide(1)
	for i, b := range bernoulli() {
		power.Quo(power, square)
		term := wide(0).Mul(wide(0).SetRat(b), power)
		r.Sub(r, term.Quo(term, wide(float64(2*(i+1)))))
	}
	return r.Sub(r, sum)
}

// bigTurns returns sine and cosine of πx, for x that is no integer: x is first
// taken to its distance from one, which is exact, with the sign that the
// cosine has there.
func bigTurns(x float64) (sin, cos *big.Float) {
	d := wide(x - math.RoundToEven(x))
	sin, cos = bigTrig(d.Mul(d, exactPi(mathPrec)))
	if math.Mod(math.RoundToEven(x), 2) != 0 {
		sin.Neg(sin)
		cos.Neg(cos)
	}
	return sin, cos
}

// refLgamma reflects negative x: log(π / |x sin πx|) - lgamma(-x).
func refLgamma(x float64) float64 {
	switch {
	case x != x:
		return x
	case math.IsInf(x, 0) || x <= 0 && x == math.Floor(x) || x > 1e306:
		return math.Inf(1)
	case x == 1 || x == 2:
		return 0
	case x > 0:
		r, _ := bigLgamma(wide(x)).Float64()
		return r
	}
	s, _ := bigTurns(x)
	s.Abs(s.Mul(s, wide(x)))
	r := bigLog(s.Quo(exactPi(mathPrec), s))
	f, _ := r.Sub(r, bigLgamma(wide(-x))).Float64()
	return f
}

// lgammaTerms is the magnitude of what lgamma adds up for negative x.
func lgammaTerms(x float64) float64 {
	if x >= 0 || x != x || x == math.Floor(x) {
		return 0
	}
	return max(1, math.Abs(refLgamma(-x)))
}

// refDigamma reflects negative x: ψ(x) = ψ(1-x) - π cot πx.
func refDigamma(x float64) float64 {
	switch {
	case x != x || math.IsInf(x, 1):
		return x
	case x == 0:
		return math.Copysign(math.Inf(1), -x)
	case x < 0 && x == math.Floor(x):
		return math.NaN()
	case x > 0:
		r, _ := bigDigamma(wide(x)).Float64()
		return r
	}
	s, c := bigTurns(x)
	c.Quo(c.Mul(c, exactPi(mathPrec)), s)
	f, _ := c.Sub(bigDigamma(wide(0).Sub(wide(1), wide(x))), c).Float64()
	return f
}

// digammaTerms is the magnitude of what digamma adds up for negative x.
func digammaTerms(x float64) float64 {
	if x >= 0 || x != x || x == math.Floor(x) {
		return 0
	}
	return math.Abs(refDigamma(1 - x))
}
