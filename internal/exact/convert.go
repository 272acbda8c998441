package exact

import "math/bits"

// Float32FromInt64 returns x rounded once to float32. Go's own conversion does
// not on 32-bit architectures: on 386, 87249655955456 becomes the float32 below
// the nearest.
//
// There x goes through float64, where integers up to 2^53 are exact. Beyond,
// the last place of the result is at least 2^30, so that of the low 12 bits
// only whether they are zero matters: they become one sticky bit, and the 53
// bits that are left are exact in float64.
func Float32FromInt64(x int64) float32 {
	if bits.UintSize == 64 {
		return float32(x)
	}
	if -1<<53 <= x && x <= 1<<53 {
		return float32(float64(x))
	}
	y := x &^ 0xfff
	if y != x {
		y |= 0x800
	}
	return float32(float64(y))
}

// Float32FromUint64 returns x rounded once to float32; see Float32FromInt64.
func Float32FromUint64(x uint64) float32 {
	if x < 1<<63 {
		return Float32FromInt64(int64(x))
	}
	// Half of x, its low bit kept as a sticky bit, has the same rounding.
	return 2 * Float32FromInt64(int64(x>>1|x&1))
}
