package tensor

import "github.com/stride0/stride0/dtype"

// elementType does what depends on the Go type of a dtype's elements.
type elementType interface {
	number(t *Tensor) (dtype.Number, error)           // the only element of t
	texts(t *Tensor, format string) ([]string, error) // all elements; see texts
}

// elementTypeOf returns the element type of d. It is a function because a table
// of what refers to operations would be initialized before them.
func elementTypeOf(d dtype.DType) elementType {
	switch d {
	case dtype.Bool:
		return elementAs[bool]{}
	case dtype.Uint8:
		return elementAs[uint8]{}
	case dtype.Uint16:
		return elementAs[uint16]{}
	case dtype.Uint32:
		return elementAs[uint32]{}
	case dtype.Uint64:
		return elementAs[uint64]{}
	case dtype.Int8:
		return elementAs[int8]{}
	case dtype.Int16:
		return elementAs[int16]{}
	case dtype.Int32:
		return elementAs[int32]{}
	case dtype.Int64:
		return elementAs[int64]{}
	case dtype.Float16:
		return elementAs[dtype.F16]{}
	case dtype.BFloat16:
		return elementAs[dtype.BF16]{}
	case dtype.Float32:
		return elementAs[float32]{}
	}
	return elementAs[float64]{}
}

type elementAs[T dtype.Element] struct{}

func (elementAs[T]) number(t *Tensor) (dtype.Number, error) {
	v, err := Item[T](t)
	return dtype.NumberOf(v), err
}

func (elementAs[T]) texts(t *Tensor, format string) ([]string, error) { return textsOf[T](t, format) }

// printable returns v as package fmt prints it by the given format: halves as
// numbers, which the verbs of floats take.
func printable(v any, format string) any {
	if h, ok := v.(interface{ Float32() float32 }); ok && format != "%v" {
		return h.Float32()
	}
	return v
}
