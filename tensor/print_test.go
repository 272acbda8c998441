package tensor_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

// TestString holds what NumPy prints (TestStringIsThatOfNumPy asks it), and
// what is stride0's own: bools as Go spells them, and notes at the end.
func TestString(t *testing.T) {
	for _, c := range []struct {
		name string
		x    *tensor.Tensor
		want string
	}{
		{"whole floats", iota32(2, 2), "[[0. 1.]\n [2. 3.]]"},
		{"points align", tensor.New([]float32{1.5, -10, 0.25}), "[  1.5  -10.     0.25]"},
		{"float32 digits", tensor.New([]float32{0.1, 0.2}), "[0.1 0.2]"},
		{"rank 0", tensor.Full(dtype.Float32, 3), "3.0"},
		{"rank 0 in full", tensor.Full(dtype.Float64, 1.0/3), "0.3333333333333333 (float64)"},
		{"rank 0 small", tensor.Full(dtype.Float32, -2e-5), "-2e-05"},
		{"rank 0 large", tensor.Full(dtype.Float64, 1e16), "1e+16 (float64)"},
		{"rank 0 infinite", tensor.Full(dtype.Float32, math.Inf(-1)), "-inf"},
		{"rank 0 integer", tensor.Full(dtype.Int64, -7), "-7 (int64)"},
		{"specials", tensor.New([]float32{nan, inf, -1}), "[nan inf -1.]"},
		{"specials widen", tensor.New([]float32{-inf, 0.5}), "[-inf  0.5]"},
		{"specials alone", tensor.New([]float32{nan, -inf}), "[ nan -inf]"},
		{"minus zero", tensor.New([]float32{minus0, 0}), "[-0.  0.]"},
		{"far apart", tensor.New([]float64{1e-9, 1}), "[1.e-09 1.e+00] (float64)"},
		{"a thousand apart", tensor.New([]float32{0.5, 500}), "[  0.5 500. ]"},
		{"more than a thousand apart", tensor.New([]float32{0.5, 501}), "[5.00e-01 5.01e+02]"},
		{"large", tensor.New([]float32{1e10}), "[1.e+10]"},
		{"exponents of two lengths", tensor.New([]float64{-1.5e-100, math.NaN(), 1}), "[-1.5e-100       nan  1.0e+000] (float64)"},
		{"thirds", tensor.New([]float64{1.0 / 3}), "[0.33333333] (float64)"},
		{"integers align", tensor.New([]int32{-1, 100}), "[ -1 100] (int32)"},
		{"bytes", tensor.New([]uint8{0, 255}), "[  0 255] (uint8)"},
		{"bools", tensor.New([]bool{true, false}), "[ true false] (bool)"},
		{"rank 3", iota32(2, 1, 2), "[[[0. 1.]]\n\n [[2. 3.]]]"},
		{"lines break at 75", tensor.Full(dtype.Int32, 1000, 2, 15), "[[1000 1000 1000 1000 1000 1000 1000 1000 1000 1000 1000 1000 1000 1000\n" +
			"  1000]\n [1000 1000 1000 1000 1000 1000 1000 1000 1000 1000 1000 1000 1000 1000\n  1000]] (int32)"},
		{"empty", tensor.Zeros(dtype.Int64, 0, 3), "[] (shape (0, 3), int64)"},
		{"empty inside", tensor.Zeros(dtype.Float32, 2, 0), "[] (shape (2, 0))"},
		{"empty and long", tensor.Zeros(dtype.Float32, 5000, 0), "[] (shape (5000, 0))"},
		{"scalar", tensor.Scalar(0.5), "0.5 (scalar)"},
		{"zeros", tensor.Zeros(dtype.Float32, 2), "[0. 0.]"},
		{"view", iota32(2, 3).T(), "[[0. 3.]\n [1. 4.]\n [2. 5.]]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.x.String(); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
			if got := fmt.Sprintf("%v|%s", c.x, c.x); got != c.want+"|"+c.want {
				t.Errorf("%%v and %%s print\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

func TestStringElides(t *testing.T) {
	for _, c := range []struct {
		name string
		x    *tensor.Tensor
		want string
	}{
		{"vector", iota32(1001), "[   0.    1.    2. ...  998.  999. 1000.]"},
		{"reversed", iota32(1001).Flip(0), "[1000.  999.  998. ...    2.    1.    0.]"},
		{"stretched", iota32(1).BroadcastTo(1 << 22), "[0. 0. 0. ... 0. 0. 0.]"},
		{"matrix", tensor.Arange(dtype.Int64, 0, 3000, 1).Reshape(1000, 3), "[[   0    1    2]\n [   3    4    5]\n [   6    7    8]\n ...\n" +
			" [2991 2992 2993]\n [2994 2995 2996]\n [2997 2998 2999]] (int64)"},
		{"both axes", tensor.Arange(dtype.Int32, 0, 10000, 1).Reshape(100, 100), "[[   0    1    2 ...   97   98   99]\n" +
			" [ 100  101  102 ...  197  198  199]\n [ 200  201  202 ...  297  298  299]\n ...\n [9700 9701 9702 ... 9797 9798 9799]\n" +
			" [9800 9801 9802 ... 9897 9898 9899]\n [9900 9901 9902 ... 9997 9998 9999]] (int32)"},
		{"rank 3", tensor.Zeros(dtype.Bool, 7, 1, 200), rank3Elided},
	} {
		if got := c.x.String(); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
	if got := iota32(1000).String(); strings.Contains(got, "...") {
		t.Error("1,000 elements are elided")
	}
}

const (
	row3        = "[[false false false ... false false false]]"
	rank3Elided = "[" + row3 + "\n\n " + row3 + "\n\n " + row3 + "\n\n ...\n\n " + row3 + "\n\n " + row3 + "\n\n " + row3 + "] (bool)"
)

// Of many axes less than three elements at each end are printed, so that the
// text stays short.
func TestStringOfManyAxesStaysShort(t *testing.T) {
	for rank := 4; rank <= 12; rank++ {
		sizes := make([]int, rank)
		for i := range sizes {
			sizes[i] = 3
		}
		sizes[0] = 40
		x := iota32(sizes...)
		if got := len(strings.Fields(x.String())); got > 1100 {
			t.Errorf("%d words for rank %d", got, rank)
		}
	}
	if got := iota32(9, 3, 8, 8).String(); strings.Count(got, "...") != 1+6*3*6+6*3 {
		t.Errorf("three at each end of four axes print as\n%s", got)
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
