package devicetest

import (
	"fmt"

	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/kernels"
)

// launchCase is one launch whose outcome the oracle knows.
type launchCase struct {
	name             string
	program          *kernels.Program
	space            []int
	reduced, indexed broadcast.AxisMask
	in, out          []operand
	scalars          []uint64
}

// split returns the sizes of the kept and of the reduced axes, each with 1 for
// the axes of the other kind.
func (c *launchCase) split() (kept, reduced []int) {
	kept, reduced = append([]int(nil), c.space...), append([]int(nil), c.space...)
	for i := range c.space {
		if c.reduced>>i&1 == 1 {
			kept[i] = 1
		} else {
			reduced[i] = 1
		}
	}
	return kept, reduced
}

// plan puts the case's operands on one iteration space.
func (c *launchCase) plan() (*broadcast.Plan, error) {
	var layouts []*broadcast.Layout
	for _, o := range append(append([]operand(nil), c.in...), c.out...) {
		l, err := o.view.layout()
		if err != nil {
			return nil, err
		}
		layouts = append(layouts, &l)
	}
	p := new(broadcast.Plan)
	p.Build(broadcast.Shape(c.space), c.reduced, c.indexed, len(c.out), layouts...)
	return p, nil
}

// enqueue uploads the case and launches it. The buffers are the caller's to free.
func (c *launchCase) enqueue(dev device.Device) (buffers, error) {
	plan, err := c.plan()
	if err != nil {
		return nil, err
	}
	bufs, err := upload(dev, append(append([]operand(nil), c.in...), c.out...)...)
	if err != nil {
		return nil, err
	}
	l := &device.Launch{Program: c.program, Plan: plan, Inputs: bufs.places(c.in), Outputs: bufs.places(c.out),
		Scalars: c.launchScalars(), Label: c.name}
	if n := kernels.Scratch(c.program, plan); n > 0 {
		if l.Scratch.Buffer, err = dev.Alloc(n); err != nil {
			bufs.free()
			return nil, err
		}
		defer l.Scratch.Buffer.Free() // stream-ordered: after the launch
	}
	if err := dev.Run(l); err != nil {
		bufs.free()
		return nil, err
	}
	// The contract says that neither is retained: spoil them.
	for i := range l.Scalars {
		l.Scalars[i] = ^l.Scalars[i]
	}
	clear(l.Inputs)
	clear(plan.Sizes)
	clear(plan.Offsets)
	return bufs, nil
}

// launchScalars fills in the number of reduced elements, as package tensor does.
func (c *launchCase) launchScalars() []uint64 {
	scalars := make([]uint64, len(c.program.Scalars))
	copy(scalars, c.scalars)
	if slot := c.program.CountSlot; slot >= 0 {
		_, reduced := c.split()
		scalars[slot] = smallest(c.program.Scalars[slot], count(reduced))
	}
	return scalars
}

// run launches the case on dev and compares everything its buffers hold
// afterwards with what the oracle says: outputs, guard words and inputs. It
// returns the device's outputs in row-major order. An error that wraps
// device.ErrUnsupported says that the device declined.
func (c *launchCase) run(dev device.Device) ([][]uint64, error) {
	o, err := newOracle(c.program)
	if err != nil {
		return nil, c.fail(err)
	}
	c.scalars = c.launchScalars()
	want := o.results(c)
	bufs, err := c.enqueue(dev)
	if err != nil {
		return nil, c.fail(err)
	}
	defer bufs.free()
	got, err := c.compare(dev, bufs, want)
	return got, c.fail(err)
}

func (c *launchCase) fail(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", c.name, err)
}

// compare reads every memory back and returns the outputs.
func (c *launchCase) compare(dev device.Device, bufs buffers, want [][]uint64) ([][]uint64, error) {
	after := map[*memory][]uint64{}
	for m := range bufs {
		cells, err := bufs.download(dev, m)
		if err != nil {
			return nil, err
		}
		after[m] = cells
	}
	got := make([][]uint64, len(c.out))
	written := map[*memory][]bool{}
	for i, o := range c.out {
		if written[o.mem] == nil {
			written[o.mem] = make([]bool, len(o.mem.cells))
		}
		var err error
		if got[i], err = c.compareOutput(i, after[o.mem], written[o.mem], want[i]); err != nil {
			return nil, err
		}
	}
	for m, cells := range after {
		if err := c.compareRest(m, cells, written[m]); err != nil {
			return nil, err
		}
	}
	return got, nil
}

// compareOutput checks the elements of output i and marks their cells.
func (c *launchCase) compareOutput(i int, after []uint64, written []bool, want []uint64) (got []uint64, err error) {
	o := c.out[i]
	d := o.dtype
	odometer(o.view.sizes, func(index []int) {
		cell := o.cell(index)
		written[cell] = true
		got = append(got, after[cell])
		w, g := want[len(got)-1], after[cell]
		if err != nil || same(d, w, g) {
			return
		}
		err = fmt.Errorf("output %d at %v is %s, want %s; %s", i, index, show(d, g), show(d, w), c.describe(index))
	})
	return got, err
}

// compareRest checks that cells outside the outputs hold what they held.
func (c *launchCase) compareRest(m *memory, after []uint64, written []bool) error {
	for cell, g := range after {
		if written != nil && written[cell] || g == m.cells[cell] {
			continue
		}
		for i, in := range c.in {
			if in.mem == m {
				return fmt.Errorf("input %d was modified: cell %d is %#x, was %#x; %v", i, cell, g, m.cells[cell], in.view)
			}
		}
		return fmt.Errorf("a guard word was overwritten: cell %d is %#x, was %#x; %s", cell, g, m.cells[cell], c.describe(nil))
	}
	return nil
}

// describe tells the layouts of the case and its inputs' elements at an index.
func (c *launchCase) describe(index []int) string {
	text := fmt.Sprintf("space %v", broadcast.Shape(c.space))
	for i, o := range c.in {
		text += fmt.Sprintf("; input %d %v %v", i, o.dtype, o.view)
		if index != nil && c.reduced == 0 {
			text += " = " + show(o.dtype, o.get(index))
		}
	}
	for i, o := range c.out {
		text += fmt.Sprintf("; output %d %v %v", i, o.dtype, o.view)
	}
	return text
}
