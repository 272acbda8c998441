package tensor

import (
	"unsafe"

	"github.com/stride0/stride0/cpu"
	"github.com/stride0/stride0/device"
)

// host returns the CPU device.
func host() *cpu.Device { return cpu.Default() }

// maxSmall is the number of bytes up to which a result on the CPU lives in the
// same allocation as its Tensor: there the garbage collector is cheaper than
// the pool and its cleanups.
const maxSmall = 1024

// onGoHeap is a tensor on the CPU whose elements the garbage collector owns.
type onGoHeap struct {
	tensor  Tensor
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

// newSmall returns a tensor with its own memory of at most maxSmall bytes, all
// zero. Layout and dtype are the caller's to set.
func newSmall(bytes int) *Tensor {
	switch {
	case bytes <= 64:
		s := new(small64)
		return s.init(asBytes(s.data[:], bytes))
	case bytes <= 256:
		s := new(small256)
		return s.init(asBytes(s.data[:], bytes))
	}
	s := new(small1024)
	return s.init(asBytes(s.data[:], bytes))
}

// asBytes returns the first n bytes of words.
func asBytes(words []uint64, n int) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), 8*len(words))[:n:n]
}

// wrap returns a tensor over memory of the caller.
func wrap(data []byte) *Tensor {
	o := new(onGoHeap)
	o.storage.foreign = true
	return o.init(data)
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

func (o *onGoHeap) init(data []byte) *Tensor {
	o.buffer.Init(data)
	o.storage.dev, o.storage.buf = host(), &o.buffer
	o.storage.refs.Store(1)
	o.tensor.store = &o.storage
	return &o.tensor
}
