package device

import "math/bits"

// Size classes are multiples of granule bytes: every multiple up to 16, then
// eight steps for each doubling (18, 20, ..., 32, 36, ...). A block of more
// than 512 bytes therefore wastes less than 1/8 of what was asked for, a
// smaller one less than one granule.
const (
	granule    = 64 // bytes; also the alignment that AVX-512 wants
	fineSteps  = 16
	classSteps = 8
	classes    = fineSteps + classSteps*50

	// maxBytes bounds every size, so that sums of a few never overflow.
	maxBytes int64 = 1 << 60
)

// noClass marks memory that has its own size and is not kept for reuse.
const noClass = -1

// sizeClass returns the class that serves size bytes, and the bytes it gives.
// It needs 0 <= size <= maxBytes.
func sizeClass(size int64) (class int, capacity int64) {
	units := uint64(max(size, 1)+granule-1) / granule
	if units <= fineSteps {
		return int(units) - 1, int64(units) * granule
	}
	// units lies in (8<<e, 16<<e]; round it up to a multiple of 1<<e.
	e := bits.Len64(units-1) - 4
	step := (units + 1<<e - 1) >> e // 9 to 16
	class = fineSteps + (e-1)*classSteps + int(step) - (classSteps + 1)
	return class, int64(step<<e) * granule
}
