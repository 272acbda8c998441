package tensor

import (
	"math"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// Linspace returns n evenly spaced values, the first start and the last stop,
// both exact (rounded to d); start alone for n = 1. start and stop are Go
// integers or floats that d holds as finite numbers, d is a float type. Each
// half is counted from its own end, as start + i*step and stop - i*step, so
// that rounding errors of the step do not add up to the far end.
func (p Place) Linspace(d dtype.DType, start, stop any, n int) *Tensor {
	ends, step, err := spacing(d, start, stop, n)
	if err != nil {
		return fail("linspace", err)
	}
	t := p.empty("linspace", d, Shape{n})
	mid := (n + 1) / 2
	for i, half := range []Range{R(0, mid), R(n-1, mid-1, -1)} {
		v := t.Slice(half)
		if t.failure() == nil {
			v = v.fill("linspace", call{Op: kernels.Arange, Attr: kernels.Attr{DType: d}},
				indexAlong(0), weakScalar(ends[i]), weakScalar(dtype.FloatNumber(step)))
		}
		if v.failure() != nil {
			_ = t.Free()
			return v
		}
		_ = v.Free()
		step = -step
	}
	return t
}

// Linspace returns n evenly spaced values from start to stop, both included,
// on the CPU; see Place.Linspace.
func Linspace(d dtype.DType, start, stop any, n int) *Tensor {
	return here().Linspace(d, start, stop, n)
}

// roundTo returns x rounded to the float type d.
func roundTo(d dtype.DType, x float64) float64 { return d.FloatOf(d.PatternOf(x)) }

// spacing returns the ends of a Linspace and the step between its n values.
func spacing(d dtype.DType, start, stop any, n int) (ends [2]dtype.Number, step float64, err error) {
	if !d.IsFloat() {
		return ends, 0, &dtype.Error{DTypes: []dtype.DType{d}, Msg: "evenly spaced values are not all " + d.String(),
			Hint: "make them float32 and Cast, or use Arange"}
	}
	var v [2]float64
	for i, end := range []any{start, stop} {
		if ends[i], err = numberOf(end); err != nil {
			return ends, 0, err
		}
		v[i] = ends[i].Float64()
		v[i] = roundTo(d, v[i])
		if math.IsNaN(v[i]) || math.IsInf(v[i], 0) {
			return ends, 0, errorf("%v is not a finite %v, and no steps lead to it", ends[i], d)
		}
	}
	if n > 2 { // else no step is taken, and it might overflow
		gaps := float64(n - 1)
		step = v[1]/gaps - v[0]/gaps
		if near := (v[1] - v[0]) / gaps; !math.IsInf(near, 0) {
			step = near
		}
	}
	return ends, step, nil
}
