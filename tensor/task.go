package tensor

import (
	"sync"

	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/kernels"
)

// task is one operation on its way through check, plan and run. Tasks are
// recycled: in the steady state an operation allocates its result and nothing
// else.
type task struct {
	call

	// check: operands, in their order
	in      [kernels.MaxArity]*Tensor // what is read: the operands, or copies where they overlap Dst
	args    [kernels.MaxArity]kernels.Arg
	leaves  [kernels.MaxArity]kernels.Leaf
	arity   int
	held    [kernels.MaxArity + 1]*Tensor // storages acquired
	nheld   int
	copies  [kernels.MaxArity]*Tensor // of operands that overlap Dst
	ncopies int
	dev     device.Device
	sig     kernels.Signature

	// check: shapes
	shapes  [kernels.MaxArity]Shape
	space   Shape // the iteration space
	kept    Shape // the space with size 1 on reduced axes
	result  Shape
	reduced broadcast.AxisMask
	indexed broadcast.AxisMask
	behind  int // how many elements are reduced to each result

	// plan and run
	out      *Tensor
	keptOut  broadcast.Layout // the layout of out over the kept space
	layouts  [kernels.MaxArity + 1]*broadcast.Layout
	operands [kernels.MaxArity + 1]device.Operand
	scalars  [kernels.MaxArity + 1]uint64
	plan     broadcast.Plan
	launch   device.Launch
	steps    stepwise // of a composite operation
}

var tasks = sync.Pool{New: func() any { return new(task) }}

// do carries out the call: everything that can be wrong is found before
// anything is written.
func (k *task) do(in []*Tensor) (*Tensor, error) {
	if err := k.take(in); err != nil {
		return nil, err
	}
	if k.Op == opMatMul {
		return k.matMul(in)
	}
	if err := k.check(); err != nil {
		return nil, err
	}
	if err := k.place(); err != nil {
		return nil, err
	}
	if err := k.enqueue(); err != nil {
		return nil, k.discard(err)
	}
	if k.Dst != nil {
		k.Dst.store.writes.Add(1)
	} else {
		joinScope(k.out, in...)
	}
	return k.out, nil
}

// check decides dtypes and shapes.
func (k *task) check() error {
	if err := k.resolve(); err != nil {
		return err
	}
	return k.shape()
}

// take acquires the operands and finds the one device they are on.
func (k *task) take(in []*Tensor) error {
	k.arity = len(in)
	if err := checkArity(k.Op, len(in)); err != nil {
		return err
	}
	if k.Dst != nil {
		if err := k.hold(k.Dst); err != nil {
			return err
		}
	}
	for i, t := range in {
		k.in[i] = t
		if err := k.hold(t); err != nil {
			return err
		}
	}
	return nil
}

func (k *task) hold(t *Tensor) error {
	if err := t.hold(); err != nil {
		return err
	}
	k.held[k.nheld] = t
	k.nheld++
	if t.store == nil {
		return nil
	}
	if k.dev != nil && k.dev != t.store.dev {
		return differentDevices(k.dev, t.store.dev)
	}
	k.dev = t.store.dev
	return nil
}

func differentDevices(a, b device.Device) error {
	return errorf("%w: %s and %s; move one with To", ErrDevices, a.Info().Name, b.Info().Name)
}

// discard gives back a result that was not computed.
func (k *task) discard(err error) error {
	if k.Dst == nil && k.out != nil {
		_ = k.out.Free()
	}
	return err
}

// recycle releases what the task holds and puts it back.
func (k *task) recycle() {
	for _, t := range k.held[:k.nheld] {
		t.drop()
	}
	for _, t := range k.copies[:k.ncopies] {
		_ = t.Free()
	}
	clear(k.in[:])
	clear(k.held[:])
	clear(k.copies[:])
	clear(k.layouts[:])
	clear(k.operands[:])
	k.nheld, k.ncopies = 0, 0
	k.reduced, k.indexed = 0, 0
	k.out, k.dev = nil, nil
	k.launch = device.Launch{}
	k.steps.clear()
	k.call = call{}
	tasks.Put(k)
}
