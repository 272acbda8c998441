package conform

import (
	"encoding/json"
	"fmt"

	"github.com/stride0/stride0/cpu"
	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

// A call is one application of an operator. What goes wrong while its function
// looks inputs and attributes up stays in err, so that functions need not
// check; tensors carry their own errors.
type call struct {
	node  Node
	opset int
	dev   device.Device
	in    []*tensor.Tensor // nil where left out
	err   error
}

func (k *call) fail(err error) {
	if k.err == nil {
		k.err = err
	}
}

// unsupported fails the call for something that is not mapped.
func (k *call) unsupported(format string, args ...any) {
	k.fail(&UnsupportedError{k.node.Op, fmt.Sprintf(format, args...)})
}

// has reports whether input i is there.
func (k *call) has(i int) bool { return i < len(k.in) && k.in[i] != nil }

// arg returns input i, nil where it is left out; operations refuse that.
func (k *call) arg(i int) *tensor.Tensor {
	if !k.has(i) {
		return nil
	}
	return k.in[i]
}

// on makes tensors on the device of the call.
func (k *call) on() tensor.Place { return tensor.On(k.dev) }

// attr decodes an attribute; false when there is none of that name.
func attr[T any](k *call, name string) (v T, ok bool) {
	a, ok := k.node.Attrs[name]
	if !ok {
		return v, false
	}
	if err := json.Unmarshal(a.Value, &v); err != nil {
		k.unsupported("attribute %s is of type %s, %s", name, a.Type, a.Value)
	}
	return v, true
}

// attrOr is attr with a default.
func attrOr[T any](k *call, name string, otherwise T) T {
	if v, ok := attr[T](k, name); ok {
		return v
	}
	return otherwise
}

// integers reads input i, a short list that says what to do, such as sizes or
// axes.
func (k *call) integers(i int) []int {
	t := k.arg(i)
	if !t.Shape().Equal(tensor.Shape{t.Size()}) && t.Rank() > 0 {
		k.unsupported("input %d has shape %v, not that of a list", i, t.Shape())
		return nil
	}
	wide, err := tensor.Data[int64](t.To(cpu.Default()).Cast(dtype.Int64))
	if err != nil {
		k.fail(err)
	}
	list := make([]int, len(wide))
	for j, v := range wide {
		list[j] = clamp(v)
	}
	return list
}

// integer is integers for one number.
func (k *call) integer(i int) int {
	list := k.integers(i)
	if len(list) != 1 {
		k.fail(fmt.Errorf("input %d holds %d numbers, want one", i, len(list)))
		return 0
	}
	return list[0]
}

// clamp returns v as an int, within the ones that are no tensor.Begin or
// tensor.End: ONNX has numbers beyond every axis where Go omits a bound.
func clamp(v int64) int {
	return int(min(max(v, int64(tensor.Begin)+1), int64(tensor.End)-1))
}

// listed returns integers that an attribute of that name held in old versions
// of an operator and input i holds since; false where neither is there.
func (k *call) listed(name string, i int) ([]int, bool) {
	if v, ok := attr[[]int64](k, name); ok {
		list := make([]int, len(v))
		for j, n := range v {
			list[j] = clamp(n)
		}
		return list, true
	}
	if !k.has(i) {
		return nil, false
	}
	return k.integers(i), true
}

// number reads the only element of t as a Go bool, int64, uint64 or float64.
func (k *call) number(t *tensor.Tensor) any {
	var v any
	var err error
	t = t.To(cpu.Default())
	switch d := t.DType(); {
	case d == dtype.Bool:
		v, err = tensor.Item[bool](t)
	case d.IsFloat():
		v, err = tensor.Item[float64](t.Cast(dtype.Float64))
	case d == dtype.Uint64:
		v, err = tensor.Item[uint64](t)
	default:
		v, err = tensor.Item[int64](t.Cast(dtype.Int64))
	}
	if err != nil {
		k.fail(err)
		return 0
	}
	return v
}

// size returns the size of an axis of t, which must exist.
func (k *call) size(t *tensor.Tensor, axis int) int {
	if axis < -t.Rank() || axis >= t.Rank() {
		k.fail(fmt.Errorf("axis %d is out of range for %v", axis, t.Shape()))
		return 0
	}
	return t.Dim(axis)
}

// axis returns an axis of t, which must exist, counted from the front.
func (k *call) axis(t *tensor.Tensor, axis int) int {
	k.size(t, axis)
	if axis < 0 {
		axis += t.Rank()
	}
	return axis
}
