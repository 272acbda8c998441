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
	"github.com/stride0/stride0/kernels"
	"github.com/stride0/stride0/tensor"
)

func TestPriceOfAShape(t *testing.T) {
	for _, c := range []struct {
		d     dtype.DType
		sizes []int
		want  int64
	}{
		{dtype.Float32, []int{32, 2048, 4096}, 1 << 30},
		{dtype.Float64, nil, 8},
		{dtype.Bool, []int{3, 5}, 15},
		{dtype.Int64, []int{1000, 0}, 0},
	} {
		if got, err := tensor.Price(c.d, c.sizes...); got != c.want || err != nil {
			t.Errorf("Price(%v, %v) = %d, %v, want %d", c.d, c.sizes, got, err, c.want)
		}
	}
	for name, sizes := range map[string][]int{"negative": {2, -1}, "bytes overflow": {math.MaxInt / 2, 1}, "beside an empty axis": {0, math.MaxInt, 3}} {
		var s *broadcast.ShapeError
		if _, err := tensor.Price(dtype.Float32, sizes...); !errors.As(err, &s) {
			t.Errorf("%s: %v", name, err)
		} else {
			wantError(t, err, nil, "price: ", "price_test.go")
		}
	}
	_, err := tensor.Price(dtype.Invalid, 2)
	wantError(t, err, nil, "price: invalid is no dtype")
}

// counting is a device that counts what is allocated.
type counting struct {
	device.Base
	device.Device
	device.MatMuler
	bytes int64
}

func (d *counting) Alloc(bytes int64) (device.Buffer, error) {
	d.bytes += bytes
	return d.Device.Alloc(bytes)
}

// What an operation is priced at is what it allocates, and pricing allocates
// nothing.
func TestPriceIsWhatIsAllocated(t *testing.T) {
	dev := &counting{Device: cpu.Default(), MatMuler: cpu.Default()}
	on := tensor.On(dev)
	row, column := on.Ones(dtype.Float32, 300), on.Ones(dtype.Float32, 200, 1)
	long, ints := on.Ones(dtype.Float32, 3, 5000), on.Ones(dtype.Int32, 300, 200)
	strided := on.Ones(dtype.Float32, 400, 600).Slice(tensor.R(0, 400, 2), tensor.R(0, 600, 2)) // (200, 300)
	keep := kernels.Attr{Axes: kernels.Axes(1), Keep: true}
	empty, two := long.Slice(tensor.All, tensor.R(0, 0)), tensor.Scalar(2)
	for name, c := range map[string]struct {
		price func() (tensor.Cost, error)
		run   func() error
		want  tensor.Cost
	}{
		"outer sum": {
			func() (tensor.Cost, error) { return tensor.PriceOf(kernels.Add, column, row) },
			func() error { return column.Add(row).Err() }, tensor.Cost{Result: 4 * 300 * 200}},
		"comparison with a number": {
			func() (tensor.Cost, error) { return tensor.PriceOf(kernels.Lt, row, two) },
			func() error { return row.Lt(two).Err() }, tensor.Cost{Result: 300}},
		"cast": {
			func() (tensor.Cost, error) {
				return tensor.PriceOf(kernels.Cast.With(kernels.Attr{DType: dtype.Float64}), row)
			},
			func() error { return row.Cast(dtype.Float64).Err() }, tensor.Cost{Result: 8 * 300}},
		"sum with a tree of blocks": {
			func() (tensor.Cost, error) { return tensor.PriceOf(kernels.Sum.With(keep), long) },
			func() error { return long.SumKeep(1).Err() }, tensor.Cost{Result: 4 * 3, Scratch: 4 * 3 * 5}},
		"empty": {
			func() (tensor.Cost, error) { return tensor.PriceOf(kernels.Neg, empty) },
			func() error { return empty.Neg().Err() }, tensor.Cost{}},
		"in place": {
			func() (tensor.Cost, error) { return tensor.PriceInto(row, kernels.Add, row, two) },
			func() error { return row.AddAssign(two) }, tensor.Cost{}},
		"overlapping": {
			func() (tensor.Cost, error) { return tensor.PriceInto(row, kernels.Add, row.Flip(), row) },
			func() error { return tensor.Into(row, kernels.Add, row.Flip(), row) }, tensor.Cost{Copies: 4 * 300}},
		"numbers into": {
			func() (tensor.Cost, error) { return tensor.PriceInto(row, kernels.Add, two, two) },
			func() error { return tensor.Into(row, kernels.Add, two, two) }, tensor.Cost{}},
		"fill": {
			func() (tensor.Cost, error) { return tensor.PriceInto(row, kernels.Copy, two) },
			func() error { return row.Fill(2) }, tensor.Cost{}},
		"matmul with copies": {
			func() (tensor.Cost, error) { return tensor.PriceMatMul(strided, ints) },
			func() error { return strided.MatMul(ints).Err() },
			tensor.Cost{Result: 4 * 200 * 200, Copies: 2 * 4 * 200 * 300}},
		"matmul transposed": {
			func() (tensor.Cost, error) { return tensor.PriceMatMul(column.T(), column) },
			func() error { return column.T().MatMul(column).Err() }, tensor.Cost{Result: 4}},
		"matmul of nothing": {
			func() (tensor.Cost, error) { return tensor.PriceMatMul(empty.T(), long) },
			func() error { return empty.T().MatMul(long).Err() }, tensor.Cost{}},
	} {
		t.Run(name, func(t *testing.T) {
			dev.bytes = 0
			got, err := c.price()
			if got != c.want || err != nil {
				t.Errorf("%+v, %v, want %+v", got, err, c.want)
			}
			if dev.bytes != 0 {
				t.Errorf("pricing allocated %d bytes", dev.bytes)
			}
			if err := c.run(); err != nil || dev.bytes != c.want.Total() {
				t.Errorf("running allocated %d bytes (%v), want %d", dev.bytes, err, c.want.Total())
			}
		})
	}
}

// Pricing fails as the operation would.
func TestPriceOfWhatFails(t *testing.T) {
	x, y := tensor.Ones(dtype.Float32, 3, 2), tensor.Ones(dtype.Float32, 3)
	freed := tensor.Ones(dtype.Float32, 2)
	must(t, freed.Free())
	failed := x.Add(y)
	price := func(_ tensor.Cost, err error) error { return err }
	wantError(t, price(tensor.PriceOf(kernels.Add, x, y)), nil, "add: cannot broadcast (3, 2) with (3)", "price_test.go")
	wantError(t, price(tensor.PriceOf(kernels.Add, x)), nil, "add: takes 2 operands, got 1")
	wantError(t, price(tensor.PriceOf(nil, x)), nil, "priceof: nil operation")
	wantError(t, price(tensor.PriceOf(kernels.Op(63), x)), nil, "no such operation")
	wantError(t, price(tensor.PriceOf(kernels.Add, x, freed)), tensor.ErrFreed, "add: ")
	wantError(t, price(tensor.PriceOf(kernels.Add, x, nil)), tensor.ErrEmpty, "add: ")
	wantError(t, price(tensor.PriceInto(nil, kernels.Add, x, x)), tensor.ErrEmpty, "add: ")
	wantError(t, price(tensor.PriceInto(freed, kernels.Add, x, x)), tensor.ErrFreed, "add: ")
	wantError(t, price(tensor.PriceInto(y, kernels.Add, x, x)), nil, "never enlarged")
	wantError(t, price(tensor.PriceInto(x, nil, x)), nil, "priceinto: nil operation")
	wantError(t, price(tensor.PriceInto(tensor.Scalar(1), kernels.Neg, x)), nil, "cannot write into a Scalar")
	wantError(t, price(tensor.PriceInto(x.Slice(tensor.R(0, 1)).BroadcastTo(3, 2), kernels.Neg, x)), tensor.ErrShared, "neg: ")
	wantError(t, price(tensor.PriceInto(tensor.Zeros(dtype.Uint8, 1), kernels.Add, tensor.Scalar(200), tensor.Scalar(200))), nil, "add: 400 is outside the range")
	wantError(t, price(tensor.PriceMatMul(x, x)), nil, "matmul: cannot multiply (3, 2) by (3, 2)")
	wantError(t, price(tensor.PriceMatMul(tensor.Scalar(1), tensor.Scalar(1))), nil, "matmul: ")
	other := x.To(lagging(t, devicetest.LagOptions{}))
	wantError(t, price(tensor.PriceOf(kernels.Add, x, other)), tensor.ErrDevices, "add: ")
	if err := price(tensor.PriceOf(kernels.Exp, failed)); err != failed.Err() {
		t.Errorf("%v, want the error of the failed operand", err)
	}
	if c, err := tensor.PriceOf(kernels.Add, tensor.Scalar(1), tensor.Scalar(2)); c != (tensor.Cost{}) || err != nil {
		t.Errorf("numbers cost %+v, %v", c, err)
	}
	wantError(t, price(tensor.PriceInto(x.Slice(tensor.R(0, 1), tensor.R(0, 1)).Squeeze(),
		kernels.Sum, x.Slice(tensor.R(0, 1), tensor.R(0, 1)).BroadcastTo(math.MaxInt/4+2, 1))), nil, "sum: ")
}

// A shape that no memory holds can be priced before it is asked for.
func TestPriceOfMoreThanThereIs(t *testing.T) {
	side := 1 << 14
	if math.MaxInt > math.MaxInt32 {
		side = 1 << 30
	}
	x := tensor.Ones(dtype.Uint8, 1).BroadcastTo(side)
	c, err := tensor.PriceOf(kernels.Add, x.Unsqueeze(1), x)
	if want := int64(side) * int64(side); c.Total() != want || err != nil {
		t.Errorf("%+v, %v, want %d", c, err, want)
	}
}

// A Cast of a number gives a tensor where other operations on numbers give
// numbers; into a destination it must fit all the same.
func TestPriceIntoOfACastNumberFailsAsIntoDoes(t *testing.T) {
	half := kernels.Cast.With(kernels.Attr{DType: dtype.Float32})
	for name, dst := range map[string]*tensor.Tensor{
		"fits":     tensor.Zeros(dtype.Float32, 2),
		"no float": tensor.Zeros(dtype.Bool, 2),
		"shared":   tensor.Zeros(dtype.Float32, 1).BroadcastTo(2),
	} {
		_, err := tensor.PriceInto(dst, half, tensor.Scalar(0.5))
		if into := tensor.Into(dst, half, tensor.Scalar(0.5)); (err == nil) != (into == nil) || (err == nil) != (name == "fits") {
			t.Errorf("%s: PriceInto says %v, Into %v", name, err, into)
		}
	}
}
