package main

import (
	"fmt"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
	"github.com/stride0/stride0/tensor"
)

const (
	grey     = 128 // the mean that each channel gets, of 0 to 255
	contrast = 64  // the spread (standard deviation) that each channel gets
	flat     = 1   // a channel with less spread is only moved: its contrast is noise
)

// A layout is an order of the axes of a batch of images.
type layout struct {
	name   string
	from   []int // the axes of NHWC in the order of this layout
	back   []int // the axes of this layout in the order of NHWC
	pixels []int // the axes over which a channel extends
	gains  []int // the shape in which one number per channel broadcasts
}

var layouts = []layout{
	{name: "nhwc", from: []int{0, 1, 2, 3}, back: []int{0, 1, 2, 3}, pixels: []int{1, 2}, gains: []int{3}},
	{name: "nchw", from: []int{0, 3, 1, 2}, back: []int{0, 2, 3, 1}, pixels: []int{2, 3}, gains: []int{3, 1, 1}},
}

// layoutNamed returns the layout of that name.
func layoutNamed(name string) (layout, error) {
	for _, l := range layouts {
		if l.name == name {
			return l, nil
		}
	}
	return layout{}, fmt.Errorf("there is no layout %q; -layout is nhwc or nchw", name)
}

// develop returns colours, an (N, H, W, 3) uint8 tensor of red, green and blue,
// with each channel of each image brought to the same mean and spread, and then
// warmed. The gains come last: the division by the spread would undo them.
func develop(colours *tensor.Tensor, l layout, warm float32) *tensor.Tensor {
	x := colours.Permute(l.from...).Cast(dtype.Float32)
	gains := tensor.New([]float32{1 + warm, 1, 1 - warm}).Reshape(l.gains...).To(colours.Device())

	// Kept axes have size 1, so that mean and spread, (N, 1, 1, 3) or
	// (N, 3, 1, 1), broadcast over the pixels again.
	centred := x.Sub(x.MeanKeep(l.pixels...))
	spread := centred.Square().MeanKeep(l.pixels...).Sqrt()
	y := centred.Div(spread.Maximum(tensor.Scalar(flat)))
	y = y.MulScalar(contrast).AddScalar(grey).Mul(gains)

	// Clip and round. Cast would clip too, it saturates; here one sees it.
	y = y.Maximum(tensor.Scalar(0)).Minimum(tensor.Scalar(255))
	return y.AddScalar(0.5).Cast(dtype.Uint8).Permute(l.back...)
}

// developRGBA develops an image of height h and width w on dev and returns its
// pixels. Both hold red, green, blue and alpha, h*w*4 bytes. Only the first
// three change: they are a view, and what is written to it the whole sees.
func developRGBA(dev device.Device, rgba []uint8, h, w int, l layout, warm float32) ([]uint8, error) {
	whole := tensor.New(rgba, 1, h, w, 4).To(dev)
	colours := whole.Slice(tensor.All, tensor.All, tensor.All, tensor.R(0, 3))
	if err := tensor.Into(colours, kernels.Copy, develop(colours, l, warm)); err != nil {
		return nil, err
	}
	return tensor.Data[uint8](whole)
}
