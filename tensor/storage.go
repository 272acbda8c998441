package tensor

import (
	"sync/atomic"

	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
)

// storage is the part that views share: a buffer and who uses it. Every view
// is one reference and so is every operation that runs, so a Free in another
// goroutine never takes memory away from under an operation. Views that are
// dropped instead of freed keep their reference; the garbage collector then
// takes the storage as a whole, and the buffer's own cleanup gives it back.
type storage struct {
	dev    device.Device
	buf    device.Buffer
	refs   atomic.Int64
	writes atomic.Uint64 // operations that wrote, for whoever remembers elements

	class     smallClass // of small storage that its last Free gives to a later result
	collected bool       // only the garbage collector takes it away
	foreign   bool       // over memory of the caller, which other storage may be over too
}

// acquire adds a reference; false when the storage is already gone.
func (s *storage) acquire() bool {
	for {
		n := s.refs.Load()
		if n == 0 {
			return false
		}
		if s.refs.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

// release drops a reference and, with the last, the buffer.
func (s *storage) release() {
	switch {
	case s.refs.Add(-1) > 0:
	case s.class != notSmall:
		shelves[s.class].put(s)
	default:
		s.buf.Free()
	}
}

// hold keeps the elements of t in place until the storage is released. The
// reason when it cannot: t is failed or was freed meanwhile.
func (t *Tensor) hold() error {
	if err := t.Err(); err != nil {
		return err
	}
	if t.store != nil && !t.acquire() {
		return ErrFreed
	}
	return nil
}

// acquire adds a reference to the storage of t; false when t was freed
// meanwhile, and its storage, perhaps, given to another tensor.
func (t *Tensor) acquire() bool {
	if !t.store.acquire() {
		return false
	}
	if t.freed.Load() != byNobody {
		t.store.release()
		return false
	}
	return true
}

// drop ends what hold began.
func (t *Tensor) drop() {
	if t.store != nil {
		t.store.release()
	}
}

// withLayout returns another view of the storage of t. The caller holds t.
func (t *Tensor) withLayout(l broadcast.Layout) *Tensor {
	v := viewOf(t.store, t.dtype, l)
	t.store.refs.Add(1)
	joinScope(v, t)
	return v
}

// allocate returns a row-major tensor of any contents. shape must have
// passed Check.
func allocate(dev device.Device, d dtype.DType, shape Shape) (*Tensor, error) {
	bytes := shape.Size() * d.Size()
	if isSmall(dev, bytes) {
		l := broadcast.RowMajor(shape)
		return newSmall(bytes, d, &l), nil
	}
	buf, err := dev.Alloc(int64(bytes))
	if err != nil {
		return nil, refused(d, shape, err)
	}
	o := new(inBuffer)
	o.storage.dev, o.storage.buf = dev, buf
	o.storage.refs.Store(1)
	o.tensor.store, o.tensor.dtype = &o.storage, d
	o.layout = broadcast.RowMajor(shape)
	o.tensor.layout = &o.layout
	return &o.tensor, nil
}

// inBuffer is a tensor whose elements are in a buffer of its device.
type inBuffer struct {
	tensor  Tensor
	storage storage
	layout  broadcast.Layout
}

// inView is a tensor with its layout.
type inView struct {
	tensor Tensor
	layout broadcast.Layout
}

// viewOf returns a tensor of elements in a storage, to which it adds no
// reference.
func viewOf(s *storage, d dtype.DType, l broadcast.Layout) *Tensor {
	v := &inView{layout: l}
	v.tensor.layout, v.tensor.store, v.tensor.dtype = &v.layout, s, d
	return &v.tensor
}

// again returns another tensor of the same view, without a reference.
func (t *Tensor) again() *Tensor {
	return &Tensor{layout: t.layout, store: t.store, dtype: t.dtype, lends: t.lends}
}

// setLayout gives t, which nobody else knows yet, a layout that others may have
// too. (In the allocation of t it would keep all of that in memory.)
func (t *Tensor) setLayout(l broadcast.Layout) {
	t.layout, t.lends = &l, true
}

// byteOffset returns where the first byte of a contiguous t lies.
func (t *Tensor) byteOffset() int64 { return int64(t.layout.Offset()) * int64(t.dtype.Size()) }

// byteSize returns the bytes of the elements of t.
func (t *Tensor) byteSize() int { return t.layout.Size() * t.dtype.Size() }

// Free gives the memory of t back once work that uses it is done; t is then a
// failed tensor (ErrFreed). Other views of the same elements stay valid: each
// holds the memory until it is freed, and one that was dropped instead, as
// x.T() in x.T().MatMul(y) is, until the garbage collector finds it. A Scope
// frees such views too. Freeing is never necessary, it only spares the
// collector the work. Freeing a failed or freed tensor does nothing and
// returns its error.
func (t *Tensor) Free() error { return t.free(byFree) }

// Who freed a tensor.
const (
	byNobody uint32 = iota
	byFree
	byScope
)

func (t *Tensor) free(by uint32) error {
	if err := t.Err(); err != nil {
		return err
	}
	if !t.freed.CompareAndSwap(byNobody, by) {
		return ErrFreed
	}
	leaveScope(t)
	if t.store != nil {
		t.store.release()
	}
	return nil
}
