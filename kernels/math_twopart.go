package kernels

import (
	"math"

	"github.com/stride0/stride0/dtype"
)

// two is the unevaluated sum hi + lo of two floats, with about twice the bits
// of one: what a function carries where the rounding of an intermediate result
// would be seen in the last place of its own.
type two struct{ hi, lo V }

// A value that is added to another must not be a product (a compiler could
// fuse the two), so the products below that are added are Fma(a, b, 0).

// fastTwoSum returns a + b exactly, if |a| >= |b| or a is 0 (Dekker 1971).
func fastTwoSum(e *Emit, a, b V) two {
	s := e.Add(a, b)
	return two{s, e.Sub(b, e.Sub(s, a))}
}

// twoSum returns a + b exactly (Knuth, The Art of Computer Programming 2, 4.2.2).
func twoSum(e *Emit, a, b V) two {
	s := e.Add(a, b)
	bb := e.Sub(s, a)
	return two{s, e.Add(e.Sub(a, e.Sub(s, bb)), e.Sub(b, bb))}
}

// twoProduct returns a * b exactly, unless lo is below the range.
func twoProduct(e *Emit, a, b V) two {
	p := product(e, a, b)
	return two{p, e.Fma(a, b, e.Neg(p))}
}

// product returns a * b as a value that may be added to another; +0 for -0.
func product(e *Emit, a, b V) V { return e.Fma(a, b, e.Const(e.Type(a), 0)) }

// quotient returns n / d with an error of a few units in the last place of lo.
func quotient(e *Emit, n, d two) two {
	inverse := e.Div(e.Const(e.Type(n.hi), 1), d.hi)
	q := product(e, n.hi, inverse)
	rest := e.Add(e.Fma(e.Neg(q), d.hi, n.hi), e.Fma(e.Neg(q), d.lo, n.lo))
	return two{q, product(e, rest, inverse)}
}

// root returns the square root of a >= 0 with an error of a few units in the
// last place of lo.
func root(e *Emit, a two) two {
	d := e.Type(a.hi)
	r := e.Sqrt(a.hi)
	rest := e.Add(e.Fma(e.Neg(r), r, a.hi), a.lo)
	slope := e.Select(e.Eq(r, e.Const(d, 0)), r, e.Div(e.Const(d, 0.5), r))
	return two{r, product(e, rest, slope)}
}

// add returns a + b for one float b, rounded to two parts. It keeps nothing of
// what cancels below the last place of lo.
func (a two) add(e *Emit, b V) two {
	s := twoSum(e, a.hi, b)
	return fastTwoSum(e, s.hi, e.Add(s.lo, a.lo))
}

// times returns (a.hi + a.lo) * (high + low), rounded once to one float, where
// high + low is a constant.
func (a two) times(e *Emit, high, low float64) V {
	d := e.Type(a.hi)
	c := e.Const(d, high)
	return e.Fma(a.hi, c, e.Fma(a.hi, e.Const(d, low), e.Mul(a.lo, c)))
}

// atMost returns a, or limit where that is less; NaN stays.
func atMost(e *Emit, a V, limit float64) V {
	top := e.Const(e.Type(a), limit)
	return e.Select(e.Lt(top, a), top, a)
}

// finite reports whether x is neither infinite nor NaN.
func finite(e *Emit, x V) V {
	d := e.Type(x)
	return e.Lt(e.Abs(x), infinity(e, d))
}

func infinity(e *Emit, d dtype.DType) V { return e.Const(d, math.Inf(1)) }
