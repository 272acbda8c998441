package cpu

import (
	"errors"
	"fmt"
	"sync"
	"unsafe"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/kernels"
)

// job is a launch made ready: operands as addresses, axes in one place, the
// Program as steps. Jobs are reused, so that a launch allocates nothing.
type job struct {
	launch   *device.Launch
	prog     *kernels.Program
	operands []operand // inputs, then outputs
	inputs   int       // how many are inputs

	sizes   []int // kept axes, then reduced ones; at least one of each kind the Program works over
	logical []int // per axis: its logical axis, or -1
	kept    int   // how many axes are kept
	outer   int   // elements along the kept axes
	inner   int   // elements along the reduced axes
	strides []int // what operand.strides are cut from

	program *steps
	reduce  *reduceLoops // nil without a reduction
	how     reduceForm
	narrow  bool // in lead form: rows are short and lie one after another

	cut       cut          // how the kept axes are cut into boxes
	row       rowJob       // what planRows made of the launch
	tile      tiling       // what cutTiles made of it
	streaming bool         // the result goes past the cache
	pasts     *vectorLoops // loops that store it there, without any where there are none

	wave wave

	task  task // how workers share the boxes
	extra int  // scratch bytes of each worker
	work  func(w *worker, lo, hi int)
}

// operand is an input or output in memory.
type operand struct {
	buf     *Buffer
	base    unsafe.Pointer // of the plan's origin
	elem    int            // bytes of an element
	strides []int          // per axis of the job, in elements
}

var jobs = sync.Pool{New: func() any { return new(job) }}

// prepare makes j the job of a launch. Nothing has been written when it fails.
func (j *job) prepare(l *device.Launch) error {
	j.launch, j.prog, j.streaming, j.pasts = l, l.Program, false, &noLoops
	if err := j.checkCounts(); err != nil {
		return err
	}
	j.program = l.Program.HostForm(compile).(*steps)
	if err := j.program.err; err != nil {
		return j.fail(err)
	}
	j.reduce = j.program.reduce
	j.takeAxes()
	j.inputs = len(l.Inputs)
	for i := range l.Inputs {
		if err := j.takeOperand(i, &l.Inputs[i], l.Program.Inputs[i].Size()); err != nil {
			return err
		}
	}
	for i := range l.Outputs {
		if err := j.takeOperand(j.inputs+i, &l.Outputs[i], l.Program.TypeOf(l.Program.Outputs[i]).Size()); err != nil {
			return err
		}
	}
	return nil
}

// checkCounts compares what the launch brings with what its Program and Plan
// speak of, so that no operand is taken for another.
func (j *job) checkCounts() error {
	l, p := j.launch, j.prog
	if len(l.Inputs) != len(p.Inputs) || len(l.Outputs) != len(p.Outputs) || len(l.Scalars) != len(p.Scalars) {
		return j.fail(fmt.Errorf("%d inputs, %d outputs and %d scalars for a program of %d, %d and %d",
			len(l.Inputs), len(l.Outputs), len(l.Scalars), len(p.Inputs), len(p.Outputs), len(p.Scalars)))
	}
	if n := len(l.Inputs) + len(l.Outputs); n != len(l.Plan.Strides) {
		return j.fail(fmt.Errorf("%d operands for a plan of %d", n, len(l.Plan.Strides)))
	}
	return nil
}

// takeAxes copies the plan's axes. Where it has none of a kind that the
// Program works over, one of size 1 stands in, so that loops need no special
// case for a single element.
func (j *job) takeAxes() {
	p := j.launch.Plan
	j.outer, j.inner = p.Outer, p.Inner
	j.sizes, j.logical = append(j.sizes[:0], p.Sizes[:p.Kept]...), append(j.logical[:0], p.Logical[:p.Kept]...)
	if p.Kept == 0 {
		j.sizes, j.logical = append(j.sizes, 1), append(j.logical, -1)
	}
	j.kept = len(j.sizes)
	if j.reduce == nil {
		return
	}
	j.sizes, j.logical = append(j.sizes, p.Sizes[p.Kept:]...), append(j.logical, p.Logical[p.Kept:]...)
	if len(j.sizes) == j.kept {
		j.sizes, j.logical = append(j.sizes, 1), append(j.logical, -1)
	}
}

// takeOperand acquires the buffer of operand i and checks that the plan stays
// inside it.
func (j *job) takeOperand(i int, o *device.Operand, elem int) error {
	p := j.launch.Plan
	buf, err := Default().own("Run", o.Buffer)
	if err != nil {
		return j.fail(errors.Unwrap(err))
	}
	lo, hi := p.Offsets[i], p.Offsets[i]
	from := len(j.strides)
	for k := range j.sizes {
		s := 0
		if axis, real := j.planAxis(k); real {
			s = p.Strides[i][axis]
		}
		j.strides = append(j.strides, s)
		if span := (j.sizes[k] - 1) * s; span > 0 {
			hi += span
		} else {
			lo += span
		}
	}
	j.operands = append(j.operands, operand{buf: buf, elem: elem, strides: j.strides[from:len(j.strides):len(j.strides)]})
	empty := j.outer == 0 || j.inner == 0 && i < j.inputs
	if first := o.Offset + int64(lo)*int64(elem); !empty && buf.bytes(first, int64(hi-lo+1)*int64(elem)) == nil {
		return j.fail(fmt.Errorf("operand %d reaches beyond its buffer of %d bytes", i, buf.Size()))
	}
	if !empty {
		j.operands[i].base = unsafe.Add(buf.base(), int(o.Offset)+p.Offsets[i]*elem)
	}
	return nil
}

// planAxis returns the plan's axis behind axis k of the job; false when k
// stands in for none.
func (j *job) planAxis(k int) (int, bool) {
	p := j.launch.Plan
	if k < j.kept {
		return k, p.Kept > 0
	}
	return k - j.kept + p.Kept, len(p.Sizes) > p.Kept
}

// done releases what prepare took. Pointers must go: memory of the pool may be
// unmapped and its address given to something else.
func (j *job) done() {
	for i := range j.operands {
		j.operands[i].buf.release()
	}
	clear(j.operands)
	j.operands, j.strides = j.operands[:0], j.strides[:0]
	j.launch, j.prog, j.program, j.reduce = nil, nil, nil, nil
	jobs.Put(j)
}

// fail returns an error that names the operation.
func (j *job) fail(err error) error {
	call := "Run"
	if j.launch.Label != "" {
		call = j.launch.Label
	}
	return &device.Error{Device: name, Call: call, Err: err}
}
