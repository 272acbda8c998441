package cpu

import (
	"fmt"
	"unsafe"

	"github.com/stride0/stride0/device"
)

// spot is a strided operand in memory, acquired.
type spot struct {
	buf  *Buffer
	base unsafe.Pointer // of the point of all zeros; nil without points
}

// takeSpot acquires the operand at a place and checks that all points of a
// space, elem bytes each, are inside its buffer.
func takeSpot(call string, at device.Operand, elem int, sizes, strides []int) (spot, error) {
	buf, err := Default().own(call, at.Buffer)
	if err != nil {
		return spot{}, err
	}
	if len(sizes) != len(strides) {
		buf.release()
		return spot{}, refusal(call, fmt.Errorf("%d strides for %d axes", len(strides), len(sizes)))
	}
	lo, hi := 0, 0
	for k, n := range sizes {
		switch reach := (n - 1) * strides[k]; {
		case n < 0:
			buf.release()
			return spot{}, refusal(call, fmt.Errorf("a size is %d", n))
		case n == 0:
			return spot{buf: buf}, nil
		case reach < 0:
			lo += reach
		default:
			hi += reach
		}
	}
	first, bytes := at.Offset+int64(lo)*int64(elem), int64(hi-lo+1)*int64(elem)
	if buf.bytes(first, bytes) == nil {
		buf.release()
		return spot{}, outside(call, first, bytes, buf)
	}
	return spot{buf, unsafe.Add(buf.base(), int(at.Offset))}, nil
}

func refusal(call string, err error) error {
	return &device.Error{Device: name, Call: call, Err: err}
}

// release ends the use of spots; those that were not taken are left out.
func release(spots ...spot) {
	for _, s := range spots {
		if s.buf != nil {
			s.buf.release()
		}
	}
}

// maxAxes is room for the axes of any tensor and two parts of one.
const maxAxes = 34
