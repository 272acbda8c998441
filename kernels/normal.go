package kernels

import "github.com/stride0/stride0/dtype"

// quantile is an approximation of the quantile function of the normal
// distribution by three quotients of polynomials, the lowest coefficient
// first: of 0.425² - q² for |q| <= 0.425, q being the probability less 1/2,
// and further out of r - 1.6 (r <= 5) and of r - 5, r being the square root of
// -log of the probability beyond.
type quantile struct {
	centralP, centralQ, nearP, nearQ, farP, farQ []float64
}

// The coefficients are those of M. Wichura, "Algorithm AS 241: The percentage
// points of the normal distribution", Applied Statistics 37 (1988) 477-484:
// PPND7, good to about 7 figures, and PPND16, to about 16.
var (
	quantileFloat32 = quantile{
		[]float64{3.3871327179, 50.434271938, 159.29113202, 59.109374720},
		[]float64{1, 17.895169469, 78.757757664, 67.187563600},
		[]float64{1.4234372777, 2.7568153900, 1.3067284816, 0.17023821103},
		[]float64{1, 0.73700164250, 0.12021132975},
		[]float64{6.6579051150, 3.0812263860, 0.42868294337, 0.017337203997},
		[]float64{1, 0.24197894225, 0.012258202635},
	}
	quantileFloat64 = quantile{
		[]float64{3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3, 1.3731693765509461125e4,
			4.5921953931549871457e4, 6.7265770927008700853e4, 3.3430575583588128105e4, 2.5090809287301226727e3},
		[]float64{1, 4.2313330701600911252e1, 6.8718700749205790830e2, 5.3941960214247511077e3,
			2.1213794301586595867e4, 3.9307895800092710610e4, 2.8729085735721942674e4, 5.2264952788528545610e3},
		[]float64{1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0, 3.64784832476320460504e0,
			1.27045825245236838258e0, 2.41780725177450611770e-1, 2.27238449892691845833e-2, 7.74545014278341407640e-4},
		[]float64{1, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1,
			1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4, 1.05075007164441684324e-9},
		[]float64{6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0, 2.96560571828504891230e-1,
			2.65321895265761230930e-2, 1.24266094738807843860e-3, 2.71155556874348757815e-5, 2.01033439929228813265e-7},
		[]float64{1, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
			7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7, 2.04426310338993978564e-15},
	}
)

// normal returns the quantile of the normal distribution at (w + 1/2) / 2^64,
// rounded to an odd numerator over 2^64, for a uint64 w. The probability is
// never 0, 1/2 or 1, so the result is finite, at most 9.08 in magnitude, and
// not zero. Its distance from 1/2 and what it leaves to 0 or 1 are integers
// over 2^64 that are rounded to the float type once, so that neither the
// middle nor the tails lose digits to a subtraction.
func normal(e *Emit, to dtype.DType, w V) V {
	num := func(v float64) V { return e.Const(to, v) }
	one := e.Bits(dtype.Int64, 1)
	signed := e.Cast(dtype.Int64, e.Xor(w, e.Bits(dtype.Uint64, 1<<63))) // w - 2^63
	middle := e.Or(e.Xor(signed, e.Shr(signed, 63)), one)                // |signed + 1/2|, made odd
	beyond := e.Or(e.Xor(middle, e.Bits(dtype.Int64, 1<<63-1)), one)     // 2^63 - middle

	c, log := &quantileFloat32, logFloat32
	if to == dtype.Float64 {
		c, log = &quantileFloat64, logFloat64
	}
	q := e.Mul(e.Convert(to, middle), num(0x1p-64))
	r := e.Sqrt(e.Neg(log(e, e.Mul(e.Convert(to, beyond), num(0x1p-64)))))
	central, near := e.Le(q, num(0.425)), e.Le(r, num(5))
	inside, close, far := e.Fma(e.Neg(q), q, num(0.180625)), e.Sub(r, num(1.6)), e.Sub(r, num(5))
	choose := func(a, b, c []float64) V {
		return e.Select(central, e.Horner(inside, a), e.Select(near, e.Horner(close, b), e.Horner(far, c)))
	}
	z := e.Div(choose(c.centralP, c.nearP, c.farP), choose(c.centralQ, c.nearQ, c.farQ))
	z = e.Select(central, e.Mul(z, q), z)
	return e.Select(e.Lt(signed, e.Const(dtype.Int64, 0)), e.Neg(z), z)
}

func normalFloat32(e *Emit, x []V) V { return normal(e, dtype.Float32, randomWord(e, x[0], x[1])) }
func normalFloat64(e *Emit, x []V) V { return normal(e, dtype.Float64, randomWord(e, x[0], x[1])) }
