package devicetest

import (
	"errors"
	"slices"

	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// errInjected is the reason of the failures that LagOptions asks for.
var errInjected = errors.New("failure injected by devicetest")

// Run copies the Launch and enqueues it.
func (d *lagging) Run(l *device.Launch) error {
	if err := d.Down(); err != nil {
		return err
	}
	c := *l
	var err error
	for _, list := range []*[]device.Operand{&c.Inputs, &c.Outputs} {
		if *list, err = d.operands("Run", *list); err != nil {
			return err
		}
	}
	if c.Scratch.Buffer != nil {
		if c.Scratch, err = d.operand("Run", c.Scratch); err != nil {
			return err
		}
	}
	if err := d.checkPlaces(&c); err != nil {
		return err
	}
	if err := d.rehearse(l.Program); err != nil {
		return err
	}
	c.Plan = l.Plan.Clone()
	c.Scalars = slices.Clone(l.Scalars)
	return d.launch("Run", l.Label, func() error { return d.inner.Run(&c) })
}

// launch counts a launch, injects the failure it was chosen for, and enqueues it.
func (d *lagging) launch(call, label string, work func() error) error {
	n := int(d.runs.Add(1))
	if n == d.opts.FailRun {
		return d.fail(call, errInjected)
	}
	if n == d.opts.FaultRun {
		work = func() error { return errInjected }
	}
	return d.enqueue(label, work)
}

// operands returns the places in inner's buffers.
func (d *lagging) operands(call string, list []device.Operand) ([]device.Operand, error) {
	out := make([]device.Operand, len(list))
	for i, o := range list {
		var err error
		if out[i], err = d.operand(call, o); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (d *lagging) operand(call string, o device.Operand) (device.Operand, error) {
	mem, err := d.memory(call, o.Buffer)
	return device.Operand{Buffer: mem, Offset: o.Offset}, err
}

// rehearse runs a Program that inner has not met yet on one element, in
// buffers of its own: what inner cannot run must be known before the launch is
// accepted, and inner itself is asked only later.
func (d *lagging) rehearse(p *kernels.Program) error {
	d.triedMu.Lock()
	defer d.triedMu.Unlock()
	if err, known := d.tried[p.Key()]; known {
		return err
	}
	err := rehearsal(d.inner, p)
	if err == nil || errors.Is(err, device.ErrUnsupported) {
		d.tried[p.Key()] = err
	}
	return err
}

func rehearsal(inner device.Device, p *kernels.Program) error {
	axes := 1
	for _, in := range p.Instrs {
		if in.Op == kernels.OpIndex {
			axes = max(axes, int(in.Slot)+1)
		}
	}
	reduced := broadcast.AxisMask(0)
	if p.Reduce >= 0 {
		reduced = 1 << axes // one more axis, of size 1
		axes++
	}
	one := make(broadcast.Shape, axes)
	for i := range one {
		one[i] = 1
	}
	layout := broadcast.RowMajor(one)
	layouts := slices.Repeat([]*broadcast.Layout{&layout}, len(p.Inputs)+len(p.Outputs))
	plan := new(broadcast.Plan)
	plan.Build(one, reduced, 0, len(p.Outputs), layouts...)
	l := &device.Launch{Program: p, Plan: plan, Scalars: make([]uint64, len(p.Scalars)), Label: "rehearsal"}
	var err error
	if l.Inputs, err = elements(inner, p.Inputs); err == nil {
		defer freeAll(l.Inputs)
		if l.Outputs, err = elements(inner, outputTypes(p)); err == nil {
			defer freeAll(l.Outputs)
			err = inner.Run(l)
		}
	}
	return err
}

// outputTypes returns the dtypes of a Program's outputs.
func outputTypes(p *kernels.Program) []dtype.DType {
	types := make([]dtype.DType, len(p.Outputs))
	for i, v := range p.Outputs {
		types[i] = p.Instrs[v].Type
	}
	return types
}

// elements allocates one zero element of each type.
func elements(dev device.Device, types []dtype.DType) ([]device.Operand, error) {
	var out []device.Operand
	for _, t := range types {
		b, err := dev.Alloc(int64(t.Size()))
		if err == nil {
			out = append(out, device.Operand{Buffer: b})
			err = dev.Write(b, 0, make([]byte, t.Size()))
		}
		if err != nil {
			freeAll(out)
			return nil, err
		}
	}
	return out, nil
}

func freeAll(operands []device.Operand) {
	for _, o := range operands {
		o.Buffer.Free()
	}
}

// laggingMatMul is a lagging device whose inner device multiplies matrices.
type laggingMatMul struct {
	*lagging
	muler device.MatMuler
}

// MatMul copies its argument and enqueues it.
func (d *laggingMatMul) MatMul(m *device.MatMul) error {
	c := *m
	for _, o := range []*device.Operand{&c.A, &c.B, &c.C} {
		var err error
		if *o, err = d.operand("MatMul", *o); err != nil {
			return err
		}
	}
	if err := d.rehearseMatMul(m.DType, m.TransA, m.TransB); err != nil {
		return err
	}
	c.Batch, c.BatchA = slices.Clone(m.Batch), slices.Clone(m.BatchA)
	c.BatchB, c.BatchC = slices.Clone(m.BatchB), slices.Clone(m.BatchC)
	return d.launch("MatMul", m.Label, func() error { return d.muler.MatMul(&c) })
}

// rehearseMatMul multiplies one number by one, to learn what inner can do.
func (d *laggingMatMul) rehearseMatMul(t dtype.DType, transA, transB bool) error {
	places, err := elements(d.inner, []dtype.DType{t, t, t})
	if err != nil {
		return err
	}
	defer freeAll(places)
	return d.muler.MatMul(&device.MatMul{DType: t, M: 1, N: 1, K: 1, A: places[0], B: places[1], C: places[2],
		LDA: 1, LDB: 1, LDC: 1, TransA: transA, TransB: transB, Label: "rehearsal"})
}
