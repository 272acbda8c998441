package broadcast

import (
	"fmt"
	"slices"
	"testing"
)

// view returns a strided operand.
func view(offset int, sizes, strides []int) operand { return operand{sizes, strides, offset} }

func mask(axes ...int) (m AxisMask) {
	for _, a := range axes {
		m |= 1 << a
	}
	return m
}

func TestPlan(t *testing.T) {
	type want struct {
		sizes   []int
		kept    int
		logical []int
		classes []Class
	}
	full := rowMajorOperand
	tests := []struct {
		name string
		launch
		want
	}{
		{"rank 0", launch{nil, 0, 0, 1, []operand{full(), full(), full()}},
			want{nil, 0, nil, []Class{Contiguous, Contiguous, Contiguous}}},
		{"one element of rank 3", launch{[]int{1, 1, 1}, 0, 0, 1, []operand{full(1), full(1, 1, 1)}},
			want{nil, 0, nil, []Class{Contiguous, Contiguous}}},
		{"contiguous axes fuse to one", launch{[]int{2, 3, 4}, 0, 0, 1, []operand{full(2, 3, 4), full(2, 3, 4)}},
			want{[]int{24}, 1, []int{-1}, []Class{Contiguous, Contiguous}}},
		{"size 1 in the middle is dropped", launch{[]int{2, 1, 4}, 0, 0, 1, []operand{view(0, []int{2, 1, 4}, []int{4, 999, 1}), full(2, 1, 4)}},
			want{[]int{8}, 1, []int{-1}, []Class{Contiguous, Contiguous}}},
		{"scalar", launch{[]int{2, 3}, 0, 0, 1, []operand{full(2, 3), full(), full(2, 3)}},
			want{[]int{6}, 1, []int{-1}, []Class{Contiguous, Scalar, Contiguous}}},
		{"row", launch{[]int{2, 3}, 0, 0, 1, []operand{full(2, 3), full(3), full(2, 3)}},
			want{[]int{2, 3}, 2, []int{0, 1}, []Class{Contiguous, Row, Contiguous}}},
		{"column", launch{[]int{2, 3}, 0, 0, 1, []operand{full(2, 3), full(2, 1), full(2, 3)}},
			want{[]int{2, 3}, 2, []int{0, 1}, []Class{Contiguous, Column, Contiguous}}},
		{"outer product", launch{[]int{2, 3}, 0, 0, 1, []operand{full(2, 1), full(1, 3), full(2, 3)}},
			want{[]int{2, 3}, 2, []int{0, 1}, []Class{Column, Row, Contiguous}}},
		{"channel scale fuses around the channel", launch{[]int{2, 3, 4, 5}, 0, 0, 1, []operand{full(2, 3, 4, 5), full(3, 1, 1), full(2, 3, 4, 5)}},
			want{[]int{2, 3, 20}, 3, []int{0, 1, -1}, []Class{Contiguous, Strided, Contiguous}}},
		{"batch of one channel scale fuses to a column", launch{[]int{2, 3, 4, 5}, 0, 0, 1, []operand{full(2, 3, 4, 5), full(2, 3, 1, 1), full(2, 3, 4, 5)}},
			want{[]int{6, 20}, 2, []int{-1, -1}, []Class{Contiguous, Column, Contiguous}}},
		{"transposed input keeps the output's order", launch{[]int{2, 3}, 0, 0, 1, []operand{view(0, []int{2, 3}, []int{1, 2}), full(2, 3)}},
			want{[]int{2, 3}, 2, []int{0, 1}, []Class{Strided, Contiguous}}},
		{"transposed output turns the space", launch{[]int{2, 3}, 0, 0, 1, []operand{view(0, []int{2, 3}, []int{1, 2}), view(0, []int{2, 3}, []int{1, 2})}},
			want{[]int{6}, 1, []int{-1}, []Class{Contiguous, Contiguous}}},
		{"stretched first input leaves the order to the output", launch{[]int{2, 3, 4}, 0, 0, 1,
			[]operand{view(0, []int{3, 1}, []int{1, 7}), view(0, []int{2, 3, 4}, []int{1, 2, 6})}},
			want{[]int{4, 3, 2}, 3, []int{2, 1, 0}, []Class{Strided, Contiguous}}},
		{"reversed everywhere flips and fuses", launch{[]int{2, 3}, 0, 0, 1, []operand{view(5, []int{2, 3}, []int{-3, -1}), view(5, []int{2, 3}, []int{-3, -1})}},
			want{[]int{6}, 1, []int{-1}, []Class{Contiguous, Contiguous}}},
		{"reversed input is strided", launch{[]int{6}, 0, 0, 1, []operand{view(5, []int{6}, []int{-1}), full(6)}},
			want{[]int{6}, 1, []int{0}, []Class{Strided, Contiguous}}},
		{"reversed output flips the input", launch{[]int{6}, 0, 0, 1, []operand{full(6), view(5, []int{6}, []int{-1})}},
			want{[]int{6}, 1, []int{0}, []Class{Strided, Contiguous}}},
		{"negative with positive does not fuse", launch{[]int{2, 3}, 0, 0, 1, []operand{view(3, []int{2, 3}, []int{-3, 1}), full(2, 3)}},
			want{[]int{2, 3}, 2, []int{0, 1}, []Class{Strided, Contiguous}}},
		{"outer gap merges the inner pair only", launch{[]int{2, 3, 4}, 0, 0, 1, []operand{view(0, []int{2, 3, 4}, []int{20, 4, 1}), full(2, 3, 4)}},
			want{[]int{2, 12}, 2, []int{0, -1}, []Class{Strided, Contiguous}}},
		{"alternating stretches fuse nothing", launch{[]int{2, 2, 2, 2, 2, 2}, 0, 0, 1,
			[]operand{full(2, 2, 2, 2, 1, 2), full(1, 2, 1, 2, 2, 2), full(2, 2, 2, 2, 2, 2)}},
			want{[]int{2, 2, 2, 2, 2, 2}, 6, []int{0, 1, 2, 3, 4, 5}, []Class{Strided, Strided, Contiguous}}},
		{"indexed axes stay apart", launch{[]int{2, 3, 4}, 0, mask(1), 1, []operand{full(2, 3, 4), full(2, 3, 4)}},
			want{[]int{2, 3, 4}, 3, []int{0, 1, 2}, []Class{Contiguous, Contiguous}}},
		{"indexed axis is sorted but not flipped", launch{[]int{2, 3}, 0, mask(0), 1, []operand{view(1, []int{2, 3}, []int{-1, 2})}},
			want{[]int{3, 2}, 2, []int{1, 0}, []Class{Strided}}},
		{"no operands but an output", launch{[]int{4, 5}, 0, 0, 1, []operand{full(4, 5)}},
			want{[]int{20}, 1, []int{-1}, []Class{Contiguous}}},
		{"no outputs", launch{[]int{2, 3}, 0, 0, 0, []operand{view(0, []int{2, 3}, []int{1, 2}), full(3)}},
			want{[]int{3, 2}, 2, []int{1, 0}, []Class{Contiguous, Column}}},
		{"stretched first operand leaves the order to the next", launch{[]int{2, 3}, 0, 0, 0, []operand{full(1, 3), full(2, 3)}},
			want{[]int{2, 3}, 2, []int{0, 1}, []Class{Row, Contiguous}}},
		{"sum of all", launch{[]int{2, 3, 4}, mask(0, 1, 2), 0, 1, []operand{full(2, 3, 4), full(1, 1, 1)}},
			want{[]int{24}, 0, []int{-1}, []Class{Contiguous, Scalar}}},
		{"sum of the last axis", launch{[]int{2, 3, 4}, mask(2), 0, 1, []operand{full(2, 3, 4), full(2, 3, 1)}},
			want{[]int{6, 4}, 1, []int{-1, 2}, []Class{Contiguous, Row}}},
		{"sum of the first axis", launch{[]int{2, 3, 4}, mask(0), 0, 1, []operand{full(2, 3, 4), full(1, 3, 4)}},
			want{[]int{12, 2}, 1, []int{-1, 0}, []Class{Strided, Row}}},
		{"sum of the outer axes around a kept one", launch{[]int{2, 3, 4}, mask(0, 2), 0, 1, []operand{full(2, 3, 4), full(1, 3, 1)}},
			want{[]int{3, 2, 4}, 1, []int{1, 0, 2}, []Class{Strided, Row}}},
		{"reduced axes keep their order and direction", launch{[]int{2, 3}, mask(0, 1), 0, 1, []operand{view(2, []int{2, 3}, []int{1, -1}), full(1, 1)}},
			want{[]int{2, 3}, 0, []int{0, 1}, []Class{Strided, Scalar}}},
		{"reversed reduced axes fuse unflipped", launch{[]int{2, 3}, mask(0, 1), 0, 1, []operand{view(5, []int{2, 3}, []int{-3, -1}), full(1, 1)}},
			want{[]int{6}, 0, []int{-1}, []Class{Strided, Scalar}}},
		{"indexed reduced axis stays apart", launch{[]int{2, 3}, mask(0, 1), mask(1), 1, []operand{full(2, 3), full(1, 1)}},
			want{[]int{2, 3}, 0, []int{0, 1}, []Class{Contiguous, Scalar}}},
		{"reduced axis of size 1", launch{[]int{5, 3, 1}, mask(0, 2), 0, 1, []operand{full(5, 3, 1), full(1, 3, 1)}},
			want{[]int{3, 5}, 1, []int{1, 0}, []Class{Strided, Row}}},
		{"sum over a stretched axis", launch{[]int{4, 3}, mask(0), 0, 1, []operand{full(3), full(1, 3)}},
			want{[]int{3, 4}, 1, []int{1, 0}, []Class{Row, Row}}},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			p := c.plan(t)
			if !slices.Equal(p.Sizes, c.sizes) || p.Kept != c.kept || !slices.Equal(p.Logical, c.logical) {
				t.Errorf("sizes %v kept %d logical %v, want %v %d %v", p.Sizes, p.Kept, p.Logical, c.sizes, c.kept, c.logical)
			}
			if !slices.Equal(p.Classes, c.classes) {
				t.Errorf("classes %v, want %v", p.Classes, c.classes)
			}
			checkPlan(t, c.launch, p)
		})
	}
}

func TestPlanWithoutElements(t *testing.T) {
	tests := []struct {
		name         string
		space        []int
		reduced      AxisMask
		operands     []operand
		outer, inner int
	}{
		{"no results", []int{2, 0, 3}, 0, []operand{rowMajorOperand(2, 0, 3), rowMajorOperand(2, 0, 3)}, 0, 1},
		{"size 1 stretched to 0", []int{0, 3}, 0, []operand{rowMajorOperand(1, 3), rowMajorOperand(0, 3)}, 0, 1},
		{"nothing to reduce", []int{3, 0}, mask(1), []operand{view(7, []int{3, 0}, []int{-1, 1}), view(2, []int{3, 1}, []int{-1, 0})}, 3, 0},
		{"no results, nothing to reduce", []int{0, 0}, mask(1), []operand{rowMajorOperand(0, 0), rowMajorOperand(0, 1)}, 0, 0},
		{"no results of a reduction", []int{0, 5}, mask(1), []operand{rowMajorOperand(0, 5), rowMajorOperand(0, 1)}, 0, 5},
		{"flips leave the origin in the buffer", []int{0, 5}, 0, []operand{view(4, []int{1, 5}, []int{0, -1}), view(0, []int{0, 5}, []int{-9, -9})}, 0, 1},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			run := launch{c.space, c.reduced, 0, 1, c.operands}
			p := run.plan(t)
			if p.Outer != c.outer || p.Inner != c.inner {
				t.Errorf("Outer, Inner = %d, %d, want %d, %d", p.Outer, p.Inner, c.outer, c.inner)
			}
			if !slices.Contains(p.Sizes, 0) {
				t.Errorf("no size of %v is 0", p.Sizes)
			}
			checkPlan(t, run, p)
		})
	}
}

func TestPlanOffsetsAfterFlips(t *testing.T) {
	run := launch{[]int{2, 3}, 0, 0, 1, []operand{rowMajorOperand(2, 3), view(5, []int{2, 3}, []int{-3, -1})}}
	p := run.plan(t)
	if want := []int{5, 0}; !slices.Equal(p.Offsets, want) {
		t.Errorf("offsets %v, want %v", p.Offsets, want)
	}
	if want := []int{-1}; !slices.Equal(p.Strides[0], want) {
		t.Errorf("input strides %v, want %v", p.Strides[0], want)
	}
}

// The undecided axis 1, which neither operand moves on together with axis 0,
// must not hide that axis 2 belongs outside axis 0.
func TestPlanUndecidedAxisHidesNothing(t *testing.T) {
	a := view(0, []int{2, 1, 3}, []int{1, 0, 2})
	b := view(0, []int{5, 1}, []int{1, 0})
	p := launch{[]int{2, 5, 3}, 0, 0, 0, []operand{a, b}}.plan(t)
	at := func(axis int) int { return slices.Index(p.Logical, axis) }
	if at(2) > at(0) {
		t.Errorf("axes in the order %v: axis 2 has the larger stride in the only operand that knows", p.Logical)
	}
}

func TestPlanOf100Operands(t *testing.T) {
	run := launch{space: []int{4, 3, 5}, outputs: 2}
	for i := range 98 {
		sizes := []int{4, 3, 5}
		for k := range sizes {
			if i>>k&1 != 0 {
				sizes[k] = 1
			}
		}
		run.operands = append(run.operands, rowMajorOperand(sizes[i%3:]...))
	}
	run.operands = append(run.operands, rowMajorOperand(4, 3, 5), view(0, []int{4, 3, 5}, []int{1, 4, 12}))
	checkPlan(t, run, run.plan(t))
}

func TestPlanOfRank32(t *testing.T) {
	space := make([]int, MaxRank)
	for i := range space {
		space[i] = 1 + i%4/3
	}
	short := rowMajorOperand(slices.Clone(space[9:])...)
	short.sizes[2] = 1
	run := launch{space: space, outputs: 1, operands: []operand{rowMajorOperand(space...), short, rowMajorOperand(space...)}}
	checkPlan(t, run, run.plan(t))

	out := rowMajorOperand(slices.Clone(space)...)
	out.sizes[31], out.sizes[15] = 1, 1
	run = launch{space: space, reduced: mask(31, 15), indexed: mask(31, 3), outputs: 1, operands: []operand{rowMajorOperand(space...), out}}
	checkPlan(t, run, run.plan(t))
}

func TestPlanIsReusable(t *testing.T) {
	big := launch{[]int{2, 3, 4, 5}, 0, 0, 1, []operand{rowMajorOperand(2, 3, 4, 5), rowMajorOperand(3, 1, 1), rowMajorOperand(2, 3, 4, 5)}}
	small := launch{[]int{3, 2}, mask(1), 0, 1, []operand{rowMajorOperand(3, 2), rowMajorOperand(3, 1)}}
	var p Plan
	for _, c := range []launch{big, small, big, small} {
		layouts := make([]*Layout, len(c.operands))
		for i, o := range c.operands {
			layouts[i] = o.layout(t)
		}
		p.Build(c.space, c.reduced, c.indexed, c.outputs, layouts...)
		checkPlan(t, c, &p)
	}
}

func TestPlanClone(t *testing.T) {
	run := launch{[]int{2, 3}, 0, 0, 1, []operand{rowMajorOperand(2, 3), rowMajorOperand(3), rowMajorOperand(2, 3)}}
	p := run.plan(t)
	q := p.Clone()
	other := launch{[]int{7, 8}, 0, 0, 1, []operand{rowMajorOperand(8), rowMajorOperand(7, 1), rowMajorOperand(7, 8)}}
	layouts := make([]*Layout, 3)
	for i, o := range other.operands {
		layouts[i] = o.layout(t)
	}
	p.Build(other.space, 0, 0, 1, layouts...)
	checkPlan(t, other, p)
	checkPlan(t, run, q)
}

func TestBuildDoesNotAllocate(t *testing.T) {
	x, row, y := RowMajor(Shape{4, 5, 6, 7}), RowMajor(Shape{6, 1}), RowMajor(Shape{4, 5, 6, 7})
	flipped, err := y.Flip(1, 3)
	if err != nil {
		t.Fatal(err)
	}
	space := Shape{4, 5, 6, 7}
	var p Plan
	p.Build(space, 0, 0, 1, &x, &row, &flipped)
	if n := testing.AllocsPerRun(100, func() { p.Build(space, 0, 2, 1, &x, &row, &flipped) }); n != 0 {
		t.Errorf("Build allocates %v times", n)
	}
}

func BenchmarkBuild(b *testing.B) {
	for _, c := range []struct {
		name     string
		space    Shape
		operands []operand
	}{
		{"one", Shape{1}, []operand{rowMajorOperand(1), rowMajorOperand(1), rowMajorOperand(1)}},
		{"same", Shape{64, 64}, []operand{rowMajorOperand(64, 64), rowMajorOperand(64, 64), rowMajorOperand(64, 64)}},
		{"row", Shape{8, 8}, []operand{rowMajorOperand(8, 8), rowMajorOperand(8), rowMajorOperand(8, 8)}},
		{"channel", Shape{2, 3, 4, 5}, []operand{rowMajorOperand(2, 3, 4, 5), rowMajorOperand(3, 1, 1), rowMajorOperand(2, 3, 4, 5)}},
	} {
		b.Run(fmt.Sprintf("%s/rank=%d", c.name, len(c.space)), func(b *testing.B) {
			x, y, z := c.operands[0].layout(b), c.operands[1].layout(b), c.operands[2].layout(b)
			var p Plan
			b.ReportAllocs()
			for b.Loop() {
				p.Build(c.space, 0, 0, 1, x, y, z)
			}
		})
	}
}
