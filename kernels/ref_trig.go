package kernels

import (
	"math"
	"math/big"
	"sync"
)

// The references of trigonometric functions: series in big floats, rounded
// once to float64. The precision is that of the argument's distance from a
// multiple of π/2, with 64 bits at least for what is left.

// trigPrec is enough for x = f * 2^1024 to keep 128 bits and more after its
// quadrants are taken off.
const trigPrec = 1024 + 64 + mathPrec

func exactPi(prec uint) *big.Float { return new(big.Float).SetPrec(prec).Set(bigPi()) }

// bigPi is π by Machin's formula, 16 atan 1/5 - 4 atan 1/239.
var bigPi = sync.OnceValue(func() *big.Float {
	sum := bigArctanInverse(5, 16)
	sum.Sub(sum, bigArctanInverse(239, 4))
	pi := new(big.Float).SetPrec(trigPrec + 32).SetInt(sum)
	return pi.SetMantExp(pi, -(trigPrec + 64))
})

// bigArctanInverse returns scale * atan(1/n) in units of 2^-(trigPrec+64).
func bigArctanInverse(n, scale int64) *big.Int {
	power := new(big.Int).Lsh(big.NewInt(scale), trigPrec+64)
	power.Quo(power, big.NewInt(n))
	sum, square := new(big.Int), big.NewInt(n*n)
	for k := int64(1); power.Sign() != 0; k += 2 {
		term := new(big.Int).Quo(power, big.NewInt(k))
		if k%4 == 3 {
			term.Neg(term)
		}
		sum.Add(sum, term)
		power.Quo(power, square)
	}
	return sum
}

// bigTurn returns the finite x less its nearest multiple q of π/2.
func bigTurn(x *big.Float) (r *big.Float, q int) {
	prec := uint(mathPrec + 64 + max(x.MantExp(nil), 0))
	quarter := exactPi(prec)
	quarter.SetMantExp(quarter, -1)
	n := new(big.Float).SetPrec(prec).Quo(x, quarter)
	n.Add(n, big.NewFloat(math.Copysign(0.5, float64(n.Sign()))))
	whole, _ := n.Int(nil)
	r = new(big.Float).SetPrec(prec).SetInt(whole)
	r.Sub(x, r.Mul(r, quarter))
	return new(big.Float).SetPrec(mathPrec).Set(r), int(new(big.Int).And(whole, big.NewInt(3)).Int64())
}

// bigSinCos returns sine and cosine of r, |r| < 1, by their Taylor series.
func bigSinCos(r *big.Float) (sin, cos *big.Float) {
	term, square := wide(1), wide(0).Mul(r, r)
	sums := [2]*big.Float{wide(0), wide(0)}
	for n := 1; n < 50 && !negligible(term, sums[1]); n += 2 {
		sums[0].Add(sums[0], term)
		odd := wide(0).Quo(term, wide(float64(n)))
		sums[1].Add(sums[1], odd)
		term.Neg(term.Mul(odd.Quo(odd, wide(float64(n+1))), square))
	}
	return sums[1].Mul(sums[1], r), sums[0]
}

// negligible reports whether term is 0 or far below the last bit of sum. (To
// add numbers of very different exponents, math/big shifts the one by all the
// difference.)
func negligible(term, sum *big.Float) bool {
	return term.Sign() == 0 || sum.Sign() != 0 && term.MantExp(nil) < sum.MantExp(nil)-mathPrec-20
}

// bigTrig returns sine and cosine of x.
func bigTrig(x *big.Float) (sin, cos *big.Float) {
	r, q := bigTurn(x)
	sin, cos = bigSinCos(r)
	if q%2 == 1 {
		sin, cos = cos, sin.Neg(sin)
	}
	if q >= 2 {
		sin.Neg(sin)
		cos.Neg(cos)
	}
	return sin, cos
}

// ofFinite makes a reference of f for arguments but zeros, which f maps to
// themselves, infinities and NaN.
func ofFinite(x float64, f func(x *big.Float) *big.Float) float64 {
	if x == 0 || math.IsNaN(x) || math.IsInf(x, 0) {
		return x
	}
	r, _ := f(new(big.Float).SetFloat64(x)).Float64()
	return r
}

func refSin(x float64) float64 {
	return ofFinite(x-(x-x), func(x *big.Float) *big.Float { s, _ := bigTrig(x); return s })
}

func refCos(x float64) float64 {
	if x == 0 {
		return 1
	}
	return ofFinite(x-(x-x), func(x *big.Float) *big.Float { _, c := bigTrig(x); return c })
}

func refTan(x float64) float64 {
	return ofFinite(x-(x-x), func(x *big.Float) *big.Float { s, c := bigTrig(x); return s.Quo(s, c) })
}

// bigAtan halves the angle four times, tan(a/2) = t / (1 + sqrt(1 + t²)),
// after which t is below 1/10, and sums the series.
func bigAtan(t *big.Float) *big.Float {
	one := wide(1)
	steep := t.Cmp(one) > 0
	if steep {
		t = wide(0).Quo(one, t)
	}
	for range 4 {
		root := wide(0).Mul(t, t)
		root.Sqrt(root.Add(root, one))
		t = wide(0).Quo(t, root.Add(root, one))
	}
	square, power, sum := wide(0).Mul(t, t), wide(0).Set(t), wide(0)
	square.Neg(square)
	for n := 1; n < 50 && !negligible(power, sum); n += 2 {
		sum.Add(sum, wide(0).Quo(power, wide(float64(n))))
		power.Mul(power, square)
	}
	sum.SetMantExp(sum, 4)
	if steep {
		quarter := exactPi(mathPrec)
		return sum.Sub(quarter.SetMantExp(quarter, -1), sum)
	}
	return sum
}

func refAtan(x float64) float64 {
	if math.IsInf(x, 0) {
		return math.Copysign(math.Pi/2, x)
	}
	return math.Copysign(ofFinite(math.Abs(x), bigAtan), x)
}

// refAsin is atan(x / sqrt(1 - x²)).
func refAsin(x float64) float64 {
	switch a := math.Abs(x); {
	case !(a <= 1):
		return math.NaN()
	case a == 1:
		return math.Copysign(math.Pi/2, x)
	}
	return math.Copysign(ofFinite(math.Abs(x), func(a *big.Float) *big.Float {
		return bigAtan(wide(0).Quo(a, sineOf(a)))
	}), x)
}

// sineOf returns sqrt(1 - a²), 1 - a² = (1-a) (1+a) keeping its bits near 1.
func sineOf(a *big.Float) *big.Float {
	one := wide(1)
	s := wide(0).Mul(wide(0).Sub(one, a), wide(0).Add(one, a))
	return s.Sqrt(s)
}

// refAcos is 2 atan sqrt((1-x) / (1+x)).
func refAcos(x float64) float64 {
	switch {
	case !(math.Abs(x) <= 1):
		return math.NaN()
	case x == 1:
		return 0
	case x == -1:
		return math.Pi
	}
	one, b := wide(1), wide(x)
	q := wide(0).Quo(wide(0).Sub(one, b), wide(0).Add(one, b))
	r, _ := bigAtan(q.Sqrt(q)).Float64()
	return 2 * r
}

// refAtan2 lists what C99 says of zeros, infinities and NaN (F.9.1.4), and
// takes the arctangent of |y/x| elsewhere.
func refAtan2(y, x float64) float64 {
	if math.IsNaN(x) || math.IsNaN(y) {
		return math.NaN()
	}
	right := !math.Signbit(x)
	angle := 0.0
	switch {
	case y == 0 || math.IsInf(x, 0) && !math.IsInf(y, 0):
		angle = map[bool]float64{true: 0, false: math.Pi}[right]
	case math.IsInf(x, 0):
		angle = map[bool]float64{true: math.Pi / 4, false: 3 * math.Pi / 4}[right]
	case math.IsInf(y, 0) || x == 0:
		angle = math.Pi / 2
	default:
		a := bigAtan(wide(0).Quo(wide(math.Abs(y)), wide(math.Abs(x))))
		if !right {
			a.Sub(exactPi(mathPrec), a)
		}
		angle, _ = a.Float64()
	}
	return math.Copysign(angle, y)
}
