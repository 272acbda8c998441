package tensor

import (
	"testing"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// TestQuickTakesAndRefuses says which operations take the short way. What it
// computes is held to the long way by every other test: TestEveryOpOnEveryView,
// random calls, the tables of semantics.
func TestQuickTakesAndRefuses(t *testing.T) {
	f := func(sizes ...int) *Tensor { return Ones(dtype.Float32, sizes...) }
	for _, c := range []struct {
		name string
		op   kernels.Op
		x, y *Tensor
		want bool
	}{
		{"same shape", kernels.Add, f(3, 4), f(3, 4), true},
		{"a row", kernels.Sub, f(3, 4), f(4), true},
		{"a single element", kernels.Div, f(3, 4), f(1, 1), true},
		{"a single element on the left", kernels.Div, f(1), f(3, 4), true},
		{"rank 0", kernels.Mul, f(), f(), true},
		{"a number", kernels.Mul, f(3), Scalar(0.5), true},
		{"a number on the left", kernels.Sub, Scalar(1), f(3), true},
		{"a comparison", kernels.Lt, f(3), f(3), true},
		{"integers", kernels.Add, Ones(dtype.Int16, 3), Ones(dtype.Int16, 3), true},
		{"an offset", kernels.Add, f(9).Slice(R(2, 5, 1)), f(3), true},
		{"a column", kernels.Add, f(3, 4), f(3, 1), false},
		{"a single element of higher rank", kernels.Add, f(3), f(1, 1), false},
		{"a transpose", kernels.Add, f(3, 4).T(), f(4, 3), false},
		{"shapes that do not go together", kernels.Add, f(3), f(4), false},
		{"no elements", kernels.Add, f(0), f(0), false},
		{"two dtypes", kernels.Add, f(3), Ones(dtype.Float64, 3), false},
		{"halves", kernels.Add, Ones(dtype.Float16, 3), Ones(dtype.Float16, 3), false},
		{"true division of integers", kernels.Div, Ones(dtype.Int32, 3), Ones(dtype.Int32, 3), false},
		{"a number that lifts", kernels.Add, Ones(dtype.Int32, 3), Scalar(0.5), false},
		{"a number out of range", kernels.Add, Ones(dtype.Uint8, 3), Scalar(300), false},
		{"many elements", kernels.Add, f(2000), f(2000), false},
		{"freed", kernels.Add, freed(t, f(3)), f(3), false},
		{"freed, on the right", kernels.Add, f(3), freed(t, f(3)), false},
		{"a freed number", kernels.Add, f(3), freed(t, Scalar(1)), false},
		{"a freed number on the left", kernels.Add, freed(t, Scalar(1)), f(3), false},
		{"a large result on the way to a pool", kernels.Add, f(900), f(900), false},
	} {
		if got := quick(c.op, nil, c.x, c.y); (got != nil) != c.want {
			t.Errorf("%s: taken %v, want %v", c.name, got != nil, c.want)
		}
	}
	x := f(3, 4)
	for name, dst := range map[string]*Tensor{"in place": x, "apart": f(3, 4)} {
		if quick(kernels.Add, dst, x, f(4)) != dst {
			t.Errorf("into, %s: not taken", name)
		}
	}
	base := f(24)
	for name, dst := range map[string]*Tensor{
		"overlapping": base.Slice(R(1, 13, 1)), "another dtype": Ones(dtype.Float64, 12), "enlarged": f(2, 12), "strided": base.Slice(R(0, End, 2)),
	} {
		if quick(kernels.Add, dst, base.Slice(R(0, 12, 1)), f(12)) != nil {
			t.Errorf("into, %s: taken", name)
		}
	}
}

// freed frees x and returns it.
func freed(t *testing.T, x *Tensor) *Tensor {
	if err := x.Free(); err != nil {
		t.Fatal(err)
	}
	return x
}
