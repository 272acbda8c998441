package nn

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/tensor"
)

// Reduction says what becomes of the losses of all places.
type Reduction uint8

// The reductions.
const (
	Mean Reduction = iota // their mean, weighted where there are weights; NaN of none
	Sum
	None // they stay one by one
)

// LossOpts are the options of a loss.
type LossOpts struct{ Reduction Reduction }

// MSE returns the squared differences of prediction and target. Shapes must be
// equal: a loss never broadcasts, since (N, 1) with (N) would be all N×N pairs.
func MSE(prediction, target *tensor.Tensor, o LossOpts) *tensor.Tensor {
	return elementwise("mse", prediction, target, o, func(x, t *tensor.Tensor) *tensor.Tensor { return x.Sub(t).Square() })
}

// BCE returns the binary cross entropy of probabilities, -t log(x) - (1-t) log(1-x)
// for targets t from 0 to 1, of equal shape. A term whose factor is 0 is 0; a
// certain and wrong prediction costs Inf (PyTorch cuts logarithms off at -100).
func BCE(prediction, target *tensor.Tensor, o LossOpts) *tensor.Tensor {
	return elementwise("bce", prediction, target, o, func(x, t *tensor.Tensor) *tensor.Tensor {
		return negated(weighted(t, x.Log()).Add(weighted(opposite(t), x.Neg().Log1p())))
	})
}

// BCEWithLogits is BCE of the sigmoid of logits, accurate for all of them: no
// probability is rounded to 0 or 1 on the way.
func BCEWithLogits(logits, target *tensor.Tensor, o LossOpts) *tensor.Tensor {
	return elementwise("bcewithlogits", logits, target, o, func(x, t *tensor.Tensor) *tensor.Tensor {
		return weighted(t, x.Neg().Softplus()).Add(weighted(opposite(t), x.Softplus()))
	})
}

// negated is -x, and +0 of zeros: a loss is not negative.
func negated(x *tensor.Tensor) *tensor.Tensor { return tensor.Scalar(0).Sub(x) }

// opposite is 1-t.
func opposite(t *tensor.Tensor) *tensor.Tensor { return t.Neg().AddScalar(1) }

// weighted is w·x, and 0 where w is: 0·log(0) counts for nothing.
func weighted(w, x *tensor.Tensor) *tensor.Tensor {
	return w.Eq(tensor.Scalar(0)).Where(tensor.Scalar(0), w.Mul(x))
}

// elementwise is a loss of one number for each element.
func elementwise(op string, x, t *tensor.Tensor, o LossOpts, f func(x, t *tensor.Tensor) *tensor.Tensor) *tensor.Tensor {
	return one(op, []*tensor.Tensor{x, orEmpty(t)}, func(s *tensor.Scope) (*tensor.Tensor, error) {
		if err := equalShapes(x, t); err != nil {
			return nil, err
		}
		p, err := precisionOf(x, t)
		if err != nil {
			return nil, err
		}
		r, err := o.Reduction.of(f(p.wide(s, x), p.wide(s, t)))
		return p.round(r), err
	})
}

// orEmpty makes a required operand that is nil one that Compose refuses.
func orEmpty(t *tensor.Tensor) *tensor.Tensor {
	if t == nil {
		return &tensor.Tensor{}
	}
	return t
}

// of reduces losses.
func (r Reduction) of(losses *tensor.Tensor) (*tensor.Tensor, error) {
	switch r {
	case Mean:
		return losses.Mean(), nil
	case Sum:
		return losses.Sum(), nil
	case None:
		return losses, nil
	}
	return losses, r.unknown()
}

func (r Reduction) unknown() error {
	return fmt.Errorf("there is no reduction %d; use nn.Mean, nn.Sum or nn.None", r)
}

// equalShapes refuses a target of another shape than the prediction.
func equalShapes(prediction, target *tensor.Tensor) error {
	p, t := prediction.Shape(), target.Shape()
	if p.Equal(t) {
		return nil
	}
	hint := squeezeHint("prediction", p, t)
	if hint == "" {
		hint = squeezeHint("target", t, p)
	}
	if hint == "" {
		hint = "a loss never broadcasts; where that is meant call BroadcastTo first"
	}
	return &broadcast.ShapeError{Shapes: []broadcast.Shape{p, t},
		Msg: "the prediction " + p.String() + " and the target " + t.String() + " differ in shape", Hint: hint}
}

// squeezeHint says which axes of size 1 to drop from long to make it short.
func squeezeHint(what string, long, short broadcast.Shape) string {
	axes := surplus(long, short)
	if axes == nil {
		return ""
	}
	list := make([]string, len(axes))
	for i, a := range axes {
		list[i] = itoa(a)
	}
	return "call Squeeze(" + strings.Join(list, ", ") + ") on the " + what + " to make it " + short.String()
}

// surplus returns the axes of size 1 without which long is short, the last
// ones where there is a choice, or nil.
func surplus(long, short broadcast.Shape) (axes []int) {
	next := 0
	for i, n := range long {
		switch {
		case next < len(short) && n == short[next]:
			next++
		case n == 1:
			axes = append(axes, i)
		default:
			return nil
		}
	}
	if next < len(short) {
		return nil
	}
	return slices.Clip(axes)
}
