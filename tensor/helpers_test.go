package tensor_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

// data reads a tensor that must not have failed.
func data[T dtype.Element](t testing.TB, x *tensor.Tensor) []T {
	t.Helper()
	v, err := tensor.Data[T](x)
	if err != nil {
		t.Fatalf("Data: %v", err)
	}
	return v
}

// wantData checks shape, dtype and elements; any NaN equals any NaN, and -0
// differs from +0.
func wantData[T dtype.Element](t testing.TB, x *tensor.Tensor, shape tensor.Shape, want ...T) {
	t.Helper()
	if err := x.Err(); err != nil {
		t.Fatalf("unexpected error: %v", err)
	}
	if !x.Shape().Equal(shape) {
		t.Errorf("shape %v, want %v", x.Shape(), shape)
	}
	if got := data[T](t, x); !slices.EqualFunc(got, want, sameBits[T]) {
		t.Errorf("elements %v, want %v", got, want)
	}
}

func sameBits[T dtype.Element](a, b T) bool {
	switch a := any(a).(type) {
	case float32:
		b := any(b).(float32)
		return math.Float32bits(a) == math.Float32bits(b) || a != a && b != b
	case float64:
		b := any(b).(float64)
		return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b
	}
	return a == b
}

// wantError checks that x failed of a reason and that the text has the parts.
func wantError(t testing.TB, err, reason error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want one with %q", parts)
	}
	if reason != nil && !errors.Is(err, reason) {
		t.Errorf("error %v is not %v", err, reason)
	}
	for _, p := range parts {
		if !strings.Contains(err.Error(), p) {
			t.Errorf("error %q lacks %q", err, p)
		}
	}
}

// iota32 returns 0, 1, 2, ... as float32 with the given sizes.
func iota32(sizes ...int) *tensor.Tensor {
	n := 1
	for _, s := range sizes {
		n *= s
	}
	return tensor.Arange(dtype.Float32, 0, n, 1).Reshape(sizes...)
}
