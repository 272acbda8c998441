package conform

import (
	"github.com/stride0/stride0/tensor"
)

// joins holds operators that put tensors together, take them apart or repeat
// them.
var joins = table{
	"Concat":          single(concat),
	"Pad":             single(pad),
	"ReverseSequence": single(reverseSequence),
	"Split":           split,
	"Tile":            single(func(k *call) *tensor.Tensor { return k.arg(0).Tile(k.integers(1)...) }),
	"Trilu":           single(trilu),
}

func concat(k *call) *tensor.Tensor {
	axis, ok := attr[int](k, "axis")
	if !ok && k.opset < 4 {
		axis = 1
	}
	return tensor.Concat(axis, k.in...)
}

// split cuts by sizes, or in as many parts as there are outputs: all of one
// size, but for the last.
func split(k *call) []*tensor.Tensor {
	t := k.arg(0)
	axis := attrOr(k, "axis", 0)
	sizes, ok := k.listed("split", 1)
	if !ok {
		parts := attrOr(k, "num_outputs", len(k.node.Out))
		left := k.size(t, axis)
		most := (left + parts - 1) / max(parts, 1)
		for range parts {
			sizes = append(sizes, min(most, left))
			left -= min(most, left)
		}
	}
	parts, err := t.Split(axis, sizes...)
	if err != nil {
		k.fail(err)
	}
	return parts
}

// pad lists the places before every axis, then those after.
func pad(k *call) *tensor.Tensor {
	t := k.arg(0)
	places, _ := k.listed("pads", 1)
	opts := tensor.PadOpts{Sides: make([][2]int, t.Rank())}
	axes := k.allAxes(t)
	if k.has(3) {
		axes = k.integers(3)
	}
	if len(places) != 2*len(axes) {
		k.unsupported("%d pads for %d axes", len(places), len(axes))
		return nil
	}
	for i, axis := range axes {
		if axis = k.axis(t, axis); k.err != nil {
			return nil
		}
		opts.Sides[axis] = [2]int{places[i], places[len(axes)+i]}
	}
	switch mode := attrOr(k, "mode", "constant"); mode {
	case "constant":
		if k.has(2) {
			opts.Value = k.number(k.arg(2))
		} else if v, ok := attr[float64](k, "value"); ok {
			opts.Value = v
		}
	case "edge":
		opts.Mode = tensor.PadEdge
	case "reflect":
		opts.Mode = tensor.PadReflect
	case "wrap":
		opts.Mode = tensor.PadWrap
	default:
		k.unsupported("mode %q", mode)
	}
	return t.Pad(opts)
}

// allAxes lists the axes of t.
func (k *call) allAxes(t *tensor.Tensor) []int {
	axes := make([]int, t.Rank())
	for i := range axes {
		axes[i] = i
	}
	return axes
}

func trilu(k *call) *tensor.Tensor {
	diagonal := 0
	if k.has(1) {
		diagonal = k.integer(1)
	}
	if attrOr(k, "upper", 1) != 0 {
		return k.arg(0).Triu(diagonal)
	}
	return k.arg(0).Tril(diagonal)
}

// reverseSequence turns round the beginning of each sequence of a batch, of
// the length that the second input gives.
func reverseSequence(k *call) *tensor.Tensor {
	out, lengths := k.arg(0).Clone(), k.integers(1)
	batch, time := k.axis(out, attrOr(k, "batch_axis", 1)), k.axis(out, attrOr(k, "time_axis", 0))
	if len(lengths) != k.size(out, batch) || batch == time {
		k.unsupported("%d lengths for axis %d of %v, time on axis %d", len(lengths), batch, out.Shape(), time)
		return nil
	}
	ranges := make([]tensor.Range, out.Rank())
	for i := range ranges {
		ranges[i] = tensor.All
	}
	for i, n := range lengths {
		ranges[batch], ranges[time] = tensor.R(i, i+1), tensor.R(0, n)
		part := out.Slice(ranges...)
		if err := part.Assign(part.Flip(time)); err != nil {
			k.fail(err)
		}
	}
	return out
}
