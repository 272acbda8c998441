package tensor_test

import (
	"math"
	"testing"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

func TestNonZero(t *testing.T) {
	x := tensor.New([]float32{0, 1, float32(math.Copysign(0, -1)), nan, 0, -2}, 2, 3)
	wantData(t, x.NonZero(), tensor.Shape{3, 2}, int64(0), 1, 1, 0, 1, 2)
	wantData(t, x.T().NonZero(), tensor.Shape{3, 2}, int64(0), 1, 1, 0, 2, 1)
	wantData(t, tensor.New([]bool{true, false, true}).NonZero(), tensor.Shape{2, 1}, int64(0), 2)
	wantData[int64](t, tensor.Zeros(dtype.Int32, 4, 5).NonZero(), tensor.Shape{0, 2})
	wantData[int64](t, tensor.Zeros(dtype.Int32, 4, 0).NonZero(), tensor.Shape{0, 2})
	wantData[int64](t, tensor.Scalar(3).NonZero(), tensor.Shape{1, 0})
	wantData(t, tensor.Ones(dtype.Bool, 1).BroadcastTo(2, 2).NonZero(), tensor.Shape{4, 2}, int64(0), 0, 0, 1, 1, 0, 1, 1)
}

func TestMaskedSelect(t *testing.T) {
	x := iota32(2, 3)
	yes := tensor.New([]bool{true})
	for _, c := range []struct {
		name string
		got  *tensor.Tensor
		want []float32
	}{
		{"some", x.MaskedSelect(x.Gt(tensor.Scalar(2))), []float32{3, 4, 5}},
		{"none", x.MaskedSelect(x.Gt(tensor.Scalar(9))), nil},
		{"all, by a stretched mask", x.MaskedSelect(yes), []float32{0, 1, 2, 3, 4, 5}},
		{"of a transpose", x.T().MaskedSelect(x.T().Gt(tensor.Scalar(2))), []float32{3, 4, 5}},
		{"columns", x.MaskedSelect(tensor.New([]bool{true, false, true})), []float32{0, 2, 3, 5}},
		{"a tensor stretched to the mask", iota32(2).MaskedSelect(tensor.New([]bool{true, false, true, true}, 2, 2)), []float32{0, 0, 1}},
		{"a number", tensor.Scalar(7.5).MaskedSelect(yes), []float32{7.5}},
		{"a number by a number", tensor.Scalar(7.5).MaskedSelect(tensor.Scalar(true)), []float32{7.5}},
		{"by no number", x.MaskedSelect(tensor.Scalar(false)), nil},
		{"of nothing", tensor.Zeros(dtype.Float32, 0, 3).MaskedSelect(yes), nil},
	} {
		t.Run(c.name, func(t *testing.T) { wantData(t, c.got, tensor.Shape{len(c.want)}, c.want...) })
	}
}

func TestOneHot(t *testing.T) {
	wantData(t, ints(1, -1, 3, -4, 0).OneHot(3, dtype.Float32), tensor.Shape{5, 3},
		float32(0), 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0)
	wantData(t, tensor.New([]uint8{2}).Reshape(1, 1).OneHot(3, dtype.Bool), tensor.Shape{1, 1, 3}, false, false, true)
	wantData(t, tensor.New([]uint64{1}).OneHot(2, dtype.Int32), tensor.Shape{1, 2}, int32(0), 1)
	wantData[float32](t, ints(1).OneHot(0, dtype.Float32), tensor.Shape{1, 0})
	wantData(t, tensor.Scalar(1).OneHot(2, dtype.Float32), tensor.Shape{2}, float32(0), 1)
}

func TestMaskedOnEveryKindOfDevice(t *testing.T) {
	for name, dev := range indexDevices(t) {
		t.Run(name, func(t *testing.T) {
			x := to(dev)(iota32(2, 3))
			wantData(t, x.MaskedSelect(x.Gt(tensor.Scalar(2))), tensor.Shape{3}, float32(3), 4, 5)
			wantData(t, x.NonZero().Slice(tensor.R(0, 2)), tensor.Shape{2, 2}, int64(0), 1, 0, 2)
			wantData(t, to(dev)(ints(1)).OneHot(2, dtype.Int8), tensor.Shape{1, 2}, int8(0), 1)
		})
	}
}
