package cpu

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/stride0/stride0/device"
)

// name is what device.Open takes.
const name = "cpu"

// Device is the CPU. There is one, Default; it is always there. Its work is
// done when a call returns, so its queue is always empty.
type Device struct {
	device.Base
	pool *device.Pool[[]byte]
	info device.Info
}

var _ interface {
	device.Device
	device.Mapper
	device.MatMuler
	device.Gatherer
	device.Scanner
	device.Sorter
	device.PoolReporter
	device.Trimmer
	device.Limiter
} = (*Device)(nil)

// Default returns the CPU device.
func Default() *Device { return host() }

var host = sync.OnceValue(func() *Device {
	memory := device.HostMemory()
	alloc, release := memorySource()
	return &Device{
		pool: device.NewPool(device.PoolConfig[[]byte]{
			Device:  name,
			Limit:   device.DefaultLimit(memory),
			Alloc:   alloc,
			Release: release,
		}),
		info: device.Info{
			Name: name, Kind: device.HostKind, Model: model(), Driver: "Go " + strings.TrimPrefix(runtime.Version(), "go"),
			Memory: memory, Float64: true,
		},
	}
})

// driver is the CPU as the registry sees it.
type driver struct{}

func (driver) Name() string                 { return name }
func (driver) List() ([]device.Info, error) { return []device.Info{Default().Info()}, nil }
func (driver) Open(index int) (device.Device, error) {
	if index != 0 {
		return nil, fmt.Errorf("there is one CPU device, %s:0", name)
	}
	return Default(), nil
}

func init() { device.Register(driver{}) }

// String returns the name of the device, "cpu".
func (d *Device) String() string { return d.info.Name }

// Info describes the CPU.
func (d *Device) Info() device.Info { return d.info }

// PoolStats tells about the memory that Alloc lends out.
func (d *Device) PoolStats() device.PoolStats { return d.pool.Stats() }

// Trim gives memory that waits for reuse back to the system.
func (d *Device) Trim() int64 { return d.pool.Trim() }

// SetLimit bounds the memory that Alloc lends out; see device.SetLimit. The Go
// heap, where small tensors live, is not in it.
func (d *Device) SetLimit(bytes int64) error {
	d.pool.SetLimit(bytes)
	return nil
}

// Alloc returns pooled memory of any contents, aligned to 64 bytes. Errors:
// *device.OutOfMemoryError.
func (d *Device) Alloc(bytes int64) (device.Buffer, error) {
	block, err := d.pool.Get(bytes)
	if err != nil {
		return nil, err
	}
	return &Buffer{data: block.Mem()[:bytes:bytes], block: block}, nil
}

// Map returns the bytes of a buffer themselves.
func (d *Device) Map(b device.Buffer) ([]byte, error) {
	buf, err := d.own("Map", b)
	if err != nil {
		return nil, err
	}
	defer buf.release()
	return buf.data, nil
}

// Write copies src to dst at byte off.
func (d *Device) Write(dst device.Buffer, off int64, src []byte) error {
	buf, err := d.own("Write", dst)
	if err != nil {
		return err
	}
	defer buf.release()
	to := buf.bytes(off, int64(len(src)))
	if to == nil && len(src) > 0 {
		return outside("Write", off, int64(len(src)), buf)
	}
	copy(to, src)
	runtime.KeepAlive(buf)
	return nil
}

// Read copies bytes of src from byte off to dst.
func (d *Device) Read(dst []byte, src device.Buffer, off int64) error {
	buf, err := d.own("Read", src)
	if err != nil {
		return err
	}
	defer buf.release()
	from := buf.bytes(off, int64(len(dst)))
	if from == nil && len(dst) > 0 {
		return outside("Read", off, int64(len(dst)), buf)
	}
	copy(dst, from)
	runtime.KeepAlive(buf)
	return nil
}

// Copy copies n bytes between buffers.
func (d *Device) Copy(dst device.Buffer, doff int64, src device.Buffer, soff, n int64) error {
	from, err := d.own("Copy", src)
	if err != nil {
		return err
	}
	defer from.release()
	if n != 0 && from.bytes(soff, n) == nil {
		return outside("Copy", soff, n, from)
	}
	err = d.Write(dst, doff, from.bytes(soff, n))
	runtime.KeepAlive(from)
	return err
}

// Sync returns at once: work is done when a call returns.
func (d *Device) Sync() error { return nil }

// Close gives back the memory that waits for reuse. The host cannot go away:
// the device stays usable. Error: ErrBusy while buffers of the pool live.
func (d *Device) Close() error {
	for range 2 { // what only an object with a finalizer refers to takes two
		runtime.GC()
		for wait := time.Microsecond; d.pool.Live() > 0 && wait < 50*time.Millisecond; wait *= 2 {
			time.Sleep(wait) // cleanups run beside us
		}
	}
	d.pool.Trim()
	if s := d.pool.Stats(); s.Blocks > 0 {
		return &device.Error{Device: name, Call: "Close",
			Err: fmt.Errorf("%w: %d, %s in all; drop or free what uses them first", device.ErrBusy, s.Blocks, device.Bytes(s.Live))}
	}
	return nil
}

// own returns b as a Buffer of this device, acquired.
func (d *Device) own(call string, b device.Buffer) (*Buffer, error) {
	buf, ok := b.(*Buffer)
	if !ok || buf == nil {
		return nil, &device.Error{Device: name, Call: call, Err: errors.New("the buffer belongs to another device; copy it with To")}
	}
	if !buf.acquire() {
		return nil, &device.Error{Device: name, Call: call, Err: device.ErrFreed}
	}
	return buf, nil
}

func outside(call string, off, n int64, b *Buffer) error {
	return &device.Error{Device: name, Call: call,
		Err: fmt.Errorf("bytes %d to %d are outside the buffer of %d bytes", off, off+n, b.Size())}
}
