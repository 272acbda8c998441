package goldens

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

// The header of format 1.0, as numpy.lib.format documents it: magic, version,
// a length of two bytes, and a Python dictionary of that length.
var (
	magic   = []byte("\x93NUMPY\x01\x00")
	wantKey = regexp.MustCompile(`^\{'descr': '([^']+)', 'fortran_order': False, 'shape': \(([0-9, ]*)\), \}\s*$`)
)

// Read returns the array in a .npy file of version 1.0, little-endian and in
// row-major order. Errors: another format, order or element type; data of
// another length than the shape has.
func Read(file []byte) (*tensor.Tensor, error) {
	if !bytes.HasPrefix(file, magic) || len(file) < len(magic)+2 {
		return nil, fmt.Errorf("npy: not a file of version 1.0")
	}
	rest := file[len(magic)+2:]
	n := int(binary.LittleEndian.Uint16(file[len(magic):]))
	if n > len(rest) {
		return nil, fmt.Errorf("npy: the header of %d bytes is cut off", n)
	}
	key := wantKey.FindSubmatch(rest[:n])
	if key == nil {
		return nil, fmt.Errorf("npy: cannot read the header %q", rest[:n])
	}
	shape := tensor.Shape{}
	for part := range strings.SplitSeq(string(key[2]), ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		size, err := strconv.Atoi(part)
		if err != nil {
			return nil, fmt.Errorf("npy: %w", err)
		}
		shape = append(shape, size)
	}
	return elements(string(key[1]), shape, rest[n:])
}

// elements decodes data of the type that NumPy calls descr.
func elements(descr string, shape tensor.Shape, data []byte) (*tensor.Tensor, error) {
	if err := shape.Check(8); err != nil {
		return nil, err
	}
	switch descr {
	case "|b1":
		return decode[bool](shape, data)
	case "|i1":
		return decode[int8](shape, data)
	case "<i2":
		return decode[int16](shape, data)
	case "<i4":
		return decode[int32](shape, data)
	case "<i8":
		return decode[int64](shape, data)
	case "|u1":
		return decode[uint8](shape, data)
	case "<u2":
		return decode[uint16](shape, data)
	case "<u4":
		return decode[uint32](shape, data)
	case "<u8":
		return decode[uint64](shape, data)
	case "<f4":
		return decode[float32](shape, data)
	case "<f8":
		return decode[float64](shape, data)
	case "<f2":
		bits, err := decode[uint16](shape, data)
		if err != nil {
			return nil, err
		}
		return bits.BitCast(dtype.Float16), nil
	}
	return nil, fmt.Errorf("npy: elements of type %q", descr)
}

func decode[T dtype.Element](shape tensor.Shape, data []byte) (*tensor.Tensor, error) {
	v := make([]T, shape.Size())
	if want := binary.Size(v); want != len(data) {
		return nil, fmt.Errorf("npy: %d bytes of elements, %v has %d", len(data), shape, want)
	}
	if _, err := binary.Decode(data, binary.LittleEndian, v); err != nil {
		return nil, fmt.Errorf("npy: %w", err)
	}
	t := tensor.New(v).Reshape(shape...) // New without sizes has one axis
	return t, t.Err()
}
