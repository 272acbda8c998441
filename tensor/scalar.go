package tensor

import (
	"strconv"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// Scalar returns a weak scalar: a number without a width, at home on every
// device. Beside a tensor it takes the tensor's dtype, rounded to it once; it
// may lift the kind (an int tensor with 1.5 is float32) but never the width.
// An integer that does not fit is an error, except in comparisons. Operations
// among Scalars give Scalars.
func Scalar[T dtype.Element](v T) *Tensor { return weakScalar(dtype.NumberOf(v)) }

// weakDType is the dtype in which a weak number is read back.
func weakDType(n dtype.Number) dtype.DType {
	switch n.Kind() {
	case dtype.BoolKind:
		return dtype.Bool
	case dtype.FloatKind:
		return dtype.Float64
	case dtype.UintKind: // above the range of int64
		return dtype.Uint64
	}
	return dtype.Int64
}

// as returns the number of a weak t as a tensor of rank 0.
func (t *Tensor) as(d dtype.DType, dev device.Device) *Tensor {
	return On(dev).full("scalar", d, t.weak(), nil)
}

// settle gives a weak t the dtype that a tensor made of it has by default:
// bool, int64 or float32.
func (t *Tensor) settle(dev device.Device) *Tensor {
	d := weakDType(t.weak())
	if d == dtype.Float64 {
		d = dtype.Float32
	}
	return t.as(d, dev)
}

// number reads the only element of t.
func (t *Tensor) number() (dtype.Number, error) {
	if t.isWeak() {
		return t.weak(), nil
	}
	return elementTypeOf(t.dtype).number(t)
}

// numberOf returns the Number of any Go bool, integer or float.
func numberOf(v any) (dtype.Number, error) {
	switch v := v.(type) {
	case bool:
		return dtype.BoolNumber(v), nil
	case int:
		return dtype.IntNumber(int64(v)), nil
	case int8:
		return dtype.IntNumber(int64(v)), nil
	case int16:
		return dtype.IntNumber(int64(v)), nil
	case int32:
		return dtype.IntNumber(int64(v)), nil
	case int64:
		return dtype.IntNumber(v), nil
	case uint:
		return dtype.UintNumber(uint64(v)), nil
	case uint8:
		return dtype.IntNumber(int64(v)), nil
	case uint16:
		return dtype.IntNumber(int64(v)), nil
	case uint32:
		return dtype.IntNumber(int64(v)), nil
	case uint64:
		return dtype.UintNumber(v), nil
	case dtype.F16:
		return dtype.NumberOf(v), nil
	case dtype.BF16:
		return dtype.NumberOf(v), nil
	case float32:
		return dtype.FloatNumber(float64(v)), nil
	case float64:
		return dtype.FloatNumber(v), nil
	}
	return dtype.Number{}, errorf("%T is not a number type; convert it to a Go bool, integer or float", v)
}

// AddScalar returns t + v for a Go bool, integer or float v, which counts as a
// Scalar: an integer constant keeps an integer tensor what it is.
func (t *Tensor) AddScalar(v any) *Tensor { return t.withNumber(kernels.Add, v) }

// SubScalar returns t - v; see AddScalar.
func (t *Tensor) SubScalar(v any) *Tensor { return t.withNumber(kernels.Sub, v) }

// MulScalar returns t * v; see AddScalar.
func (t *Tensor) MulScalar(v any) *Tensor { return t.withNumber(kernels.Mul, v) }

// DivScalar returns t / v; see AddScalar.
func (t *Tensor) DivScalar(v any) *Tensor { return t.withNumber(kernels.Div, v) }

func (t *Tensor) withNumber(op kernels.Op, v any) *Tensor {
	n, err := numberOf(v)
	if err != nil && t.live() {
		return fail(opName(op), err, t)
	}
	return apply(call{Op: op}, t, weakScalar(n))
}

func itoa(n int) string { return strconv.Itoa(n) }
