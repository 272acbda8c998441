package kernels

import (
	"math"
	"math/big"
)

// References of integer division, shifts and the float remainders.

func refFloorDivInt(x, y int64) int64 {
	if y == 0 {
		return 0
	}
	q, r := new(big.Int).QuoRem(big.NewInt(x), big.NewInt(y), new(big.Int))
	if r.Sign()*big.NewInt(y).Sign() < 0 {
		q.Sub(q, big.NewInt(1))
	}
	return int64(new(big.Int).And(q, new(big.Int).SetUint64(1<<64-1)).Uint64())
}

func refModInt(x, y int64) int64 {
	switch {
	case y == 0:
		return 0
	case y < 0:
		return -new(big.Int).Mod(new(big.Int).Neg(big.NewInt(x)), big.NewInt(y)).Int64()
	}
	return new(big.Int).Mod(big.NewInt(x), big.NewInt(y)).Int64() // Euclid's, between 0 and y
}

func refRemInt(x, y int64) int64 {
	if y == 0 {
		return 0
	}
	return new(big.Int).Rem(big.NewInt(x), big.NewInt(y)).Int64()
}

func refShiftLeft(x, n int64) int64 {
	if n < 0 || n > 63 {
		return 0
	}
	return x * int64(uint64(1)<<n)
}

func refShiftRight(x, n int64) int64 {
	if n < 0 || n > 63 {
		n = 63
	}
	q, _ := new(big.Int).DivMod(big.NewInt(x), new(big.Int).Lsh(big.NewInt(1), uint(n)), new(big.Int))
	return q.Int64()
}

// refFloorDiv divides in as many bits as tell every quotient from an integer.
func refFloorDiv(x, y float64) float64 {
	switch q := x / y; {
	case y == 0 && !math.IsInf(x, 0) || math.IsNaN(q):
		return q
	case math.IsInf(x, 0):
		if y == 0 {
			return q
		}
		return math.NaN()
	case math.IsInf(y, 0) && x != 0 && (x < 0) != (y < 0):
		return -1
	case math.IsInf(y, 0) || x == 0:
		return q
	}
	q := new(big.Float).SetPrec(exactPrec).Quo(big.NewFloat(x), big.NewFloat(y))
	whole, _ := q.Int(nil)
	r := new(big.Float).SetPrec(exactPrec).SetInt(whole)
	if r.Cmp(q) > 0 {
		r.Sub(r, big.NewFloat(1))
	}
	f, _ := r.Float64()
	return math.Copysign(f, x/y)
}

func refRem(x, y float64) float64 { return math.Mod(x, y) }

func refMod(x, y float64) float64 {
	switch r := math.Mod(x, y); {
	case r == 0:
		return math.Copysign(0, y)
	case (r < 0) != (y < 0):
		return r + y
	default:
		return r
	}
}

// refDivUint is r, a quotient by y or its remainder, but 0 of a y of 0.
func refDivUint(y, r uint64) uint64 {
	if y == 0 {
		return 0
	}
	return r
}
