package kernels

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
)

// fitted is a polynomial with what it is a fit of: by, in big floats, is what
// the expression makes of the polynomial's value at x, and exact what that
// should be. error is the stated one, as a power of 2.
type fitted struct {
	name     string
	c32, c64 []float64
	lo, hi   float64
	at       func(x float64) *big.Float
	by       func(x, p *big.Float) *big.Float
	exact    func(x *big.Float) *big.Float
	want     [2]float64
}

func bigSquare(x float64) *big.Float { return wide(0).Mul(wide(x), wide(x)) }
func centred(x float64) *big.Float   { return wide(0).Sub(wide(x), wide(1.5)) }

// oddly is x + x³ p.
func oddly(x, p *big.Float) *big.Float {
	p = wide(0).Mul(p, x)
	p.Mul(p.Mul(p, x), x)
	return p.Add(p, x)
}

var polynomialFits = []fitted{
	{"sin", sinPoly32, sinPoly64, 0, math.Pi / 4, bigSquare, oddly,
		func(x *big.Float) *big.Float { s, _ := bigSinCos(x); return s }, [2]float64{-32.52, -63.22}},
	{"cos", cosPoly32, cosPoly64, 0, math.Pi / 4, bigSquare, func(x, p *big.Float) *big.Float {
		s := wide(0).Mul(x, x)
		p = wide(0).Mul(p, s)
		p.Sub(p, wide(0.5))
		return p.Add(p.Mul(p, s), wide(1))
	}, func(x *big.Float) *big.Float { _, c := bigSinCos(x); return c }, [2]float64{-32.98, -63.94}},
	{"asin", asinPoly32, asinPoly64, 0, 0.5, bigSquare, oddly, func(x *big.Float) *big.Float {
		return bigAtan(wide(0).Quo(x, sineOf(x)))
	}, [2]float64{-30.17, -58.17}},
	{"atan", atanPoly32, atanPoly64, 0, 1, bigSquare, oddly, bigAtan, [2]float64{-31.05, -60.20}},
	{"erf", erfPoly32, erfPoly64, 0, 1, bigSquare, func(x, p *big.Float) *big.Float {
		p = wide(0).Mul(p, x)
		return p.Add(p, x)
	}, bigErf, [2]float64{-29.39, -56.30}},
	{"erfc", erfcPoly32, erfcPoly64, 0, 10.1, func(x float64) *big.Float {
		return wide(0).Quo(wide(0).Sub(wide(x), wide(4)), wide(0).Add(wide(x), wide(4)))
	}, func(x, p *big.Float) *big.Float {
		s := wide(0).Mul(x, x)
		p = wide(0).Mul(p, bigExp(s.Neg(s)))
		return p.Quo(p, wide(0).Add(wide(1), wide(0).Add(x, x)))
	}, func(x *big.Float) *big.Float {
		if x.Cmp(wide(6)) < 0 {
			return wide(0).Sub(wide(1), bigErf(x))
		}
		return bigErfcTail(x)
	}, [2]float64{-24.79, -54.13}},
	{"lgamma", lgammaPoly32, lgammaPoly64, 0.875, 2.125, centred, func(x, p *big.Float) *big.Float {
		p = wide(0).Mul(p, wide(0).Sub(x, wide(1)))
		return p.Mul(p, wide(0).Sub(x, wide(2)))
	}, bigLgamma, [2]float64{-24.97, -54.61}},
	{"digamma", digammaPoly32, digammaPoly64, 1, 2, centred, func(x, p *big.Float) *big.Float {
		p = wide(0).Mul(p, wide(0).Sub(wide(0).Sub(x, wide(gammaFloat64.zero)), wide(gammaFloat64.zeroLow)))
		return p
	}, bigDigamma, [2]float64{-25.72, -54.22}},
}

// TestTrigAndSpecialPolynomials measures the errors that the comments beside
// the coefficients state.
func TestTrigAndSpecialPolynomials(t *testing.T) {
	for _, f := range polynomialFits {
		for i, c := range [][]float64{f.c32, f.c64} {
			worst := 0.0
			const steps = 400
			for k := range steps {
				// Denser to the ends, where the extrema crowd.
				x := f.lo + (f.hi-f.lo)*(1-math.Cos(math.Pi*(float64(k)+0.5)/steps))/2
				at, p := f.at(x), wide(c[len(c)-1])
				for j := len(c) - 2; j >= 0; j-- {
					p.Add(p.Mul(p, at), wide(c[j]))
				}
				q := wide(0).Quo(f.by(wide(x), p), f.exact(wide(x)))
				relative, _ := q.Sub(q, wide(1)).Float64()
				worst = max(worst, math.Abs(relative))
			}
			// The samples may miss the extreme, and for float64 erfc goes further.
			assert.LessOrEqual(t, math.Log2(worst), f.want[i]+0.02, "%s, polynomial %d", f.name, i)
			assert.GreaterOrEqual(t, math.Log2(worst), f.want[i]-0.3, "%s, polynomial %d", f.name, i)
		}
	}
}
