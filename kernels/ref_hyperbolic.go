package kernels

import (
	"math"
	"math/big"
)

// The references of the hyperbolic functions and roots: as ref_power.go.

// refSinh is (d + d/(d+1))/2 with d = e^|x| - 1, which loses nothing near 0,
// and the sign of x.
func refSinh(x float64) float64 {
	if math.IsNaN(x) || math.Abs(x) > 900 || x == 0 {
		return math.Sinh(x)
	}
	d := bigExpm1(wide(math.Abs(x)))
	return math.Copysign(num(over(sum(d, over(d, sum(d, wide(1)))), wide(2))), x)
}

func refCosh(x float64) float64 {
	if math.IsNaN(x) || math.Abs(x) > 900 {
		return math.Cosh(x)
	}
	p := bigExp(wide(x))
	return num(over(sum(p, over(wide(1), p)), wide(2)))
}

// refAsinh is log(1 + a + a²/(1 + sqrt(1+a²))), a = |x|, with the sign of x.
func refAsinh(x float64) float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) || x == 0 {
		return x
	}
	a := wide(math.Abs(x))
	square := times(a, a)
	root := wide(0).Sqrt(sum(square, wide(1)))
	r := num(bigLog1p(sum(a, over(square, sum(root, wide(1))))))
	return math.Copysign(r, x)
}

// refAcosh is log(1 + t + sqrt(t(t+2))), t = x-1.
func refAcosh(x float64) float64 {
	if !(x > 1) || math.IsInf(x, 1) {
		return math.Acosh(x)
	}
	t := minus(wide(x), wide(1))
	root := wide(0).Sqrt(times(t, sum(t, wide(2))))
	return num(bigLog1p(sum(t, root)))
}

// refAtanh is log(1 + 2a/(1-a))/2, a = |x|, with the sign of x.
func refAtanh(x float64) float64 {
	a := math.Abs(x)
	if !(a < 1) || a == 0 {
		return math.Atanh(x)
	}
	r := bigLog1p(over(wide(2*a), minus(wide(1), wide(a))))
	return math.Copysign(num(over(r, wide(2))), x)
}

// refCbrt takes two steps of Newton's method from the library's cube root.
func refCbrt(x float64) float64 {
	t := math.Cbrt(x)
	if math.IsNaN(t) || math.IsInf(t, 0) || t == 0 {
		return t
	}
	z := wide(t)
	for range 2 {
		square := times(z, z)
		z = minus(z, over(minus(times(square, z), wide(x)), times(wide(3), square)))
	}
	return num(z)
}

func refRsqrt(x float64) float64 {
	if !(x > 0) || math.IsInf(x, 1) {
		return 1 / math.Sqrt(x)
	}
	return num(over(wide(1), wide(0).Sqrt(wide(x))))
}

// refHypot rounds x² + y² to 512 bits: of a far smaller square nothing is left,
// and nothing of it would be seen.
func refHypot(x, y float64) float64 {
	switch {
	case math.IsInf(x, 0) || math.IsInf(y, 0):
		return math.Inf(1)
	case math.IsNaN(x) || math.IsNaN(y):
		return math.NaN()
	}
	z, square := new(big.Float).SetPrec(512), new(big.Float).SetPrec(512)
	z.Mul(big.NewFloat(x), big.NewFloat(x))
	square.Mul(big.NewFloat(y), big.NewFloat(y))
	return num(z.Sqrt(z.Add(z, square)))
}
