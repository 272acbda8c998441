package opencl

import (
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/stride0/stride0/device"
)

var errForeign = errors.New("the buffer belongs to another device; copy it with To")

// Buffer is memory of a Device: a block of its pool, none for zero bytes.
type Buffer struct {
	dev   *Device
	block *device.Block[handle]
	size  int64
	// Calls in progress count 2 each and Free sets bit 0, so that the block
	// goes back when both are over.
	state atomic.Int64
}

// freed is the bit of Buffer.state that Free sets.
const freed = 1

// Alloc returns memory of any contents. Zero bytes take none of the device's.
// Errors: *device.OutOfMemoryError, *device.LostError, *device.Error.
func (d *Device) Alloc(bytes int64) (device.Buffer, error) {
	if err := d.Down(); err != nil {
		return nil, err
	}
	b := &Buffer{dev: d, size: bytes}
	if bytes == 0 {
		return b, nil
	}
	if bytes > d.props.maxAlloc {
		return nil, d.outOfMemory(bytes)
	}
	var err error
	if b.block, err = d.pool.Get(bytes); err != nil {
		return nil, err
	}
	return b, nil
}

// createBuffer is the pool's Alloc.
func (d *Device) createBuffer(size int64) (handle, error) {
	if err := d.enter(); err != nil {
		return 0, err
	}
	defer d.leave()
	mem, s := d.api.createBuffer(d.context, size)
	switch {
	case s == success:
		return mem, nil
	case s.exhausted() || s == invalidBufferSize:
		return 0, d.outOfMemory(size)
	case s.fatal():
		return 0, d.lose("clCreateBuffer", s)
	}
	return 0, callError(d.info.Name, "clCreateBuffer", s)
}

// releaseBuffer is the pool's Release. Work on the queue keeps the memory
// until it is done.
func (d *Device) releaseBuffer(mem handle, _ int64) { d.api.releaseMemObject(mem) }

// outOfMemory is the error of a failed allocation of need bytes.
func (d *Device) outOfMemory(need int64) error {
	s := d.pool.Stats()
	limit := min(s.Limit, d.props.maxAlloc)
	return &device.OutOfMemoryError{Device: d.info.Name, Need: need, Free: max(0, min(s.Limit-s.Live, limit)), Limit: limit}
}

// Device returns the device that allocated b.
func (b *Buffer) Device() device.Device { return b.dev }

// Size returns the bytes of b.
func (b *Buffer) Size() int64 { return b.size }

// Free gives the memory back to the pool. The queue is in order, so that its
// next user waits for work enqueued before. A second Free does nothing.
func (b *Buffer) Free() {
	if b.state.Or(freed) == 0 {
		b.free()
	}
}

// acquire begins a call that uses b; false once b is freed.
func (b *Buffer) acquire() bool {
	if b.state.Add(2)&freed != 0 {
		b.release()
		return false
	}
	return true
}

// release ends the call that acquire began.
func (b *Buffer) release() {
	if b.state.Add(-2) == freed {
		b.free()
	}
}

func (b *Buffer) free() {
	if b.block != nil {
		b.block.Free() // the second of two does nothing
	}
}

// mem returns OpenCL's handle, 0 for zero bytes.
func (b *Buffer) mem() handle {
	if b.block == nil {
		return 0
	}
	return b.block.Mem()
}

// inside reports whether n bytes from off are all inside b.
func (b *Buffer) inside(off, n int64) bool {
	return off >= 0 && n >= 0 && off <= b.size-n
}

func (d *Device) outside(call string, off, n int64, b *Buffer) error {
	return &device.Error{Device: d.info.Name, Call: call,
		Err: fmt.Errorf("%d bytes from byte %d are outside the buffer of %d bytes", n, off, b.size)}
}
