package cuda

import (
	"encoding/binary"
	"fmt"
	"runtime"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// prepared is a launch made ready: buffers acquired and checked, kernels
// compiled, arguments laid out. Nothing is enqueued yet.
type prepared struct {
	d *Device
	l *device.Launch

	buffers []*Buffer // inputs, outputs, scratch
	builds  []heldBuild
	calls   []call
}

// call is one kernel to enqueue.
type call struct {
	function    handle
	args        [][]byte
	grid, block [3]int // blocks, and threads in each
}

// prepare fills p. What it took is given back by release, also after an error.
func (p *prepared) prepare() error {
	l, plan := p.l, p.l.Plan
	prog := l.Program
	low, err := p.d.programs.lower(prog)
	if err != nil {
		return err
	}
	if err := p.counts(); err != nil {
		return err
	}
	base := make([]int64, len(plan.Strides))
	for i := range base {
		if base[i], err = p.operand(i); err != nil {
			return err
		}
	}
	state, err := p.scratch(low)
	if err != nil {
		return err
	}
	f, err := kernels.ChooseForm(low, plan, false)
	if err != nil {
		return fmt.Errorf("%w: %w", device.ErrUnsupported, err)
	}
	f = p.forced(f)
	if p.d.compiler == nil {
		f = f.Common()
	}
	steps, err := kernels.Steps(prog, low, f, plan, base, state, p.d.limits)
	if err != nil {
		return fmt.Errorf("%w: %w", device.ErrUnsupported, err)
	}
	for _, s := range steps {
		if err := p.step(low, s); err != nil {
			return err
		}
	}
	return nil
}

// forced replaces the form of reductions by the one that tests ask for.
func (p *prepared) forced(f kernels.Form) kernels.Form {
	if p.d.form != bestForm && f.Kind >= kernels.RowsForm {
		f.Kind = [...]kernels.FormKind{rowsForm: kernels.RowsForm, blockForm: kernels.BlockForm, leadForm: kernels.LeadForm}[p.d.form]
		f.Unit = f.Unit && f.Kind == kernels.RowsForm
	}
	return f
}

// counts checks that the launch has what the program and the plan need.
func (p *prepared) counts() error {
	l := p.l
	switch {
	case len(l.Inputs) != len(l.Program.Inputs) || len(l.Outputs) != len(l.Program.Outputs) || len(l.Inputs)+len(l.Outputs) != len(l.Plan.Strides):
		return fmt.Errorf("%d inputs and %d outputs; the program has %d and %d, the plan %d operands",
			len(l.Inputs), len(l.Outputs), len(l.Program.Inputs), len(l.Program.Outputs), len(l.Plan.Strides))
	case len(l.Scalars) != len(l.Program.Scalars):
		return fmt.Errorf("%d scalars, the program has %d", len(l.Scalars), len(l.Program.Scalars))
	}
	return nil
}

// operand acquires the buffer of operand i, checks that the plan stays inside
// it, and returns the element at its byte offset.
func (p *prepared) operand(i int) (int64, error) {
	o, size := p.place(i)
	buf, err := p.d.own(p.l.Label, o.Buffer)
	if err != nil {
		return 0, err
	}
	p.buffers = append(p.buffers, buf)
	if o.Offset%size != 0 {
		return 0, fmt.Errorf("operand %d starts at byte %d, which is no multiple of %d", i, o.Offset, size)
	}
	plan := p.l.Plan
	lo, hi := int64(plan.Offsets[i]), int64(plan.Offsets[i])+1
	for a, n := range plan.Sizes {
		if n == 0 && (a < plan.Kept || i < len(p.l.Inputs)) {
			return 0, nil // touches nothing
		}
		reach := int64(plan.Strides[i][a]) * int64(max(n-1, 0))
		lo, hi = lo+min(reach, 0), hi+max(reach, 0)
	}
	if first, end := o.Offset+lo*size, o.Offset+hi*size; !buf.inside(first, end-first) {
		return 0, fmt.Errorf("operand %d covers bytes %d to %d of a buffer of %d", i, first, end, buf.size)
	}
	return o.Offset / size, nil
}

// place returns operand i and the bytes of its elements.
func (p *prepared) place(i int) (device.Operand, int64) {
	prog := p.l.Program
	if i < len(p.l.Inputs) {
		return p.l.Inputs[i], int64(prog.Inputs[i].Size())
	}
	i -= len(p.l.Inputs)
	return p.l.Outputs[i], int64(prog.Instrs[prog.Outputs[i]].Type.Size())
}

// scratch acquires the scratch, if the launch needs one, and returns the state
// at its byte offset.
func (p *prepared) scratch(low *kernels.Lowered) (int64, error) {
	need := kernels.Scratch(p.l.Program, p.l.Plan)
	if need == 0 {
		return 0, nil
	}
	o := p.l.Scratch
	buf, err := p.d.own(p.l.Label, o.Buffer)
	if err != nil {
		return 0, err
	}
	p.buffers = append(p.buffers, buf)
	size := int64(low.Reduce.StateSize())
	if !buf.inside(o.Offset, need) || o.Offset%size != 0 {
		return 0, fmt.Errorf("scratch of %d bytes at byte %d of a buffer of %d", need, o.Offset, buf.size)
	}
	return o.Offset / size, nil
}

// step compiles the kernel of a step and lays out its arguments.
func (p *prepared) step(low *kernels.Lowered, s kernels.Step) error {
	held, err := p.d.programs.acquire(p.l.Program, low, s.Form, s.Stage)
	if err != nil {
		return err
	}
	p.builds = append(p.builds, held)
	k := held.Value().kernels[s.Stage]
	c := call{function: k.function, args: p.arguments(s)}
	bytes := 0
	for _, a := range c.args {
		bytes += (len(a) + 7) / 8 * 8
	}
	if bytes > maxParameter {
		return fmt.Errorf("%w: the kernel takes %d bytes of arguments, the device %d; use fewer operands or axes", device.ErrUnsupported, bytes, maxParameter)
	}
	if c.block, err = fit(s, k.maxThreads, p.d.props.maxSides); err != nil {
		return err
	}
	for i, n := range s.Items {
		c.grid[i] = (n + c.block[i] - 1) / c.block[i]
	}
	p.calls = append(p.calls, c)
	return nil
}

// arguments lays out what kernels.Step says.
func (p *prepared) arguments(s kernels.Step) [][]byte {
	var args [][]byte
	inputs, outputs := len(p.l.Inputs), len(p.l.Outputs)
	if s.Stage&kernels.FromStates == 0 {
		args = appendAddresses(args, p.buffers[:inputs])
	}
	if s.Stage&kernels.ToStates == 0 {
		args = appendAddresses(args, p.buffers[inputs:inputs+outputs])
	}
	if s.Stage != 0 {
		args = appendAddresses(args, p.buffers[inputs+outputs:])
	}
	if s.Stage != kernels.FromStates|kernels.ToStates {
		for i, d := range p.l.Program.Scalars {
			args = append(args, scalarBytes(d, p.l.Scalars[i]))
		}
	}
	return append(args, s.Geometry)
}

func appendAddresses(args [][]byte, buffers []*Buffer) [][]byte {
	for _, b := range buffers {
		args = append(args, binary.LittleEndian.AppendUint64(nil, uint64(b.mem())))
	}
	return args
}

// scalarBytes returns a scalar as the kernel's parameter holds it.
func scalarBytes(d dtype.DType, pattern uint64) []byte {
	return binary.LittleEndian.AppendUint64(nil, pattern)[:d.Size()]
}

// fit returns the block of threads of a step, smaller where the device or the kernel
// allows only that: no side longer than sides, no more than most work-items, x
// first (see kernels.Step). The lanes of BlockForm belong together.
func fit(s kernels.Step, most int, sides [3]int) ([3]int, error) {
	group, first := s.Group, 0
	if s.Form.Kind == kernels.BlockForm {
		first = 1
	}
	for i := range group {
		for i >= first && group[i] > max(sides[i], 1) {
			group[i] /= 2
		}
	}
	for i := first; i < 3; i++ {
		for group[0]*group[1]*group[2] > most && group[i] > 1 {
			group[i] /= 2
		}
	}
	if group[0] > sides[0] && first > 0 || group[0]*group[1]*group[2] > max(most, 1) {
		return group, fmt.Errorf("%w: a group of %v work-items, the device allows %d and sides of %v", device.ErrUnsupported, s.Group, most, sides)
	}
	return group, nil
}

// release gives back what prepare took. Memory stays with the pool, and a build
// that is dropped waits for the stream.
func (p *prepared) release() {
	for _, b := range p.buffers {
		b.release()
	}
	for _, b := range p.builds {
		b.Release()
	}
	runtime.KeepAlive(p.l)
}
