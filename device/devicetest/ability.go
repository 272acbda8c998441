package devicetest

import (
	"fmt"
	"slices"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
)

// abilityCase is one call of an ability whose outcome is known: what each
// memory must hold afterwards.
type abilityCase struct {
	name     string
	operands []operand
	after    map[*memory][]uint64 // what is expected; others stay as they are
	call     func(b buffers) error
}

// newAbilityCase returns a case of operands that nothing has changed yet.
func newAbilityCase(name string, operands ...operand) *abilityCase {
	c := &abilityCase{name: name, operands: operands, after: map[*memory][]uint64{}}
	for _, o := range operands {
		c.after[o.mem] = slices.Clone(o.mem.cells)
	}
	return c
}

// expect says that the cell of o at an index holds v afterwards.
func (c *abilityCase) expect(o operand, index []int, v uint64) { c.after[o.mem][o.cell(index)] = v }

// run makes the call and compares everything that the buffers hold afterwards:
// results bit for bit (any NaN equals any NaN), inputs and guard words too. late
// is what the call, or else the reading, reported.
func (c *abilityCase) run(dev device.Device) (late error) {
	bufs, err := upload(dev, c.operands...)
	if err != nil {
		return c.fail(err)
	}
	defer bufs.free()
	late = c.call(bufs)
	if late == nil {
		late = dev.Sync()
	}
	if late != nil && !isIndexError(late) {
		return c.fail(late)
	}
	for i, o := range c.operands {
		got, err := bufs.download(dev, o.mem)
		if err != nil {
			return c.fail(fmt.Errorf("reading after the call: %w", err))
		}
		for cell, w := range c.after[o.mem] {
			if !same(o.dtype, w, got[cell]) {
				return c.fail(fmt.Errorf("operand %d, %v: cell %d is %s, want %s", i, o.view, cell, show(o.dtype, got[cell]), show(o.dtype, w)))
			}
		}
	}
	return late
}

func (c *abilityCase) fail(err error) error { return fmt.Errorf("%s: %w", c.name, err) }

// strided returns the operand as abilities take it, with strides of its view
// along the given axes; -1 stands for none.
func (b buffers) strided(o operand, axes ...int) device.Strided {
	s := device.Strided{Operand: b.place(o), Strides: make([]int, len(axes))}
	s.Offset += int64(o.view.offset * o.mem.size)
	for i, a := range axes {
		if a >= 0 {
			s.Strides[i] = o.view.strides[a]
		}
	}
	return s
}

// upTo returns 0, 1, ..., n-1.
func upTo(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// useAbilities adds to errs what calls with a bad buffer among good ones return.
func (s *suite) useAbilities(good, bad device.Buffer, errs map[string]error) {
	at := func(i, n int) device.Strided {
		b := good
		if i == n {
			b = bad
		}
		return device.Strided{Operand: device.Operand{Buffer: b, Offset: int64(8 * n)}, Strides: []int{1}}
	}
	for i := range 3 {
		if g, ok := s.dev.(device.Gatherer); ok {
			x := &device.Indexed{DType: dtype.Float32, IndexDType: dtype.Int64, Sizes: []int{1}, Values: at(i, 0), Table: at(i, 1), Index: at(i, 2), Label: "gather"}
			errs[fmt.Sprintf("Gather operand %d", i)] = g.Gather(x)
			errs[fmt.Sprintf("Scatter operand %d", i)] = g.Scatter(x, device.MergeAdd)
		}
		if c, ok := s.dev.(device.Scanner); ok && i < 2 {
			errs[fmt.Sprintf("Scan operand %d", i)] = c.Scan(&device.Scan{DType: dtype.Float32, N: 1, In: at(i, 0), Out: at(i, 1), Label: "scan"})
		}
		if o, ok := s.dev.(device.Sorter); ok && (bad != nil || i == 0) { // Sort has no use for a result without a buffer
			errs[fmt.Sprintf("Sort operand %d", i)] = o.Sort(&device.Sort{DType: dtype.Float32, N: 1, K: 1, In: at(i, 0), Values: at(i, 1), Positions: at(i, 2), Label: "sort"})
		}
	}
}
