package dtype

import (
	"math"
	"strconv"
)

// F16 is the bit pattern of a float16: IEEE 754 binary16, 1 sign, 5 exponent
// and 10 fraction bits. It is the Go type of Float16 elements.
type F16 uint16

// BF16 is the bit pattern of a bfloat16: the upper half of a float32, 1 sign,
// 8 exponent and 7 fraction bits. It is the Go type of BFloat16 elements.
type BF16 uint16

// half describes a float type of 16 bits.
type half struct {
	fraction int // bits
	bias     int // of the exponent
}

var (
	binary16 = half{10, 15}
	brain16  = half{7, 127}
)

// NewF16 returns x rounded once to float16, ties to even; ±Inf from ±65520 on,
// subnormals kept.
func NewF16(x float64) F16 { return F16(binary16.round(x)) }

// NewBF16 returns x rounded once to bfloat16, ties to even; ±Inf from
// ±(2 - 2^-8)·2^127 on, subnormals kept.
func NewBF16(x float64) BF16 { return BF16(brain16.round(x)) }

// Float32 returns the value of h, exactly.
func (h F16) Float32() float32 { return float32(binary16.value(uint16(h))) }

// Float32 returns the value of h, exactly.
func (h BF16) Float32() float32 { return math.Float32frombits(uint32(h) << 16) }

// String returns the shortest decimal that rounds to h.
func (h F16) String() string { return binary16.text(uint16(h), 'g', -1) }

// String returns the shortest decimal that rounds to h.
func (h BF16) String() string { return brain16.text(uint16(h), 'g', -1) }

// round works on the pattern of the float64, whose fraction has 52 bits. In
// the normal range it adds just under half a unit, and the last bit that stays
// on top so that ties go to even; a carry runs into the exponent, up to
// infinity, as it should. Below that range, a sum with a number whose last
// place is the smallest subnormal rounds to a multiple of that.
func (h half) round(x float64) uint16 {
	u := math.Float64bits(x)
	sign := uint16(u>>48) & 0x8000
	u &^= 1 << 63
	infinity := uint16(1<<(15-h.fraction)-1) << h.fraction
	dropped := 52 - h.fraction
	switch {
	case x != x:
		return sign | infinity | 1<<(h.fraction-1)
	case u >= uint64(1023+h.bias+1)<<52:
		return sign | infinity
	case u < uint64(1023+1-h.bias)<<52:
		least := math.Ldexp(1, 1-h.bias-h.fraction+52)
		return sign | uint16(math.Float64bits(math.Abs(x)+least)-math.Float64bits(least))
	}
	u -= uint64(1023-h.bias) << 52
	u += 1<<(dropped-1) - 1 + u>>dropped&1
	return sign | uint16(u>>dropped)
}

// value is exact: every value of 16 bits is one of float64.
func (h half) value(p uint16) float64 {
	exponent := int(p) & 0x7fff >> h.fraction
	fraction := float64(p & (1<<h.fraction - 1))
	var x float64
	switch {
	case exponent == 0:
		x = math.Ldexp(fraction, 1-h.bias-h.fraction)
	case exponent < 1<<(15-h.fraction)-1:
		x = math.Ldexp(fraction+math.Ldexp(1, h.fraction), exponent-h.bias-h.fraction)
	case fraction == 0:
		x = math.Inf(1)
	default:
		return math.NaN()
	}
	if p&0x8000 != 0 {
		x = -x
	}
	return x
}

// text formats the value with the given digits; with -1, with as few as round
// to it: 5 are enough for any.
func (h half) text(p uint16, format byte, digits int) string {
	x := h.value(p)
	if digits >= 0 || x != x {
		return strconv.FormatFloat(x, format, digits, 64)
	}
	for n := 1; n < 5; n++ {
		text := strconv.FormatFloat(x, 'e', n-1, 64)
		if y, _ := strconv.ParseFloat(text, 64); h.round(y) == p {
			return strconv.FormatFloat(y, format, -1, 64)
		}
	}
	y, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'e', 4, 64), 64)
	return strconv.FormatFloat(y, format, -1, 64)
}
