package cuda

import (
	"errors"

	"github.com/stride0/stride0/device"
)

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
		s := p.d.api.launchKernel(p.d.ctx, c.function, c.grid, c.block, p.d.stream, c.args)
		if s == success {
			*i++
		}
		return "cuLaunchKernel", s, *i < len(p.calls)
	}
}

// enqueue puts one operation on the stream: one call of do for each command,
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
	if d.sync {
		return d.wait()
	}
	return nil
}
