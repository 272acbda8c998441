package tensor

import (
	"math"
	"math/big"

	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// Arange returns start, start+step, ... up to but without stop, each computed
// as start + i*step in d; start, stop and step are Go integers or floats, and a
// step may be negative. It is empty when no step leads towards stop.
//
// How many there are is ⌈(stop-start)/step⌉ in float64, as in NumPy, so that
// with a step that float64 rounds the last may reach stop: Arange(Float64, 1,
// 1.3, 0.1) has 4 elements. Linspace says how many instead. Among integers the
// count is exact.
//
// Errors: a step of 0; a start or step that is no finite number; more elements
// than an int counts; numbers that an integer d does not hold (step may be
// negative also for an unsigned d). Values too large for a float d are infinite.
func (p Place) Arange(d dtype.DType, start, stop, step any) *Tensor {
	var n [3]dtype.Number
	for i, v := range []any{start, stop, step} {
		var err error
		if n[i], err = numberOf(v); err != nil {
			return fail("arange", err)
		}
	}
	count, err := steps(d, n)
	if err != nil {
		return fail("arange", err)
	}
	t := p.empty("arange", d, Shape{count})
	return t.fill("arange", call{Op: kernels.Arange, Attr: kernels.Attr{DType: d}},
		indexAlong(0), weakScalar(n[0]), weakScalar(wrapped(n[2], d)))
}

// Arange returns start, start+step, ... before stop on the CPU; see Place.Arange.
func Arange(d dtype.DType, start, stop, step any) *Tensor {
	return here().Arange(d, start, stop, step)
}

// steps returns how many values start, start+step, ... lie before stop, all of
// which an integer d must hold.
func steps(d dtype.DType, n [3]dtype.Number) (int, error) {
	start, stop, step := n[0].Float64(), n[1].Float64(), n[2].Float64()
	if step == 0 || !finite(start) || !finite(step) || math.IsNaN(stop) {
		return 0, errorf("no steps of %v lead from %v to %v", n[2], n[0], n[1])
	}
	if a, b, c, ok := whole(n); ok {
		return wholeSteps(d, a, b, c)
	}
	count := math.Ceil((stop - start) / step)
	if count == 0 && (stop > start) == (step > 0) && stop != start { // the quotient is too small for a float64
		count = 1
	}
	if count >= math.MaxInt {
		return 0, tooMany()
	}
	for _, v := range n {
		if err := checkFits(v, d); err != nil && count > 0 && d.IsInteger() {
			return 0, err
		}
	}
	return max(int(count), 0), nil
}

func tooMany() error {
	return &broadcast.ShapeError{Msg: "too many elements", Hint: "use a greater step"}
}

// whole returns start, stop and step as integers, if they are: beyond 2^53 a
// float64 would miscount. A stop in between counts as the next integer.
func whole(n [3]dtype.Number) (start, stop, step *big.Int, ok bool) {
	start, first := integer(n[0])
	step, second := integer(n[2])
	if !first || !second {
		return nil, nil, nil, false
	}
	if stop, ok = integer(n[1]); !ok {
		f := math.Ceil(n[1].Float64())
		if step.Sign() < 0 {
			f = math.Floor(n[1].Float64())
		}
		if !finite(f) {
			return nil, nil, nil, false
		}
		stop, _ = big.NewFloat(f).Int(nil)
	}
	return start, stop, step, true
}

// integer returns a number that is no float.
func integer(n dtype.Number) (*big.Int, bool) {
	switch v, ok := n.Int64(); {
	case ok:
		return big.NewInt(v), true
	case n.Kind() == dtype.UintKind:
		bits, _ := n.Bits(dtype.Uint64)
		return new(big.Int).SetUint64(bits), true
	}
	return nil, false
}

// wholeSteps is steps for integers.
func wholeSteps(d dtype.DType, start, stop, step *big.Int) (int, error) {
	one := big.NewInt(int64(step.Sign()))
	gaps := new(big.Int).Sub(stop, start) // steps between the first value and the last
	gaps.Quo(gaps.Sub(gaps, one), step)
	switch {
	case stop.Cmp(start)*step.Sign() <= 0:
		return 0, nil
	case gaps.Cmp(big.NewInt(math.MaxInt)) >= 0:
		return 0, tooMany()
	case d.IsInteger():
		last := new(big.Int).Mul(gaps, step)
		if err := checkFits(numberOfInt(last.Add(last, start)), d); err != nil {
			return 0, err
		}
	}
	return int(gaps.Int64()) + 1, nil
}

// numberOfInt returns the Number of v, a float where v is beyond all integer
// types.
func numberOfInt(v *big.Int) dtype.Number {
	switch {
	case v.IsInt64():
		return dtype.IntNumber(v.Int64())
	case v.IsUint64():
		return dtype.UintNumber(v.Uint64())
	}
	f, _ := new(big.Float).SetInt(v).Float64()
	return dtype.FloatNumber(f)
}

// wrapped returns an integer step modulo the width of an integer d: sums wrap
// there, so that they come out right also where d does not hold the step
// itself, such as -1 in uint8.
func wrapped(step dtype.Number, d dtype.DType) dtype.Number {
	v, ok := integer(step)
	if !ok || !d.IsInteger() {
		return step
	}
	width := uint(8 * d.Size())
	v.And(v, new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), width), big.NewInt(1))) // two's complement
	if d.Kind() == dtype.IntKind && v.Bit(int(width)-1) == 1 {
		v.Sub(v, new(big.Int).Lsh(big.NewInt(1), width))
	}
	return numberOfInt(v)
}
