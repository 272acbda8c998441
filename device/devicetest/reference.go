package devicetest

import (
	"fmt"
	"math"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// slack covers the rounding of a reference that is itself a float64.
const slack = 1e-6

// manyResults is from how many on only one in seven is compared with the
// reference, which takes a hundred times as long as the row: tests of the table
// compare expressions with it, and all results are compared with those.
const manyResults = 500

// checkReference compares results that a device computed for a case with the
// row's own independent reference, so that an expression that is wrong in
// the same way everywhere is found too.
func (a application) checkReference(c *launchCase, got []uint64) error {
	if !a.whole || a.row.Ref.Float == nil && a.row.Ref.Int == nil {
		return nil
	}
	var err error
	n := 0
	kept, reduced := c.split()
	odometer(kept, func(index []int) {
		g := got[n]
		n++
		if err != nil || len(got) > manyResults && n%7 != 0 {
			return
		}
		if a.reduces() {
			err = a.checkReduced(c, index, reduced, g)
		} else {
			err = a.checkElement(a.arguments(c, index), g)
		}
		if err != nil {
			err = fmt.Errorf("%s at %v: %w; %s", c.name, index, err, c.describe(index))
		}
	})
	return err
}

// arguments returns the row's arguments at an index, as they stand before the
// conversions of its rule.
func (a application) arguments(c *launchCase, index []int) []argument {
	var args []argument
	for _, in := range a.program.Instrs {
		switch in.Op {
		case kernels.OpInput:
			args = append(args, argument{in.Type, c.in[in.Slot].get(index)})
		case kernels.OpScalar:
			args = append(args, argument{in.Type, c.scalars[in.Slot]})
		case kernels.OpIndex:
			args = append(args, argument{in.Type, uint64(index[in.Slot])})
		}
	}
	return args
}

type argument struct {
	dtype dtype.DType
	bits  uint64
}

// float returns the argument in the float type d.
func (x argument) float(d dtype.DType) float64 {
	if x.dtype.IsFloat() {
		return toFloat(x.dtype, x.bits)
	}
	if x.dtype == dtype.Uint64 {
		return toFloat(d, roundNumber(d, dtype.UintNumber(x.bits)))
	}
	return toFloat(d, roundNumber(d, dtype.IntNumber(toInt(x.dtype, x.bits))))
}

// integer returns the argument as an integer; in a row that computes with
// bools (d is Bool), whether it is not zero.
func (x argument) integer(d dtype.DType) int64 {
	switch {
	case d != dtype.Bool:
		return toInt(x.dtype, x.bits)
	case x.dtype.IsFloat() && toFloat(x.dtype, x.bits) == 0 || x.bits == 0:
		return 0
	}
	return 1
}

// checkElement compares one element-wise result.
func (a application) checkElement(args []argument, got uint64) error {
	var want uint64
	switch d := a.computes(); {
	case d == dtype.Uint64 && a.row.RefUint != nil:
		x := make([]uint64, len(args))
		for i := range args {
			x[i] = args[i].bits
		}
		want = trim(a.sig.Result, a.row.RefUint(x))
	case d == dtype.Uint64 && a.sig.Result.IsFloat(): // a cast
		want = roundNumber(a.sig.Result, dtype.UintNumber(args[0].bits))
	case d.IsFloat():
		x := make([]float64, len(args))
		for i := range args {
			x[i] = args[i].float(a.row.Computes(d))
		}
		r := a.row.Ref.Float(x)
		if a.sig.Result.IsFloat() && a.bound() > 0 {
			apart := ulps(a.sig.Result, got, r)
			if apart > a.bound() {
				apart /= a.row.Cancelled(a.sig.Result, x, r)
			}
			if apart > a.bound()+slack {
				return fmt.Errorf("%s is %.3g units from the reference %v, the bound is %v", show(a.sig.Result, got), apart, r, a.bound())
			}
			return nil
		}
		want = fromFloatTo(a.sig.Result, r)
	default:
		x := make([]int64, len(args))
		for i := range args {
			x[i] = args[i].integer(d)
		}
		want = fromIntTo(a.sig.Result, a.row.Ref.Int(x))
	}
	if !same(a.sig.Result, got, want) {
		return fmt.Errorf("%s, the reference says %s", show(a.sig.Result, got), show(a.sig.Result, want))
	}
	return nil
}

// fromFloatTo converts as SEMANTICS.md says: to an integer truncated,
// saturated, 0 for NaN; to bool whether it is not zero.
func fromFloatTo(d dtype.DType, x float64) uint64 {
	switch {
	case d.IsFloat():
		return fromFloat(d, x)
	case d == dtype.Bool && (x != 0):
		return 1
	case d == dtype.Bool || math.IsNaN(x):
		return 0
	}
	width := 8 * d.Size()
	if d.Kind() == dtype.IntKind {
		width--
	}
	top := math.Ldexp(1, width)
	lowest := 0.0
	if d.Kind() == dtype.IntKind {
		lowest = -top
	}
	switch x = math.Trunc(x); {
	case x >= top:
		return math.MaxUint64 >> (64 - width)
	case x <= lowest && lowest < 0:
		return trim(d, 1<<width)
	case x <= lowest:
		return 0
	}
	return trim(d, uint64(int64(x)))
}

// fromIntTo rounds once to a float and wraps to an integer.
func fromIntTo(d dtype.DType, x int64) uint64 {
	switch {
	case d.IsFloat():
		return roundNumber(d, dtype.IntNumber(x))
	case d == dtype.Bool && x != 0:
		return 1
	case d == dtype.Bool:
		return 0
	}
	return trim(d, uint64(x))
}

// roundNumber rounds an integer once to a float type. Go's own conversion to
// float32 rounds twice where registers are 32 bits wide.
func roundNumber(d dtype.DType, n dtype.Number) uint64 {
	bits, _ := n.Bits(d) // any number fits a float
	return bits
}

// checkReduced compares one result of a reduction. Bounds of sums count for
// each level of the canonical tree, in units of the last place that the result
// would have if all elements were positive.
func (a application) checkReduced(c *launchCase, at, reduced []int, got uint64) error {
	var floats, magnitudes []float64
	var ints []int64
	wide := dtype.Float64
	if a.row.Rule == kernels.RuleFloat {
		wide = a.row.Computes(a.computes()) // integers become float32 before anything else
	}
	odometer(reduced, func(index []int) {
		full := make([]int, len(index))
		for i := range full {
			full[i] = at[i] + index[i]
		}
		x := argument{c.in[0].dtype, c.in[0].get(full)}
		floats = append(floats, x.float(wide))
		magnitudes = append(magnitudes, math.Abs(floats[len(floats)-1]))
		if !x.dtype.IsFloat() {
			ints = append(ints, toInt(x.dtype, x.bits))
		}
	})
	if ints != nil && a.row.Ref.Int != nil {
		want := fromIntTo(a.sig.Result, a.row.Ref.Int(ints))
		if c.in[0].dtype == dtype.Uint64 && a.row.RefUint != nil {
			words := make([]uint64, len(ints))
			for i, v := range ints {
				words[i] = uint64(v)
			}
			want = trim(a.sig.Result, a.row.RefUint(words))
		}
		if want != got {
			return fmt.Errorf("%s, the reference says %s", show(a.sig.Result, got), show(a.sig.Result, want))
		}
		return nil
	}
	if sum := 0.0; ints != nil {
		for _, m := range magnitudes {
			sum += m
		}
		if sum >= 1<<62 { // the int64 sum inside a mean may wrap
			return nil
		}
	}
	want := a.row.Ref.Float(floats)
	if !a.sig.Result.IsFloat() || a.bound() == 0 {
		if w := fromFloatTo(a.sig.Result, want); !same(a.sig.Result, got, w) {
			return fmt.Errorf("%s, the reference says %s", show(a.sig.Result, got), show(a.sig.Result, w))
		}
		return nil
	}
	return a.checkRounded(got, want, magnitudes)
}

func (a application) checkRounded(got uint64, want float64, magnitudes []float64) error {
	d, n, magnitude := a.sig.Result, len(magnitudes), a.row.Ref.Float(magnitudes)
	if a.leavesRange(magnitudes) {
		return nil
	}
	if magnitude > math.MaxFloat32/4 || math.IsNaN(magnitude) { // may overflow on the way
		return nil
	}
	levels := 1
	for m := n; m > treeBlock; m = (m + treeBlock - 1) / treeBlock {
		levels++
	}
	unit := math.Ldexp(1, exponent(max(magnitude, math.SmallestNonzeroFloat32))-23)
	allowed := a.row.Bound.Float32 * float64(levels) * unit
	switch {
	case d == dtype.Float64:
		allowed = a.row.Bound.Float64 * float64(levels) * math.Ldexp(unit, 23-52)
	case d.IsHalf(): // the sum of float32, rounded
		digits, least, _ := precision(d)
		allowed += math.Ldexp(0.5, max(exponent(max(math.Abs(want), allowed)), least)+1-digits) * (1 + 0x1p-5)
	}
	if off := math.Abs(toFloat(d, got) - want); !(off <= allowed) && !same(d, got, fromFloat(d, want)) {
		return fmt.Errorf("%s is %v from the reference %v, %v are allowed for %d levels", show(d, got), off, want, allowed, levels)
	}
	return nil
}

// leavesRange reports whether products on the way to a result may overflow or
// lose digits below the range of normal numbers, though the result is in range.
func (a application) leavesRange(magnitudes []float64) bool {
	limit := 120.0
	if a.sig.Result == dtype.Float64 {
		limit = 1000
	}
	up, down := 0.0, 0.0 // how far some part of the product can be from 1, as a power of two
	for _, m := range magnitudes {
		e := math.Log2(m)
		switch {
		case m == 0:
		case a.use.op == kernels.Prod:
			up, down = up+max(e, 0), down+max(-e, 0)
		case a.use.op == kernels.NormL2:
			up, down = max(up, 2*e+16), max(down, -2*e)
		}
	}
	return max(up, down) > limit
}
