package tensor_test

import (
	"math"
	"slices"
	"testing"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
	"github.com/stride0/stride0/tensor"
)

// fourWays returns the same tensor as it lies in memory and with its axes in
// memory reversed, transposed, or both.
func fourWays(x *tensor.Tensor) []*tensor.Tensor {
	return []*tensor.Tensor{x, x.Flip().Clone().Flip(), x.Transpose().Clone().Transpose(), x.Flip().Transpose().Clone().Transpose().Flip()}
}

// Every pair of shapes, either way round, each operand in four layouts: the
// value of an element is that of a loop over the result.
func TestFaultBroadcastShapesFourWays(t *testing.T) {
	onEveryDevice(t, func(t *testing.T, p place) {
		for _, c := range [][2][]int{
			{{1}, {0}}, {{}, {2, 3, 4}}, {{0, 1}, {1, 0}}, {{3, 0}, {3, 1}}, {{1, 1}, {0}}, {{}, {0}}, {{}, {}},
			{{2, 2, 2, 2, 1, 2}, {1, 2, 1, 2, 2, 2}}, {{8, 1, 6, 1}, {7, 1, 5}}, {{1, 2, 1, 1, 2, 2, 2, 2}, {2, 2, 2, 2, 1, 2, 2, 1}},
			{{2, 1, 1, 1, 1, 2, 2}, {2, 3, 1, 1, 1, 2, 2}}, {{3}, {3, 1}}, {{5, 1}, {5}}, {{1, 3}, {4, 1}}, {{2, 3}, {3}},
		} {
			a, b := c[0], c[1]
			sizes, ok := stretch(a, b)
			if !ok {
				t.Fatalf("%v with %v", a, b)
			}
			x, y := iota32(a...), iota32(b...).MulScalar(1000)
			left, right := asOracle(t, x), asOracle(t, y)
			want := []float32{}
			each(sizes, func(index []int) { want = append(want, float32(left.at(index)-right.at(index))) })
			for _, u := range fourWays(x) {
				for _, v := range fourWays(y) {
					u, v := p.put(u), p.put(v)
					wantData(t, u.Sub(v), sizes, want...)
					wantData(t, v.Sub(u).Neg().AddScalar(0), sizes, want...)
				}
			}
		}
	})
}

// asOracle copies a tensor of whole numbers.
func asOracle(t *testing.T, x *tensor.Tensor) oracle {
	o := oracle{sizes: x.Shape()}
	for _, v := range data[float32](t, x) {
		o.data = append(o.data, int64(v))
	}
	return o
}

// Alternating axes that one library added silently wrong.
func TestFaultAlternatingAxesValues(t *testing.T) {
	onEveryDevice(t, func(t *testing.T, p place) {
		a := p.put(tensor.New([]float32{1, 2}, 2, 1, 1, 1, 1, 1, 1)).BroadcastTo(2, 1, 1, 1, 1, 2, 2)
		b := p.put(tensor.New([]float32{10, 20, 40}, 1, 3, 1, 1, 1, 1, 1)).BroadcastTo(2, 3, 1, 1, 1, 2, 2)
		sum := a.Add(b)
		wantData(t, sum.Index(6, 0).Index(5, 1).Squeeze(), tensor.Shape{2, 3}, float32(11), 21, 41, 12, 22, 42)
		wantData(t, sum.Index(6, 1).Index(5, 0).Squeeze(), tensor.Shape{2, 3}, float32(11), 21, 41, 12, 22, 42)
	})
}

// A size of 0 is no wildcard, and shapes align on the right. The error names
// both shapes and the axis, and nothing has been written.
func TestFaultShapesThatDoNotBroadcast(t *testing.T) {
	for _, c := range []struct {
		a, b []int
		text string
	}{
		{[]int{0}, []int{2}, "cannot broadcast (0) with (2): axis -1 is 0 and 2"},
		{[]int{0, 3}, []int{2, 3}, "cannot broadcast (0, 3) with (2, 3): axis -2 is 0 and 2"},
		{[]int{2, 3}, []int{2}, "cannot broadcast (2, 3) with (2): axis -1 is 3 and 2"},
		{[]int{2, 3}, []int{3, 2}, "cannot broadcast (2, 3) with (3, 2): axis -1 is 3 and 2"},
		{[]int{4, 1, 3}, []int{5, 2, 3}, "axis -3 is 4 and 5"},
	} {
		a, b := tensor.Ones(dtype.Float32, c.a...), tensor.Ones(dtype.Float32, c.b...)
		wantError(t, a.Add(b).Err(), nil, "add: ", c.text)
		_, err := tensor.BroadcastTensors(a, b)
		wantError(t, err, nil, c.text)
		wantError(t, b.AddAssign(a), nil, "add: cannot broadcast")
		wantData(t, b.Ne(tensor.Scalar(1)).Sum(), tensor.Shape{}, int64(0))
	}
}

// Three, 32, 33 and 100 operands, in any order.
func TestFaultManyOperands(t *testing.T) {
	three := []*tensor.Tensor{iota32(6, 7), iota32(5, 6, 1), iota32(7), iota32(5, 1, 7)}
	for range 4 {
		views, err := tensor.BroadcastTensors(three...)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range views {
			if !v.Shape().Equal(tensor.Shape{5, 6, 7}) {
				t.Errorf("view %d has shape %v", i, v.Shape())
			}
		}
		three = append(three[1:], three[0])
	}
	for _, n := range []int{32, 33, 100} {
		many := slices.Repeat([]*tensor.Tensor{iota32(3), tensor.Zeros(dtype.Uint8, 2, 1), tensor.Ones(dtype.Bool)}, n)[:n]
		views, err := tensor.BroadcastTensors(many...)
		if err != nil {
			t.Fatal(err)
		}
		wantData(t, views[n-n%3-3], tensor.Shape{2, 3}, float32(0), 1, 2, 0, 1, 2)
	}
}

func TestFaultBroadcastToDropsAndShrinksNothing(t *testing.T) {
	for _, c := range []struct{ from, to []int }{{[]int{3}, []int{1}}, {[]int{1, 1}, []int{1}}, {[]int{1}, []int{}}, {[]int{1}, []int{-1}}, {[]int{2}, []int{4}}, {[]int{0}, []int{1}}} {
		if v := tensor.Ones(dtype.Float32, c.from...).BroadcastTo(c.to...); v.Err() == nil {
			t.Errorf("%v broadcast to %v", c.from, c.to)
		}
	}
	wantData[float32](t, iota32(1, 2).BroadcastTo(0, 2), tensor.Shape{0, 2})
	wantData[float32](t, iota32(1).BroadcastTo(2, 0, 3).AddScalar(1), tensor.Shape{2, 0, 3})
}

// Results of expanded operands expand further.
func TestFaultChainsKeepGrowing(t *testing.T) {
	onEveryDevice(t, func(t *testing.T, p place) {
		r := p.iota(8, 1).Add(p.iota(1, 5)).Mul(p.put(tensor.Ones(dtype.Float32, 7, 8, 1)))
		wantData(t, r.Index(0, 6).Index(0, 7), tensor.Shape{5}, float32(7), 8, 9, 10, 11)
		if !r.Shape().Equal(tensor.Shape{7, 8, 5}) || !r.IsContiguous() {
			t.Errorf("%v, contiguous %v", r.Shape(), r.IsContiguous())
		}
		if c := r.Transpose().AddScalar(1); !c.IsContiguous() { // fresh results are row-major
			t.Error("the result has the layout of its operand")
		}
	})
}

// (n, 1) with (n) is all pairs for operations, and an error where the shape of
// the result is given.
func TestFaultColumnAndRow(t *testing.T) {
	column, row := tensor.New([]float32{1, 2, 3, 4}, 4, 1), tensor.New([]float32{1, 2, 3, 4})
	wantData(t, column.Sub(row).Square().Mean(), tensor.Shape{}, float32(2.5))
	wantError(t, tensor.Into(column, kernels.Sub, column, row), nil, "(4, 4) into (4, 1)", "unsqueeze (4) at axis 1 to make it (4, 1)")
	wantError(t, tensor.Into(row, kernels.Sub, column, row), nil, "(4, 4) into (4)", "write into a tensor of shape (4, 4)")
}

// In place nothing grows: not the shape, not the kind of the dtype.
func TestFaultInPlaceKeepsShapeAndDType(t *testing.T) {
	x, i := iota32(3), tensor.New([]int32{4, 5})
	wantError(t, x.AddAssign(iota32(2, 3)), nil, "(2, 3) into (3)")
	wantError(t, i.DivAssign(tensor.Scalar(2)), nil, "float32 into int32")
	wantError(t, i.AddAssign(tensor.Scalar(1.5)), nil, "float32 into int32")
	wantData(t, x, tensor.Shape{3}, float32(0), 1, 2)
	wantData(t, i, tensor.Shape{2}, int32(4), 5)
	must(t, x.DivAssign(tensor.New([]float64{1, 2, 4})))
	wantData(t, x, tensor.Shape{3}, float32(0), 0.5, 0.5)
	large := tensor.Zeros(dtype.Float32, 2, 2, 3) // a larger destination: the result is broadcast
	into(t, large, kernels.Add, iota32(1, 3), iota32(1, 3))
	wantData(t, large, tensor.Shape{2, 2, 3}, float32(0), 2, 4, 0, 2, 4, 0, 2, 4, 0, 2, 4)
	for _, sizes := range [][]int{{1}, {2}, {3, 1}, {4}} {
		wantError(t, tensor.Into(tensor.Zeros(dtype.Float32, sizes...), kernels.Add, iota32(3), iota32(3)), nil, "add: cannot write (3) into")
	}
}

// The strides of axes of size 1 mean nothing.
func TestFaultStridesOfAxesOfSizeOne(t *testing.T) {
	x := iota32(6, 4).Slice(tensor.R(2, 3), tensor.All) // row stride 4
	y := iota32(4, 6).T().Slice(tensor.R(0, 6, 5), tensor.R(3, 4))
	if !x.T().IsContiguous() || !x.Unsqueeze(1).IsContiguous() {
		t.Error("an axis of size 1 makes a view not contiguous")
	}
	must(t, tensor.WithData(x.T(), func(v []float32) error {
		if v[0] != 8 || v[3] != 11 {
			t.Errorf("lent %v", v)
		}
		return nil
	}))
	wantData(t, x.T().View(2, 2), tensor.Shape{2, 2}, float32(8), 9, 10, 11)
	wantData(t, x.Add(y), tensor.Shape{2, 4}, float32(26), 27, 28, 29, 31, 32, 33, 34)
	if v := tensor.Ones(dtype.Bool, 1).BroadcastTo(math.MaxInt); v.Size() != math.MaxInt {
		t.Errorf("%d elements", v.Size())
	}
}
