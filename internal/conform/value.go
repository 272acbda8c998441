package conform

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

// An elementType is a dtype of the files: what it is called there and in the
// attributes of operators, and how its elements are read and written.
type elementType struct {
	dtype dtype.DType
	code  int     // ONNX's TensorProto.DataType
	eps   float64 // 2^(1-bits of the significand) of a float, 0 of others

	decode func(v Value) (*tensor.Tensor, error)
	encode func(t *tensor.Tensor) ([]byte, error)
}

// elementTypes are keyed by the name in the files.
var elementTypes = map[string]elementType{
	"bool": elements[bool](9, 0),
	"u8":   elements[uint8](2, 0),
	"u16":  elements[uint16](4, 0),
	"u32":  elements[uint32](12, 0),
	"u64":  elements[uint64](13, 0),
	"i8":   elements[int8](3, 0),
	"i16":  elements[int16](5, 0),
	"i32":  elements[int32](6, 0),
	"i64":  elements[int64](7, 0),
	"bf16": elements[dtype.BF16](16, 0x1p-7),
	"f16":  elements[dtype.F16](10, 0x1p-10),
	"f32":  elements[float32](1, 0x1p-23),
	"f64":  elements[float64](11, 0x1p-52),
}

func elements[T dtype.Element](code int, eps float64) elementType {
	return elementType{dtype.Of[T](), code, eps, decode[T], encode[T]}
}

// decode returns v as a tensor on the CPU.
func decode[T dtype.Element](v Value) (*tensor.Tensor, error) {
	data := make([]T, len(v.Raw)/dtype.Of[T]().Size())
	if _, err := binary.Decode(v.Raw, binary.LittleEndian, data); err != nil {
		return nil, err
	}
	t := tensor.New(data).Reshape(v.Shape...)
	return t, t.Err()
}

// encode returns the elements of t as files hold them.
func encode[T dtype.Element](t *tensor.Tensor) ([]byte, error) {
	data, err := tensor.Data[T](t)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = binary.Write(&b, binary.LittleEndian, data)
	return b.Bytes(), err
}

// Tensor returns v as a tensor on the CPU. A dtype that no tensor holds is an
// *UnsupportedError.
func (v Value) Tensor() (*tensor.Tensor, error) {
	t, ok := elementTypes[v.DType]
	if !ok {
		return nil, &UnsupportedError{Op: "dtype", Reason: "no tensor holds " + v.DType}
	}
	if err := v.check(); err != nil {
		return nil, err
	}
	return t.decode(v)
}

// typeOfCode returns the element type that operators call by a number, and its
// name.
func typeOfCode(code int) (name string, t elementType, err error) {
	for name, t := range elementTypes {
		if t.code == code {
			return name, t, nil
		}
	}
	return "", elementType{}, &UnsupportedError{Op: "dtype", Reason: fmt.Sprintf("no tensor holds ONNX type %d", code)}
}
