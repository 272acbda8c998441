package tensor_test

import (
	"errors"
	"strconv"
	"testing"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
	"github.com/stride0/stride0/tensor"
)

func TestNewCopies(t *testing.T) {
	src := []float32{1, 2, 3}
	x := tensor.New(src)
	src[0] = 9
	wantData(t, x, tensor.Shape{3}, float32(1), 2, 3)
	wantData(t, tensor.New([]int{-1, 2}, 2, 1), tensor.Shape{2, 1}, int64(-1), 2)
	wantData(t, tensor.New([]int{-1, 2}), tensor.Shape{2}, -1, 2)
	wantData(t, tensor.New([]bool{true}), tensor.Shape{1}, true)
	wantData(t, tensor.New([]float64{}, 0, 3), tensor.Shape{0, 3}, []float64{}...)
	wantData(t, tensor.New([]uint8{5}).Reshape(), tensor.Shape{}, uint8(5))
	wantError(t, tensor.New(src, 2, 2).Err(), nil, "new", "3 elements", "(2, 2)")
	wantError(t, tensor.New(src, -3).Err(), nil, "new", "negative")
}

func TestFromSliceShares(t *testing.T) {
	src := []float32{1, 2, 3, 4}
	x := tensor.FromSlice(src, 2, 2)
	src[0] = 9
	wantData(t, x, tensor.Shape{2, 2}, float32(9), 2, 3, 4)
	into(t, x, kernels.Add, x, tensor.Scalar(1))
	if src[3] != 5 {
		t.Errorf("the slice is %v", src)
	}
	if x := tensor.FromSlice([]int{1}); strconv.IntSize == 64 {
		wantData(t, x, tensor.Shape{1}, int64(1))
	} else {
		wantError(t, x.Err(), nil, "32 bits", "[]int64")
	}
}

func TestDataNamesTheCast(t *testing.T) {
	_, err := tensor.Data[float32](tensor.New([]int32{1}))
	wantError(t, err, nil, "data", "int32", "Cast(dtype.Float32)")
	_, err = tensor.Item[bool](tensor.New([]float64{1}))
	wantError(t, err, nil, "item", "Cast(dtype.Bool)")
}

func TestItem(t *testing.T) {
	if v, err := tensor.Item[float32](iota32(1, 1).AddScalar(3)); v != 3 || err != nil {
		t.Errorf("%v, %v", v, err)
	}
	_, err := tensor.Item[float32](iota32(2))
	wantError(t, err, nil, "item", "(2) has 2 elements", "Data")
	_, err = tensor.Item[float32](iota32(0))
	wantError(t, err, nil, "0 elements")
}

func TestDataOfViewsLargeAndSmall(t *testing.T) {
	for _, n := range []int{4, 40, 400} { // in the tensor, and in pooled memory
		x := iota32(n, 3)
		col := data[float32](t, x.Index(1, 2).Flip())
		for i, v := range col {
			if want := float32(3*(n-1-i) + 2); v != want {
				t.Fatalf("n %d: element %d is %v, want %v", n, i, v, want)
			}
		}
	}
}

func TestWithData(t *testing.T) {
	x := iota32(2, 3)
	var sum float32
	if err := tensor.WithData(x.Index(0, 1), func(v []float32) error {
		for _, e := range v {
			sum += e
		}
		return nil
	}); err != nil || sum != 12 {
		t.Errorf("sum %v, %v", sum, err)
	}
	if err := tensor.WithMutableData(x, func(v []float32) error { v[5] = 50; return nil }); err != nil {
		t.Fatal(err)
	}
	wantData(t, x, tensor.Shape{2, 3}, float32(0), 1, 2, 3, 4, 50)
	wantError(t, tensor.WithData(x.T(), func([]float32) error { return nil }), nil, "withdata", "not contiguous", "Data")
	wantError(t, tensor.WithMutableData(x, func([]int32) error { return nil }), nil, "withmutabledata", "float32")
	mine := errors.New("mine")
	if err := tensor.WithData(x, func([]float32) error { return mine }); err != mine {
		t.Errorf("the error of f became %v", err)
	}
	if err := tensor.WithData(tensor.Zeros(dtype.Float32, 0), func(v []float32) error {
		if len(v) != 0 {
			t.Errorf("%d elements of an empty tensor", len(v))
		}
		return nil
	}); err != nil {
		t.Error(err)
	}
}

func TestConstructors(t *testing.T) {
	wantData(t, tensor.Zeros(dtype.Int32, 2), tensor.Shape{2}, int32(0), 0)
	wantData(t, tensor.Ones(dtype.Bool, 2), tensor.Shape{2}, true, true)
	wantData(t, tensor.Full(dtype.Float64, 2.5), tensor.Shape{}, 2.5)
	wantData(t, tensor.Full(dtype.Uint8, 255, 1, 2), tensor.Shape{1, 2}, uint8(255), 255)
	wantData(t, tensor.Eye(dtype.Float32, 2), tensor.Shape{2, 2}, float32(1), 0, 0, 1)
	wantData(t, tensor.Arange(dtype.Int64, 5, 0, -2), tensor.Shape{3}, int64(5), 3, 1)
	wantData(t, tensor.Arange(dtype.Float32, 0, 1, 0.25), tensor.Shape{4}, float32(0), 0.25, 0.5, 0.75)
	wantData(t, tensor.Arange(dtype.Float32, 1, 1, 1), tensor.Shape{0}, []float32{}...)
	wantData(t, tensor.Arange(dtype.Float32, 1, 0, 1), tensor.Shape{0}, []float32{}...)
	x := tensor.New([]int32{1, 2}, 2, 1)
	wantData(t, tensor.ZerosLike(x), tensor.Shape{2, 1}, int32(0), 0)
	wantData(t, tensor.OnesLike(x), tensor.Shape{2, 1}, int32(1), 1)
	wantData(t, tensor.FullLike(x, 7), tensor.Shape{2, 1}, int32(7), 7)
	big := data[float32](t, tensor.Full(dtype.Float32, 3, 1000))
	if len(big) != 1000 || big[999] != 3 {
		t.Errorf("%d elements, the last is %v", len(big), big[len(big)-1])
	}
}

func TestConstructorsRefuse(t *testing.T) {
	wantError(t, tensor.Zeros(dtype.Invalid, 2).Err(), nil, "zeros", "invalid")
	wantError(t, tensor.Zeros(dtype.DType(99), 2).Err(), nil, "zeros", "invalid")
	wantError(t, tensor.Full(dtype.Int32, 1.5, 2).Err(), nil, "full", "1.5")
	wantError(t, tensor.Full(dtype.Float32, nil, 2).Err(), nil, "full", "not a number")
	wantError(t, tensor.Arange(dtype.Int32, 0, 2, 0.5).Err(), nil, "arange", "0.5")
	wantError(t, tensor.Arange(dtype.Bool, 0, 2, 1).Err(), nil, "arange", "bool")
	wantError(t, tensor.Arange(dtype.Float32, 0, 1, 1e-300).Err(), nil, "arange", "too many")
	wantError(t, tensor.Arange(dtype.Float32, 0, "1", 1).Err(), nil, "arange", "not a number")
	wantError(t, tensor.Eye(dtype.Float32, -1).Err(), nil, "eye")
	wantError(t, tensor.On(nil).Zeros(dtype.Float32).Err(), nil, "nil device")
	wantError(t, tensor.FullLike(iota32(2), struct{}{}).Err(), nil, "full")
}

func TestRand(t *testing.T) {
	a, b := tensor.NewRand(7), tensor.NewRand(7)
	x, y := data[float32](t, a.Uniform(dtype.Float32, 20, 50)), data[float32](t, b.Uniform(dtype.Float32, 1000))
	var sum float64
	for i, v := range x {
		if v != y[i] {
			t.Fatalf("element %d: %v and %v from the same seed", i, v, y[i])
		}
		if v < 0 || v >= 1 {
			t.Fatalf("element %d is %v", i, v)
		}
		sum += float64(v)
	}
	if mean := sum / 1000; mean < 0.45 || mean > 0.55 {
		t.Errorf("mean %v", mean)
	}
	seen := map[float32]string{x[0]: "the first call"}
	for name, g := range map[string]*tensor.Rand{"the second call": a, "another seed": tensor.NewRand(8), "a split": b.Split(), "a second split": b.Split()} {
		v := data[float32](t, g.Uniform(dtype.Float32, 2))[0]
		if seen[v] != "" {
			t.Errorf("%s begins as %s", name, seen[v])
		}
		seen[v] = name
	}
	f := data[float64](t, tensor.NewRand(7).Uniform(dtype.Float64, 1000))
	if d := f[3] - float64(x[3]); d < 0 || d >= 0x1p-24 {
		t.Errorf("float64 %v does not refine float32 %v", f[3], x[3])
	}
	if n := tensor.NewRand(1).Uniform(dtype.Float32, 0, 3); n.Size() != 0 || n.Err() != nil {
		t.Errorf("an empty one: %v", n)
	}
	wantError(t, tensor.NewRand(1).Uniform(dtype.Int64, 3).Err(), nil, "uniform", "float")
	wantError(t, new(tensor.Rand).Split().On(nil).Uniform(dtype.Float32).Err(), nil, "NewRand")
}
