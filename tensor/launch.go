package tensor

import (
	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/cpu"
	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// place decides where the result goes: Dst, after copying the operands that
// would be overwritten while they are read, or a fresh tensor.
func (k *task) place() error {
	if k.Dst != nil {
		k.out = k.Dst
		if err := checkWritable(k.Dst); err != nil {
			return err
		}
		return k.copyOverlaps()
	}
	d := k.sig.Result
	if k.dev == nil {
		k.dev = host()
	}
	var err error
	k.out, err = allocate(k.dev, d, k.result)
	return err
}

// copyOverlaps replaces operands that share memory with Dst by copies, except
// where an element is read by the very step that overwrites it.
func (k *task) copyOverlaps() error {
	for i, t := range k.in[:k.arity] {
		if !mayOverlap(t, k.Dst) {
			continue
		}
		dup := t.Clone()
		if dup.failure() != nil {
			return reason(dup.failure())
		}
		device.CountOverlapCopy(k.dev, int64(dup.byteSize()))
		k.copies[k.ncopies], k.in[i] = dup, dup
		k.ncopies++
	}
	return nil
}

// mayOverlap reports whether writing to an element of dst may change another
// element of t, one that is still to be read.
func mayOverlap(t, dst *Tensor) bool {
	switch {
	case t.store == nil:
		return false
	case t.store == dst.store:
		size := t.dtype.Size()
		return broadcast.Overlaps(t.layout, size, dst.layout, size) == broadcast.Maybe
	}
	return t.store.foreign && dst.store.foreign && sameBytes(t.store.buf, dst.store.buf)
}

// checkWritable refuses a view in which one cell serves several elements.
func checkWritable(t *Tensor) error {
	if axis, shared := t.layout.SharedAxis(); shared {
		return errorf("cannot write: along axis %d of %v several %w", axis, t.layout.Shape(), ErrShared)
	}
	return nil
}

// enqueue plans the launch and hands it to the device. An empty result
// launches nothing.
func (k *task) enqueue() error {
	if k.out.layout.Size() == 0 {
		return nil
	}
	if len(k.steps.pieces) > 1 {
		return k.enqueuePieces()
	}
	p := k.launch.Program
	n := k.layOut(k.out.layout)
	k.operands[n] = device.Operand{Buffer: k.out.store.buf} // the Plan's Offsets say where in the buffer

	l := &k.launch
	l.Plan, l.Label = &k.plan, opName(k.Op)
	l.Inputs, l.Outputs = k.operands[:n], k.operands[n:n+1]
	if err := k.countReduced(); err != nil {
		return err
	}
	l.Scalars = k.scalars[:len(p.Scalars)]
	if bytes := kernels.Scratch(p, &k.plan); bytes > 0 {
		scratch, err := k.dev.Alloc(bytes)
		if err != nil {
			return err
		}
		defer scratch.Free()
		l.Scratch = device.Operand{Buffer: scratch}
	}
	return k.run()
}

// run hands the launch to the device.
func (k *task) run() error {
	if d, ok := k.dev.(*cpu.Device); ok {
		return d.Run(&k.launch) // a direct call: the usual case, and the one where it shows
	}
	return k.dev.Run(&k.launch)
}

// layOut plans the launch from the operands to a result of that layout and
// returns how many operands have elements.
func (k *task) layOut(out *broadcast.Layout) (n int) {
	for _, t := range k.in[:k.arity] {
		if t.store != nil {
			k.layouts[n] = t.layout
			k.operands[n] = device.Operand{Buffer: t.store.buf}
			n++
		}
	}
	k.layouts[n] = out
	if k.reduced != 0 {
		k.layouts[n] = &k.keptOut
	}
	k.plan.Build(k.space, k.reduced, k.indexed, 1, k.layouts[:n+1]...)
	return n
}

// countReduced fills in the number of elements behind each output, if the
// Program asks for it.
func (k *task) countReduced() error {
	p := k.launch.Program
	if p.CountSlot < 0 {
		return nil
	}
	pattern, err := dtype.IntNumber(int64(k.behind)).Bits(p.Scalars[p.CountSlot])
	k.scalars[p.CountSlot] = pattern
	return err
}
