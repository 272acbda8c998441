package kernels

import (
	"math"

	"github.com/stride0/stride0/dtype"
)

// sinhSeries is the Taylor series of (sinh(x)/x - 1) / x² in x²: 1/3!, 1/5!,
// ..., 1/13!. For |x| <= 0.3 the first term left out is 2^-32 of the result
// with three terms, as float32 has, 2^-64 with all six.
var sinhSeries = func() []float64 {
	c := make([]float64, 6)
	factorial := 1.0
	for i := range c {
		factorial *= float64((2*i + 2) * (2*i + 3))
		c[i] = 1 / factorial
	}
	return c
}()

// sinh is a polynomial below 0.3, where the exponentials would cancel.
func sinh(e *Emit, x V) V {
	a := e.Abs(x)
	series := sinhSeries
	if e.Type(x) == dtype.Float32 {
		series = series[:3]
	}
	s := e.Mul(a, a)
	small := e.Fma(e.Mul(e.Horner(s, series), s), a, a)
	large := halfSum(e, a, true)
	return copySign(e, e.Select(e.Lt(a, e.Const(e.Type(a), 0.3)), small, large), x)
}

func cosh(e *Emit, x V) V { return halfSum(e, e.Abs(x), false) }

// halfSum returns (e^a ± e^-a)/2 for a >= 0: with
// e^a = 2^k h it is 2^(k-1) (h ± 2^-2k/h), h and its reciprocal in two parts.
func halfSum(e *Emit, a V, difference bool) V {
	f := formatOf(e, a)
	zero := e.Const(f.float, 0)
	h, k := f.expTwo(e, two{atMost(e, a, f.high+1), zero})
	power := f.noMore(e, k)
	c := f.pow2(e, e.Sub(e.Const(f.integer, 0), e.Add(power, power)))
	v := quotient(e, two{c, zero}, h)
	if difference {
		v = two{e.Neg(v.hi), e.Neg(v.lo)}
	}
	s := fastTwoSum(e, h.hi, v.hi)
	y := e.Add(s.hi, e.Add(s.lo, e.Add(h.lo, v.lo)))
	return f.scale(e, y, e.Sub(k, e.Const(f.integer, 1)))
}

// huge is where 1 is nothing beside x², even in two parts.
func (f *logFormat) huge() float64 { return math.Ldexp(1, int(f.mantissa)+7) }

// asinh is log(1+w), w = a + a²/(1 + sqrt(1+a²)), a = |x|; of a huge one, log 2a.
func asinh(e *Emit, x V) V {
	f := logFormatOf(e, x)
	zero, one := e.Const(f.float, 0), e.Const(f.float, 1)
	a := e.Abs(x)
	huge := e.Not(e.Lt(a, e.Const(f.float, f.huge())))
	square := twoProduct(e, a, a)
	w := quotient(e, square, root(e, square.add(e, one)).add(e, one)).add(e, a)
	w = two{e.Select(huge, a, w.hi), e.Select(huge, zero, w.lo)}
	r := f.log1p(e, w, e.Select(huge, one, zero)).hi
	return copySign(e, e.Abs(e.Select(finite(e, a), r, a)), x)
}

// acosh is log(1+w), w = t + sqrt(t(t+2)), t = x-1; of a huge x, log 2x.
func acosh(e *Emit, x V) V {
	f := logFormatOf(e, x)
	zero, one := e.Const(f.float, 0), e.Const(f.float, 1)
	huge := e.Not(e.Lt(x, e.Const(f.float, f.huge())))
	t, above := e.Sub(x, one), twoSum(e, x, one)
	square := twoProduct(e, t, above.hi)
	square.lo = e.Fma(t, above.lo, square.lo)
	w := root(e, square).add(e, t)
	w = two{e.Select(huge, x, w.hi), e.Select(huge, zero, w.lo)}
	r := f.log1p(e, w, e.Select(huge, one, zero)).hi
	return e.Select(e.Lt(x, one), e.Const(f.float, math.NaN()), e.Select(finite(e, x), r, x))
}

// atanh is log(1+w)/2, w = 2a/(1-a), a = |x|.
func atanh(e *Emit, x V) V {
	f := logFormatOf(e, x)
	zero, one := e.Const(f.float, 0), e.Const(f.float, 1)
	a := e.Abs(x)
	w := quotient(e, two{e.Add(a, a), zero}, fastTwoSum(e, one, e.Neg(a)))
	r := e.Mul(f.log1p(e, w, zero).hi, e.Const(f.float, 0.5))
	r = e.Select(e.Eq(a, one), e.Const(f.float, math.Inf(1)), e.Abs(r))
	r = e.Select(e.Le(a, one), r, e.Const(f.float, math.NaN()))
	return copySign(e, r, x)
}
