package cpu

import (
	"sync/atomic"
	"unsafe"

	"github.com/stride0/stride0/device"
)

// Buffer is memory of the CPU: Go memory handed in (NewBuffer, Init), or a
// block of the device's pool (Alloc). A Buffer must not be copied.
type Buffer struct {
	data  []byte
	block *device.Block[[]byte] // nil for Go memory
	// Work in progress counts 2 each and Free sets bit 0, so that a block goes
	// back when both are over. Go memory needs no count: the garbage collector
	// keeps it as long as somebody works on it, and who gives it to another use
	// (Shorten) counts for itself.
	state atomic.Int64
}

// freed is the bit of Buffer.state that Free sets.
const freed = 1

// NewBuffer returns a Buffer over data, which is shared and not copied. It
// must be aligned as its elements are.
func NewBuffer(data []byte) *Buffer { return &Buffer{data: data} }

// Init makes b, a zero Buffer inside another allocation, a Buffer over data.
func (b *Buffer) Init(data []byte) { b.data = data }

// Shorten makes b, over Go memory that nobody works on, as long as it is given,
// up to the capacity of that memory.
func (b *Buffer) Shorten(bytes int) { b.data = b.data[:bytes] }

// Device returns the one CPU device.
func (b *Buffer) Device() device.Device { return Default() }

// Size returns the bytes of b.
func (b *Buffer) Size() int64 { return int64(len(b.data)) }

// Free ends the use of b: from now on work on it is device.ErrFreed. Memory of
// the pool is reused once work in progress is done. A second Free does nothing.
func (b *Buffer) Free() {
	for {
		s := b.state.Load()
		if s&freed != 0 {
			return
		}
		if b.state.CompareAndSwap(s, s|freed) {
			if s == 0 && b.block != nil {
				b.block.Free()
			}
			return
		}
	}
}

// acquire begins work on b; false once b is freed.
func (b *Buffer) acquire() bool {
	if b.block == nil {
		return b.state.Load()&freed == 0
	}
	if b.state.Add(2)&freed != 0 {
		b.release()
		return false
	}
	return true
}

// release ends the work that acquire began.
func (b *Buffer) release() {
	if b.block != nil && b.state.Add(-2) == freed {
		b.block.Free() // the second of two is a no-op
	}
}

// base returns the address of the first byte.
func (b *Buffer) base() unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(b.data)) }

// bytes returns n bytes from off, or nil when they are not all inside.
func (b *Buffer) bytes(off, n int64) []byte {
	if off < 0 || n < 0 || off > int64(len(b.data))-n {
		return nil
	}
	return b.data[off : off+n : off+n]
}
