package kernels

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/stride0/stride0/dtype"
)

// TestPolynomialErrors measures the errors that the comments at the
// coefficients state.
func TestPolynomialErrors(t *testing.T) {
	for _, c := range []struct {
		name     string
		lo, hi   float64
		want     float64 // log2 of the greatest relative error
		f, exact func(x float64) float64
	}{
		{"exp", -0.346609, 0.346609, -28.25,
			func(r float64) float64 { return 1 + r + r*r*horner(expPoly, r) }, math.Exp},
		{"log", -1.0 / 3, 1.0 / 3, -27.68,
			func(g float64) float64 { return g + g*g*horner(logPoly, g) }, math.Log1p},
		{"log1p, float32", -0.2928, 0.4142, -38.4, ofLogSeries(logFloat32Format.series), math.Log1p},
		{"cube root", math.Sqrt2 / 2, math.Sqrt2, -16.15,
			func(x float64) float64 { return hornerOf(cbrtStart, x) }, math.Cbrt},
		{"tanh", 0, 1, -30.91,
			func(x float64) float64 { return x + x*x*x*horner(tanhPoly, x*x) }, math.Tanh},
	} {
		worst := 0.0
		const steps = 20_000
		for i := range steps {
			x := c.lo + (c.hi-c.lo)*(float64(i)+0.5)/steps
			worst = max(worst, math.Abs(c.f(x)/c.exact(x)-1))
		}
		assert.InDelta(t, c.want, math.Log2(worst), 0.05, c.name)
	}
}

// ofLogSeries returns log(1+g) with the given series, all else exact; in
// float64, so that it can tell errors down to 2^-48.
func ofLogSeries(series []float64) func(g float64) float64 {
	return func(g float64) float64 {
		s := 2 * g / (2 + g)
		z := s * s
		return s * (1 + z*(1.0/12+z*hornerOf(series, z)))
	}
}

func hornerOf(c []float64, x float64) (p float64) {
	for i := len(c) - 1; i >= 0; i-- {
		p = p*x + c[i]
	}
	return p
}

// TestWidePolynomialErrors measures those that float64 cannot tell, with the
// same sums in big floats.
func TestWidePolynomialErrors(t *testing.T) {
	worstLog, worstExp := 0.0, 0.0
	for i := range 200 {
		u := (float64(i) + 0.5) / 200
		g := wide(math.Sqrt2/2 - 1 + u*math.Sqrt2/2)
		s := over(times(wide(2), g), sum(wide(2), g))
		z := times(s, s)
		p := times(s, sum(wide(1), times(z, sum(over(wide(1), wide(12)), times(z, bigHorner(logFloat64Format.series, z))))))
		worstLog = max(worstLog, math.Abs(num(minus(over(p, bigLog1p(g)), wide(1)))))

		r := wide((u - 0.5) * math.Ln2)
		q := sum(over(wide(1), wide(6)), times(r, bigHorner(expTail, r)))
		q = sum(r, times(times(r, r), sum(wide(0.5), times(r, q))))
		worstExp = max(worstExp, math.Abs(num(minus(q, bigExpm1(r)))))
	}
	assert.InDelta(t, -66.4, math.Log2(worstLog), 0.3, "log(1+g)")
	assert.Less(t, math.Log2(worstExp), -64.0, "e^r - 1")
	assert.Greater(t, math.Log2(worstExp), -75.0, "e^r - 1")
}

func bigHorner(c []float64, x *big.Float) *big.Float {
	p := wide(0)
	for i := len(c) - 1; i >= 0; i-- {
		p = sum(times(p, x), wide(c[i]))
	}
	return p
}

func horner(c []uint32, x float64) (p float64) {
	for i := len(c) - 1; i >= 0; i-- {
		p = p*x + floatOf(dtype.Float32, uint64(c[i]))
	}
	return p
}
