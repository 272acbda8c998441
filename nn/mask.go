package nn

import (
	"fmt"
	"math"

	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

// MaskedMeanOpts are the options of MaskedMean.
type MaskedMeanOpts struct {
	Axes []int // the axes to reduce, negative ones counted from the end; nil for all, an empty list for none
	Keep bool  // keep the reduced axes as size 1
}

// MaskedMean returns the mean of the elements of x where the mask, which
// stretches to the shape of x, is true. The others count for nothing, NaN and
// Inf too. Where none is true the mean is NaN, that of nothing. Integers and
// bools sum to 64 bits and give float32.
func MaskedMean(x, mask *tensor.Tensor, o MaskedMeanOpts) *tensor.Tensor {
	return one("maskedmean", []*tensor.Tensor{x, orEmpty(mask)}, func(s *tensor.Scope) (*tensor.Tensor, error) {
		if err := checkMask(mask, x); err != nil {
			return nil, err
		}
		p, err := precisionOf(x)
		if err != nil {
			return nil, err
		}
		x, mask := x.In(s), mask.In(s)
		if x.DType().IsFloat() {
			x = as(x, p.compute)
		}
		sum := o.sum(mask.Where(x, tensor.Scalar(0)))
		count := o.sum(mask.BroadcastTo(x.Shape()...))
		return p.round(as(sum, p.compute).Div(as(count, p.compute))), nil
	})
}

// sum adds along the axes; of bools it counts.
func (o MaskedMeanOpts) sum(t *tensor.Tensor) *tensor.Tensor {
	switch {
	case o.Axes != nil && len(o.Axes) == 0:
		return t.SumAxes(o.Axes)
	case o.Keep:
		return t.SumKeep(o.Axes...)
	}
	return t.Sum(o.Axes...)
}

// MaskedSoftmax returns the softmax of x along the axes, all without any, over
// the elements where the mask, which stretches to the shape of x, is true. It
// is 0 wherever the mask is false, in a row without a true place too.
func MaskedSoftmax(x, mask *tensor.Tensor, axes ...int) *tensor.Tensor {
	return one("maskedsoftmax", []*tensor.Tensor{x, orEmpty(mask)}, func(s *tensor.Scope) (*tensor.Tensor, error) {
		if err := checkMask(mask, x); err != nil {
			return nil, err
		}
		mask := mask.In(s)
		y := mask.Where(x, tensor.Scalar(math.Inf(-1))).Softmax(axes...)
		return mask.Where(y, tensor.Scalar(0)), nil
	})
}

// checkMask refuses what is no mask of x.
func checkMask(mask, x *tensor.Tensor) error {
	if d := mask.DType(); d != dtype.Bool {
		return &dtype.Error{DTypes: []dtype.DType{d}, Msg: "the mask is " + d.String() + ", not bool",
			Hint: "compare it first, for example with Ne(tensor.Scalar(0))"}
	}
	return stretches("the mask", mask, x)
}

// Padding is the side on which sequences shorter than the others are filled up.
type Padding uint8

// The sides.
const (
	PadRight Padding = iota // the sequence comes first
	PadLeft                 // the sequence comes last
)

// LengthMask returns the mask of sequences of the given lengths, integers such
// as (N), in n places each: (N, n), true in the first places of a sequence (the
// last ones with PadLeft), as many as its length. A length beyond n fills all,
// a negative one none.
func LengthMask(lengths *tensor.Tensor, n int, side Padding) *tensor.Tensor {
	return one("lengthmask", []*tensor.Tensor{lengths}, func(s *tensor.Scope) (*tensor.Tensor, error) {
		d := lengths.DType()
		switch {
		case !d.IsInteger():
			return nil, &dtype.Error{DTypes: []dtype.DType{d}, Msg: "lengths are integers, not " + d.String(), Hint: "convert them with Cast(dtype.Int64)"}
		case side > PadLeft:
			return nil, fmt.Errorf("there is no padding %d; use nn.PadRight or nn.PadLeft", side)
		case n < 0:
			return nil, &broadcast.ShapeError{Shapes: []broadcast.Shape{lengths.Shape()}, Msg: "there are " + itoa(n) + " places", Hint: "give 0 or more"}
		}
		counted := dtype.Int64
		if d == dtype.Uint64 { // no integer holds both
			counted = d
		}
		at := places(s, lengths, counted, n)
		if side == PadLeft {
			at = at.Flip()
		}
		return at.Lt(lengths.In(s).Unsqueeze(-1)), nil
	})
}

// places returns 0, 1, ..., n-1 in s, on the device of t.
func places(s *tensor.Scope, t *tensor.Tensor, d dtype.DType, n int) *tensor.Tensor {
	made := tensor.On(t.Device()).Arange(d, 0, n, 1)
	defer made.Free() // what is in s is a handle of its own
	return made.In(s)
}

// LastToken returns the index, int64, of the last true place along the last
// axis of a mask: (N, n) gives (N). It serves padding on either side, and is -1
// where no place is true; clip it to 0 before it indexes, where -1 would be
// the last place.
func LastToken(mask *tensor.Tensor) *tensor.Tensor {
	return one("lasttoken", []*tensor.Tensor{mask}, func(s *tensor.Scope) (*tensor.Tensor, error) {
		if err := checkMask(mask, mask); err != nil {
			return nil, err
		}
		shape := mask.Shape()
		if len(shape) == 0 {
			return nil, &broadcast.ShapeError{Shapes: []broadcast.Shape{shape}, Msg: "the mask has no axis to look along", Hint: "give (n) or (N, n)"}
		}
		n := mask.Dim(-1)
		if n == 0 {
			return tensor.On(mask.Device()).Full(dtype.Int64, -1, shape[:len(shape)-1]...), nil
		}
		return mask.Where(places(s, mask, dtype.Int64, n), tensor.Scalar(-1)).Max(-1), nil
	})
}
