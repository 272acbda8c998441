package device

import "math/bits"

// DefaultLimit is the part of a memory that a Pool may hold by default: 80 % of
// total bytes. With an unknown total, 0, it is 4 GB.
func DefaultLimit(total int64) int64 {
	if total <= 0 {
		return 4e9
	}
	return total / 5 * 4
}

// HostMemory returns the bytes of memory this process may use: the machine's,
// or less where a control group limits it (a container) or pointers have 32
// bits; 0 when it cannot be found out. A host device's Limit is
// DefaultLimit(HostMemory()).
func HostMemory() int64 {
	n := hostMemory()
	if bits.UintSize == 32 {
		// Half of the address space: the rest is code, stacks, the Go heap.
		if n == 0 || n > 1<<31 {
			return 1 << 31
		}
	}
	return n
}
