package devicetest

import (
	"errors"
	"slices"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
)

// able returns d with the abilities that inner has.
func (d *lagging) able() device.Device {
	muler, muls := d.inner.(device.MatMuler)
	o := laggingOrder{dev: d}
	o.gatherer, _ = d.inner.(device.Gatherer)
	o.scanner, _ = d.inner.(device.Scanner)
	o.sorter, _ = d.inner.(device.Sorter)
	orders := o.gatherer != nil || o.scanner != nil || o.sorter != nil
	product := laggingMatMul{lagging: d, muler: muler}
	switch {
	case muls && orders:
		return &laggingAll{product, o}
	case muls:
		return &product
	case orders:
		return &laggingOrders{d, o}
	}
	return d
}

// laggingAll is a lagging device whose inner device has all abilities.
type laggingAll struct {
	laggingMatMul
	laggingOrder
}

// laggingOrders is one whose inner device multiplies no matrices.
type laggingOrders struct {
	*lagging
	laggingOrder
}

// laggingOrder forwards Gather, Scatter, Scan and Sort, late.
type laggingOrder struct {
	dev      *lagging
	gatherer device.Gatherer
	scanner  device.Scanner
	sorter   device.Sorter
}

// Gather copies its argument and enqueues it.
func (o laggingOrder) Gather(x *device.Indexed) error {
	return o.indexed("Gather", x, func(x *device.Indexed) error { return o.gatherer.Gather(x) })
}

// Scatter copies its argument and enqueues it.
func (o laggingOrder) Scatter(x *device.Indexed, how device.Merge) error {
	return o.indexed("Scatter", x, func(x *device.Indexed) error { return o.gatherer.Scatter(x, how) })
}

func (o laggingOrder) indexed(call string, x *device.Indexed, do func(x *device.Indexed) error) error {
	if o.gatherer == nil {
		return o.dev.fail(call, device.ErrUnsupported)
	}
	c := *x
	if err := o.take(call, &c.Values, &c.Table, &c.Index); err != nil {
		return err
	}
	if err := o.rehearseIndexed(x, do); err != nil {
		return err
	}
	c.Sizes, c.Limits, c.Jumps, c.Axes = slices.Clone(x.Sizes), slices.Clone(x.Limits), slices.Clone(x.Jumps), slices.Clone(x.Axes)
	return o.dev.launch(call, x.Label, func() error {
		err := do(&c)
		var bad *device.IndexError
		if errors.As(err, &bad) {
			late := *bad
			late.Op, late.Where = c.Label, c.At
			o.dev.NoteIndex(&late)
			return nil
		}
		return err
	})
}

// take replaces buffers by inner's and copies what the caller may reuse.
func (o laggingOrder) take(call string, operands ...*device.Strided) error {
	for _, s := range operands {
		var err error
		if s.Operand, err = o.dev.operand(call, s.Operand); err != nil {
			return err
		}
		s.Strides = slices.Clone(s.Strides)
	}
	return nil
}

// rehearseIndexed moves one element, to learn what inner can do.
func (o laggingOrder) rehearseIndexed(x *device.Indexed, do func(x *device.Indexed) error) error {
	at, err := elements(o.dev.inner, []dtype.DType{x.DType, x.DType, x.IndexDType})
	if err != nil {
		return err
	}
	defer freeAll(at)
	return do(&device.Indexed{DType: x.DType, IndexDType: x.IndexDType, Values: device.Strided{Operand: at[0]}, Table: device.Strided{Operand: at[1]},
		Index: device.Strided{Operand: at[2]}, Step: 1, Limits: []int{1}, Jumps: []int{1}, Axes: []int{0}, Label: "rehearsal"})
}

// Scan copies its argument and enqueues it.
func (o laggingOrder) Scan(s *device.Scan) error {
	if o.scanner == nil {
		return o.dev.fail("Scan", device.ErrUnsupported)
	}
	c := *s
	if err := o.take("Scan", &c.In, &c.Out); err != nil {
		return err
	}
	at, err := elements(o.dev.inner, []dtype.DType{s.DType, s.DType})
	if err != nil {
		return err
	}
	defer freeAll(at)
	one := []int{1}
	if err := o.scanner.Scan(&device.Scan{Op: s.Op, DType: s.DType, Exclusive: s.Exclusive, N: 1,
		In: device.Strided{Operand: at[0], Strides: one}, Out: device.Strided{Operand: at[1], Strides: one}, Label: "rehearsal"}); err != nil {
		return err
	}
	c.Lines = slices.Clone(s.Lines)
	return o.dev.launch("Scan", s.Label, func() error { return o.scanner.Scan(&c) })
}

// Sort copies its argument and enqueues it.
func (o laggingOrder) Sort(s *device.Sort) error {
	if o.sorter == nil {
		return o.dev.fail("Sort", device.ErrUnsupported)
	}
	c := *s
	used := []*device.Strided{&c.In}
	for _, out := range []*device.Strided{&c.Values, &c.Positions} {
		if out.Buffer != nil {
			used = append(used, out)
		}
	}
	if err := o.take("Sort", used...); err != nil {
		return err
	}
	at, err := elements(o.dev.inner, []dtype.DType{s.DType, s.DType, dtype.Int64})
	if err != nil {
		return err
	}
	defer freeAll(at)
	one := []int{1}
	if err := o.sorter.Sort(&device.Sort{DType: s.DType, Descending: s.Descending, N: 1, K: 1, In: device.Strided{Operand: at[0], Strides: one},
		Values: device.Strided{Operand: at[1], Strides: one}, Positions: device.Strided{Operand: at[2], Strides: one}, Label: "rehearsal"}); err != nil {
		return err
	}
	c.Lines = slices.Clone(s.Lines)
	return o.dev.launch("Sort", s.Label, func() error { return o.sorter.Sort(&c) })
}
