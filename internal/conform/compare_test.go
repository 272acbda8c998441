package conform

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"github.com/stride0/stride0/tensor"
)

// numbers returns a Value of floats.
func numbers(v ...float32) Value {
	raw, err := binary.Append(nil, binary.LittleEndian, v)
	if err != nil {
		panic(err)
	}
	return Value{Name: "y", DType: "f32", Shape: []int{len(v)}, Raw: raw}
}

func TestCompareTolerance(t *testing.T) {
	const eps = 0x1p-23
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for name, c := range map[string]struct {
		got, want float32
		ok        bool
	}{
		"equal":            {3, 3, true},
		"zeros":            {float32(math.Copysign(0, -1)), 0, true},
		"relative, within": {1024 + 1000*8*eps, 1024, true},
		"relative, beyond": {1024 + 1100*8*eps, 1024, false},
		"absolute, within": {7 * eps, 0, true},
		"absolute, beyond": {9 * eps, 0, false},
		"NaN":              {nan, nan, true},
		"NaN for a number": {nan, 1, false},
		"a number for NaN": {1, nan, false},
		"infinity":         {inf, inf, true},
		"other infinity":   {inf, -inf, false},
		"overflow":         {inf, math.MaxFloat32, false},
		"a number for Inf": {math.MaxFloat32, inf, false},
	} {
		if err := Compare(tensor.New([]float32{1, c.got}), numbers(1, c.want)); (err == nil) != c.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestCompareSaysWhatDiffers(t *testing.T) {
	x := tensor.New([]int32{1, 2})
	ints := Value{Name: "y", DType: "i32", Shape: []int{2}, Raw: []byte{1, 0, 0, 0, 3, 0, 0, 0}}
	row := ints
	row.Shape = []int{1, 2}
	for name, c := range map[string]struct {
		got  *tensor.Tensor
		want Value
		part string
	}{
		"dtype":   {x, numbers(1, 2), "y is int32, want float32"},
		"shape":   {x, row, "y has shape (2), want (1, 2)"},
		"integer": {x, ints, "element 1 is 02000000, want 03000000"},
		"failed":  {x.Reshape(3), ints, "reshape"},
		"strange": {x, Value{DType: "str"}, "no tensor holds str"},
	} {
		if err := Compare(c.got, c.want); err == nil || !strings.Contains(err.Error(), c.part) {
			t.Errorf("%s: %v lacks %q", name, err, c.part)
		}
	}
}
