package tensor

import (
	"unsafe"

	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/cpu"
	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
)

// host returns the CPU device.
func host() *cpu.Device { return cpu.Default() }

// maxSmall is the number of bytes up to which a result on the CPU lives on the
// Go heap, with its Tensor in one allocation or in storage of an earlier result:
// there the garbage collector is cheaper than the pool and its cleanups.
const maxSmall = 1024

// isSmall reports whether so many bytes on a device live on the Go heap.
func isSmall(dev device.Device, bytes int) bool {
	return bytes <= maxSmall && dev == device.Device(host())
}

// onGoHeap is a tensor on the CPU whose elements are on the Go heap. Later
// tensors may be over its storage (shelf).
type onGoHeap struct {
	tensor  Tensor
	layout  broadcast.Layout
	storage storage
	buffer  cpu.Buffer
}

// The sizes of allocation for small results.
type (
	small64 struct {
		onGoHeap
		data [8]uint64
	}
	small256 struct {
		onGoHeap
		data [32]uint64
	}
	small1024 struct {
		onGoHeap
		data [maxSmall / 8]uint64
	}
)

// newSmall returns a tensor of dtype d with its own memory of at most maxSmall
// bytes, of any contents, and with that layout.
func newSmall(bytes int, d dtype.DType, l *broadcast.Layout) *Tensor {
	class := classOf(bytes)
	if s := shelves[class].take(bytes); s != nil {
		return viewOf(s, d, *l)
	}
	o := newCell(class, bytes)
	o.layout, o.tensor.dtype = *l, d
	return &o.tensor
}

// newLike is newSmall with the layout of a tensor that lends it.
func newLike(t *Tensor, bytes int, d dtype.DType) *Tensor {
	class := classOf(bytes)
	if s := shelves[class].take(bytes); s != nil {
		return &Tensor{layout: t.layout, store: s, dtype: d, lends: true}
	}
	o := newCell(class, bytes)
	o.tensor.layout, o.tensor.dtype, o.tensor.lends = t.layout, d, true
	return &o.tensor
}

// newKept returns what a constructor makes, or several parts are written into:
// likely an operand again and again.
// So results of its shape can have its layout too, and no operation need hold
// its memory, since a Free gives that to nobody.
func newKept(bytes int, d dtype.DType, shape Shape) *Tensor {
	o := newCell(classOf(bytes), bytes)
	o.storage.class, o.storage.collected = notSmall, true
	o.tensor.dtype = d
	o.tensor.setLayout(broadcast.RowMajor(shape))
	return &o.tensor
}

// newCell allocates memory of a class, of which bytes are in use.
func newCell(class smallClass, bytes int) (o *onGoHeap) {
	switch class {
	case class64:
		s := new(small64)
		o = s.init(asBytes(s.data[:]), bytes)
	case class256:
		s := new(small256)
		o = s.init(asBytes(s.data[:]), bytes)
	default:
		s := new(small1024)
		o = s.init(asBytes(s.data[:]), bytes)
	}
	if shelved {
		o.storage.class = class
	}
	return o
}

// cellOf returns the cell in which a storage of a class lies.
func cellOf(s *storage) *onGoHeap {
	return (*onGoHeap)(unsafe.Add(unsafe.Pointer(s), -int(unsafe.Offsetof(onGoHeap{}.storage))))
}

// asBytes returns the bytes of words.
func asBytes(words []uint64) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), 8*len(words))
}

// wrap returns a tensor over memory of the caller.
func wrap(data []byte) *Tensor {
	o := new(onGoHeap)
	o.storage.foreign, o.storage.collected = true, true
	return &o.init(data, len(data)).tensor
}

// sameBytes reports whether two buffers on the CPU have memory in common.
func sameBytes(a, b device.Buffer) bool {
	x, err := host().Map(a)
	if err != nil {
		return false
	}
	y, err := host().Map(b)
	if err != nil || len(x) == 0 || len(y) == 0 {
		return false
	}
	from, to := uintptr(unsafe.Pointer(&x[0])), uintptr(unsafe.Pointer(&y[0]))
	return from < to+uintptr(len(y)) && to < from+uintptr(len(x))
}

// init makes o a tensor over the first bytes of data.
func (o *onGoHeap) init(data []byte, bytes int) *onGoHeap {
	o.buffer.Init(data)
	o.buffer.Shorten(bytes)
	o.storage.dev, o.storage.buf = host(), &o.buffer
	o.storage.refs.Store(1)
	o.tensor.store, o.tensor.layout = &o.storage, &o.layout
	return o
}
