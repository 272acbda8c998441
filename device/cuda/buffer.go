package cuda

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
	block *device.Block[address]
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
	var err error
	if b.block, err = d.pool.Get(bytes); err != nil {
		return nil, err
	}
	return b, nil
}

// memAlloc is the pool's Alloc.
func (d *Device) memAlloc(size int64) (address, error) {
	if err := d.enter(); err != nil {
		return 0, err
	}
	defer d.leave()
	mem, s := d.api.memAlloc(d.ctx, size)
	switch {
	case s == success:
		return mem, nil
	case s.exhausted():
		return 0, d.outOfMemory(size)
	case s.fatal():
		return 0, d.lose("cuMemAlloc", s)
	}
	return 0, callError(d.info.Name, "cuMemAlloc", s)
}

// memFree is the pool's Release. Work on the stream may still use the memory,
// so it is waited for: memory goes back to the driver rarely. The memory of a
// context that has ended went with it.
func (d *Device) memFree(mem address, _ int64) {
	d.frees.RLock()
	defer d.frees.RUnlock()
	if !d.ended {
		d.api.streamSynchronize(d.ctx, d.stream) // a failure is told by the next call that enters
		d.api.memFree(d.ctx, mem)
	}
}

// outOfMemory is the error of a failed allocation of need bytes. What the pool
// may hold and what the device has left both bound it.
func (d *Device) outOfMemory(need int64) error {
	s := d.pool.Stats()
	free := s.Limit - s.Live
	if available, _, code := d.api.memGetInfo(d.ctx); code == success {
		free = min(free, available+s.Pooled)
	}
	return &device.OutOfMemoryError{Device: d.info.Name, Need: need, Free: max(0, free), Limit: s.Limit}
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

// mem returns where b begins on the device, 0 for zero bytes.
func (b *Buffer) mem() address {
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
