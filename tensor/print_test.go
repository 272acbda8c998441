package tensor_test

import (
	"math"
	"strings"
	"testing"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

func TestString(t *testing.T) {
	for _, c := range []struct {
		name string
		x    *tensor.Tensor
		want string
	}{
		{"whole floats", iota32(2, 2), "[[0. 1.]\n [2. 3.]]"},
		{"points align", tensor.New([]float32{1.5, -10, 0.25}), "[  1.5  -10.     0.25]"},
		{"float32 digits", tensor.New([]float32{0.1, 0.2}), "[0.1 0.2]"},
		{"rank 0", tensor.Full(dtype.Float32, 3), "3."},
		{"specials", tensor.New([]float32{nan, inf, -1}), "[nan inf -1.]"},
		{"far apart", tensor.New([]float64{1e-9, 1}), "[1.0000e-09 1.0000e+00] (float64)"},
		{"large", tensor.New([]float32{1e10}), "[1.0000e+10]"},
		{"thirds", tensor.New([]float64{1.0 / 3}), "[0.33333333] (float64)"},
		{"integers align", tensor.New([]int32{-1, 100}), "[ -1 100] (int32)"},
		{"bools", tensor.New([]bool{true, false}), "[ true false] (bool)"},
		{"rank 3", iota32(2, 1, 2), "[[[0. 1.]]\n\n [[2. 3.]]]"},
		{"empty", tensor.Zeros(dtype.Int64, 0, 3), "[] (shape (0, 3), int64)"},
		{"empty inside", tensor.Zeros(dtype.Float32, 2, 0), "[] (shape (2, 0))"},
		{"scalar", tensor.Scalar(0.5), "0.5 (scalar)"},
		{"zeros", tensor.Zeros(dtype.Float32, 2), "[0. 0.]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.x.String(); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

func TestStringElides(t *testing.T) {
	if got, want := iota32(1001).String(), "[   0.    1.    2. ...  998.  999. 1000.]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	m := iota32(100, 100).String()
	if strings.Count(m, "\n") != 6 || !strings.HasSuffix(m, " 9999.]]") || !strings.Contains(m, "\n ...\n") {
		t.Errorf("got\n%s", m)
	}
	sizes := make([]int, 12)
	for i := range sizes {
		sizes[i] = 2
	}
	if got := iota32(sizes...).String(); len(got) > 1000 {
		t.Errorf("%d bytes for rank 12", len(got))
	}
	if got := iota32(1000).String(); strings.Contains(got, "...") {
		t.Error("1,000 elements are elided")
	}
}

func TestStringOfErrors(t *testing.T) {
	var none *tensor.Tensor
	if got := none.String(); got != tensor.ErrEmpty.Error() {
		t.Errorf("nil prints as %q", got)
	}
	x := tensor.New([]float64{math.Pi})
	if err := x.Free(); err != nil {
		t.Fatal(err)
	}
	if got := x.String(); got != tensor.ErrFreed.Error() {
		t.Errorf("a freed tensor prints as %q", got)
	}
}
