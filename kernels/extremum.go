package kernels

import "github.com/stride0/stride0/dtype"

// maximum is that of IEEE 754-2019. Of equal floats it takes the bits that
// both have, which is +0 of -0 and +0; then only a NaN in y is missing: the
// comparison with a NaN in x is false and takes x.
func maximum(e *Emit, x, y V) V { return extremum(e, x, y, false) }

// minimum is that of IEEE 754-2019, with the bits that either zero has.
func minimum(e *Emit, x, y V) V { return extremum(e, x, y, true) }

func extremum(e *Emit, x, y V, least bool) V {
	d := e.Type(x)
	merge, first, second := (*Emit).And, x, y
	if least {
		merge, first, second = (*Emit).Or, y, x
	}
	switch {
	case d == dtype.Bool && least:
		return e.And(x, y)
	case d == dtype.Bool:
		return e.Or(x, y)
	case !d.IsFloat():
		return e.Select(e.Lt(first, second), y, x)
	}
	pattern := patternOf(d)
	both := e.Cast(d, merge(e, e.Cast(pattern, x), e.Cast(pattern, y)))
	r := e.Select(e.Lt(first, second), y, x)
	r = e.Select(e.Eq(x, y), both, r)
	return e.Select(e.Eq(y, y), r, y)
}

// less orders false below true.
func less(e *Emit, x, y V) V {
	if e.Type(x) == dtype.Bool {
		return e.And(e.Not(x), y)
	}
	return e.Lt(x, y)
}

func lessEqual(e *Emit, x, y V) V {
	if e.Type(x) == dtype.Bool {
		return e.Or(e.Not(x), y)
	}
	return e.Le(x, y)
}

// ignoringNaN is the extremum of x and y, or the other one where one is NaN.
func ignoringNaN(e *Emit, x, y V, extremum func(e *Emit, x, y V) V) V {
	if !e.Type(x).IsFloat() {
		return extremum(e, x, y)
	}
	r := e.Select(e.Eq(y, y), extremum(e, x, y), x)
	return e.Select(e.Eq(x, x), r, y)
}
