package tensor_test

import (
	"testing"
	"unsafe"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
	"github.com/stride0/stride0/tensor"
)

// Writes in place to a stretched tensor would add to one cell many times.
func TestFaultInPlaceOnAStretchedTensor(t *testing.T) {
	onEveryDevice(t, func(t *testing.T, p place) {
		one := p.put(tensor.Ones(dtype.Float32, 1, 1))
		row := p.put(tensor.New([]float32{2}))
		base := p.iota(10)
		for name, err := range map[string]error{
			"add to (4, 5)":            one.BroadcastTo(4, 5).AddAssign(tensor.Scalar(1)),
			"multiply (1, 3)":          row.BroadcastTo(1, 3).MulAssign(tensor.Scalar(2)),
			"copy into (10, 10)":       base.BroadcastTo(10, 10).Assign(base),
			"column into (10, 10)":     base.Unsqueeze(1).BroadcastTo(10, 10).Assign(base),
			"Into":                     tensor.Into(one.BroadcastTo(4, 5), kernels.Exp, one),
			"a reduction":              tensor.Into(row.BroadcastTo(3), kernels.Sum.With(kernels.Attr{Axes: kernels.Axes(0)}), p.iota(2, 3)),
			"fill":                     one.BroadcastTo(4, 5).Fill(7),
			"set":                      one.BroadcastTo(4, 5).Set(7, 0, 0),
			"windows that share cells": base.Windows(0, 3, 2).Fill(7),
			"a slice still stretched":  one.BroadcastTo(4, 5).Slice(tensor.R(0, 2)).Fill(7),
		} {
			t.Run(name, func(t *testing.T) { wantError(t, err, tensor.ErrShared, "along axis", "Clone") })
		}
		wantData(t, one, tensor.Shape{1, 1}, float32(1))
		wantData(t, row, tensor.Shape{1}, float32(2))
		wantData(t, base, tensor.Shape{10}, float32(0), 1, 2, 3, 4, 5, 6, 7, 8, 9)
	})
}

// x += x.T on one buffer, below and above any staging buffer.
func TestFaultAddTransposedToItself(t *testing.T) {
	onEveryDevice(t, func(t *testing.T, p place) {
		for _, d := range []dtype.DType{dtype.Float32, dtype.Int32, dtype.Uint8} {
			for _, n := range []int{3, 100, 200} {
				x := p.put(tensor.Arange(dtype.Int64, 0, n*n, 1).Cast(d).Reshape(n, n))
				want := x.Add(x.T().Clone()).Clone()
				if err := x.AddAssign(x.T()); err != nil {
					t.Fatal(err)
				}
				wantData(t, x.Ne(want).Sum(), tensor.Shape{}, int64(0))
				wantData(t, x.Ne(x.T()).Sum(), tensor.Shape{}, int64(0))
				if d == dtype.Int32 && n == 100 {
					wantData(t, x.Sum(), tensor.Shape{}, int64(99_990_000))
				}
			}
		}
	})
}

func TestFaultOperandsOverlapTheResult(t *testing.T) {
	head, tail := tensor.R(0, -1), tensor.R(1, tensor.End)
	block := []tensor.Range{tensor.R(0, 3), tensor.R(0, 3)}
	for name, c := range map[string]struct {
		base *tensor.Tensor
		do   func(x *tensor.Tensor) error
		want []float32
	}{
		"block transposed into itself": {iota32(4, 4), func(x *tensor.Tensor) error {
			return x.Slice(block...).Assign(x.Slice(block...).T())
		}, []float32{0, 4, 8, 3, 1, 5, 9, 7, 2, 6, 10, 11, 12, 13, 14, 15}},
		"shifted sum": {iota32(10).AddScalar(1), func(x *tensor.Tensor) error {
			return x.Slice(tail).AddAssign(x.Slice(head))
		}, []float32{1, 3, 5, 7, 9, 11, 13, 15, 17, 19}},
		"shift to the front": {iota32(5), func(x *tensor.Tensor) error {
			return x.Slice(head).Assign(x.Slice(tail))
		}, []float32{1, 2, 3, 4, 4}},
		"shift to the back": {iota32(5), func(x *tensor.Tensor) error {
			return x.Slice(tail).Assign(x.Slice(head))
		}, []float32{0, 0, 1, 2, 3}},
		"reversed into itself": {iota32(10), func(x *tensor.Tensor) error {
			return tensor.Into(x, kernels.Neg, x.Flip())
		}, []float32{-9, -8, -7, -6, -5, -4, -3, -2, -1, minus0}},
		"one element of the result": {iota32(4).AddScalar(1), func(x *tensor.Tensor) error {
			return tensor.Into(x, kernels.Div, x, x.Slice(tensor.R(1, 2)))
		}, []float32{.5, 1, 1.5, 2}},
		"a row of the result": {iota32(3, 2), func(x *tensor.Tensor) error {
			return x.AddAssign(x.Index(0, 1))
		}, []float32{2, 4, 4, 6, 6, 8}},
		"the mask is the result": {iota32(4), func(x *tensor.Tensor) error {
			return tensor.Into(x, kernels.Where, x.Gt(tensor.Scalar(1)), x.Flip(), x)
		}, []float32{0, 1, 1, 0}},
		"reduced into a slice of the input": {iota32(3, 3), func(x *tensor.Tensor) error {
			return tensor.Into(x.Index(1, 1), kernels.Sum.With(kernels.Attr{Axes: kernels.Axes(1)}), x)
		}, []float32{0, 3, 2, 3, 12, 5, 6, 21, 8}},
		"windows summed into their base": {iota32(5), func(x *tensor.Tensor) error {
			return tensor.Into(x.Slice(tensor.R(1, 4)), kernels.Sum.With(kernels.Attr{Axes: kernels.Axes(-1)}), x.Windows(0, 3, 1))
		}, []float32{0, 3, 6, 9, 4}},
	} {
		t.Run(name, func(t *testing.T) {
			onEveryDevice(t, func(t *testing.T, p place) {
				x := p.put(c.base).Clone()
				if err := c.do(x); err != nil {
					t.Fatal(err)
				}
				wantData(t, x, c.base.Shape(), c.want...)
			})
		})
	}
}

// Operations that do not commute, with either operand or both as the result,
// and with a number on the left.
func TestFaultEitherOperandIsTheResult(t *testing.T) {
	onEveryDevice(t, func(t *testing.T, p place) {
		for _, op := range []kernels.Op{kernels.Div, kernels.Sub} {
			a, b := p.put(tensor.New([]float32{1, 2, 3, 4})), p.put(tensor.New([]float32{2, 2, 3, 3}))
			want, same := []float32{.5, 1, 1, 4.0 / 3}, []float32{1, 1, 1, 1}
			inverse := []float32{4, 4, 8. / 3, 8. / 3}
			if op == kernels.Sub {
				want, same, inverse = []float32{-1, 0, 0, 1}, []float32{0, 0, 0, 0}, []float32{6, 6, 5, 5}
			}
			left, right, both, number := a.Clone(), b.Clone(), b.Clone(), b.Clone()
			for _, err := range []error{tensor.Into(left, op, left, b), tensor.Into(right, op, a, right),
				tensor.Into(both, op, both, both), tensor.Into(number, op, tensor.Scalar(8), number)} {
				if err != nil {
					t.Fatal(err)
				}
			}
			wantData(t, left, tensor.Shape{4}, want...)
			wantData(t, right, tensor.Shape{4}, want...)
			wantData(t, both, tensor.Shape{4}, same...)
			wantData(t, number, tensor.Shape{4}, inverse...)
			wantData(t, a, tensor.Shape{4}, float32(1), 2, 3, 4)
			wantData(t, b, tensor.Shape{4}, float32(2), 2, 3, 3)
		}
	})
}

// Views that interleave or lie side by side are no overlap: nothing is copied.
func TestFaultNeighboursAreNoOverlap(t *testing.T) {
	onEveryDevice(t, func(t *testing.T, p place) {
		copies := func() int64 { return device.Stats(p.Device).OverlapCopies }
		x := p.iota(4, 8)
		before := copies()
		even, odd := tensor.R(0, tensor.End, 2), tensor.R(1, tensor.End, 2)
		for _, err := range []error{
			x.Slice(tensor.All, even).AddAssign(x.Slice(tensor.All, odd)),
			x.Slice(tensor.R(0, 2)).Assign(x.Slice(tensor.R(2, 4))),
			x.Index(1, 3).Assign(x.Index(1, 4)),
			x.Diagonal(0, 0, 1).Assign(x.Diagonal(1, 0, 1)),
			x.AddAssign(x),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
		if n := copies() - before; n != 0 {
			t.Errorf("%d copies", n)
		}
	})
}

// Elements of different sizes over the same bytes.
func TestFaultOverlapOfDifferentElementSizes(t *testing.T) {
	words := []int32{1, 2, 3, 4, 5, 6, 7, 8}
	bytes := unsafe.Slice((*uint8)(unsafe.Pointer(&words[0])), 4*len(words))
	x := tensor.FromSlice(words)
	into(t, tensor.FromSlice(bytes[:8]), kernels.Gt, x, tensor.Scalar(4))
	wantData(t, tensor.FromSlice(bytes[:8]), tensor.Shape{8}, uint8(0), 0, 0, 0, 1, 1, 1, 1)
	wantData(t, x.Slice(tensor.R(2, 8)), tensor.Shape{6}, int32(3), 4, 5, 6, 7, 8)
}

// A write to a view leaves all other cells of its base alone, and what fails
// leaves all of them.
func TestFaultWritesToTheirOwnCellsOnly(t *testing.T) {
	onEveryDevice(t, func(t *testing.T, p place) {
		x := p.put(tensor.Zeros(dtype.Float32, 3, 5))
		if err := x.Slice(tensor.R(0, 3, 2), tensor.R(tensor.End, tensor.Begin, -2)).Assign(p.iota(2, 3)); err != nil {
			t.Fatal(err)
		}
		want := []float32{2, 0, 1, 0, 0, 0, 0, 0, 0, 0, 5, 0, 4, 0, 3}
		wantData(t, x, tensor.Shape{3, 5}, want...)
		for _, err := range []error{
			x.Slice(tensor.R(0, 1)).AddAssign(x),
			x.Index(0, 0).AddAssign(x),
			x.Index(1, 0).Assign(p.iota(2)),
			x.Assign(p.iota(5, 1)),
			tensor.Into(x.Index(0, 0), kernels.Sum.With(kernels.Attr{Axes: kernels.Axes(0), Keep: true}), x),
			tensor.Into(x.Slice(tensor.All, tensor.R(0, 1)), kernels.Sum.With(kernels.Attr{Axes: kernels.Axes(0, 1), Keep: true}), x),
		} {
			wantError(t, err, nil)
		}
		wantData(t, x, tensor.Shape{3, 5}, want...)
	})
}
