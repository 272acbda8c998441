package tensor

import (
	"errors"
	"fmt"
	"strings"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
)

// MemoryError says which tensor there was no memory for. It is
// device.ErrOutOfMemory.
type MemoryError struct {
	Shape Shape
	DType dtype.DType
	Err   *device.OutOfMemoryError // the device, and what it had
}

// Error returns "(1000000, 1000) float32 is 4.0 GB; limit 2 GB on cpu; ...".
func (e *MemoryError) Error() string {
	bytes := int64(e.Shape.Size()) * int64(e.DType.Size())
	text := fmt.Sprintf("%v %v is %s; ", e.Shape, e.DType, device.Bytes(bytes))
	switch limit := roundBytes(e.Err.Limit); {
	case e.Err.Limit == 0:
		return text + e.Err.Device + " has no memory for it; free tensors or use a smaller shape"
	case bytes > e.Err.Limit:
		return text + "limit " + limit + " on " + e.Err.Device + "; use a smaller shape, or raise the limit with device.SetLimit"
	default:
		return text + "free " + device.Bytes(e.Err.Free) + " of the limit " + limit + " on " + e.Err.Device + "; free tensors or use a smaller shape"
	}
}

// Unwrap returns Err.
func (e *MemoryError) Unwrap() error { return e.Err }

// roundBytes is device.Bytes for a number that somebody chose: "2 GB".
func roundBytes(n int64) string { return strings.Replace(device.Bytes(n), ".0 ", " ", 1) }

// refused adds to the error of an allocation for which tensor it was.
func refused(d dtype.DType, shape Shape, err error) error {
	var oom *device.OutOfMemoryError
	if errors.As(err, &oom) {
		return &MemoryError{Shape: shape.Clone(), DType: d, Err: oom}
	}
	return err
}
