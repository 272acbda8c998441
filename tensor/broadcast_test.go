package tensor_test

import (
	"errors"
	"testing"

	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/cpu"
	"github.com/stride0/stride0/device/devicetest"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
	"github.com/stride0/stride0/tensor"
)

func TestBroadcastTensors(t *testing.T) {
	none, err := tensor.BroadcastTensors()
	if err != nil || len(none) != 0 {
		t.Errorf("of nothing: %v, %v", none, err)
	}
	one, err := tensor.BroadcastTensors(iota32(2, 1))
	if err != nil {
		t.Fatal(err)
	}
	wantData(t, one[0], tensor.Shape{2, 1}, float32(0), 1)

	two, err := tensor.BroadcastTensors(iota32(2, 1), tensor.New([]int64{5, 6}))
	if err != nil {
		t.Fatal(err)
	}
	wantData(t, two[0], tensor.Shape{2, 2}, float32(0), 0, 1, 1)
	wantData(t, two[1], tensor.Shape{2, 2}, int64(5), 6, 5, 6)

	three, err := tensor.BroadcastTensors(tensor.New([]bool{true, false}, 2, 1, 1), tensor.New([]uint8{7}).Reshape(), tensor.New([]float64{1, 2, 3}))
	if err != nil {
		t.Fatal(err)
	}
	wantData(t, three[0], tensor.Shape{2, 1, 3}, true, true, true, false, false, false)
	wantData(t, three[1], tensor.Shape{2, 1, 3}, uint8(7), 7, 7, 7, 7, 7)
	wantData(t, three[2], tensor.Shape{2, 1, 3}, 1.0, 2, 3, 1, 2, 3)

	empty, err := tensor.BroadcastTensors(iota32(0), iota32(1), iota32(3, 1))
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range empty {
		wantData[float32](t, v, tensor.Shape{3, 0})
	}
}

// One tensor of each rank up to the greatest, each with one axis of size 2.
func TestBroadcastManyTensors(t *testing.T) {
	const ranks = 12
	ts := make([]*tensor.Tensor, ranks)
	for i := range ts {
		sizes := make([]int, i+1)
		for k := range sizes {
			sizes[k] = 1
		}
		sizes[0] = 2
		ts[i] = tensor.New([]int32{0, 1 << i}, sizes...)
	}
	views, err := tensor.BroadcastTensors(ts...)
	if err != nil {
		t.Fatal(err)
	}
	sum := views[0]
	for _, v := range views[1:] {
		sum = sum.Add(v)
	}
	got := data[int32](t, sum)
	for i, v := range got { // axis ranks-1-i carries bit i of the index
		if int(v) != i {
			t.Fatalf("element %d of the sum is %d", i, v)
		}
	}
	if len(got) != 1<<ranks {
		t.Errorf("%d elements", len(got))
	}
}

func TestBroadcastTensorsCopyNothing(t *testing.T) {
	x, y := tensor.Zeros(dtype.Float32, 2, 1), tensor.Zeros(dtype.Int64, 2, 2)
	views, err := tensor.BroadcastTensors(x, y)
	if err != nil {
		t.Fatal(err)
	}
	into(t, x, kernels.Copy, tensor.Scalar(3))
	wantData(t, views[0], tensor.Shape{2, 2}, float32(3), 3, 3, 3)
	into(t, views[1], kernels.Copy, tensor.Scalar(4))
	wantData(t, y, tensor.Shape{2, 2}, int64(4), 4, 4, 4)
	wantError(t, tensor.Into(views[0], kernels.Copy, x), tensor.ErrShared, "axis 1 of (2, 2)")

	if err := x.Free(); err != nil {
		t.Fatal(err)
	}
	wantData(t, views[0], tensor.Shape{2, 2}, float32(3), 3, 3, 3)
}

func TestBroadcastTensorsRefuse(t *testing.T) {
	failed := iota32(2).Add(iota32(3))
	freed := iota32(2)
	if err := freed.Free(); err != nil {
		t.Fatal(err)
	}
	far := iota32(2).To(lagging(t, devicetest.LagOptions{}))
	for name, c := range map[string]struct {
		ts     []*tensor.Tensor
		reason error
		parts  []string
	}{
		"shapes that clash": {[]*tensor.Tensor{iota32(3, 2), iota32(1), iota32(3)}, nil,
			[]string{"broadcasttensors: cannot broadcast (3, 2) with (3) (operands 1 and 3 of 3)", "unsqueeze (3) at axis 1", "broadcast_test.go"}},
		"a Scalar": {[]*tensor.Tensor{iota32(2), tensor.Scalar(1)}, nil,
			[]string{"broadcasttensors: operand 2 of 2 is a Scalar", "Full"}},
		"only Scalars":                    {[]*tensor.Tensor{tensor.Scalar(1)}, nil, []string{"operand 1 of 1 is a Scalar"}},
		"two devices":                     {[]*tensor.Tensor{iota32(2), far}, tensor.ErrDevices, []string{"broadcasttensors", "cpu", "lagging(cpu)", "To"}},
		"nil":                             {[]*tensor.Tensor{iota32(2), nil}, tensor.ErrEmpty, []string{"broadcasttensors"}},
		"a zero Tensor":                   {[]*tensor.Tensor{{}}, tensor.ErrEmpty, []string{"broadcasttensors"}},
		"a freed tensor":                  {[]*tensor.Tensor{freed, iota32(2)}, tensor.ErrFreed, []string{"broadcasttensors"}},
		"the leftmost of failed tensors":  {[]*tensor.Tensor{iota32(4), failed, nil}, nil, []string{"add: cannot broadcast (2) with (3)"}},
		"a failed tensor before a Scalar": {[]*tensor.Tensor{tensor.Scalar(1), failed}, nil, []string{"add: cannot broadcast"}},
	} {
		t.Run(name, func(t *testing.T) {
			views, err := tensor.BroadcastTensors(c.ts...)
			wantError(t, err, c.reason, c.parts...)
			if views != nil {
				t.Errorf("%d views beside an error", len(views))
			}
		})
	}
}

func TestBroadcastTensorsErrorHoldsShapesAndDTypes(t *testing.T) {
	_, err := tensor.BroadcastTensors(iota32(3, 2), tensor.New([]int64{1, 2, 3}))
	var e *tensor.Error
	var shape *broadcast.ShapeError
	if !errors.As(err, &e) || !errors.As(err, &shape) {
		t.Fatalf("%T %v", err, err)
	}
	if len(e.Shapes) != 2 || !e.Shapes[1].Equal(tensor.Shape{3}) || e.DTypes[1] != dtype.Int64 || shape.Axis != -1 {
		t.Errorf("%+v around %+v", e, shape)
	}
}

func TestBroadcastTensorsBelongToTheirScope(t *testing.T) {
	s := tensor.NewScope()
	x, y := iota32(2, 1), iota32(2)
	views, err := tensor.BroadcastTensors(x.In(s), y)
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
	wantError(t, views[0].Err(), tensor.ErrFreed)
	wantData(t, views[1], tensor.Shape{2, 2}, float32(0), 1, 0, 1)
	wantData(t, x, tensor.Shape{2, 1}, float32(0), 1)
}

// Neither views that were freed nor calls that failed hold on to memory.
func TestBroadcastTensorsLeaveNothingLive(t *testing.T) {
	settle() // no other test's garbage falls away meanwhile
	before := live()
	x, y := tensor.Zeros(dtype.Float32, large), tensor.Zeros(dtype.Int64, large, 1)
	views, err := tensor.BroadcastTensors(x, y)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tensor.BroadcastTensors(x, y, iota32(2)); err == nil {
		t.Error("no error")
	}
	if _, err := tensor.BroadcastTensors(x, y, nil); err == nil {
		t.Error("no error")
	}
	for _, v := range append(views, x, y) {
		if err := v.Free(); err != nil {
			t.Error(err)
		}
	}
	if n := live() - before; n > 0 {
		t.Errorf("%d bytes are live", n)
	}
}

// Views of tensors on a device stay there.
func TestBroadcastTensorsOnADevice(t *testing.T) {
	dev := lagging(t, devicetest.LagOptions{Seed: 4})
	place := tensor.On(dev)
	views, err := tensor.BroadcastTensors(place.Arange(dtype.Float32, 0, 2, 1), place.Ones(dtype.Int32, 2, 1))
	if err != nil {
		t.Fatal(err)
	}
	if views[0].Device() != dev || views[0].Device() == cpu.Default() {
		t.Errorf("the view is on %v", views[0].Device())
	}
	wantData(t, views[0].Add(views[1]), tensor.Shape{2, 2}, float32(1), 2, 1, 2)
}
