package nn

import (
	"strconv"

	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

// one composes an operation of one result. in lists the operands, of which
// nil ones, options that were not given, are left out.
func one(op string, in []*tensor.Tensor, f func(s *tensor.Scope) (*tensor.Tensor, error)) *tensor.Tensor {
	return tensor.Compose(op, 1, given(in), func(s *tensor.Scope) ([]*tensor.Tensor, error) {
		r, err := f(s)
		return []*tensor.Tensor{r}, err
	})[0]
}

// given returns the operands that are there: the first, which is required, and
// those that are not nil.
func given(in []*tensor.Tensor) []*tensor.Tensor {
	all := in[:1:1]
	for _, t := range in[1:] {
		if t != nil {
			all = append(all, t)
		}
	}
	return all
}

// precision is the dtype of a result and the one it is computed in: halves are
// computed in float32 and rounded once.
type precision struct{ result, compute dtype.DType }

// precisionOf returns that of floats, integers and bools becoming float32.
func precisionOf(in ...*tensor.Tensor) (precision, error) {
	d, err := tensor.ResultType(given(in)...)
	switch {
	case err != nil:
		return precision{}, err
	case d.IsHalf():
		return precision{d, dtype.Float32}, nil
	case !d.IsFloat():
		d = dtype.Float32
	}
	return precision{d, d}, nil
}

// wide returns t in s and in the dtype to compute in; nil stays nil.
func (p precision) wide(s *tensor.Scope, t *tensor.Tensor) *tensor.Tensor {
	if t == nil {
		return nil
	}
	return as(t.In(s), p.compute)
}

// round returns a result in its dtype.
func (p precision) round(t *tensor.Tensor) *tensor.Tensor { return as(t, p.result) }

// as converts t unless it has that dtype already.
func as(t *tensor.Tensor, d dtype.DType) *tensor.Tensor {
	if t.DType() == d {
		return t
	}
	return t.Cast(d)
}

// stretches refuses an operand that does not stretch to the shape of x, which
// nothing may enlarge.
func stretches(what string, t, x *tensor.Tensor) error {
	if t == nil {
		return nil
	}
	from, to := t.Shape(), x.Shape()
	if s, err := broadcast.Shapes(from, to); err == nil && s.Equal(to) {
		return nil
	}
	hint := broadcast.Mend(from, to)
	if hint == "" {
		hint = "give it sizes of " + to.String() + " or 1"
	}
	return &broadcast.ShapeError{Shapes: []broadcast.Shape{from, to},
		Msg: what + " " + from.String() + " does not stretch to " + to.String(), Hint: hint}
}

func itoa(n int) string { return strconv.Itoa(n) }
