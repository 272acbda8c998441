package devicetest

import (
	"fmt"
	"runtime"
	"sync/atomic"

	"github.com/stride0/stride0/device"
)

// lagBuffer is memory of a lagging device: a buffer of inner. An unreachable
// one leaves its memory to inner's own cleanup, once the queue is past it.
type lagBuffer struct {
	dev   *lagging
	mem   device.Buffer
	freed atomic.Bool
	drop  runtime.Cleanup
}

// newBuffer wraps memory of inner.
func (d *lagging) newBuffer(mem device.Buffer) (device.Buffer, error) {
	d.admit.Lock()
	defer d.admit.Unlock()
	if err := d.Down(); err != nil {
		mem.Free()
		return nil, err
	}
	b := &lagBuffer{dev: d, mem: mem}
	d.live.Add(1)
	b.drop = runtime.AddCleanup(b, func(d *lagging) { d.live.Add(-1) }, d)
	return b, nil
}

// Device returns the lagging device.
func (b *lagBuffer) Device() device.Device { return b.dev.self }

// Size returns the bytes of the buffer.
func (b *lagBuffer) Size() int64 { return b.mem.Size() }

// Free gives the memory back when its turn in the queue comes.
func (b *lagBuffer) Free() {
	if b.freed.Swap(true) {
		return
	}
	b.drop.Stop()
	b.dev.live.Add(-1)
	mem := b.mem
	// A lost device takes no work; inner's cleanup has the memory then.
	_, _ = b.dev.queue.add("", func() error { mem.Free(); return nil })
	runtime.KeepAlive(b)
}

// memory returns the inner buffer behind a buffer of this device.
func (d *lagging) memory(call string, b device.Buffer) (device.Buffer, error) {
	if err := d.Down(); err != nil {
		return nil, err
	}
	own, ok := b.(*lagBuffer)
	switch {
	case b == nil:
		return nil, d.fail(call, fmt.Errorf("no buffer"))
	case !ok || own.dev != d:
		return nil, d.fail(call, fmt.Errorf("the buffer belongs to %s", b.Device().Info().Name))
	case own.freed.Load():
		return nil, d.fail(call, device.ErrFreed)
	}
	return own.mem, nil
}

// span is memory, for n bytes from off.
func (d *lagging) span(call string, b device.Buffer, off, n int64) (device.Buffer, error) {
	mem, err := d.memory(call, b)
	if err == nil && (off < 0 || n < 0 || off > mem.Size()-n) {
		err = d.fail(call, fmt.Errorf("%d bytes at offset %d are outside the buffer's %d", n, off, mem.Size()))
	}
	return mem, err
}
