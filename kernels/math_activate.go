package kernels

import (
	"math"
)

// Activations made of the exponential. All have limits at both infinities, and
// where they decay they keep what is below the normal numbers: the power of two
// comes last.

// silu is x times the logistic function of x.
func silu(e *Emit, x V) V {
	f := formatOf(e, x)
	return f.gated(e, x, two{x, e.Const(f.float, 0)}, f.activeTo())
}

// activeTo is an x below which x·e^x is 0.
func (f *expFormat) activeTo() float64 { return f.low - 16 }

// gated returns x times the logistic function of z, where z >= low for x >= low
// and the product is 0 there.
func (f *expFormat) gated(e *Emit, x V, z two, low float64) V {
	zero, bottom := e.Const(f.float, 0), e.Const(f.float, low)
	negative := e.Lt(z.hi, zero)
	a := two{e.Select(negative, z.hi, e.Neg(z.hi)), e.Select(negative, z.lo, e.Neg(z.lo))}
	under := e.Lt(a.hi, e.Const(f.float, f.activeTo()))
	a = two{e.Select(under, e.Const(f.float, f.activeTo()), a.hi), e.Select(under, zero, a.lo)}
	big, small, k := f.parts(e, a.hi)
	small = e.Fma(a.lo, e.Add(big, small), small) // e^lo is 1 + lo
	y, p, q := f.logistic(e, big, small, k, negative)
	x = e.Select(e.Lt(x, bottom), bottom, x)
	return e.Mul(e.Mul(e.Mul(x, y), p), q)
}

// geluTanh is x·(1 + tanh u)/2 = x times the logistic function of 2u, with
// u = sqrt(2/π) (x + 0.044715 x³), in two parts since its rounding error grows
// with u.
func geluTanh(e *Emit, x V) V {
	f := formatOf(e, x)
	limit := 11.0
	if f.mantissa > 23 {
		limit = 22
	}
	c := f.between(e, x, -limit, limit)
	linear, linearLow := f.constant(wideConst{0x1.9884533d43651p+0, -0x1.cbc0d30ebfd15p-54})
	cubic, cubicLow := f.constant(wideConst{0x1.2444f2a4d8b4bp-4, -0x1.6c843a29d1c70p-61})
	a, b := e.Const(f.float, cubic), e.Const(f.float, linear)
	s := twoProduct(e, c, c)
	t := twoProduct(e, s.hi, a)
	u := twoSum(e, t.hi, b)
	lo := e.Add(e.Add(u.lo, t.lo), e.Const(f.float, linearLow))
	lo = e.Fma(s.lo, a, e.Fma(s.hi, e.Const(f.float, cubicLow), lo))
	z := twoProduct(e, c, u.hi)
	return f.gated(e, x, two{z.hi, e.Fma(c, lo, z.lo)}, -limit)
}

// mish is x·tanh(log(1+e^x)) = x·n/(n+2) with n = t(t+2) and t = e^x; for
// positive x the same in u = 1/t, x (1+2u)/(1+2u+2u²), as t may overflow.
func mish(e *Emit, x V) V {
	f := formatOf(e, x)
	one, twice, zero := e.Const(f.float, 1), e.Const(f.float, 2), e.Const(f.float, 0)
	bottom := e.Const(f.float, f.activeTo())
	a := e.Neg(e.Abs(x))
	a = e.Select(e.Lt(a, bottom), bottom, a)
	big, small, k := f.parts(e, a)
	m := e.Add(big, small)
	p, q := f.halves(e, k)
	t := product(e, e.Mul(m, p), q) // e^-|x|
	negative := e.Lt(x, zero)
	x = e.Select(e.Lt(x, bottom), bottom, x)

	above := e.Fma(twice, t, one)
	grown := e.Fma(e.Add(t, t), t, above)
	below := e.Add(t, twice)
	w := e.Div(e.Select(negative, below, above), e.Select(negative, e.Fma(t, below, twice), grown))
	y := e.Mul(e.Mul(x, e.Select(negative, m, one)), w)
	return e.Mul(e.Mul(y, e.Select(negative, p, one)), e.Select(negative, q, one))
}

// softplus is max(x, 0) + log(1+t), t = e^-|x|. Where t is beside 1 what a last
// place is, it is t or x.
func softplus(e *Emit, x V) V {
	f, l := formatOf(e, x), logFormatOf(e, x)
	zero := e.Const(f.float, 0)
	far := float64(f.mantissa+2) * math.Ln2
	a := e.Neg(atMost(e, e.Abs(x), -f.low))
	big, small, k := f.parts(e, a)
	t := fastTwoSum(e, big, small)
	p, q := f.halves(e, k)
	t = two{product(e, e.Mul(t.hi, p), q), product(e, e.Mul(t.lo, p), q)}
	rest := e.Select(e.Lt(zero, x), x, zero)
	r := l.log1p(e, t, zero).add(e, e.Select(e.Lt(x, e.Const(f.float, far)), rest, zero)).hi
	r = e.Select(e.Lt(x, e.Const(f.float, -far)), t.hi, r)
	return e.Select(e.Lt(x, e.Const(f.float, far)), r, x)
}

// elu is x, or alpha (e^x - 1) where x is not positive.
func elu(e *Emit, x, alpha V) V {
	return e.Select(e.Lt(e.Const(e.Type(x), 0), x), x, e.Mul(alpha, expm1(e, x)))
}

// The constants of selu are those of Klambauer et al., "Self-Normalizing Neural
// Networks" (2017), with as many digits as PyTorch's.
const (
	seluScale = 1.0507009873554804934193349852946
	seluAlpha = 1.6732632423543772848170429916717
)

func selu(e *Emit, x V) V {
	d := e.Type(x)
	negative := e.Mul(e.Const(d, seluScale*seluAlpha), expm1(e, x))
	return e.Select(e.Lt(e.Const(d, 0), x), e.Mul(e.Const(d, seluScale), x), negative)
}

// celu is x, or alpha (e^(x/alpha) - 1) where x is not positive, which is x as
// long as x/alpha, which may be too small for a float, is nothing beside 1. The
// exponential may overflow for an alpha that is not above 0, for which the
// function has no meaning: NaN.
func celu(e *Emit, x, alpha V) V {
	f := formatOf(e, x)
	zero := e.Const(f.float, 0)
	t := e.Div(x, alpha)
	near := e.Lt(e.Abs(t), e.Const(f.float, math.Ldexp(1, -int(f.mantissa)-2)))
	r := e.Select(near, x, e.Mul(alpha, expm1(e, t)))
	r = e.Select(e.Lt(zero, alpha), r, e.Const(f.float, math.NaN()))
	return e.Select(e.Lt(zero, x), x, r)
}

// softsign is x/(1+|x|), ±1 at the infinities.
func softsign(e *Emit, x V) V {
	d := e.Type(x)
	one, a := e.Const(d, 1), e.Abs(x)
	r := e.Div(x, e.Add(one, a))
	return e.Select(e.Eq(a, infinity(e, d)), copySign(e, one, x), r)
}

// hardSigmoid is (x+3)/6 between 0 and 1.
func hardSigmoid(e *Emit, x V) V {
	d := e.Type(x)
	zero, six := e.Const(d, 0), e.Const(d, 6)
	s := e.Add(x, e.Const(d, 3))
	s = e.Select(e.Le(s, zero), zero, s)
	return e.Div(atMost(e, s, 6), six)
}

// hardSwish is x times hardSigmoid of x.
func hardSwish(e *Emit, x V) V {
	d := e.Type(x)
	r := e.Mul(x, e.Div(e.Add(x, e.Const(d, 3)), e.Const(d, 6)))
	r = e.Select(e.Le(x, e.Const(d, -3)), e.Const(d, math.Copysign(0, -1)), r)
	return e.Select(e.Le(e.Const(d, 3), x), x, r)
}

// leaky is x, or x·slope where x is not positive.
func leaky(e *Emit, x, slope V) V {
	return e.Select(e.Lt(e.Const(e.Type(x), 0), x), x, e.Mul(x, slope))
}
