package tensor

import (
	"errors"

	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/kernels"
)

// To returns t on another device: a row-major copy there, or a view of t if it
// is there already. A Scalar settles as bool, int64 or float32.
func (t *Tensor) To(dev device.Device) *Tensor {
	switch {
	case !t.live():
		return refuse("to", t)
	case dev == nil:
		return fail("to", errorf("nil device; open one with device.Open"), t)
	case t.isWeak():
		return t.settle(dev)
	}
	if err := t.hold(); err != nil {
		return refuse("to", t)
	}
	defer t.drop()
	if t.store.dev == dev {
		v := t.again()
		t.store.refs.Add(1)
		joinScope(v, t)
		return v
	}
	shape := t.layout.Shape()
	if err := shape.Check(t.dtype.Size()); err != nil { // t may be stretched
		return fail("to", err, t)
	}
	r, err := allocate(dev, t.dtype, shape)
	if err != nil {
		return fail("to", err, t)
	}
	if err := t.copyTo(r); err != nil {
		_ = r.Free()
		return fail("to", err, t)
	}
	joinScope(r, t)
	return r
}

// copyTo copies the elements of t to dst, a row-major tensor of its shape on
// another device, through host memory: that of either device where the host
// addresses it, else a buffer of its own.
func (t *Tensor) copyTo(dst *Tensor) error {
	if dst.byteSize() == 0 {
		return nil
	}
	if _, ok := dst.store.dev.(device.Mapper); ok {
		b, err := hostBytes(dst)
		if err != nil {
			return err
		}
		return reason(t.readInto("to", b))
	}
	src := t
	if !t.layout.IsContiguous() {
		if src = t.Clone(); src.failure() != nil {
			return reason(src.failure())
		}
		defer src.Free()
	}
	b, err := hostBytes(src)
	if errors.Is(err, device.ErrUnsupported) {
		b = make([]byte, src.byteSize())
		err = reason(src.readInto("to", b))
	}
	if err != nil {
		return err
	}
	return dst.store.dev.Write(dst.store.buf, 0, b)
}

// mayUseHost reports whether an operation that its device does not support may
// be computed on the CPU: the caller allowed it (device.AllowHost), and
// copying there and back needs nothing that is itself unsupported.
func mayUseHost(op kernels.Op, dev device.Device) bool { return movable(op) && hostHelps(dev) }

// movable reports whether an operation can be done elsewhere: all can but the
// copy that moves its operands.
func movable(op kernels.Op) bool { return op != kernels.Copy }

// hostHelps reports whether the caller allowed operations of dev on the CPU.
func hostHelps(dev device.Device) bool {
	return dev != nil && dev != device.Device(host()) && device.HostAllowed(dev)
}

// unsupported is a device.ErrUnsupported in words for the user of tensors.
type unsupported struct {
	text string
	err  error
}

func (e *unsupported) Error() string { return e.text }
func (e *unsupported) Unwrap() error { return e.err }

// adviseHost says of an operation that its device does not support how to have
// it on the CPU; helps tells whether AllowHost would help. Other errors stay as
// they are.
func adviseHost(dev device.Device, err error, helps bool) error {
	if !errors.Is(err, device.ErrUnsupported) || dev == nil || dev == device.Device(host()) {
		return err
	}
	if !helps || device.HostAllowed(dev) {
		return &unsupported{err.Error() + "; move the operands with To", err}
	}
	return &unsupported{err.Error() + "; device.AllowHost(dev) lets it go through the CPU, or move the operands with To", err}
}

// toHost copies t to the CPU: what is stretched stays stretched there, so that
// no element moves twice. Matrices that are stored transposed stay so too: the
// CPU multiplies them in another order then, and the result shall be what it
// would be had t always been there.
func toHost(t *Tensor) *Tensor {
	few, stretched := unstretchedAll(t.layout)
	if stretched {
		v := t.view("to", func(*broadcast.Layout) (broadcast.Layout, error) { return few, nil })
		defer v.Free()
		moved := toHost(v)
		defer moved.Free()
		return moved.BroadcastTo(t.layout.Shape()...)
	}
	if !storedTransposed(t.layout) {
		return t.To(host())
	}
	rows := t.T()
	defer rows.Free()
	copied := rows.To(host())
	defer copied.Free()
	return copied.T()
}

// storedTransposed reports whether l is of matrices stored column after column.
func storedTransposed(l *broadcast.Layout) bool {
	if l.Rank() < 2 {
		return false
	}
	_, transposed, ok := leading(l)
	return transposed && ok
}

// unstretchedAll returns l with size 1 on every axis along which it is
// stretched, and whether there is any.
func unstretchedAll(l *broadcast.Layout) (few broadcast.Layout, stretched bool) {
	ranges := make([]Range, l.Rank())
	for i := range ranges {
		ranges[i] = All
		if l.Stride(i) == 0 && l.Dim(i) > 1 {
			ranges[i], stretched = R(0, 1), true
		}
	}
	if !stretched {
		return *l, false
	}
	few, _ = l.Slice(ranges...) // no more ranges than axes
	return few, true
}

// onHost computes a call on the CPU and brings the result back to dev.
func onHost(c call, in []*Tensor, dev device.Device) *Tensor {
	var moved int64
	copies := make([]*Tensor, len(in))
	for i, t := range in {
		if copies[i] = t; t.store == nil {
			continue
		}
		if copies[i] = toHost(t); copies[i].failure() != nil {
			return fail(opName(c.Op), reason(copies[i].failure()), in...)
		}
		few, _ := unstretchedAll(copies[i].layout)
		moved += int64(few.Size()) * int64(t.dtype.Size())
		defer copies[i].Free()
	}
	there := call{Op: c.Op, Attr: c.Attr}
	if c.Dst != nil {
		if there.Dst = c.Dst.To(host()); there.Dst.failure() != nil {
			return fail(opName(c.Op), reason(there.Dst.failure()), in...)
		}
	}
	r := apply(there, copies...)
	if r.failure() != nil {
		return r
	}
	defer r.Free()
	back := r.To(dev)
	if back.failure() != nil {
		return fail(opName(c.Op), reason(back.failure()), in...)
	}
	device.CountHostFallback(dev, moved+int64(r.byteSize()))
	if c.Dst == nil {
		return back
	}
	defer back.Free()
	return c.deliver(back, in)
}
