package cuda

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// task is one operation on row-major operands of one shape and dtype.
type task struct {
	op      kernels.Op
	elem    dtype.DType
	space   broadcast.Shape
	reduced broadcast.AxisMask
}

// program returns the operation as devices run it.
func (k task) program(t testing.TB) *kernels.Program {
	t.Helper()
	row := k.op.Row()
	args, leaves := make([]kernels.Arg, row.Arity), make([]kernels.Leaf, row.Arity)
	for i := range args {
		args[i].DType = k.elem
		leaves[i] = kernels.Leaf{Kind: kernels.OpInput, DType: k.elem}
	}
	sig, err := kernels.Resolve(k.op, kernels.Attr{}, args)
	require.NoError(t, err)
	p, err := kernels.Single(k.op, sig, sig.Result, leaves...)
	require.NoError(t, err)
	return p
}

// plan returns the iteration space.
func (k task) plan(p *kernels.Program) *broadcast.Plan {
	in, out := broadcast.RowMajor(k.space), k.space.Clone()
	for i := range out {
		if k.reduced.Has(i) {
			out[i] = 1
		}
	}
	layouts := make([]*broadcast.Layout, len(p.Inputs)+1)
	for i := range p.Inputs {
		layouts[i] = &in
	}
	result := broadcast.RowMajor(out)
	layouts[len(p.Inputs)] = &result
	plan := new(broadcast.Plan)
	plan.Build(k.space, k.reduced, 0, 1, layouts...)
	return plan
}

// launch makes a launch on dev: inputs hold contents. It returns the buffers,
// inputs before the output, which are the caller's to free.
func (k task) launch(t testing.TB, dev device.Device, contents ...[]byte) (*device.Launch, []device.Buffer, error) {
	t.Helper()
	p := k.program(t)
	plan := k.plan(p)
	l := &device.Launch{Program: p, Plan: plan, Label: k.op.String()}
	var bufs []device.Buffer
	alloc := func(n int64) (device.Buffer, error) {
		b, err := dev.Alloc(n)
		if err == nil {
			bufs = append(bufs, b)
		}
		return b, err
	}
	for i, d := range p.Inputs {
		n := int64(k.space.Size() * d.Size())
		b, err := alloc(n)
		if err == nil && contents != nil {
			err = dev.Write(b, 0, contents[i])
		}
		if err != nil {
			return nil, bufs, err
		}
		l.Inputs = append(l.Inputs, device.Operand{Buffer: b})
	}
	out, err := alloc(int64(plan.Outer * p.Instrs[p.Outputs[0]].Type.Size()))
	if err != nil {
		return nil, bufs, err
	}
	l.Outputs = []device.Operand{{Buffer: out}}
	if n := kernels.Scratch(p, plan); n > 0 {
		if l.Scratch.Buffer, err = alloc(n); err != nil {
			return nil, bufs, err
		}
		bufs = append(bufs[:len(bufs)-2], l.Scratch.Buffer, out)
	}
	return l, bufs, nil
}

// run launches the task on dev and returns the bytes of its result.
func (k task) run(t testing.TB, dev device.Device, contents ...[]byte) []byte {
	t.Helper()
	l, bufs, err := k.launch(t, dev, contents...)
	defer free(bufs)
	require.NoError(t, err)
	require.NoError(t, dev.Run(l))
	out := l.Outputs[0].Buffer
	got := make([]byte, out.Size())
	require.NoError(t, dev.Read(got, out, 0))
	return got
}

func free(bufs []device.Buffer) {
	for _, b := range bufs {
		b.Free()
	}
}
