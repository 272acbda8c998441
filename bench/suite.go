package bench

import (
	"fmt"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

// A Case is a workload of one size that other libraries can be asked for too.
type Case struct {
	ID    string // "W3" as all peers know it; "X..." for shapes that only this module measures
	Name  string // of the benchmark: op/dtype/form/n=elements of the result, or of the operand of a reduction
	Work  string // for readers: "add (4096,4096)+(4096)"
	Read  int64  // bytes that must be read: each operand once, whole cache lines of one that is read with steps
	Write int64  // bytes that must be written
	Flops int64  // of a matrix product, else 0

	spec spec
}

// Bytes is what one run must move.
func (c Case) Bytes() int64 { return c.Read + c.Write }

// Runs are the ways to run a Case on operands that exist.
type Runs struct {
	// Fresh allocates the result and every intermediate one. With free it
	// frees the intermediate ones as soon as they are used; the result is the
	// caller's.
	Fresh func(free bool) (*tensor.Tensor, error)
	// Into writes an existing result, which it returns; nil where package
	// tensor has no such form.
	Into func() (*tensor.Tensor, error)
	// Twin is the loop that a programmer would write by hand for this case
	// alone, on slices that exist; nil where that loop says nothing.
	Twin func() []float32
}

// Suite returns the cases that peers are compared on and those after them.
func Suite() []Case {
	specs := append(peerSpecs(), extraSpecs()...)
	cases := make([]Case, len(specs))
	for i, s := range specs {
		cases[i] = s.describe()
	}
	return cases
}

// Flat returns the contiguous float32 addition that moves as many bytes as c,
// to the last few: what c would cost if its shape and dtype cost nothing.
func (c Case) Flat() Case {
	n := max(1, int(c.Bytes()/12))
	s := spec{
		id: c.ID, op: "add", form: "flat", work: fmt.Sprintf("add (%d)+(%d)", n, n),
		in: []operand{of(n), of(n)}, result: []int{n}, steps: pair(add), twin: twinFlat,
	}
	return s.describe()
}

// Make allocates the operands of c on dev. Every dimension over 4 is divided
// by shrink, which is 1 but for tests of c's arithmetic.
func (c Case) Make(dev device.Device, shrink int) (*Runs, error) {
	s := c.spec.shrunk(shrink)
	in := make([]*tensor.Tensor, len(s.in))
	base := make([]array, len(s.in))
	for i, o := range s.in {
		base[i] = array{values(product(o.sizes), i), o.sizes}
		t := tensor.New(base[i].v, o.sizes...)
		if s.dtype() != dtype.Float32 {
			t = t.Cast(s.dtype())
		}
		t = t.To(dev)
		if o.view != nil {
			t = o.view(t)
		}
		if err := t.Err(); err != nil {
			return nil, fmt.Errorf("%s: %w", c.Work, err)
		}
		in[i] = t
	}
	dst := tensor.On(dev).Zeros(s.dtype(), s.result...)
	if err := dst.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", c.Work, err)
	}
	chain := s.steps(in)
	runs := &Runs{Fresh: chain.fresh, Into: chain.into(dst)}
	if s.twin != nil && s.dtype() == dtype.Float32 {
		out := make([]float32, product(s.result))
		runs.Twin = func() []float32 { s.twin(out, base); return out }
	}
	return runs, nil
}

// values are the elements of operand i: multiples of 1/8, so that short sums
// are exact, from -3 to 3 in the first and positive in others, which divide.
func values(n, i int) []float32 {
	if i > 0 {
		v := ramp(n, 7+4*i)
		for j := range v {
			v[j] += 0.125
		}
		return v
	}
	v := ramp(n, 49)
	for j := range v {
		v[j] -= 3
	}
	return v
}
