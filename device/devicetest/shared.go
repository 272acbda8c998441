package devicetest

import (
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// checkShared gives operands of one launch the same buffer: equal inputs,
// overlapping inputs, and a result between the elements of an input.
func (s *suite) checkShared() error {
	var errs collector
	for _, d := range []dtype.DType{dtype.Float32, dtype.Float64, dtype.Uint8, dtype.Int16} {
		p, err := pairProgram(d)
		if err != nil {
			return err
		}
		for i, c := range []*launchCase{
			sharing(p, d, "one input twice", view{[]int{70}, []int{1}, 0}, view{[]int{70}, []int{1}, 0}, 80),
			sharing(p, d, "an input and its reverse", view{[]int{70}, []int{1}, 0}, view{[]int{70}, []int{-1}, 69}, 80),
			sharing(p, d, "an input and its transpose", view{[]int{9, 9}, []int{9, 1}, 0}, view{[]int{9, 9}, []int{1, 9}, 0}, 90),
			sharing(p, d, "a row of the other input", view{[]int{9, 9}, []int{9, 1}, 0}, view{[]int{9}, []int{1}, 27}, 90),
			interleaved(p, d, 2),
			interleaved(p, d, 3),
			behind(p, d),
		} {
			c.in[0].fill(newSource(uint64(i), wild))
			_, err := s.try("shared buffers of "+d.String(), c)
			errs.add(err)
		}
	}
	return errs.err()
}

// pairProgram subtracts; bytes it multiplies.
func pairProgram(d dtype.DType) (*kernels.Program, error) {
	b := kernels.NewBuilder()
	op := kernels.Sub
	if d == dtype.Uint8 {
		op = kernels.Mul
	}
	v, err := b.Apply(op, kernels.Attr{}, b.Input(d), b.Input(d))
	if err != nil {
		return nil, err
	}
	b.Output(v)
	return b.Program()
}

// sharing reads both inputs from one memory of n cells, which operand 0 fills.
func sharing(p *kernels.Program, d dtype.DType, name string, x, y view, n int) *launchCase {
	all := newOperand(d, dense([]int{n}), guardCells)
	all.fill(newSource(7, wild))
	first, second := all, all
	first.view, second.view = x, y
	return &launchCase{name: name, program: p, space: x.sizes, in: []operand{first, second},
		out: []operand{newOperand(d, dense(x.sizes), guardCells)}}
}

// interleaved writes to the elements between those of an input.
func interleaved(p *kernels.Program, d dtype.DType, step int) *launchCase {
	c := sharing(p, d, "result between the elements of an input", view{[]int{50}, []int{step}, 0}, view{[]int{50}, []int{1}, 0}, 50*step)
	c.in[1] = newOperand(d, dense([]int{50}), guardCells)
	c.in[1].fill(newSource(8, wild))
	c.out[0] = c.in[0]
	c.out[0].view = view{[]int{50}, []int{step}, 1}
	return c
}

// behind writes right after an input, in the same buffer.
func behind(p *kernels.Program, d dtype.DType) *launchCase {
	c := sharing(p, d, "result right behind an input", view{[]int{45}, []int{1}, 0}, view{[]int{45}, []int{1}, 0}, 90)
	c.out[0] = c.in[0]
	c.out[0].view = view{[]int{45}, []int{1}, 45}
	return c
}
