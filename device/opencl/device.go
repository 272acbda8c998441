package opencl

import (
	"os"
	"runtime"
	"sync"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/kernels"
)

// Device is one OpenCL device with its context and its in-order queue.
type Device struct {
	device.Base
	api   *api
	info  device.Info
	props properties

	id, context, queue handle
	pool               *device.Pool[handle]
	programs           *programs
	dialect            *kernels.Dialect
	limits             kernels.Limits
	form               form // of reductions; forced in tests
	sync               bool // STRIDE0_SYNC=1: wait for every launch

	// launch is held while a launch sets its kernel's arguments and is
	// enqueued: a kernel object has one set of arguments.
	launch  sync.Mutex
	pending int // launches since the last wait, under launch

	// life is read-held during calls into OpenCL and locked by Close, which
	// ends the handles. Releasing memory needs neither: it is also done inside
	// of such calls, and OpenCL keeps a context while it has memory.
	life   sync.RWMutex
	closed bool
}

// form forces the form of reductions.
type form uint8

const (
	bestForm form = iota
	rowsForm
	blockForm
	leadForm
)

var _ interface {
	device.Device
	device.PoolReporter
	device.Limiter
	device.Trimmer
} = (*Device)(nil)

// open makes a context and a queue on a device.
func open(a *api, l located) (*Device, error) {
	d := &Device{api: a, info: l.info, props: l.props, id: l.device, dialect: kernels.OpenCL,
		limits: kernels.DeviceLimits, sync: os.Getenv("STRIDE0_SYNC") == "1"}
	if !l.props.exactDivide {
		d.dialect = kernels.OpenCLSoft
	}
	var s status
	if d.context, s = a.createContext(l.platform, l.device); s != success {
		return nil, callError(d.info.Name, "clCreateContext", s)
	}
	if d.queue, s = a.createCommandQueue(d.context, l.device); s != success {
		a.releaseContext(d.context)
		return nil, callError(d.info.Name, "clCreateCommandQueue", s)
	}
	d.programs = newPrograms(d)
	d.pool = device.NewPool(device.PoolConfig[handle]{
		Device:  d.info.Name,
		Limit:   device.DefaultLimit(d.info.Memory),
		Alloc:   d.createBuffer,
		Release: d.releaseBuffer,
	})
	return d, nil
}

// String returns the name of the device, "opencl:0".
func (d *Device) String() string { return d.info.Name }

// Info describes the device.
func (d *Device) Info() device.Info { return d.info }

// PoolStats tells about the memory that Alloc lends out.
func (d *Device) PoolStats() device.PoolStats { return d.pool.Stats() }

// Trim gives memory that waits for reuse back to the driver.
func (d *Device) Trim() int64 { return d.pool.Trim() }

// SetLimit bounds the memory that Alloc lends out; see device.SetLimit. The
// driver's bound on one buffer stays.
func (d *Device) SetLimit(bytes int64) error {
	d.pool.SetLimit(bytes)
	return nil
}

// enter begins a call into OpenCL, unless the device is closed or lost. Each
// enter without an error is followed by leave.
func (d *Device) enter() error {
	d.life.RLock()
	if err := d.Down(); err != nil {
		d.life.RUnlock()
		return err
	}
	return nil
}

func (d *Device) leave() { d.life.RUnlock() }

// Sync waits for all work enqueued so far.
func (d *Device) Sync() error {
	if err := d.enter(); err != nil {
		return err
	}
	defer d.leave()
	return d.wait()
}

// wait is Sync inside a call. A failure is of earlier work, whatever its code.
func (d *Device) wait() error {
	mark := d.Recent.Mark()
	if s := d.api.finish(d.queue); s != success {
		return d.lose("clFinish", s)
	}
	d.Recent.Done(mark)
	return nil
}

// lose notes that the device has failed asynchronously and returns the error
// that every later call gives.
func (d *Device) lose(call string, s status) error {
	err := d.SetLost(d.info.Name, callError(d.info.Name, call, s))
	d.pool.Abandon()
	return err
}

// check makes an error of a call that waits for earlier work, or moves bytes.
func (d *Device) check(call string, s status) error {
	switch {
	case s == success:
		return nil
	case s.fatal(), s == outOfResources: // some drivers report a kernel's fault as the latter
		return d.lose(call, s)
	}
	return callError(d.info.Name, call, s)
}

// Close waits for the queue and ends the device. While buffers are live, also
// after a garbage collection, it fails with device.ErrBusy.
func (d *Device) Close() error {
	if err := d.pool.Close(); err != nil {
		return err
	}
	d.life.Lock()
	defer d.life.Unlock()
	if d.closed {
		return nil
	}
	d.closed = true
	if d.Down() == nil {
		d.api.finish(d.queue) // a failure would be of work nobody waits for
	}
	d.programs.release()
	d.api.releaseCommandQueue(d.queue)
	d.api.releaseContext(d.context)
	d.SetClosed(d.info.Name)
	return nil
}

// own returns b as a Buffer of this device, acquired.
func (d *Device) own(call string, b device.Buffer) (*Buffer, error) {
	buf, ok := b.(*Buffer)
	if !ok || buf == nil || buf.dev != d {
		return nil, &device.Error{Device: d.info.Name, Call: call, Err: errForeign}
	}
	if !buf.acquire() {
		return nil, &device.Error{Device: d.info.Name, Call: call, Err: device.ErrFreed}
	}
	return buf, nil
}

// keep ends what own began, once the work is enqueued.
func keep(b *Buffer) {
	b.release()
	runtime.KeepAlive(b)
}
