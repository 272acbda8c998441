package kernels

// lerp is x + w (y-x), fused: from the nearer end, so that both are exact.
// Where x and y lie on two sides of 0, y-x may overflow, and the sum is that of
// (1-w) x and w y instead, as in C++'s std::lerp.
func lerp(e *Emit, x, y, w V) V {
	d := e.Type(x)
	one, zero := e.Const(d, 1), e.Const(d, 0)
	diff := e.Sub(y, x)
	fromX := e.Fma(w, diff, x)
	fromY := e.Fma(e.Sub(w, one), diff, y)
	near := e.Select(e.Lt(w, e.Const(d, 0.5)), fromX, fromY)
	apart := e.Xor(e.Lt(x, zero), e.Lt(y, zero))
	return e.Select(apart, e.Fma(w, y, e.Fma(e.Neg(w), x, x)), near)
}

// multiplyAdd is x[a]*x[b] + x[c], rounded once; integers wrap.
func multiplyAdd(a, b, c int) Expr {
	f := func(e *Emit, x []V) V { return e.Fma(x[a], x[b], x[c]) }
	return Expr{f, f, func(e *Emit, x []V) V { return e.Add(e.Mul(x[a], x[b]), x[c]) }, nil}
}
