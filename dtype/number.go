package dtype

import (
	"math"
	"strconv"
)

// Number is a scalar without a width: a bool, an integer or a float. It is
// what a weak scalar carries into an operation. Numbers are comparable; the
// zero Number is no number (Kind NoKind).
type Number struct {
	kind Kind // BoolKind, IntKind, UintKind (only above the int64 range) or FloatKind
	bits uint64
}

// BoolNumber, IntNumber, UintNumber and FloatNumber return the Number of v.
func BoolNumber(v bool) Number {
	if v {
		return Number{BoolKind, 1}
	}
	return Number{BoolKind, 0}
}

// IntNumber returns the Number of v.
func IntNumber(v int64) Number { return Number{IntKind, uint64(v)} }

// UintNumber returns the Number of v: the one IntNumber gives where v fits in
// an int64.
func UintNumber(v uint64) Number {
	if v <= math.MaxInt64 {
		return Number{IntKind, v}
	}
	return Number{UintKind, v}
}

// FloatNumber returns the Number of v.
func FloatNumber(v float64) Number { return Number{FloatKind, math.Float64bits(v)} }

// NumberOf returns the Number of a Go value.
func NumberOf[T Element](v T) Number {
	switch v := any(v).(type) {
	case bool:
		return BoolNumber(v)
	case uint8:
		return IntNumber(int64(v))
	case uint16:
		return IntNumber(int64(v))
	case uint32:
		return IntNumber(int64(v))
	case uint64:
		return UintNumber(v)
	case int8:
		return IntNumber(int64(v))
	case int16:
		return IntNumber(int64(v))
	case int32:
		return IntNumber(int64(v))
	case int64:
		return IntNumber(v)
	case int:
		return IntNumber(int64(v))
	case F16:
		return FloatNumber(float64(v.Float32()))
	case BF16:
		return FloatNumber(float64(v.Float32()))
	case float32:
		return FloatNumber(float64(v))
	case float64:
		return FloatNumber(v)
	}
	return Number{}
}

// Kind returns the family of n.
func (n Number) Kind() Kind { return n.kind }

// Float64 returns n as a float64, rounded to nearest even.
func (n Number) Float64() float64 {
	switch n.kind {
	case FloatKind:
		return math.Float64frombits(n.bits)
	case UintKind:
		return float64(n.bits)
	}
	return float64(int64(n.bits))
}

// Int64 returns n as an int64 and whether it holds n exactly. A float number
// is never held.
func (n Number) Int64() (int64, bool) {
	return int64(n.bits), n.kind == IntKind || n.kind == BoolKind
}

// Fits reports whether d can hold n: any number fits a float (rounded, ±Inf
// when too large), integers and bools fit an integer type whose range holds
// them, only bools fit Bool.
func (n Number) Fits(d DType) bool {
	_, err := n.Bits(d)
	return err == nil
}

// Bits returns the bit pattern of n as an element of type d, in the low bits
// of the result. A float rounds once, to nearest even, and becomes ±Inf when
// too large. Errors (*Error): an integer outside the range of d; a float for
// an integer or bool d; a number other than a bool for Bool.
func (n Number) Bits(d DType) (uint64, error) {
	switch d {
	case Float64:
		return math.Float64bits(n.Float64()), nil
	case Float32:
		return uint64(math.Float32bits(n.float32())), nil
	case Float16:
		return uint64(NewF16(n.sticky())), nil
	case BFloat16:
		return uint64(NewBF16(n.sticky())), nil
	}
	if n.kind == NoKind || n.kind == FloatKind || d == Bool && n.kind != BoolKind || !d.Valid() {
		return 0, &Error{DTypes: []DType{d}, Msg: d.String() + " cannot hold the " + n.kind.String() + " " + n.String(),
			Hint: "cast the tensor to a type that holds it"}
	}
	lo, hi := d.intRange()
	if n.kind == UintKind && n.bits > hi || n.kind != UintKind && (int64(n.bits) < lo || int64(n.bits) >= 0 && n.bits > hi) {
		return 0, &Error{DTypes: []DType{d}, Msg: n.String() + " is outside the range of " + d.String(),
			Hint: "cast the tensor to a wider type"}
	}
	return n.bits & (1<<(8*d.Size()-1)<<1 - 1), nil
}

// float32 rounds once: an integer beyond 2^53 must not pass through float64.
func (n Number) float32() float32 {
	switch {
	case n.kind == FloatKind:
		return float32(math.Float64frombits(n.bits))
	case n.kind != UintKind && int64(n.bits) < 0:
		return -roundToFloat32(-n.bits)
	}
	return roundToFloat32(n.bits)
}

// sticky returns a float64 that rounds to the same half as n. Only an integer
// beyond 2^53 is not exact; of its bits that float64 has no room for one stands
// for all.
func (n Number) sticky() float64 {
	if v := int64(n.bits); n.kind != FloatKind && (n.kind == UintKind || v < -1<<53 || v > 1<<53) {
		kept := n.bits &^ 0xfff
		if kept != n.bits {
			kept |= 0x800
		}
		n.bits = kept
	}
	return n.Float64()
}

// roundToFloat32 returns the float32 nearest to v, ties to even. Go's own
// conversion rounds twice on 386. The bits that a float64 has no room for are
// folded into the last one kept, so that no false tie arises.
func roundToFloat32(v uint64) float32 {
	if v < 1<<53 {
		return float32(float64(v))
	}
	kept := v >> 12
	if v<<52 != 0 {
		kept |= 1
	}
	return float32(float64(kept) * (1 << 12))
}

// intRange returns the least and the greatest value of an integer type or Bool.
func (d DType) intRange() (lo int64, hi uint64) {
	width := 8 * d.Size()
	switch d.Kind() {
	case BoolKind:
		return 0, 1
	case UintKind:
		return 0, math.MaxUint64 >> (64 - width)
	}
	return -1 << (width - 1), 1<<(width-1) - 1
}

// FloatOf returns the value of the float type d that has the given pattern, in
// its low bits; it is exact. Of other types it is NaN.
func (d DType) FloatOf(pattern uint64) float64 {
	switch d {
	case Float16:
		return float64(F16(pattern).Float32())
	case BFloat16:
		return float64(BF16(pattern).Float32())
	case Float32:
		return float64(math.Float32frombits(uint32(pattern)))
	case Float64:
		return math.Float64frombits(pattern)
	}
	return math.NaN()
}

// PatternOf returns x rounded once to the float type d, as the pattern of an
// element in the low bits; 0 for other types.
func (d DType) PatternOf(x float64) uint64 {
	if !d.IsFloat() {
		return 0
	}
	pattern, _ := FloatNumber(x).Bits(d)
	return pattern
}

// String returns n as Go would print it.
func (n Number) String() string {
	switch n.kind {
	case BoolKind:
		return strconv.FormatBool(n.bits != 0)
	case IntKind:
		return strconv.FormatInt(int64(n.bits), 10)
	case UintKind:
		return strconv.FormatUint(n.bits, 10)
	case FloatKind:
		return strconv.FormatFloat(math.Float64frombits(n.bits), 'g', -1, 64)
	}
	return "none"
}
