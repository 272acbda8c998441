package kernels

import "math"

// References of rounding and signs.

func refSame(x int64) int64 { return x }

func refFrac(x float64) float64 {
	whole, frac := math.Modf(x)
	switch {
	case math.IsInf(whole, 0):
		return math.NaN()
	case frac == 0:
		return 0
	}
	return frac
}

func refSign[T float64 | int64](x T) T {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	case x == 0:
		return 0
	}
	return x
}

func refCopysign(x, y float64) float64 {
	if math.IsNaN(y) {
		y = 1
	}
	return math.Copysign(x, y)
}

func refSignbit(x float64) float64 { return refTruth(x < 0 || 1/x < 0) }

func refTruth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
