package kernels

import "github.com/stride0/stride0/dtype"

// arangeFloat returns start + index*step for x = index, start, step. An index
// is exact in float64 (below 2^53); in float32 only its low 24 bits are, so the
// rest, a multiple of 2^24, is added in a step of its own. It comes first:
// while it is 0 that step rounds nothing, and a large start is cancelled before
// the low bits are added.
func arangeFloat(e *Emit, x []V) V {
	index, start, step := x[0], x[1], x[2]
	d := e.Type(start)
	if d == dtype.Float64 {
		return e.Fma(e.Convert(d, index), step, start)
	}
	low := e.And(index, e.Bits(dtype.Int64, 1<<24-1))
	high := e.Sub(index, low)
	far := e.Fma(e.Convert(d, high), step, start)
	return e.Fma(e.Convert(d, low), step, far)
}

// arangeInt returns start + index*step, wrapping.
func arangeInt(e *Emit, x []V) V {
	index, start, step := x[0], x[1], x[2]
	return e.Add(start, e.Mul(e.Convert(e.Type(start), index), step))
}
