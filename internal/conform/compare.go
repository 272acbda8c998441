package conform

import (
	"bytes"
	"fmt"
	"math"

	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/cpu"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

// tolerance is how far an element may be from the one wanted, in units of
// eps·(1 + |wanted|): absolute below 1, relative above.
const tolerance = 8

// Compare returns what distinguishes a tensor from the value wanted: dtype,
// shape, or the first element beyond the tolerance. Elements that are no
// floats must be equal; NaN and infinities match themselves only.
func Compare(got *tensor.Tensor, want Value) error {
	if err := got.Err(); err != nil {
		return err
	}
	t, ok := elementTypes[want.DType]
	switch {
	case !ok:
		return &UnsupportedError{Op: "dtype", Reason: "no tensor holds " + want.DType}
	case got.DType() != t.dtype:
		return fmt.Errorf("%s is %v, want %v", want.Name, got.DType(), t.dtype)
	case !got.Shape().Equal(want.Shape):
		return fmt.Errorf("%s has shape %v, want %v", want.Name, got.Shape(), broadcast.Shape(want.Shape))
	}
	if t.eps > 0 {
		return compareFloats(got, want, t)
	}
	raw, err := t.encode(got)
	if err != nil {
		return err
	}
	size := t.dtype.Size()
	for i := 0; i < len(raw); i += size {
		if a, b := raw[i:i+size], want.Raw[i:i+size]; !bytes.Equal(a, b) {
			return fmt.Errorf("%s: element %d is %x, want %x (little-endian bytes)", want.Name, i/size, a, b)
		}
	}
	return nil
}

func compareFloats(got *tensor.Tensor, want Value, t elementType) error {
	w, err := t.decode(want)
	if err != nil {
		return err
	}
	a, err := float64s(got)
	if err != nil {
		return err
	}
	b, err := float64s(w)
	if err != nil {
		return err
	}
	for i := range a {
		if off := distance(a[i], b[i]) / t.eps; !(off <= tolerance) {
			return fmt.Errorf("%s: element %d is %v, want %v: %.3g eps, allowed %d", want.Name, i, a[i], b[i], off, tolerance)
		}
	}
	return nil
}

// distance returns |a-b| / (1 + |b|), 0 for equal infinities and for two NaNs,
// else NaN or +Inf where one is not finite.
func distance(a, b float64) float64 {
	if a == b || a != a && b != b {
		return 0
	}
	return math.Abs(a-b) / (1 + math.Abs(b))
}

// float64s returns the elements of a tensor of floats.
func float64s(t *tensor.Tensor) ([]float64, error) {
	return tensor.Data[float64](t.To(cpu.Default()).Cast(dtype.Float64))
}
