package kernels

import (
	"math"
	"math/big"
)

// References of activations: the textbook formulas in wide arithmetic, with
// their limits where an exponential leaves its range.

func refLeaky(x, slope float64) float64 {
	if x > 0 {
		return x
	}
	return slope * x
}

func refElu(x, alpha float64) float64 {
	if x > 0 {
		return x
	}
	return alpha * refGrowth(x)
}

// refGrowth is e^x - 1.
func refGrowth(x float64) float64 {
	if math.IsNaN(x) || math.Abs(x) > 900 || x == 0 {
		return math.Expm1(x)
	}
	return num(bigExpm1(wide(x)))
}

func refSelu(x float64) float64 {
	switch {
	case math.IsNaN(x) || x == 0 || math.IsInf(x, 1):
		return x
	case x > 0:
		return num(times(wide(seluScale), wide(x)))
	case x < -900:
		return -seluScale * seluAlpha
	}
	scale, _ := new(big.Float).SetString("1.0507009873554804934193349852946")
	alpha, _ := new(big.Float).SetString("1.6732632423543772848170429916717")
	return num(times(times(scale, alpha), bigExpm1(wide(x))))
}

func refCelu(x, alpha float64) float64 {
	switch t := x / alpha; {
	case x > 0:
		return x
	case !(alpha > 0) || math.IsNaN(t):
		return math.NaN()
	case x == 0 || math.IsInf(alpha, 0) && !math.IsInf(x, 0):
		return x // its limit
	case math.Abs(t) > 900:
		return alpha * math.Expm1(t)
	}
	return num(times(wide(alpha), bigExpm1(over(wide(x), wide(alpha)))))
}

// refGate is x times 1/(1+e^-z).
func refGate(x float64, z *big.Float) float64 {
	switch f := num(z); {
	case f > 900:
		return x
	case f < -900:
		return math.Copysign(0, -1)
	}
	return num(over(wide(x), sum(wide(1), bigExp(wide(0).Neg(z)))))
}

func refSilu(x float64) float64 {
	switch {
	case math.IsNaN(x) || math.IsInf(x, 1) || x == 0:
		return x
	case math.IsInf(x, -1):
		return math.Copysign(0, -1)
	}
	return refGate(x, wide(x))
}

func refGeluTanh(x float64) float64 {
	switch {
	case math.IsNaN(x) || x > 1e3 || x == 0:
		return x
	case x < -1e3:
		return math.Copysign(0, -1)
	}
	c, _ := new(big.Float).SetPrec(mathPrec).SetString("0.79788456080286535587989211986876373695171726")
	cubic, _ := new(big.Float).SetPrec(mathPrec).SetString("0.044715")
	u := times(c, times(wide(x), sum(wide(1), times(cubic, times(wide(x), wide(x))))))
	return refGate(x, sum(u, u))
}

// refGelu is x/2 erfc(-x/√2).
func refGelu(x float64) float64 {
	switch {
	case math.IsNaN(x) || x > 100 || x == 0:
		return x
	case x < -100:
		return math.Copysign(0, -1)
	}
	root := wide(2)
	root.Sqrt(root)
	z := over(wide(x), root)
	var c *big.Float
	switch a := num(z); {
	case a < -6:
		c = bigErfcTail(wide(0).Neg(z))
	case a > 6:
		c = wide(0).Sub(wide(2), bigErfcTail(z))
	default:
		c = sum(wide(1), bigErf(z)) // 55 bits of 128 cancel at most
	}
	return num(times(over(wide(x), wide(2)), c))
}

// refMish is x ((1+t)² - 1) / ((1+t)² + 1) with t = e^x.
func refMish(x float64) float64 {
	switch {
	case math.IsNaN(x) || x > 900:
		return x
	case x < -900:
		return math.Copysign(0, -1)
	}
	t := bigExp(wide(x))
	n := times(t, sum(t, wide(2)))
	return num(times(wide(x), over(n, sum(n, wide(2)))))
}

func refSoftplus(x float64) float64 {
	if math.IsNaN(x) || math.Abs(x) > 900 {
		return max(x, 0)
	}
	return num(bigLog1p(bigExp(wide(x))))
}

func refSoftsign(x float64) float64 {
	if math.IsInf(x, 0) {
		return math.Copysign(1, x)
	}
	if math.IsNaN(x) || x == 0 {
		return x
	}
	return num(over(wide(x), sum(wide(1), wide(math.Abs(x)))))
}

func refHardSigmoid(x float64) float64 {
	switch {
	case x <= -3:
		return 0
	case x >= 3:
		return 1
	case math.IsNaN(x):
		return x
	}
	return num(over(sum(wide(x), wide(3)), wide(6)))
}

func refHardSwish(x float64) float64 {
	switch {
	case x <= -3:
		return math.Copysign(0, -1)
	case x >= 3 || math.IsNaN(x) || x == 0:
		return x
	}
	return num(over(times(wide(x), sum(wide(x), wide(3))), wide(6)))
}

func refThreshold(x []float64) float64 {
	if x[0] <= x[1] {
		return x[2]
	}
	return x[0]
}
