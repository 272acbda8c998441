package nn_test

import (
	"testing"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/nn"
	"github.com/stride0/stride0/tensor"
)

func TestMaskedMean(t *testing.T) {
	x := new32(tensor.Shape{3, 3}, 1, 2, nan, 4, inf, 6, 7, 8, 9)
	mask := tensor.New([]bool{true, true, false, true, false, true, false, false, false}, 3, 3)
	wantData(t, nn.MaskedMean(x, mask, nn.MaskedMeanOpts{}), tensor.Shape{}, float32(3.25))
	wantData(t, nn.MaskedMean(x, mask, nn.MaskedMeanOpts{Axes: []int{1}}), tensor.Shape{3}, float32(1.5), 5, nan)
	wantData(t, nn.MaskedMean(x, mask, nn.MaskedMeanOpts{Axes: []int{-1}, Keep: true}), tensor.Shape{3, 1}, float32(1.5), 5, nan)
	wantData(t, nn.MaskedMean(x, mask, nn.MaskedMeanOpts{Axes: []int{}, Keep: true}), tensor.Shape{3, 3}, float32(1), 2, nan, 4, nan, 6, nan, nan, nan)
	// A mask of fewer elements counts as often as it is stretched.
	wantData(t, nn.MaskedMean(x, mask.Index(0, 0), nn.MaskedMeanOpts{Axes: []int{0}}), tensor.Shape{3}, float32(4), inf, nan)
	wantData(t, nn.MaskedMean(x.T(), mask.T(), nn.MaskedMeanOpts{Axes: []int{0}}), tensor.Shape{3}, float32(1.5), 5, nan)
}

func TestMaskedMeanOfOtherKinds(t *testing.T) {
	all := tensor.New([]bool{true})
	wantData(t, nn.MaskedMean(tensor.Full(dtype.Uint8, 255, 1000), all, nn.MaskedMeanOpts{}), tensor.Shape{}, float32(255))
	wantData(t, nn.MaskedMean(tensor.New([]bool{true, false}), all, nn.MaskedMeanOpts{}), tensor.Shape{}, float32(0.5))
	big := tensor.New([]int64{1<<40 + 3, 1 - 1<<40})
	wantData(t, nn.MaskedMean(big, all, nn.MaskedMeanOpts{}), tensor.Shape{}, float32(2))
	// The sum of many halves does not fit a half.
	half := tensor.Full(dtype.Float16, 60000, 1000)
	wantNear(t, nn.MaskedMean(half, all, nn.MaskedMeanOpts{}), 0, 60000)
}

func TestMaskedSoftmax(t *testing.T) {
	x := new32(tensor.Shape{4, 3}, 1000, 1000, nan, 1, 2, 3, inf, 5, inf, -inf, -inf, 1)
	mask := tensor.New([]bool{true, true, false, false, false, false, false, true, false, true, true, false}, 4, 3)
	// Where the mask is false the weight is 0, in a row without any true place too;
	// among true places the rule is that of Softmax.
	wantData(t, nn.MaskedSoftmax(x, mask, 1), tensor.Shape{4, 3}, float32(0.5), 0.5, 0, 0, 0, 0, 0, 1, 0, nan, nan, 0)
	wantData(t, nn.MaskedSoftmax(tensor.Ones(dtype.Int8, 2, 2), tensor.New([]bool{true, false})), tensor.Shape{2, 2}, float32(0.5), 0, 0.5, 0)
	wantSame(t, nn.MaskedSoftmax(normal(1, 3, 4), tensor.New([]bool{true}), -1), normal(1, 3, 4).Softmax(-1))
}

func TestMasksRefuse(t *testing.T) {
	x := normal(1, 4, 3)
	wantError(t, nn.MaskedSoftmax(x, tensor.Ones(dtype.Bool, 4), 1), nil, "maskedsoftmax: the mask (4) does not stretch to (4, 3)", "unsqueeze (4) at axis 1")
	wantError(t, nn.MaskedMean(x, tensor.Ones(dtype.Bool, 2, 4, 3), nn.MaskedMeanOpts{}), nil, "maskedmean: the mask (2, 4, 3) does not stretch")
	wantError(t, nn.MaskedSoftmax(x, x, 1), nil, "the mask is float32, not bool", "Ne(tensor.Scalar(0))")
	wantError(t, nn.MaskedSoftmax(x, nil, 1), tensor.ErrEmpty, "operand 2 of 2")
	wantError(t, nn.MaskedMean(x, tensor.Ones(dtype.Bool, 3), nn.MaskedMeanOpts{Axes: []int{2}}), nil, "maskedmean: axis 2 is out of range")
	wantError(t, nn.LengthMask(x, 3, nn.PadLeft), nil, "lengthmask: lengths are integers, not float32")
	wantError(t, nn.LengthMask(tensor.New([]int{1}), -3, nn.PadLeft), nil, "lengthmask: there are -3 places")
	wantError(t, nn.LengthMask(tensor.New([]int{1}), 3, 7), nil, "there is no padding 7")
	wantError(t, nn.LastToken(x), nil, "lasttoken: the mask is float32")
	wantError(t, nn.LastToken(tensor.Ones(dtype.Bool)), nil, "lasttoken: the mask has no axis")
}

func TestLengthMask(t *testing.T) {
	for _, d := range []dtype.DType{dtype.Int8, dtype.Int64, dtype.Uint64} {
		lengths := tensor.New([]int{2, 0, 5}).Cast(d)
		wantData(t, nn.LengthMask(lengths, 3, nn.PadRight), tensor.Shape{3, 3}, true, true, false, false, false, false, true, true, true)
		wantData(t, nn.LengthMask(lengths, 3, nn.PadLeft), tensor.Shape{3, 3}, false, true, true, false, false, false, true, true, true)
	}
	wantData(t, nn.LengthMask(tensor.New([]int{-1, 1}, 2, 1), 2, nn.PadRight), tensor.Shape{2, 1, 2}, false, false, true, false)
	wantData(t, nn.LengthMask(tensor.New([]uint64{1 << 63}), 2, nn.PadLeft), tensor.Shape{1, 2}, true, true)
	wantData(t, nn.LengthMask(tensor.New([]int{1}).Reshape(), 0, nn.PadLeft), tensor.Shape{0}, []bool{}...)
}

func TestLastToken(t *testing.T) {
	lengths := tensor.New([]int{2, 0, 3, 1})
	wantData(t, nn.LastToken(nn.LengthMask(lengths, 3, nn.PadRight)), tensor.Shape{4}, int64(1), -1, 2, 0)
	wantData(t, nn.LastToken(nn.LengthMask(lengths, 3, nn.PadLeft)), tensor.Shape{4}, int64(2), -1, 2, 2)
	wantData(t, nn.LastToken(tensor.New([]bool{true, false, true, false})), tensor.Shape{}, int64(2))
	wantData(t, nn.LastToken(tensor.Zeros(dtype.Bool, 2, 0)), tensor.Shape{2}, int64(-1), -1)
	wantData(t, nn.LastToken(tensor.Zeros(dtype.Bool, 0, 3)), tensor.Shape{0}, []int64{}...)
}
