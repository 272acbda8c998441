package dtype

// Element lists the Go types that tensors convert from and to. An int is
// stored as int64.
type Element interface {
	bool | uint8 | int32 | int64 | int | float32 | float64
}

// Of returns the dtype that stores elements of type T.
func Of[T Element]() DType {
	var zero T
	switch any(zero).(type) {
	case bool:
		return Bool
	case uint8:
		return Uint8
	case int32:
		return Int32
	case int64, int:
		return Int64
	case float32:
		return Float32
	case float64:
		return Float64
	}
	return Invalid
}
