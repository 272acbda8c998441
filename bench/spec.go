package bench

import (
	"fmt"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
	"github.com/stride0/stride0/tensor"
)

// A spec is what a Case is made from.
type spec struct {
	id, op, form, work string
	in                 []operand
	result             []int       // sizes
	t                  dtype.DType // of everything; the zero value stands for float32
	steps              func(in []*tensor.Tensor) chain
	twin               func(out []float32, in []array)
	flops              int64
	reduces            bool // named by the elements of the operand
}

// An operand is a tensor of these sizes, or a view of it.
type operand struct {
	sizes []int
	view  func(*tensor.Tensor) *tensor.Tensor
	moved int // elements in the cache lines that the view touches; 0: all
}

// An array is the elements of an operand, before its view is taken.
type array struct {
	v     []float32
	sizes []int
}

// of is an operand of these sizes.
func of(sizes ...int) operand { return operand{sizes: sizes} }

func (s spec) dtype() dtype.DType {
	if s.t == dtype.Invalid {
		return dtype.Float32
	}
	return s.t
}

// describe counts the bytes of s and names it.
func (s spec) describe() Case {
	size, n := int64(s.dtype().Size()), product(s.result)
	c := Case{ID: s.id, Work: s.work, Write: size * int64(n), Flops: s.flops, spec: s}
	for _, o := range s.in {
		moved := o.moved
		if moved == 0 {
			moved = product(o.sizes)
		}
		c.Read += size * int64(moved)
	}
	if s.reduces {
		n = product(s.in[0].sizes)
	}
	c.Name = fmt.Sprintf("%s/%v/%s/n=%d", s.op, s.dtype(), s.form, n)
	return c
}

// shrunk divides every dimension over 4, down to 3 at least.
func (s spec) shrunk(by int) spec {
	s.result = shrink(s.result, by)
	in := make([]operand, len(s.in))
	for i, o := range s.in {
		o.sizes = shrink(o.sizes, by)
		in[i] = o
	}
	s.in = in
	return s
}

func shrink(sizes []int, by int) []int {
	small := make([]int, len(sizes))
	for i, n := range sizes {
		if small[i] = n; n > 4 {
			small[i] = max(3, n/by)
		}
	}
	return small
}

func product(sizes []int) int {
	n := 1
	for _, size := range sizes {
		n *= size
	}
	return n
}

// An applied is an operation in both its forms.
type applied struct {
	op     kernels.Applied // nil where there is no Into form
	method func(x, y *tensor.Tensor) *tensor.Tensor
}

// A step applies an operation to x and, if it takes two operands, y. A nil x
// is the result of the step before.
type step struct {
	applied
	x, y *tensor.Tensor
}

// A chain is the steps of a case.
type chain []step

// fresh is Runs.Fresh.
func (c chain) fresh(free bool) (*tensor.Tensor, error) {
	var last *tensor.Tensor
	for i := range c {
		x := c[i].x
		if x == nil {
			x = last
		}
		r := c[i].method(x, c[i].y)
		if free && last != nil && r.Err() == nil {
			if err := last.Free(); err != nil {
				return nil, err
			}
		}
		last = r
	}
	return last, last.Err()
}

// into returns Runs.Into with every step written to dst, or nil. Steps of more
// than one kind of result cannot share dst, so only the last may reduce.
func (c chain) into(dst *tensor.Tensor) func() (*tensor.Tensor, error) {
	operands := make([][]*tensor.Tensor, len(c))
	for i, s := range c {
		if s.op == nil {
			return nil
		}
		if s.x == nil {
			s.x = dst
		}
		operands[i] = []*tensor.Tensor{s.x}
		if s.y != nil {
			operands[i] = append(operands[i], s.y)
		}
	}
	return func() (*tensor.Tensor, error) {
		for i := range c {
			if err := tensor.Into(dst, c[i].op, operands[i]...); err != nil {
				return nil, err
			}
		}
		return dst, nil
	}
}
