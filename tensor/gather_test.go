package tensor_test

import (
	"errors"
	"math"
	"testing"

	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/cpu"
	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/device/devicetest"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

func ints(v ...int) *tensor.Tensor { return tensor.New(v) }

// The results are those of the examples in ONNX's operator pages and of
// PyTorch's documentation.
func TestGathers(t *testing.T) {
	x := iota32(2, 3) // 0 1 2 / 3 4 5
	for _, c := range []struct {
		name  string
		got   *tensor.Tensor
		shape tensor.Shape
		want  []float32
	}{
		{"select columns", x.IndexSelect(1, ints(2, 0, 2)), tensor.Shape{2, 3}, []float32{2, 0, 2, 5, 3, 5}},
		{"select rows from the end", x.IndexSelect(0, ints(-1)), tensor.Shape{1, 3}, []float32{3, 4, 5}},
		{"select none", x.IndexSelect(-1, ints()), tensor.Shape{2, 0}, nil},
		{"index of rank 0", x.Gather(0, ints(1).Reshape()), tensor.Shape{3}, []float32{3, 4, 5}},
		{"weak index", x.Gather(1, tensor.Scalar(-1)), tensor.Shape{2}, []float32{2, 5}},
		{"index of rank 2", x.Gather(1, ints(0, 1, 2, -3).Reshape(2, 2)), tensor.Shape{2, 2, 2}, []float32{0, 1, 2, 0, 3, 4, 5, 3}},
		{"stretched table", iota32(3).BroadcastTo(4, 3).Gather(0, ints(3)), tensor.Shape{1, 3}, []float32{0, 1, 2}},
		{"stretched index", x.IndexSelect(1, ints(1).BroadcastTo(4)), tensor.Shape{2, 4}, []float32{1, 1, 1, 1, 4, 4, 4, 4}},
		{"narrow index", x.IndexSelect(1, tensor.New([]uint8{2})), tensor.Shape{2, 1}, []float32{2, 5}},
		{"elements", tensor.New([]float32{1, 2, 3, 4}, 2, 2).GatherElements(1, ints(0, 0, 1, 0).Reshape(2, 2)), tensor.Shape{2, 2}, []float32{1, 1, 4, 3}},
		{"elements of fewer columns", x.GatherElements(0, ints(1, -2).Reshape(1, 2)), tensor.Shape{1, 2}, []float32{3, 1}},
		{"along an axis, index stretched", x.TakeAlongAxis(1, ints(2, 0).Reshape(1, 2)), tensor.Shape{2, 2}, []float32{2, 0, 5, 3}},
		{"along an axis, table stretched", iota32(1, 3).TakeAlongAxis(1, ints(2, 0).Reshape(2, 1)), tensor.Shape{2, 1}, []float32{2, 0}},
		{"pairs", tensor.New([]float32{0, 1, 2, 3}, 2, 2).GatherND(ints(0, 0, 1, 1).Reshape(2, 2)), tensor.Shape{2}, []float32{0, 3}},
		{"rows by tuples of one", tensor.New([]float32{0, 1, 2, 3}, 2, 2).GatherND(ints(1, 0).Reshape(2, 1)), tensor.Shape{2, 2}, []float32{2, 3, 0, 1}},
		{"batch", iota32(2, 2, 2).GatherND(ints(1, 0).Reshape(2, 1), tensor.GatherOpts{Batch: 1}), tensor.Shape{2, 2}, []float32{2, 3, 4, 5}},
		{"tuples of none", iota32(2).GatherND(tensor.Zeros(dtype.Int64, 3, 0)), tensor.Shape{3, 2}, []float32{0, 1, 0, 1, 0, 1}},
		{"nothing of nothing", tensor.Zeros(dtype.Float32, 0, 3).Gather(0, ints()), tensor.Shape{0, 3}, nil},
		{"rows without elements", tensor.Zeros(dtype.Float32, 2, 0).IndexSelect(0, ints(1, 1, 0)), tensor.Shape{3, 0}, nil},
	} {
		t.Run(c.name, func(t *testing.T) { wantData(t, c.got, c.shape, c.want...) })
	}
}

func TestScatters(t *testing.T) {
	zeros := tensor.Zeros(dtype.Float32, 3, 3)
	for _, c := range []struct {
		name string
		got  *tensor.Tensor
		want []float32
	}{
		{"elements", zeros.ScatterElements(0, ints(1, 0, 2, 0, 2, 1).Reshape(2, 3), tensor.New([]float32{1, 1.1, 1.2, 2, 2.1, 2.2}, 2, 3)),
			[]float32{2, 1.1, 0, 1, 0, 2.2, 0, 2.1, 1.2}},
		{"the last stays", zeros.ScatterElements(1, ints(1, 1).Reshape(1, 2), tensor.New([]float32{7, 8}, 1, 2)), []float32{0, 8, 0, 0, 0, 0, 0, 0, 0}},
		{"a number", zeros.ScatterElements(1, ints(-1, 0, 0).Reshape(3, 1), tensor.Scalar(5)), []float32{0, 0, 5, 5, 0, 0, 5, 0, 0}},
		{"add", zeros.ScatterAdd(0, ints(0, 0, 0).Reshape(3, 1), tensor.New([]float32{1, 2, 3}, 3, 1)), []float32{6, 0, 0, 0, 0, 0, 0, 0, 0}},
		{"rows by tuples", zeros.ScatterND(ints(2, 0).Reshape(2, 1), iota32(2, 3)), []float32{3, 4, 5, 0, 0, 0, 0, 1, 2}},
		{"one number at tuples", zeros.ScatterND(ints(0, 1, -1, -1).Reshape(2, 2), tensor.Scalar(1), tensor.MergeMax), []float32{0, 1, 0, 0, 0, 0, 0, 0, 1}},
		{"NaN wins", zeros.ScatterND(ints(0, 0, 0, 1).Reshape(2, 2), tensor.New([]float32{nan, -1}), tensor.MergeMin), []float32{nan, -1, 0, 0, 0, 0, 0, 0, 0}},
		{"columns added", zeros.IndexAdd(1, ints(0, 0, -1), tensor.Ones(dtype.Float32, 3)), []float32{2, 0, 1, 2, 0, 1, 2, 0, 1}},
		{"no updates", zeros.AddScalar(1).IndexAdd(0, ints(), tensor.Zeros(dtype.Float32, 0, 3)), []float32{1, 1, 1, 1, 1, 1, 1, 1, 1}},
		{"integers into floats", zeros.IndexAdd(0, ints(1), ints(1, 2, 3)), []float32{0, 0, 0, 1, 2, 3, 0, 0, 0}},
	} {
		t.Run(c.name, func(t *testing.T) { wantData(t, c.got, tensor.Shape{3, 3}, c.want...) })
	}
	wantData(t, zeros, tensor.Shape{3, 3}, make([]float32, 9)...)
	wantData(t, tensor.New([]bool{true, false}).ScatterAdd(0, ints(1, 0), tensor.New([]bool{true, false})), tensor.Shape{2}, true, true)
	wantData(t, tensor.New([]uint8{250}).ScatterAdd(0, ints(0, 0), tensor.New([]uint8{5, 5})), tensor.Shape{1}, uint8(4))
}

// Halves add up in float32 and are rounded once: 2048 + 1 + 1 is 2050, where
// float16 alone would stay at 2048.
func TestScatterAddOfHalvesRoundsOnce(t *testing.T) {
	x := tensor.New([]dtype.F16{dtype.NewF16(2048)})
	one := tensor.New([]dtype.F16{dtype.NewF16(1), dtype.NewF16(1)})
	wantData(t, x.ScatterAdd(0, ints(0, 0), one), tensor.Shape{1}, dtype.NewF16(2050))
	wantData(t, x.ScatterElements(0, ints(0, 0), one), tensor.Shape{1}, dtype.NewF16(1))
}

func TestGathersMoveEveryDType(t *testing.T) {
	for _, d := range dtype.All() {
		x := tensor.New([]int{0, 1, 0, 1, 1}).Cast(d)
		wantData(t, x.IndexSelect(0, ints(1, 2, -1)).Cast(dtype.Int64), tensor.Shape{3}, int64(1), 0, 1)
		wantData(t, x.ScatterElements(0, ints(1, 3), x.Slice(tensor.R(2, 4))).Cast(dtype.Int64), tensor.Shape{5}, int64(0), 0, 0, 1, 1)
		wantData(t, x.ScatterAdd(0, ints(0, 2), x.Slice(tensor.R(3, 5))).Cast(dtype.Int64), tensor.Shape{5}, int64(1), 1, 1, 1, 1)
	}
}

func TestIndexErrorsNameThePlace(t *testing.T) {
	x := iota32(2, 3)
	for _, c := range []struct {
		name string
		err  error
		say  []string
	}{
		{"select", x.IndexSelect(1, ints(0, 3)).Err(), []string{"indexselect: index 3 at (1) is out of range for axis 1 of size 3; valid indices are -3 to 2", "gather_test.go:"}},
		{"matrix of indices", x.Gather(0, ints(0, 0, 0, -3).Reshape(2, 2)).Err(), []string{"gather: index -3 at (1, 1)", "axis 0 of size 2"}},
		{"elements", x.GatherElements(1, ints(0, 9, 8, 0).Reshape(2, 2)).Err(), []string{"index 9 at (0, 1)"}},
		{"tuples", x.GatherND(ints(0, 2, 1, 3).Reshape(2, 2)).Err(), []string{"index 3 at (1, 1) is out of range for axis 1"}},
		{"scatter", x.ScatterAdd(0, ints(5, 0, 0).Reshape(1, 3), tensor.Scalar(1)).Err(), []string{"scatteradd: index 5 at (0, 0)"}},
		{"scatter at tuples", x.ScatterND(ints(2).Reshape(1, 1), tensor.Scalar(1)).Err(), []string{"scatternd: index 2 at (0, 0)"}},
		{"add", x.IndexAdd(0, ints(0, 7), tensor.Scalar(1)).Err(), []string{"indexadd: index 7 at (1)"}},
		{"of nothing", tensor.Zeros(dtype.Float32, 0).IndexSelect(0, ints(0)).Err(), []string{"there are no valid indices"}},
		{"least integer", x.IndexSelect(0, tensor.New([]int64{math.MinInt64})).Err(), []string{"index -9223372036854775808 at (0)"}},
	} {
		t.Run(c.name, func(t *testing.T) { wantError(t, c.err, device.ErrIndex, c.say...) })
	}
	var e *device.IndexError
	if err := x.IndexSelect(1, ints(0, 3)).Err(); !errors.As(err, &e) || e.Value != 3 || e.Axis != 1 || e.Size != 3 {
		t.Errorf("%+v", e)
	}
}

func TestGathersRefuse(t *testing.T) {
	x := iota32(2, 3)
	mask := tensor.New([]bool{true, false})
	for _, c := range []struct {
		name string
		err  error
		say  []string
	}{
		{"axis", x.Gather(2, ints(0)).Err(), []string{"gather: axis 2 is out of range for (2, 3); axes are -2 to 1"}},
		{"axis of a number", tensor.Scalar(1).Gather(0, ints(0)).Err(), []string{"there are none"}},
		{"floats", x.Gather(0, x).Err(), []string{"signed integers, not float32", "Cast(dtype.Int64)"}},
		{"weak float", x.Gather(0, tensor.Scalar(1.5)).Err(), []string{"signed integers"}},
		{"bools", x.Gather(0, mask).Err(), []string{"MaskedSelect"}},
		{"uint64", x.Gather(0, tensor.New([]uint64{1})).Err(), []string{"uint64"}},
		{"select by a matrix", x.IndexSelect(0, ints(0, 1).Reshape(2, 1)).Err(), []string{"(2, 1)", "Gather takes"}},
		{"ranks", x.GatherElements(0, ints(0)).Err(), []string{"1 axes", "2"}},
		{"longer elsewhere", x.GatherElements(0, ints(0, 0, 0, 0).Reshape(1, 4)).Err(), []string{"axis 1: 4 and 3"}},
		{"do not broadcast", x.TakeAlongAxis(0, ints(0, 0).Reshape(1, 2)).Err(), []string{"cannot broadcast"}},
		{"long tuples", x.GatherND(ints(0, 0, 0)).Err(), []string{"tuples of 3 indices for 2 axes"}},
		{"tuples without an axis", x.GatherND(ints(0).Reshape()).Err(), []string{"no axis for tuples"}},
		{"batches", x.GatherND(ints(0).Reshape(1, 1), tensor.GatherOpts{Batch: 1}).Err(), []string{"batch axis 0 is 2 and 1"}},
		{"too many batches", x.GatherND(ints(0), tensor.GatherOpts{Batch: 1}).Err(), []string{"1 batch axes"}},
		{"options twice", x.GatherND(ints(0), tensor.GatherOpts{}, tensor.GatherOpts{}).Err(), []string{"one at most"}},
		{"updates", x.ScatterElements(0, ints(0, 0).Reshape(1, 2), iota32(3)).Err(), []string{"scatterelements", "(3)"}},
		{"floats into integers", ints(1).ScatterAdd(0, ints(0), iota32(1)).Err(), []string{"cannot write float32 into int64"}},
		{"number too large", tensor.New([]uint8{1}).ScatterAdd(0, ints(0), tensor.Scalar(300)).Err(), []string{"300"}},
		{"no such merge", x.ScatterND(ints(0), x, tensor.MergeMax+1).Err(), []string{"no such merge"}},
		{"rank beyond", tensor.Zeros(dtype.Float32, make([]int, 32)...).Gather(0, ints(0).Reshape(1, 1)).Err(), []string{"33 axes"}},
		{"bytes overflow", iota32(1).BroadcastTo(math.MaxInt/8).Gather(0, ints(0).BroadcastTo(math.MaxInt)).Err(), []string{"too many"}},
		{"too large a mask", x.MaskedSelect(mask).Err(), []string{"cannot broadcast (2, 3) with (2)"}},
		{"mask of numbers", x.MaskedSelect(x).Err(), []string{"the mask is float32, not bool"}},
		{"one-hot of floats", x.OneHot(3, dtype.Float32).Err(), []string{"onehot: indices are integers"}},
		{"negative depth", ints(1).OneHot(-1, dtype.Float32).Err(), []string{"onehot: the depth is -1"}},
	} {
		t.Run(c.name, func(t *testing.T) { wantError(t, c.err, nil, c.say...) })
	}
	var s *broadcast.ShapeError
	if err := x.Gather(2, ints(0)).Err(); !errors.As(err, &s) {
		t.Errorf("%v is no ShapeError", err)
	}
	failed := x.Gather(9, ints(0))
	if r := failed.Gather(0, ints(0)); r != failed {
		t.Error("a failed operand is not returned as it is")
	}
	if r := x.Gather(0, failed); r != failed {
		t.Error("a failed index is not returned as it is")
	}
}

func TestGatherWithoutMemory(t *testing.T) {
	x := tensor.Ones(dtype.Float64, 1)
	wantError(t, x.IndexSelect(0, ints(0).BroadcastTo(math.MaxInt/8)).Err(), device.ErrOutOfMemory, "indexselect", "float64 is")
}

func TestIndexOperationsJoinTheScope(t *testing.T) {
	s := tensor.NewScope()
	x := iota32(2, 3).In(s)
	values, at := x.TopK(1, 1, true)
	results := []*tensor.Tensor{x.Gather(0, ints(0)), x.ScatterAdd(0, ints(0, 0, 0).Reshape(1, 3), tensor.Scalar(1)), values, at,
		x.CumSum(0), x.Cast(dtype.Float16).CumSum(0), x.Sort(0), x.NonZero(), x.MaskedSelect(x.Gt(tensor.Scalar(1))), ints(1).In(s).OneHot(3, dtype.Int64)}
	for i, r := range results {
		if r.Err() != nil {
			t.Fatalf("result %d: %v", i, r.Err())
		}
	}
	s.Close()
	for i, r := range results {
		if r.Err() != tensor.ErrFreed {
			t.Errorf("result %d after Close: %v", i, r.Err())
		}
	}
}

// A late device reports a bad index with the next read, names the operation
// and the line, and works on.
func TestIndexErrorsOfALateDevice(t *testing.T) {
	dev := lagging(t, devicetest.LagOptions{})
	x := iota32(4).To(dev)
	y := x.IndexSelect(0, ints(1, 4, 2).To(dev))
	if y.Err() != nil {
		t.Fatalf("the call itself fails: %v", y.Err())
	}
	_, err := tensor.Data[float32](y)
	wantError(t, err, device.ErrIndex, "indexselect at gather_test.go:", "index 4 at (1)")
	wantData(t, y, tensor.Shape{3}, float32(1), 0, 2)
	wantData(t, x.IndexSelect(0, ints(3).To(dev)), tensor.Shape{1}, float32(3))
}

func TestAbilitiesThroughTheHost(t *testing.T) {
	dev := lagging(t, devicetest.LagOptions{DropAbilities: true})
	x := iota32(4).Flip().To(dev)
	index := ints(1, 2).To(dev)
	for name, err := range map[string]error{"gather": x.Gather(0, index).Err(), "scatter": x.ScatterAdd(0, index, tensor.Scalar(1)).Err(),
		"running sums": x.CumSum(0).Err(), "sort": x.Sort(0).Err()} {
		wantError(t, err, device.ErrUnsupported, "lagging(cpu) has no "+name, "device.AllowHost(dev)")
	}
	device.AllowHost(dev)
	before := device.Stats(dev).HostFallbacks
	values, at := x.TopK(2, 0, true)
	wantData(t, values, tensor.Shape{2}, float32(3), 2)
	wantData(t, at, tensor.Shape{2}, int64(0), 1)
	wantData(t, x.Gather(0, index), tensor.Shape{2}, float32(2), 1)
	wantData(t, x.MaskedSelect(x.Gt(tensor.Scalar(0))), tensor.Shape{3}, float32(3), 2, 1)
	if values.Device() != dev || at.Device() != dev {
		t.Error("results stayed on the host")
	}
	if n := device.Stats(dev).HostFallbacks - before; n != 3 {
		t.Errorf("%d operations through the host are counted, want 3", n)
	}
	wantError(t, x.Gather(0, ints(4).To(dev)).Err(), device.ErrIndex, "index 4 at (0)")
	wantError(t, x.Gather(0, ints(1)).Err(), tensor.ErrDevices, "lagging(cpu)", cpu.Default().Info().Name)
}
