package nn_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

var (
	inf = float32(math.Inf(1))
	nan = float32(math.NaN())
)

// wantData checks shape, dtype and elements, bit by bit; any NaN equals any NaN.
func wantData[T dtype.Element](t testing.TB, x *tensor.Tensor, shape tensor.Shape, want ...T) {
	t.Helper()
	got, err := tensor.Data[T](x)
	if err != nil {
		t.Fatal(err)
	}
	if !x.Shape().Equal(shape) {
		t.Errorf("shape %v, want %v", x.Shape(), shape)
	}
	if !slices.EqualFunc(got, want, same[T]) {
		t.Errorf("elements %v, want %v", got, want)
	}
}

func same[T dtype.Element](a, b T) bool {
	if x, ok := any(a).(float32); ok {
		y := any(b).(float32)
		return math.Float32bits(x) == math.Float32bits(y) || x != x && y != y
	}
	return a == b
}

// wantNear checks elements up to a relative or absolute error.
func wantNear(t testing.TB, x *tensor.Tensor, off float64, want ...float64) {
	t.Helper()
	got, err := tensor.Data[float64](x.Cast(dtype.Float64))
	if err != nil {
		t.Fatal(err)
	}
	near := func(a, b float64) bool {
		return a == b || a != a && b != b || math.Abs(a-b) <= off*max(1, math.Abs(b))
	}
	if !slices.EqualFunc(got, want, near) {
		t.Errorf("elements %v, want %v within %v", got, want, off)
	}
}

// wantSame checks that two tensors have the same shape, dtype and bits.
func wantSame(t testing.TB, got, want *tensor.Tensor) {
	t.Helper()
	if got.DType() != want.DType() || !got.Shape().Equal(want.Shape()) {
		t.Fatalf("%v %v, want %v %v (%v, %v)", got.DType(), got.Shape(), want.DType(), want.Shape(), got.Err(), want.Err())
	}
	a, err := tensor.Data[float64](got.Cast(dtype.Float64))
	b, err2 := tensor.Data[float64](want.Cast(dtype.Float64))
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	for i := range a {
		if math.Float64bits(a[i]) != math.Float64bits(b[i]) && (a[i] == a[i] || b[i] == b[i]) {
			t.Fatalf("element %d is %v, want %v", i, a[i], b[i])
		}
	}
}

// wantError checks that x failed of a reason, at a line of a test, and that the
// text has the parts.
func wantError(t testing.TB, x *tensor.Tensor, reason error, parts ...string) {
	t.Helper()
	err := x.Err()
	if err == nil {
		t.Fatalf("no error, want one with %q", parts)
	}
	if reason != nil && !errors.Is(err, reason) {
		t.Errorf("error %v is not %v", err, reason)
	}
	for _, p := range append(parts, "_test.go:") {
		if !strings.Contains(err.Error(), p) {
			t.Errorf("error %q lacks %q", err, p)
		}
	}
}

func normal(seed uint64, sizes ...int) *tensor.Tensor {
	return tensor.NewRand(seed).Normal(dtype.Float32, sizes...)
}

func new32(sizes tensor.Shape, v ...float32) *tensor.Tensor { return tensor.New(v, sizes...) }
