package tensor

import (
	"sync/atomic"

	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
)

// Shape is a list of sizes, outermost first. It prints as "(2, 3)".
type Shape = broadcast.Shape

// Tensor is a view of elements of one dtype on one device: sizes and strides
// over storage that other views may share. Its shape, dtype, device and error
// never change after it is made (Free makes it a failed tensor); its elements
// change only through Into, the methods that write (Assign, Fill, Set,
// AddAssign and kin) and WithMutableData.
//
// A failed tensor carries the error of the operation that made it. Operations
// on it return it, so a chain needs one check at its end: Err, or any function
// that reads elements. A nil *Tensor and the zero Tensor are failed tensors
// too. Concurrent use is safe as long as nobody writes.
type Tensor struct {
	layout *broadcast.Layout // never written; nil in the zero Tensor only
	store  *storage          // nil: failed, zero, weak or an index
	ext    *ext              // what few tensors have; usually nil
	dtype  dtype.DType
	index  int8          // 1+axis: the operand of a constructor that stands for an index
	lends  bool          // layout is an allocation of its own, that other tensors may have too
	freed  atomic.Uint32 // who freed it: byNobody, byFree or byScope
}

// ext holds what only some tensors have.
type ext struct {
	scope atomic.Pointer[Scope] // that the tensor belongs to, until Keep takes it out
	weak  dtype.Number          // a weak scalar's number; Kind NoKind otherwise
	err   error                 // why the tensor failed
}

// extended is a tensor without elements.
type extended struct {
	tensor Tensor
	ext    ext
}

// rank0 is the layout of tensors without elements.
var rank0 broadcast.Layout

func (e *extended) init() *Tensor {
	e.tensor.layout, e.tensor.ext = &rank0, &e.ext
	return &e.tensor
}

// weakScalar returns the weak scalar of a number.
func weakScalar(n dtype.Number) *Tensor { return (&extended{ext: ext{weak: n}}).init() }

// failed returns the failed tensor with that error.
func failed(err error) *Tensor { return (&extended{ext: ext{err: err}}).init() }

// failure returns why an operation that made t failed, or nil.
func (t *Tensor) failure() error {
	if t.ext == nil {
		return nil
	}
	return t.ext.err
}

// weak returns the number of a weak scalar; of Kind NoKind otherwise.
func (t *Tensor) weak() dtype.Number {
	if t.ext == nil {
		return dtype.Number{}
	}
	return t.ext.weak
}

// Err returns why t failed, or nil. It never waits for a device.
func (t *Tensor) Err() error {
	switch {
	case t == nil:
		return ErrEmpty
	case t.failure() != nil:
		return t.ext.err
	case t.freed.Load() != byNobody:
		return ErrFreed
	case t.store == nil && !t.isWeak() && t.index == 0:
		return ErrEmpty
	}
	return nil
}

// live reports whether t can be an operand.
func (t *Tensor) live() bool { return t.Err() == nil }

// isWeak reports whether t is a number without a width.
func (t *Tensor) isWeak() bool { return t.weak().Kind() != dtype.NoKind }

// Shape returns the sizes of t, a fresh copy; it is empty for a failed tensor.
func (t *Tensor) Shape() Shape {
	if !t.live() {
		return Shape{}
	}
	return t.layout.Shape()
}

// Rank returns the number of axes, 0 for a failed tensor.
func (t *Tensor) Rank() int {
	if !t.live() {
		return 0
	}
	return t.layout.Rank()
}

// Dim returns the size of an axis, negative ones counted from the end. It is
// 0 for an axis that does not exist and for a failed tensor.
func (t *Tensor) Dim(axis int) int {
	rank := t.Rank()
	if axis < 0 {
		axis += rank
	}
	if axis < 0 || axis >= rank {
		return 0
	}
	return t.layout.Dim(axis)
}

// Size returns the number of elements, 0 for a failed tensor.
func (t *Tensor) Size() int {
	if !t.live() {
		return 0
	}
	return t.layout.Size()
}

// DType returns the element type, Invalid for a failed tensor. A weak scalar
// is Bool, Int64 or Float64.
func (t *Tensor) DType() dtype.DType {
	if !t.live() {
		return dtype.Invalid
	}
	return t.elementType()
}

// elementType is DType for who has seen that t is live: another goroutine may
// free it at any time, which says nothing about its elements.
func (t *Tensor) elementType() dtype.DType {
	if t.isWeak() {
		return weakDType(t.weak())
	}
	return t.dtype
}

// Device returns where the elements are, nil for a failed tensor. A weak
// scalar is at home anywhere; it answers the CPU.
func (t *Tensor) Device() device.Device {
	switch {
	case !t.live():
		return nil
	case t.store == nil:
		return host()
	}
	return t.store.dev
}

// IsContiguous reports whether the elements lie in row-major order without
// gaps, as WithData needs them.
func (t *Tensor) IsContiguous() bool { return t.live() && t.layout.IsContiguous() }
