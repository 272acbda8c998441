package cpu

import "math"

// What generated loops need beyond Go's operators. A select must not branch:
// signs and masks are often random, and a wrong guess costs more than ten
// elements. The compiler turns these into conditional moves, which exist for
// integers of two bytes and more; floats therefore take the way through their
// bit patterns (relu of random signs: 5.9 against 1.3 GB/s).

func selectUint32(m bool, a, b uint32) uint32 {
	if m {
		b = a
	}
	return b
}

func selectUint64(m bool, a, b uint64) uint64 {
	if m {
		b = a
	}
	return b
}

func selectUint16(m bool, a, b uint16) uint16 {
	if m {
		b = a
	}
	return b
}

func selectInt16(m bool, a, b int16) int16 {
	if m {
		b = a
	}
	return b
}

func selectInt8(m bool, a, b int8) int8 {
	return int8(selectInt32(m, int32(a), int32(b)))
}

func selectInt32(m bool, a, b int32) int32 {
	if m {
		b = a
	}
	return b
}

func selectInt64(m bool, a, b int64) int64 {
	if m {
		b = a
	}
	return b
}

func selectUint8(m bool, a, b uint8) uint8 {
	return uint8(selectUint32(m, uint32(a), uint32(b)))
}

func selectBool(m, a, b bool) bool { return m && a || !m && b }

func selectFloat32(m bool, a, b float32) float32 {
	return math.Float32frombits(selectUint32(m, math.Float32bits(a), math.Float32bits(b)))
}

func selectFloat64(m bool, a, b float64) float64 {
	return math.Float64frombits(selectUint64(m, math.Float64bits(a), math.Float64bits(b)))
}

// bit returns 1 for true and 0 for false.
func bit(m bool) uint8 {
	if m {
		return 1
	}
	return 0
}
