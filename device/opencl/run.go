package opencl

import (
	"errors"

	"github.com/stride0/stride0/device"
)

// maxPending is how many launches may be enqueued without waiting: the queue
// holds each one's arguments.
const maxPending = 1024

// Run enqueues a launch. Errors: device.ErrUnsupported; device.ErrFreed; a
// foreign buffer or an operand outside its buffer; what the driver says of a
// build or of the first kernel enqueued. A failure after that is
// *device.LostError, as outputs may be half written.
func (d *Device) Run(l *device.Launch) error {
	if err := d.enter(); err != nil {
		return err
	}
	defer d.leave()
	p := prepared{d: d, l: l}
	defer p.release()
	if err := p.prepare(); err != nil {
		return d.failed(l.Label, err)
	}
	if len(p.calls) == 0 {
		return nil
	}
	i := 0
	return d.enqueue(l.Label, p.next(&i))
}

// failed names the operation in an error that says nothing of the device yet.
func (d *Device) failed(label string, err error) error {
	if _, ok := err.(*device.Error); ok || errors.Is(err, device.ErrLost) || errors.Is(err, device.ErrClosed) {
		return err
	}
	if label == "" {
		label = "Run"
	}
	return &device.Error{Device: d.info.Name, Call: label, Err: err}
}

// next returns a function that enqueues one kernel after the other.
func (p *prepared) next(i *int) func() (string, status, bool) {
	return func() (string, status, bool) {
		c := &p.calls[*i]
		for arg, value := range c.args {
			if s := p.d.api.setKernelArg(c.kernel, arg, value); s != success {
				return "clSetKernelArg", s, false
			}
		}
		s := p.d.api.enqueueNDRangeKernel(p.d.queue, c.kernel, c.global, c.local)
		if s == success {
			*i++
		}
		return "clEnqueueNDRangeKernel", s, *i < len(p.calls)
	}
}

// enqueue puts one operation on the queue: one call of do for each command,
// until do says that there are no more. A command that finds too little memory
// is tried again with the pool's surplus given back.
func (d *Device) enqueue(label string, do func() (call string, s status, more bool)) error {
	d.launch.Lock()
	defer d.launch.Unlock()
	for started, more := false, true; more; started = true {
		call, s, rest := do()
		if s.exhausted() && d.pool.Trim() > 0 {
			call, s, rest = do()
		}
		if !started && (s == success || s.fatal()) {
			d.Recent.Enqueued(label)
		}
		switch {
		case s != success && (started || s.fatal()):
			return d.lose(call, s)
		case s != success:
			return callError(d.info.Name, call, s)
		}
		more = rest
	}
	return d.submitted()
}

// submitted makes sure that what was enqueued starts, and bounds how much is
// waiting. It needs launch.
func (d *Device) submitted() error {
	if d.pending++; d.sync || d.pending >= maxPending {
		d.pending = 0
		return d.wait()
	}
	if s := d.api.flush(d.queue); s != success {
		return d.lose("clFlush", s)
	}
	return nil
}
