package cuda

import (
	"fmt"
	"os"
	"runtime"
	"sync"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/internal/nvrtc"
	"github.com/stride0/stride0/kernels"
)

// Device is one GPU with the primary context of the process on it and one
// stream.
type Device struct {
	device.Base
	api      *api
	compiler *nvrtc.Compiler // nil: there is none
	info     device.Info
	props    properties

	id, ctx, stream handle
	pool            *device.Pool[address]
	staging         staging
	programs        *programs
	dialect         *kernels.Dialect
	limits          kernels.Limits
	form            form // of reductions; forced in tests
	sync            bool // STRIDE0_SYNC=1: wait for every launch

	// launch is held while an operation is enqueued, so that its kernels follow
	// each other and Recent has the order of the stream.
	launch sync.Mutex

	// life is read-held during calls into the driver and locked by Close, which
	// ends the handles.
	life   sync.RWMutex
	closed bool

	// frees does the same for the release of memory, which also happens inside
	// of such calls. ended says that the context is given up.
	frees sync.RWMutex
	ended bool
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
	device.Splitter
} = (*Device)(nil)

// open retains the primary context of a device, which other libraries in the
// process share, and makes a stream in it.
func open(a *api, l located) (*Device, error) {
	d := &Device{api: a, compiler: l.compiler, info: l.info, props: l.props, id: l.device, dialect: kernels.CUDA,
		limits: kernels.DeviceLimits, sync: os.Getenv("STRIDE0_SYNC") == "1"}
	var s status
	if d.ctx, s = a.primaryCtxRetain(l.device); s != success {
		return nil, callError(d.info.Name, "cuDevicePrimaryCtxRetain", s)
	}
	if d.stream, s = a.streamCreate(d.ctx); s != success {
		a.primaryCtxRelease(l.device)
		err := callError(d.info.Name, "cuStreamCreate", s)
		if s.fatal() {
			err = fmt.Errorf("%w; a fault has ended the process's context on this GPU, and something else in the program still holds it: restart the program", err)
		}
		return nil, err
	}
	d.programs = newPrograms(d)
	d.pool = device.NewPool(device.PoolConfig[address]{
		Device:  d.info.Name,
		Limit:   device.DefaultLimit(d.info.Memory),
		Alloc:   d.memAlloc,
		Release: d.memFree,
	})
	return d, nil
}

// String returns the name of the device, "cuda:0".
func (d *Device) String() string { return d.info.Name }

// Info describes the device.
func (d *Device) Info() device.Info { return d.info }

// PoolStats tells about the memory that Alloc lends out.
func (d *Device) PoolStats() device.PoolStats { return d.pool.Stats() }

// Trim gives memory that waits for reuse back to the driver.
func (d *Device) Trim() int64 { return d.pool.Trim() }

// SplitMode asks for single operations where there is no compiler.
func (d *Device) SplitMode() kernels.SplitMode {
	if d.compiler == nil {
		return kernels.SplitSingle
	}
	return kernels.SplitRunnable
}

// SetLimit bounds the memory that Alloc lends out; see device.SetLimit.
func (d *Device) SetLimit(bytes int64) error {
	d.pool.SetLimit(bytes)
	return nil
}

// enter begins a call into the driver, unless the device is closed or lost.
// Each enter without an error is followed by leave.
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
	if s := d.api.streamSynchronize(d.ctx, d.stream); s != success {
		return d.lose("cuStreamSynchronize", s)
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

// check makes an error of a call after which the device may be of use or not.
func (d *Device) check(call string, s status) error {
	switch {
	case s == success:
		return nil
	case s.fatal():
		return d.lose(call, s)
	}
	return callError(d.info.Name, call, s)
}

// Close waits for the stream and ends the device. While buffers are live, also
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
		d.api.streamSynchronize(d.ctx, d.stream) // a failure would be of work nobody waits for
	}
	d.frees.Lock()
	d.ended = true
	d.frees.Unlock()
	d.programs.release()
	d.staging.release(d)
	d.api.streamDestroy(d.ctx, d.stream)
	d.api.primaryCtxRelease(d.id)
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
