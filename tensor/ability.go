package tensor

import (
	"errors"
	"path/filepath"

	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/cpu"
	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// work is an operation under way that is no row of the table but an ability of
// a device: device.Gatherer, Scanner or Sorter.
type work struct {
	op    string
	dev   device.Device
	in    []*Tensor // the operands: views outside any scope, or weak
	out   []*Tensor // the results
	temps []*Tensor // freed at the end
}

// perform is the door to such operations, as apply is to rows: it returns the
// results of run, or as many failed tensors. A failed operand is returned as it
// is. Where the device cannot do it, run may be called again for the host.
func perform(op string, results int, run func(w *work) error, in ...*Tensor) []*Tensor {
	for i, t := range in {
		if !t.live() {
			return repeat(refuseOperand(op, i, len(in), t), results)
		}
	}
	w := &work{op: op}
	err := w.take(in)
	if err == nil {
		err = run(w)
	}
	out := w.end(err)
	switch {
	case err == nil:
		for _, t := range out {
			joinScope(t, in...)
		}
		return out
	case errors.Is(err, device.ErrUnsupported) && hostHelps(w.dev):
		return w.onHost(results, run, in)
	}
	return repeat(fail(op, adviseHost(w.dev, err, true), in...), results)
}

// performOne is perform for one result.
func performOne(op string, run func(w *work) error, in ...*Tensor) *Tensor {
	return perform(op, 1, run, in...)[0]
}

func repeat(t *Tensor, n int) []*Tensor {
	out := make([]*Tensor, n)
	for i := range out {
		out[i] = t
	}
	return out
}

// take acquires the operands and finds the one device they are on.
func (w *work) take(in []*Tensor) error {
	for _, t := range in {
		if err := t.hold(); err != nil {
			return err
		}
		if t.store == nil {
			w.in = append(w.in, t)
			continue
		}
		w.in = append(w.in, t.again())
		if w.dev != nil && w.dev != t.store.dev {
			return differentDevices(w.dev, t.store.dev)
		}
		w.dev = t.store.dev
	}
	if w.dev == nil {
		w.dev = host()
	}
	return nil
}

// end gives back what the operation does not need any more: all but the
// results, and those too if it failed.
func (w *work) end(err error) []*Tensor {
	for _, t := range w.in {
		if t.store != nil {
			_ = t.Free()
		}
	}
	for _, t := range w.temps {
		_ = t.Free()
	}
	if err == nil {
		return w.out
	}
	for _, t := range w.out {
		_ = t.Free()
	}
	return nil
}

// onHost computes the results on the CPU and brings them back.
func (w *work) onHost(results int, run func(w *work) error, in []*Tensor) []*Tensor {
	var moved int64
	copies := make([]*Tensor, len(in))
	for i, t := range in {
		if copies[i] = t; t.store == nil {
			continue
		}
		if copies[i] = t.To(host()); copies[i].failure() != nil {
			return repeat(fail(w.op, reason(copies[i].failure()), in...), results)
		}
		moved += int64(copies[i].byteSize())
		defer copies[i].Free()
	}
	out := perform(w.op, results, run, copies...)
	for i, r := range out {
		if r.failure() != nil {
			return out
		}
		defer r.Free()
		if out[i] = r.To(w.dev); out[i].failure() != nil {
			return repeat(fail(w.op, reason(out[i].failure()), in...), results)
		}
		moved += int64(r.byteSize())
	}
	device.CountHostFallback(w.dev, moved)
	return out
}

// lacks is the error for a device without an ability, named by what it does.
func (w *work) lacks(what, call string) error {
	name := w.dev.Info().Name
	return &unsupported{name + " has no " + what, &device.Error{Device: name, Call: call, Err: device.ErrUnsupported}}
}

// temp takes in a tensor that another operation made for this one.
func (w *work) temp(t *Tensor) (*Tensor, error) {
	if t.failure() != nil {
		return nil, reason(t.failure())
	}
	w.temps = append(w.temps, t)
	return t, nil
}

// operand returns operand i with elements: a weak one in its default dtype.
func (w *work) operand(i int) (*Tensor, error) {
	if t := w.in[i]; !t.isWeak() {
		return t, nil
	}
	return w.temp(w.in[i].settle(w.dev))
}

// fresh makes a row-major tensor of any contents, the next result.
func (w *work) fresh(d dtype.DType, shape Shape) (*Tensor, error) {
	t, err := w.room(d, shape)
	if err == nil {
		w.out = append(w.out, t)
	}
	return t, err
}

// room makes a row-major tensor of any contents.
func (w *work) room(d dtype.DType, shape Shape) (*Tensor, error) {
	if err := shape.Check(d.Size()); err != nil {
		return nil, err
	}
	return allocate(w.dev, d, shape)
}

// converted returns a fresh row-major copy of t in dtype d.
func converted(t *Tensor, d dtype.DType) *Tensor {
	if t.dtype == d {
		return apply(call{Op: kernels.Copy}, t)
	}
	return apply(call{Op: kernels.Cast, Attr: kernels.Attr{DType: d}}, t)
}

// where returns the file and line of the caller, for a device that reports an
// index out of range only later.
func (w *work) where() string {
	if _, ok := w.dev.(*cpu.Device); ok {
		return ""
	}
	return filepath.Base(caller())
}

// strided returns t as abilities take it, moved by the given steps along the
// axes of a space.
func (t *Tensor) strided(strides []int) device.Strided {
	return device.Strided{Operand: device.Operand{Buffer: t.store.buf, Offset: t.byteOffset()}, Strides: strides}
}

// strides returns the strides of the axes from..to-1.
func strides(l *broadcast.Layout, from, to int) []int {
	out := make([]int, 0, to-from)
	for k := from; k < to; k++ {
		out = append(out, l.Stride(k))
	}
	return out
}

// atMostOne returns the only element of what a caller may leave out.
func atMostOne[T any](list []T) (v T, err error) {
	if len(list) > 1 {
		return v, errorf("%d sets of options; give one at most", len(list))
	}
	if len(list) == 1 {
		v = list[0]
	}
	return v, nil
}
