package kernels

import (
	"math"
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
		{"tanh", 0, 1, -30.91,
			func(x float64) float64 { return x + x*x*x*horner(tanhPoly, x*x) }, math.Tanh},
	} {
		worst := 0.0
		const steps = 20_000
		for i := range steps {
			x := c.lo + (c.hi-c.lo)*(float64(i)+0.5)/steps
			worst = max(worst, math.Abs(c.f(x)/c.exact(x)-1))
		}
		assert.InDelta(t, c.want, math.Log2(worst), 0.02, c.name)
	}
}

func horner(c []uint32, x float64) (p float64) {
	for i := len(c) - 1; i >= 0; i-- {
		p = p*x + floatOf(dtype.Float32, uint64(c[i]))
	}
	return p
}
