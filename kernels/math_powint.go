package kernels

// powInt is x^y of integers, wrapping. With y = 64q + r it is x^r (x^64)^q.
// For odd x, x^64 = 1 + t where 2^8 divides t, and
//
//	(1+t)^q = 1 + q t (1 + (q-1) t/2 (1 + (q-2) t/3 (1 + ...)))
//
// ends after as many terms as the integer has bytes, less one: the next has a
// factor t^bytes, which is 0. For even x, x^64 is 0. So no exponent takes
// more than some 80 operations, and no bit of it is left out. Below 0 the
// power is the reciprocal, truncated: 0 but for x = ±1.
func powInt(e *Emit, x, y V) V {
	d := e.Type(x)
	c := func(v float64) V { return e.Const(d, v) }
	r, square := c(1), x
	for bit := range 6 {
		set := e.Eq(e.And(y, c(float64(int(1)<<bit))), c(0))
		r = e.Select(set, r, e.Mul(r, square))
		square = e.Mul(square, square)
	}
	t, q := e.Sub(square, c(1)), e.Shr(y, 6)
	rest := c(1)
	for i := d.Size() - 1; i >= 1; i-- {
		factor := e.Mul(e.Sub(q, c(float64(i-1))), divided(e, t, i))
		rest = e.Add(e.Mul(factor, rest), c(1))
	}
	even := e.Eq(e.And(x, c(1)), c(0))
	p := e.Mul(r, e.Select(even, e.Select(e.Eq(q, c(0)), c(1), c(0)), rest))
	if e.unsigned(x) {
		return p
	}
	unit := e.Or(e.Eq(x, c(1)), e.Eq(x, c(-1)))
	return e.Select(e.Lt(y, c(0)), e.Select(unit, r, c(0)), p)
}

// divided returns t/i for an i from 1 to 7 and a t that 2^8 divides: a shift
// and a product with the inverse of the odd part of i, modulo 2^width.
// (Newton's iteration v·(2 - i·v) doubles the bits; i is its own inverse
// modulo 8.) The shift loses high bits, which are multiplied by q·t before
// they matter.
func divided(e *Emit, t V, i int) V {
	shift := uint(0)
	for ; i%2 == 0; i /= 2 {
		shift++
	}
	odd := uint64(i)
	inverse := odd
	for range 5 {
		inverse *= 2 - odd*inverse
	}
	d := e.Type(t)
	mask := ^uint64(0) >> (64 - 8*d.Size())
	return e.Mul(e.Shr(t, shift), e.Bits(d, inverse&mask))
}

// powBool is x^y of bools as of the integers 0 and 1: 0^0 is 1.
func powBool(e *Emit, x, y V) V { return e.Or(x, e.Not(y)) }
