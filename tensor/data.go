package tensor

import (
	"strconv"
	"unsafe"

	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/cpu"
	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// New returns a tensor on the CPU with a copy of data, row-major. Without
// sizes it has one axis. As many sizes as axes must multiply to len(data).
func New[T dtype.Element](data []T, sizes ...int) *Tensor {
	shape, err := shapeFor(len(data), sizes)
	if err != nil {
		return fail("new", err)
	}
	t := here().empty("new", dtype.Of[T](), shape)
	if t.failure() != nil {
		return t
	}
	dst, err := hostBytes(t)
	if err != nil {
		return fail("new", err)
	}
	if sameMemory[T]() {
		copy(dst, bytesOf(data))
	} else {
		stored := elementsOf[int64](dst)
		for i, v := range any(data).([]int) {
			stored[i] = int64(v)
		}
	}
	return t
}

// FromSlice returns a tensor on the CPU over data itself, without a copy: both
// see each other's writes, and data must stay unused elsewhere while
// operations that write run. On 32-bit machines an []int is refused: its
// elements are not those of an int64 tensor.
func FromSlice[T dtype.Element](data []T, sizes ...int) *Tensor {
	shape, err := shapeFor(len(data), sizes)
	if err == nil && !sameMemory[T]() {
		err = errorf("an int has %d bits here, not 64; use []int64, or New, which copies", strconv.IntSize)
	}
	if err == nil {
		err = checkNew(dtype.Of[T](), shape)
	}
	if err != nil {
		return fail("fromslice", err)
	}
	t := wrap(bytesOf(data))
	t.dtype = dtype.Of[T]()
	t.setLayout(broadcast.RowMajor(shape))
	return t
}

// shapeFor returns the shape of n elements: sizes, or (n) without any.
func shapeFor(n int, sizes []int) (Shape, error) {
	if len(sizes) == 0 {
		return Shape{n}, nil
	}
	shape := Shape(sizes).Clone()
	if err := shape.Check(1); err != nil {
		return nil, hintMinusOne(err, shape, "give every size; only Reshape(-1, ...) works one out")
	}
	if shape.Size() != n {
		return nil, &broadcast.ShapeError{Shapes: []Shape{shape},
			Msg:  itoa(n) + " elements do not fill " + shape.String() + ", which has " + itoa(shape.Size()),
			Hint: "give as many elements as the sizes multiply to"}
	}
	return shape, nil
}

// Data returns a copy of the elements in row-major order. T must be the type
// of the dtype of t (int serves for int64). It waits for work on t.
func Data[T dtype.Element](t *Tensor) ([]T, error) {
	if err := checkElement[T]("data", t); err != nil {
		return nil, err
	}
	if err := t.checkRoom(); err != nil {
		return nil, newError("data", err, t)
	}
	if sameMemory[T]() {
		out := make([]T, t.layout.Size())
		return out, t.readInto("data", bytesOf(out))
	}
	stored := make([]int64, t.layout.Size())
	if err := t.readInto("data", bytesOf(stored)); err != nil {
		return nil, err
	}
	out := make([]int, len(stored))
	for i, v := range stored {
		if out[i] = int(v); int64(out[i]) != v {
			return nil, newError("data", errorf("element %d is %d, which an int does not hold here; use Data[int64]", i, v), t)
		}
	}
	return any(out).([]T), nil
}

// checkRoom makes sure that a copy of t's elements fits the memory of the
// host: a stretched view may have more of them than any machine can hold, and
// running out of memory cannot be undone. Other views are no larger than
// memory that was there.
func (t *Tensor) checkRoom() error {
	if t.store == nil {
		return nil
	}
	if err := t.hold(); err != nil {
		return err // and what is not held may have become the storage of another
	}
	defer t.drop()
	if int64(t.layout.Size()) <= t.store.buf.Size()/int64(t.dtype.Size()) {
		return nil
	}
	if err := t.layout.Shape().Check(t.dtype.Size()); err != nil {
		return err
	}
	pool := host().PoolStats()
	need, free := int64(t.byteSize()), pool.Limit-pool.Live
	if need > free {
		return refused(t.dtype, t.layout.Shape(),
			&device.OutOfMemoryError{Device: host().Info().Name, Need: need, Free: max(free, 0), Limit: pool.Limit})
	}
	return nil
}

// Item returns the only element of a tensor of one element, whatever its rank.
// T must be the type of its dtype.
func Item[T dtype.Element](t *Tensor) (T, error) {
	var zero T
	if err := checkElement[T]("item", t); err != nil {
		return zero, err
	}
	if n := t.layout.Size(); n != 1 {
		return zero, newError("item", &broadcast.ShapeError{Shapes: []Shape{t.layout.Shape()},
			Msg: t.layout.Shape().String() + " has " + itoa(n) + " elements, not one", Hint: "use Data"}, t)
	}
	v, err := Data[T](t)
	if err != nil {
		return zero, err
	}
	return v[0], nil
}

// WithData lends the elements of t, which must be contiguous and in memory the
// host addresses, to f for the length of the call. f must not write to the
// slice nor keep it: the memory is reused once t is garbage or freed. The error
// is f's, or says why there was no call.
//
// With STRIDE0_DEBUG=guard in the environment, on Linux, f gets a copy, and
// using a slice that f kept is a fault that ends the program where it happens.
func WithData[T dtype.Element](t *Tensor, f func(data []T) error) error {
	return lend("withdata", t, false, f)
}

// WithMutableData is WithData for an f that writes to the slice. Operations on
// t inside f may or may not see what f has written yet.
func WithMutableData[T dtype.Element](t *Tensor, f func(data []T) error) error {
	const op = "withmutabledata"
	if f == nil {
		return lend(op, t, true, f)
	}
	if t.live() && t.store != nil && !t.layout.IsContiguous() {
		if err := checkWritable(t); err != nil {
			return newError(op, err, t)
		}
		return newError(op, errorf("the elements of this view are not contiguous; write to c := t.Contiguous(), "+
			"which is a copy, and bring it back with t.Assign(c)"), t)
	}
	return lend(op, t, true, func(data []T) error {
		t.store.writes.Add(1)
		return f(data)
	})
}

func lend[T dtype.Element](op string, t *Tensor, write bool, f func([]T) error) error {
	if err := checkElement[T](op, t); err != nil {
		return err
	}
	if err := t.hold(); err != nil {
		return newError(op, err)
	}
	defer t.drop()
	switch {
	case f == nil:
		return newError(op, errorf("nil function: there is nobody to lend the elements to"), t)
	case t.store == nil:
		return newError(op, errorf("a Scalar has no memory to lend; use Item"), t)
	case !sameMemory[T]():
		return newError(op, errorf("an int has %d bits here, not 64; use int64, or Data, which copies", strconv.IntSize), t)
	case !t.layout.IsContiguous():
		return newError(op, errorf("the elements of this view are not contiguous; use Data, which copies, or Contiguous"), t)
	}
	bytes, err := hostBytes(t)
	if err != nil {
		return newError(op, err, t)
	}
	if cpu.Guarding() {
		return cpu.LendGuarded(bytes, write, func(b []byte) error { return f(elementsOf[T](b)) })
	}
	return f(elementsOf[T](bytes))
}

// checkElement makes sure that t is live and holds elements of type T.
func checkElement[T dtype.Element](op string, t *Tensor) error {
	if !t.live() {
		return refuse(op, t).failure()
	}
	if have, want := t.elementType(), dtype.Of[T](); have != want {
		return newError(op, &dtype.Error{DTypes: []dtype.DType{have, want}, Msg: "the elements are " + have.String() + ", not " + want.String(),
			Hint: "read them as " + have.String() + ", or Cast(" + want.GoString() + ") first"}, t)
	}
	return nil
}

// readInto copies the elements of t to dst in row-major order.
func (t *Tensor) readInto(op string, dst []byte) error {
	if err := t.hold(); err != nil {
		return newError(op, err)
	}
	defer t.drop()
	if len(dst) == 0 {
		return nil
	}
	if t.isWeak() {
		s := t.as(weakDType(t.weak()), host())
		if s.failure() != nil {
			return s.failure()
		}
		return s.readInto(op, dst)
	}
	if !t.layout.IsContiguous() {
		return t.gatherInto(op, dst)
	}
	if err := t.store.dev.Read(dst, t.store.buf, t.byteOffset()); err != nil {
		return newError(op, err, t)
	}
	return nil
}

// gatherInto is readInto for a view that is not contiguous: a copy that is,
// straight into dst where the host does it.
func (t *Tensor) gatherInto(op string, dst []byte) error {
	var c *Tensor
	if t.store.dev == device.Device(host()) {
		c = wrap(dst)
		c.dtype = t.dtype
		c.setLayout(broadcast.RowMajor(t.layout.Shape()))
		c = apply(call{Op: kernels.Copy, Dst: c}, t)
	} else {
		c = t.Clone()
	}
	if c.failure() != nil {
		return newError(op, reason(c.failure()), t)
	}
	defer c.Free()
	if c.store.dev == device.Device(host()) {
		return nil
	}
	return c.readInto(op, dst)
}

// sameMemory reports whether a []T has the layout of a tensor's elements: not
// so for int where it has 32 bits.
func sameMemory[T dtype.Element]() bool {
	var zero T
	return int(unsafe.Sizeof(zero)) == dtype.Of[T]().Size()
}

// bytesOf returns the memory of s.
func bytesOf[T dtype.Element](s []T) []byte {
	var zero T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(zero)))
}

// elementsOf returns memory as elements.
func elementsOf[T dtype.Element](b []byte) []T {
	var zero T
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/int(unsafe.Sizeof(zero)))
}

// hostBytes returns the memory of the elements of t, which must be contiguous,
// once earlier work on the device is done.
func hostBytes(t *Tensor) ([]byte, error) {
	m, ok := t.store.dev.(device.Mapper)
	if !ok {
		return nil, &device.Error{Device: t.store.dev.Info().Name, Call: "Map", Err: errNoMapper}
	}
	b, err := m.Map(t.store.buf)
	if err != nil {
		return nil, err
	}
	off := t.byteOffset()
	return b[off : off+int64(t.byteSize())], nil
}

var errNoMapper = errorf("the host cannot address this memory (%w); use Data, which copies", device.ErrUnsupported)
