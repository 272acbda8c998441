package devicetest

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/stride0/stride0/device"
)

// LagOptions says how a lagging device lags and fails. Launches and
// allocations are counted from 1; 0 means never.
type LagOptions struct {
	Delay         time.Duration // the longest random wait before a queued operation; 0: none
	Seed          uint64        // of the waits
	FailAlloc     int           // this allocation finds no memory
	FailRun       int           // this launch fails at once and writes nothing
	FaultRun      int           // this launch is accepted, and loses the device when its turn comes
	DropAbilities bool          // no MatMul, Gather, Scan nor Sort, whatever inner can do
}

// Lagging returns a device that does everything on inner, but late: calls only
// enqueue, one goroutine works the queue off in order, after random waits. It
// copies what the caller may reuse (the bytes of a Write, the Launch and its
// Plan), so whatever depends on a device being synchronous fails on it.
//
// It has the abilities of inner (Gatherer, Scanner and Sorter if inner has any
// of them; another then answers ErrUnsupported), but is never a Mapper. An index
// out of range is reported by the next Read or Sync. Closing it leaves
// inner open. With STRIDE0_SYNC=1 every call waits for its own work.
func Lagging(inner device.Device, opts LagOptions) device.Device {
	d := &lagging{
		inner: inner,
		opts:  opts,
		name:  "lagging(" + inner.Info().Name + ")",
		tried: map[string]error{},
		sync:  os.Getenv("STRIDE0_SYNC") == "1",
	}
	d.queue = newLagQueue(d.name, opts, &d.Base)
	d.self = d
	if !opts.DropAbilities {
		d.self = d.able()
	}
	return d.self
}

type lagging struct {
	device.Base
	inner device.Device
	self  device.Device // what callers hold: d, or d with abilities
	opts  LagOptions
	name  string
	queue *lagQueue
	sync  bool

	live   atomic.Int64 // buffers that are neither freed nor collected
	allocs atomic.Int64
	runs   atomic.Int64

	admit   sync.Mutex // no allocation while Close looks at live
	triedMu sync.Mutex
	tried   map[string]error // per Program: what inner said to the rehearsal
}

// String returns the name of the device, "lagging(NAME)".
func (d *lagging) String() string { return d.name }

// Info describes inner, named "lagging(NAME)".
func (d *lagging) Info() device.Info {
	info := d.inner.Info()
	info.Notes = append(slices.Clone(info.Notes), "runs late on purpose, on "+info.Name)
	info.Name, info.Kind = d.name, device.OtherKind
	return info
}

// PoolStats tells about inner's memory.
func (d *lagging) PoolStats() device.PoolStats { return device.Stats(d.inner).Pool }

// SetLimit bounds inner's memory.
func (d *lagging) SetLimit(bytes int64) error { return device.SetLimit(d.inner, bytes) }

// Trim gives back what inner keeps.
func (d *lagging) Trim() int64 { return device.Trim(d.inner) }

func (d *lagging) fail(call string, err error) error {
	return &device.Error{Device: d.name, Call: call, Err: err}
}

// enqueue hands work to the queue under a label; in sync mode it waits.
func (d *lagging) enqueue(label string, work func() error) error {
	t, err := d.queue.add(label, work)
	if err != nil || !d.sync {
		return err
	}
	return d.queue.wait(t)
}

// await enqueues work whose outcome the caller waits for: its error is the
// caller's, unless it says that inner is lost, and with it this device.
func (d *lagging) await(label string, work func() error) error {
	var result error
	t, err := d.queue.add(label, func() error {
		if result = work(); errors.Is(result, device.ErrLost) {
			return result
		}
		return nil
	})
	if err == nil {
		err = d.queue.wait(t)
	}
	if err == nil {
		err = result
	}
	return err
}

// Alloc takes memory of inner at once. When inner has none it tries again
// after the queued Frees.
func (d *lagging) Alloc(bytes int64) (device.Buffer, error) {
	if err := d.Down(); err != nil {
		return nil, err
	}
	if n := d.allocs.Add(1); n == int64(d.opts.FailAlloc) {
		return nil, &device.OutOfMemoryError{Device: d.name, Need: bytes}
	}
	mem, err := d.inner.Alloc(bytes)
	if errors.Is(err, device.ErrOutOfMemory) {
		if err := d.queue.wait(d.queue.last()); err != nil {
			return nil, err
		}
		mem, err = d.inner.Alloc(bytes)
	}
	if err != nil {
		return nil, err
	}
	return d.newBuffer(mem)
}

// Write copies src and enqueues the rest.
func (d *lagging) Write(dst device.Buffer, off int64, src []byte) error {
	mem, err := d.span("Write", dst, off, int64(len(src)))
	if err != nil {
		return err
	}
	src = slices.Clone(src)
	return d.enqueue("write", func() error { return d.inner.Write(mem, off, src) })
}

// Read enqueues, and waits for its turn.
func (d *lagging) Read(dst []byte, src device.Buffer, off int64) error {
	mem, err := d.span("Read", src, off, int64(len(dst)))
	if err != nil {
		return err
	}
	if err := d.await("read", func() error { return d.inner.Read(dst, mem, off) }); err != nil {
		return err
	}
	return d.TakeIndex()
}

// Copy enqueues.
func (d *lagging) Copy(dst device.Buffer, doff int64, src device.Buffer, soff, n int64) error {
	to, err := d.span("Copy", dst, doff, n)
	if err != nil {
		return err
	}
	from, err := d.span("Copy", src, soff, n)
	if err != nil {
		return err
	}
	return d.enqueue("copy", func() error { return d.inner.Copy(to, doff, from, soff, n) })
}

// Sync waits for the queue, and then for inner.
func (d *lagging) Sync() error {
	if err := d.await("sync", d.inner.Sync); err != nil {
		return err
	}
	return d.TakeIndex()
}

// Close drains the queue and refuses while buffers live; buffers that only
// the garbage collector knows of are given some rounds to go.
func (d *lagging) Close() error {
	d.queue.rest()
	lost := errors.Is(d.Down(), device.ErrLost)
	for round := 0; round < 20 && !lost && d.live.Load() > 0; round++ {
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	d.admit.Lock()
	defer d.admit.Unlock()
	if n := d.live.Load(); n > 0 && !lost {
		return d.fail("Close", fmt.Errorf("%w: %d", device.ErrBusy, n))
	}
	d.SetClosed(d.name)
	return nil
}

// late marks a device that only delays another.
func (d *lagging) late() {}
