package conform

import (
	"slices"

	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/tensor"
)

// shapes holds operators that look at the same elements in another shape, or
// at some of them.
var shapes = table{
	"DepthToSpace": single(depthToSpace),
	"Expand":       single(expand),
	"Flatten":      single(flatten),
	"Reshape":      single(reshape),
	"Slice":        single(slice),
	"SpaceToDepth": single(spaceToDepth),
	"Squeeze":      single(squeeze),
	"Transpose":    single(transpose),
	"Unsqueeze":    single(unsqueeze),
}

// reshape keeps a size where the new one is 0, unless allowzero is set.
func reshape(k *call) *tensor.Tensor {
	sizes, _ := k.listed("shape", 1)
	sizes = slices.Clone(sizes)
	for i, n := range sizes {
		if n == 0 && attrOr(k, "allowzero", 0) == 0 {
			sizes[i] = k.size(k.arg(0), i)
		}
	}
	return k.arg(0).Reshape(sizes...)
}

// flatten makes a matrix: the axes before `axis` are its rows.
func flatten(k *call) *tensor.Tensor {
	shape := k.arg(0).Shape()
	axis := attrOr(k, "axis", 1)
	if axis < 0 {
		axis += len(shape)
	}
	if axis < 0 || axis > len(shape) {
		k.unsupported("axis %d of %v", axis, shape)
		return nil
	}
	return k.arg(0).Reshape(shape[:axis].Size(), shape[axis:].Size())
}

// squeeze drops the axes listed, or all of size 1 where there is no list.
func squeeze(k *call) *tensor.Tensor {
	axes, ok := k.listed("axes", 1)
	if ok && len(axes) == 0 {
		return k.arg(0)
	}
	return k.arg(0).Squeeze(axes...)
}

// unsqueeze inserts axes, which are counted in the result.
func unsqueeze(k *call) *tensor.Tensor {
	t := k.arg(0)
	axes, _ := k.listed("axes", 1)
	axes = slices.Clone(axes)
	for i, axis := range axes {
		if axis < 0 {
			axes[i] += t.Rank() + len(axes)
		}
	}
	slices.Sort(axes)
	for _, axis := range axes {
		t = t.Unsqueeze(axis)
	}
	return t
}

func transpose(k *call) *tensor.Tensor {
	if perm, ok := attr[[]int](k, "perm"); ok {
		return k.arg(0).Permute(perm...)
	}
	return k.arg(0).Transpose()
}

// expand broadcasts the operand and a shape with each other.
func expand(k *call) *tensor.Tensor {
	shape, err := broadcast.Shapes(k.arg(0).Shape(), k.integers(1))
	if err != nil {
		k.fail(err)
		return nil
	}
	return k.arg(0).BroadcastTo(shape...)
}

// slice takes bounds, axes and steps from inputs, before version 10 from
// attributes.
func slice(k *call) *tensor.Tensor {
	t := k.arg(0)
	starts, _ := k.listed("starts", 1)
	ends, _ := k.listed("ends", 2)
	axes, someAxes := k.listed("axes", 3)
	steps, someSteps := k.listed("steps", 4)
	ranges := make([]tensor.Range, t.Rank())
	for i := range ranges {
		ranges[i] = tensor.All
	}
	if len(ends) != len(starts) || someAxes && len(axes) != len(starts) || someSteps && len(steps) != len(starts) {
		k.unsupported("%d starts, %d ends, %d axes, %d steps", len(starts), len(ends), len(axes), len(steps))
		return nil
	}
	for i := range starts {
		axis, step := i, 1
		if someAxes {
			axis = axes[i]
		}
		if someSteps {
			step = steps[i]
		}
		if axis = k.axis(t, axis); k.err != nil {
			return nil
		}
		ranges[axis] = tensor.R(starts[i], ends[i], step)
	}
	return t.Slice(ranges...)
}

// depthToSpace moves blocks of channels to squares of pixels, of images
// (batch, channel, row, column).
func depthToSpace(k *call) *tensor.Tensor {
	t, b := k.arg(0), attrOr(k, "blocksize", 0)
	if b < 1 || t.Rank() != 4 {
		k.unsupported("blocksize %d of %v", b, t.Shape())
		return nil
	}
	n, c, h, w := t.Dim(0), t.Dim(1)/(b*b), t.Dim(2), t.Dim(3)
	if attrOr(k, "mode", "DCR") == "CRD" { // the channel counts slowest
		t = t.Reshape(n, c, b, b, h, w).Permute(0, 1, 4, 2, 5, 3)
	} else {
		t = t.Reshape(n, b, b, c, h, w).Permute(0, 3, 4, 1, 5, 2)
	}
	return t.Reshape(n, c, h*b, w*b)
}

func spaceToDepth(k *call) *tensor.Tensor {
	t, b := k.arg(0), attrOr(k, "blocksize", 0)
	if b < 1 || t.Rank() != 4 {
		k.unsupported("blocksize %d of %v", b, t.Shape())
		return nil
	}
	n, c, h, w := t.Dim(0), t.Dim(1), t.Dim(2)/b, t.Dim(3)/b
	return t.Reshape(n, c, h, b, w, b).Permute(0, 3, 5, 1, 2, 4).Reshape(n, c*b*b, h, w)
}
