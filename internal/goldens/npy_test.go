package goldens_test

import (
	"strings"
	"testing"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/internal/goldens"
	"github.com/stride0/stride0/tensor"
)

func file(header, data string) []byte {
	return []byte("\x93NUMPY\x01\x00" + string([]byte{byte(len(header)), 0}) + header + data)
}

func TestRead(t *testing.T) {
	x, err := goldens.Read(file("{'descr': '<i2', 'fortran_order': False, 'shape': (2, 1), }  \n", "\x01\x00\xff\xff"))
	if err != nil {
		t.Fatal(err)
	}
	v, err := tensor.Data[int16](x)
	if err != nil || !x.Shape().Equal(tensor.Shape{2, 1}) || v[0] != 1 || v[1] != -1 {
		t.Errorf("%v %v, %v", x.Shape(), v, err)
	}
	half, err := goldens.Read(file("{'descr': '<f2', 'fortran_order': False, 'shape': (), }\n", "\x00\x3c"))
	if err != nil || half.DType() != dtype.Float16 || half.Rank() != 0 {
		t.Fatal(half.DType(), err)
	}
	if v, err := tensor.Item[float32](half.Cast(dtype.Float32)); v != 1 || err != nil {
		t.Errorf("%v, %v", v, err)
	}
}

func TestReadRefuses(t *testing.T) {
	for want, f := range map[string][]byte{
		"not a file":             []byte("PK"),
		"cut off":                file("{}", "")[:10],
		"cannot read the header": file("{'descr': '<i2', 'fortran_order': True, 'shape': (2,), }\n", ""),
		"elements of type":       file("{'descr': '<c8', 'fortran_order': False, 'shape': (2,), }\n", ""),
		"3 bytes of elements":    file("{'descr': '<i2', 'fortran_order': False, 'shape': (2,), }\n", "abc"),
	} {
		if _, err := goldens.Read(f); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", want, err)
		}
	}
}
