package tensor_test

import (
	"errors"
	"testing"

	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/cpu"
	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/device/devicetest"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

// must fails the test for a write that did not work.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// onDevices runs a test on the CPU and on a device that works late.
func onDevices(t *testing.T, f func(t *testing.T, on tensor.Place, dev device.Device)) {
	for name, dev := range map[string]device.Device{"cpu": cpu.Default(), "lagging": lagging(t, devicetest.LagOptions{Seed: 5})} {
		t.Run(name, func(t *testing.T) { f(t, tensor.On(dev), dev) })
	}
}

func TestAssignBroadcastsTheSourceOnly(t *testing.T) {
	onDevices(t, func(t *testing.T, on tensor.Place, dev device.Device) {
		x := on.Zeros(dtype.Float32, 2, 3)
		must(t, x.Assign(on.Arange(dtype.Int64, 1, 4, 1)))
		wantData(t, x, tensor.Shape{2, 3}, float32(1), 2, 3, 1, 2, 3)
		must(t, x.Assign(tensor.New([]float64{7, 8}, 2, 1).To(dev)))
		wantData(t, x, tensor.Shape{2, 3}, float32(7), 7, 7, 8, 8, 8)
		must(t, x.Assign(tensor.Scalar(2.5)))
		wantData(t, x, tensor.Shape{2, 3}, float32(2.5), 2.5, 2.5, 2.5, 2.5, 2.5)

		small := on.Zeros(dtype.Float32, 3)
		wantError(t, small.Assign(x), nil, "assign: cannot write (2, 3) into (3): a destination is never enlarged", "assign_test.go")
		wantError(t, small.AddAssign(x), nil, "add: cannot write (2, 3) into (3)", "assign_test.go")
		wantError(t, small.Assign(on.Zeros(dtype.Float32, 0)), nil, "assign: cannot write (0) into (3)")
		wantData(t, small, tensor.Shape{3}, float32(0), 0, 0)
	})
}

func TestWritesKeepTheDType(t *testing.T) {
	i := tensor.New([]int32{4, 5})
	u := tensor.New([]uint8{1, 2})
	b := tensor.New([]bool{true, false})
	for name, err := range map[string]error{
		"assign: cannot write float32 into int32": i.Assign(tensor.New([]float32{1, 2})),
		"assign: cannot write int32 into uint8":   u.Assign(i),
		"assign: cannot write uint8 into bool":    b.Assign(u),
		"add: cannot write float32 into int32":    i.AddAssign(tensor.Scalar(1.5)),
		"div: cannot write float32 into int32":    i.DivAssign(i),
		"fill: int32 cannot hold the float 1.5":   i.Fill(1.5),
		"fill: 256 is outside the range of uint8": u.Fill(256),
		"fill: bool cannot hold the integer 1":    b.Fill(1),
		"set: int32 cannot hold the float 0.5":    i.Set(0.5, 0),
		"set: -1 is outside the range of uint8":   u.Set(-1, 1),
	} {
		wantError(t, err, nil, name, "assign_test.go")
		var e *tensor.Error
		if !errors.As(err, &e) || len(e.Shapes) == 0 || len(e.DTypes) == 0 {
			t.Errorf("%s: no shapes or dtypes in %#v", name, err)
		}
	}
	wantError(t, i.Fill("1"), nil, "fill: ", "Go bool, integer or float")
	wantError(t, u.Set(nil, 1), nil, "set: ", "Go bool, integer or float")
	wantData(t, i, tensor.Shape{2}, int32(4), 5)
	wantData(t, u, tensor.Shape{2}, uint8(1), 2)
	wantData(t, b, tensor.Shape{2}, true, false)

	must(t, i.Assign(tensor.New([]int64{1<<32 + 9, -1})))
	wantData(t, i, tensor.Shape{2}, int32(9), -1)
	must(t, u.AddAssign(tensor.Scalar(254)))
	wantData(t, u, tensor.Shape{2}, uint8(255), 0)
	f := tensor.Zeros(dtype.Float32, 2)
	must(t, f.Fill(true))
	must(t, f.AddAssign(tensor.New([]float64{1, 2})))
	wantData(t, f, tensor.Shape{2}, float32(2), 3)
}

func TestArithmeticAssign(t *testing.T) {
	for name, c := range map[string]struct {
		write func(x, y *tensor.Tensor) error
		want  []float32
	}{
		"add":     {(*tensor.Tensor).AddAssign, []float32{4, 10}},
		"sub":     {(*tensor.Tensor).SubAssign, []float32{0, 6}},
		"mul":     {(*tensor.Tensor).MulAssign, []float32{4, 16}},
		"div":     {(*tensor.Tensor).DivAssign, []float32{1, 4}},
		"minimum": {(*tensor.Tensor).MinimumAssign, []float32{2, 2}},
		"maximum": {(*tensor.Tensor).MaximumAssign, []float32{2, 8}},
	} {
		x, two := tensor.New([]float32{2, 8}), tensor.New([]float32{2}, 1)
		must(t, c.write(x, two))
		t.Run(name, func(t *testing.T) {
			wantData(t, x, tensor.Shape{2}, c.want...)
			wantData(t, two, tensor.Shape{1}, float32(2))
		})
	}
}

func TestSetOneElement(t *testing.T) {
	onDevices(t, func(t *testing.T, on tensor.Place, dev device.Device) {
		x := on.Zeros(dtype.Float64, 2, 3)
		must(t, x.Set(5, 1, 2))
		must(t, x.Set(-1.5, -2, -3))
		must(t, x.T().Set(true, 1, 0)) // element (0, 1) of x
		wantData(t, x, tensor.Shape{2, 3}, -1.5, 1, 0, 0, 0, 5)
		one := on.Full(dtype.Int64, 3)
		must(t, one.Set(uint8(4)))
		wantData(t, one, tensor.Shape{}, int64(4))

		wantError(t, x.Set(1, 0), nil, "set: 1 indices do not name an element of (2, 3)", "give 2")
		wantError(t, x.Set(1, 0, 0, 0), nil, "set: 3 indices")
		wantError(t, one.Set(1, 0), nil, "set: 1 indices do not name an element of ()")
		wantError(t, x.Set(1, 0, 3), nil, "set: index 3 is out of range for axis 1 of (2, 3)")
		wantError(t, x.Set(1, -3, 0), nil, "set: index -3 is out of range for axis 0 of (2, 3)")
		wantError(t, on.Zeros(dtype.Float32, 0).Set(1, 0), nil, "set: index 0 is out of range")
		wantData(t, x, tensor.Shape{2, 3}, -1.5, 1, 0, 0, 0, 5)
	})
}

func TestWritesThroughViews(t *testing.T) {
	onDevices(t, func(t *testing.T, on tensor.Place, dev device.Device) {
		base := on.Zeros(dtype.Float32, 3, 4)
		other := base.T()
		must(t, base.Slice(tensor.All, tensor.R(1, tensor.End, 2)).Fill(1))
		wantData(t, base, tensor.Shape{3, 4}, float32(0), 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1)
		must(t, base.Slice(tensor.R(0, 2), tensor.R(0, 2)).T().Assign(on.Arange(dtype.Float32, 5, 7, 1)))
		wantData(t, base, tensor.Shape{3, 4}, float32(5), 5, 0, 1, 6, 6, 0, 1, 0, 1, 0, 1)
		must(t, base.Index(0, -1).Flip().MulAssign(on.Arange(dtype.Float32, 1, 5, 1)))
		wantData(t, other.Index(1, 2), tensor.Shape{4}, float32(0), 3, 0, 1)
		must(t, base.Slice(tensor.R(1, 1)).Fill(9)) // no elements
		wantData(t, base.Index(0, 1), tensor.Shape{4}, float32(6), 6, 0, 1)
	})
}

func TestWritesRefuseSharedCells(t *testing.T) {
	x := tensor.Ones(dtype.Float32, 3, 1)
	wide := x.BroadcastTo(2, 3, 4)
	for op, err := range map[string]error{
		"assign": wide.Assign(x),
		"fill":   wide.Fill(2),
		"set":    wide.Set(2, 0, 0, 0),
		"add":    wide.AddAssign(x),
	} {
		wantError(t, err, tensor.ErrShared, op+": cannot write: along axis 0 of (2, 3, 4)", "Clone")
	}
	wantError(t, wide.Index(0, 0).Fill(2), tensor.ErrShared, "axis 1 of (3, 4)")
	wantData(t, x, tensor.Shape{3, 1}, float32(1), 1, 1)
	must(t, wide.Index(0, 1).Slice(tensor.All, tensor.R(2, 3)).Fill(2)) // each cell once
	wantData(t, x, tensor.Shape{3, 1}, float32(2), 2, 2)
}

func TestAssignReadsBeforeItWrites(t *testing.T) {
	onDevices(t, func(t *testing.T, on tensor.Place, dev device.Device) {
		head, tail := tensor.R(0, -1), tensor.R(1, tensor.End)
		x := on.Arange(dtype.Float32, 0, 9, 1).Reshape(3, 3)
		must(t, x.AddAssign(x.T()))
		wantData(t, x, tensor.Shape{3, 3}, float32(0), 4, 8, 4, 8, 12, 8, 12, 16)
		v := on.Arange(dtype.Int64, 1, 6, 1)
		must(t, v.Slice(tail).AddAssign(v.Slice(head)))
		wantData(t, v, tensor.Shape{5}, int64(1), 3, 5, 7, 9)
		must(t, v.Slice(head).Assign(v.Slice(tail)))
		wantData(t, v, tensor.Shape{5}, int64(3), 5, 7, 9, 9)
		must(t, v.SubAssign(v.Slice(tensor.R(1, 2)))) // a (1,) operand inside the output
		wantData(t, v, tensor.Shape{5}, int64(-2), 0, 2, 4, 4)
		must(t, v.Assign(v.Flip()))
		wantData(t, v, tensor.Shape{5}, int64(4), 4, 2, 0, -2)
		a := on.Arange(dtype.Int64, 0, 16, 1).Reshape(4, 4)
		block := a.Slice(tensor.R(0, 3), tensor.R(0, 3))
		must(t, block.Assign(block.T()))
		wantData(t, a, tensor.Shape{4, 4}, int64(0), 4, 8, 3, 1, 5, 9, 7, 2, 6, 10, 11, 12, 13, 14, 15)

		before := device.Stats(dev).OverlapCopies
		must(t, a.Slice(tensor.All, tensor.R(0, tensor.End, 2)).AddAssign(a.Slice(tensor.All, tensor.R(1, tensor.End, 2))))
		must(t, a.AddAssign(a))
		must(t, a.Assign(a))
		if n := device.Stats(dev).OverlapCopies - before; n != 0 {
			t.Errorf("%d copies for views that interleave or coincide", n)
		}
		must(t, a.AddAssign(a.T()))
		if n := device.Stats(dev).OverlapCopies - before; n != 1 {
			t.Errorf("%d copies for one operand that overlaps, want 1", n)
		}
	})
}

func TestWritesToWhatCannotBeWritten(t *testing.T) {
	x := tensor.Ones(dtype.Float32, 2)
	failed := x.Add(tensor.Ones(dtype.Float32, 3))
	freed := tensor.Ones(dtype.Float32, 2)
	must(t, freed.Free())
	writes := map[string]func(dst, src *tensor.Tensor) error{
		"assign": (*tensor.Tensor).Assign,
		"add":    (*tensor.Tensor).AddAssign,
		"fill":   func(dst, src *tensor.Tensor) error { return dst.Fill(1) },
		"set":    func(dst, src *tensor.Tensor) error { return dst.Set(1, 0) },
	}
	for op, write := range writes {
		wantError(t, write(nil, x), tensor.ErrEmpty, op+": ")
		wantError(t, write(new(tensor.Tensor), x), tensor.ErrEmpty, op+": ")
		wantError(t, write(freed, x), tensor.ErrFreed, op+": ")
		if err := write(failed, x); err != failed.Err() {
			t.Errorf("%s: %v, want the error of the failed tensor", op, err)
		}
		wantError(t, write(tensor.Scalar(1), x), nil, op+": cannot write into a Scalar")
		if op == "assign" || op == "add" {
			wantError(t, write(x, nil), tensor.ErrEmpty, op+": ")
			wantError(t, write(x, freed), tensor.ErrFreed, op+": ")
			if err := write(x, failed); err != failed.Err() {
				t.Errorf("%s: %v, want the error of the failed operand", op, err)
			}
			other := tensor.On(lagging(t, devicetest.LagOptions{})).Ones(dtype.Float32, 2)
			wantError(t, write(x, other), tensor.ErrDevices, op+": ", "lagging(cpu)")
		}
	}
	wantData(t, x, tensor.Shape{2}, float32(1), 1)
	var s *broadcast.ShapeError
	if err := x.Assign(tensor.Ones(dtype.Float32, 3)); !errors.As(err, &s) || s.Hint == "" {
		t.Errorf("%v is no ShapeError with a hint", err)
	}
}

// Writes leave no reference behind, whether they work or not.
func TestWritesLeaveNothingLive(t *testing.T) {
	settle()
	before := live()
	x := tensor.Zeros(dtype.Float32, large)
	must(t, x.Set(1, 3))
	must(t, x.Fill(2))
	must(t, x.AddAssign(x.Slice(tensor.R(0, 1))))
	_ = x.Set(1, large)
	_ = x.Set("one", 0)
	s := tensor.NewScope()
	in := x.In(s)
	must(t, in.Set(4, 0))
	s.Close()
	must(t, x.Free())
	if got := live() - before; got > 0 {
		// The slice above is garbage that still holds x.
		settle()
		if got = live() - before; got > 0 {
			t.Errorf("%d bytes are still live", got)
		}
	}
}
