package broadcast

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// The tests hold the package against the naive walk of this file, which shares
// no code with it: it counts through every index of a space and adds up where
// each operand's element lies.

// operand is a Layout as plain numbers.
type operand struct {
	sizes, strides []int
	offset         int
}

func (o operand) layout(t testing.TB) *Layout {
	t.Helper()
	l, err := NewLayout(o.sizes, o.strides, o.offset)
	if err != nil {
		t.Fatalf("layout %v: %v", o, err)
	}
	return &l
}

// at returns where the operand's element lies for an index into a larger
// space, aligned at the right.
func (o operand) at(index []int) int {
	where := o.offset
	for i := range o.sizes {
		if o.sizes[i] != 1 {
			where += o.strides[i] * index[len(index)-len(o.sizes)+i]
		}
	}
	return where
}

// rowMajorOperand returns a fresh tensor of the given sizes.
func rowMajorOperand(sizes ...int) operand {
	o := operand{sizes: sizes, strides: make([]int, len(sizes))}
	stride := 1
	for i := len(sizes) - 1; i >= 0; i-- {
		o.strides[i] = stride
		if sizes[i] > 0 {
			stride *= sizes[i]
		}
	}
	return o
}

// odometer calls visit with every index of the space, in row-major order.
func odometer(space []int, visit func(index []int)) {
	if slices.Contains(space, 0) {
		return
	}
	index := make([]int, len(space))
	for {
		visit(index)
		i := len(space) - 1
		for i >= 0 && index[i] == space[i]-1 {
			index[i] = 0
			i--
		}
		if i < 0 {
			return
		}
		index[i]++
	}
}

// launch is one operation to be planned.
type launch struct {
	space            []int
	reduced, indexed AxisMask
	outputs          int
	operands         []operand
}

func (c launch) plan(t testing.TB) *Plan {
	t.Helper()
	layouts := make([]*Layout, len(c.operands))
	for i, o := range c.operands {
		layouts[i] = o.layout(t)
	}
	var p Plan
	p.Build(c.space, c.reduced, c.indexed, c.outputs, layouts...)
	return &p
}

// groups lists what the launch must touch: for each kept index one line with
// the places of the outputs and of all operands for each reduced index, in
// logical order, with the indices along the indexed axes. The lines are sorted:
// their order is free.
func (c launch) groups() []string {
	outerSpace, innerSpace := slices.Clone(c.space), slices.Clone(c.space)
	for i := range c.space {
		if c.reduced>>i&1 != 0 {
			outerSpace[i] = 1
		} else {
			innerSpace[i] = 1
		}
	}
	var lines []string
	index := make([]int, len(c.space))
	odometer(outerSpace, func(outer []int) {
		var b strings.Builder
		for _, o := range c.operands[len(c.operands)-c.outputs:] {
			fmt.Fprint(&b, o.at(outer), " ")
		}
		odometer(innerSpace, func(inner []int) {
			for i := range index {
				index[i] = outer[i] + inner[i] // one of them is 0
			}
			b.WriteString("|")
			for _, o := range c.operands {
				fmt.Fprint(&b, " ", o.at(index))
			}
			for i := range c.space {
				if c.indexed>>i&1 != 0 {
					fmt.Fprintf(&b, " #%d=%d", i, index[i])
				}
			}
		})
		lines = append(lines, b.String())
	})
	slices.Sort(lines)
	return lines
}

// walked lists what the plan touches, as groups does.
func walked(c launch, p *Plan) []string {
	var lines []string
	place := func(o int, index []int) int {
		where := p.Offsets[o]
		for k, i := range index {
			where += i * p.Strides[o][k]
		}
		return where
	}
	whole := make([]int, len(p.Sizes))
	odometer(p.Sizes[:p.Kept], func(outer []int) {
		copy(whole, outer)
		clear(whole[p.Kept:])
		var b strings.Builder
		for o := len(p.Strides) - p.Outputs; o < len(p.Strides); o++ {
			fmt.Fprint(&b, place(o, whole), " ")
		}
		odometer(p.Sizes[p.Kept:], func(inner []int) {
			copy(whole[p.Kept:], inner)
			b.WriteString("|")
			for o := range p.Strides {
				fmt.Fprint(&b, " ", place(o, whole))
			}
			for i := range c.space {
				if c.indexed>>i&1 == 0 {
					continue
				}
				logical := 0 // an axis that the plan does not have has size 1
				if k := slices.Index(p.Logical, i); k >= 0 {
					logical = whole[k]
				}
				fmt.Fprintf(&b, " #%d=%d", i, logical)
			}
		})
		lines = append(lines, b.String())
	})
	slices.Sort(lines)
	return lines
}

// observedClass returns the class that the sequence of places shows, in the
// order of the plan.
func observedClass(p *Plan, o int) Class {
	linear, flat, row, column := true, true, p.Kept > 0, p.Kept > 0
	n, others := 0, 0
	odometer(p.Sizes, func(index []int) {
		moved := 0
		for k, i := range index {
			moved += i * p.Strides[o][k]
		}
		linear = linear && moved == n
		flat = flat && moved == 0
		row = row && moved == index[max(p.Kept-1, 0)]
		if p.Kept > 0 {
			others = 0
			for k, i := range index {
				if k != p.Kept-1 {
					others = others*p.Sizes[k] + i
				}
			}
			column = column && moved == others
		}
		n++
	})
	switch {
	case linear:
		return Contiguous
	case flat:
		return Scalar
	case row:
		return Row
	case column:
		return Column
	}
	return Strided
}

// checkPlan compares p with the naive walk and with what Build promises.
func checkPlan(t testing.TB, c launch, p *Plan) {
	t.Helper()
	if got, want := walked(c, p), c.groups(); !slices.Equal(got, want) {
		t.Fatalf("%+v\nplan %+v\nwalks\n%s\nwant\n%s", c, *p, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	outer, inner := 1, 1
	for k, n := range p.Sizes {
		if n == 1 {
			t.Errorf("plan axis %d has size 1", k)
		}
		if k < p.Kept {
			outer *= n
		} else {
			inner *= n
		}
	}
	if p.Outer != outer || p.Inner != inner || p.Outputs != c.outputs {
		t.Errorf("Outer, Inner, Outputs = %d, %d, %d, want %d, %d, %d", p.Outer, p.Inner, p.Outputs, outer, inner, c.outputs)
	}
	if outer == 0 || inner == 0 {
		for o := range c.operands {
			if (outer == 0 || o < len(c.operands)-c.outputs) && p.Offsets[o] != c.operands[o].offset {
				t.Errorf("operand %d, of which nothing is touched, starts at %d, not %d", o, p.Offsets[o], c.operands[o].offset)
			}
		}
		return
	}
	for o := range c.operands {
		if got, want := p.Classes[o], observedClass(p, o); got != want {
			t.Errorf("class of operand %d = %v, want %v; plan %+v", o, got, want, *p)
		}
	}
	checkAxes(t, c, p)
}

// checkAxes holds the order, the direction and the fusing of the plan's axes.
func checkAxes(t testing.TB, c launch, p *Plan) {
	t.Helper()
	byPriority := append(slices.Clone(p.Strides[len(p.Strides)-p.Outputs:]), p.Strides[:len(p.Strides)-p.Outputs]...)
	isIndexed := func(k int) bool { return p.Logical[k] >= 0 && c.indexed>>p.Logical[k]&1 != 0 }
	for k := range p.Sizes {
		for _, strides := range byPriority {
			if s := strides[k]; s != 0 {
				if k < p.Kept && s < 0 && !isIndexed(k) {
					t.Errorf("axis %d runs backwards: %+v", k, *p)
				}
				break
			}
		}
		if k == 0 || k == p.Kept {
			continue
		}
		if k < p.Kept && p.Outputs > 0 {
			a, b := byPriority[0][k-1], byPriority[0][k]
			if a < 0 {
				a = -a
			}
			if b < 0 {
				b = -b
			}
			if a != 0 && b != 0 && a < b {
				t.Errorf("axes %d and %d are not in the order of the output: %+v", k-1, k, *p)
			}
		}
		fusable := !isIndexed(k-1) && !isIndexed(k)
		for _, strides := range p.Strides {
			fusable = fusable && strides[k-1] == strides[k]*p.Sizes[k]
		}
		if fusable {
			t.Errorf("axes %d and %d are not fused: %+v", k-1, k, *p)
		}
	}
}
