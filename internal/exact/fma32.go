package exact

import "math"

// FMA32 returns a*b + c rounded once to float32. math.FMA does not help: its
// float64 result would be rounded a second time.
//
// The product of two float32 is exact in float64 (24+24 bits of 53). Rounding
// the float64 sum to float32 is a second rounding, harmless unless the sum
// came out exactly between two float32: rounding is monotone and every
// midpoint is a float64. In the range of normal results a midpoint has the
// low 29 bits 0x10000000; below it (exponent under -126) midpoints lie
// elsewhere. Both go to roundOdd.
func FMA32(a, b, c float32) float32 {
	p := float64(a) * float64(b)
	s := p + float64(c)
	if u := math.Float64bits(s); u&0x1fffffff != 0x10000000 && u<<1 >= minNormal {
		return float32(s)
	}
	return roundOdd(p, float64(c), s)
}

// minNormal is the pattern of 2^-126, the least normal float32, as a float64
// shifted left over its sign.
const minNormal = (1023 - 126) << 53

// roundOdd returns p + z rounded to float32, where s is their float64 sum.
// It rounds the exact sum to odd first: to the neighbour of s with an odd last
// bit, on the side where the exact sum lies. With 53 bits against 24 the
// second rounding is then right (Boldo and Melquiond, "Emulation of a FMA and
// correctly rounded sums", 2008). The error of s is Knuth's TwoSum; it is NaN
// for infinite or NaN operands, which need no correction.
//
//go:noinline
func roundOdd(p, z, s float64) float32 {
	t := s - p
	err := (p - (s - t)) + (z - t)
	u := math.Float64bits(s)
	if u&1 == 0 && (err < 0 || err > 0) {
		if (err > 0) == (s > 0) {
			u++
		} else {
			u--
		}
	}
	return float32(math.Float64frombits(u))
}
