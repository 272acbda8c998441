package tensor_test

import (
	"errors"
	"slices"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

// cellStore is memory that twins share: bit patterns in the low bits.
type cellStore struct {
	dtype dtype.DType
	dev   device.Device
	cells []uint64
}

// twin is a tensor beside what the model knows of it: which cell each element
// is, in row-major order. So a view is a list of cells, an overlap is a cell
// in two lists, and shared memory a cell twice in one; there are no strides.
type twin struct {
	real  *tensor.Tensor
	name  int // in the order of their making, for messages
	sizes []int
	at    []int
	store *cellStore   // nil: a Scalar, or dead
	weak  dtype.Number // of a Scalar
	scope *scopeTwin

	// A dead twin is what an operation gives that must fail, or was freed.
	dead   bool
	same   error // the very error it must have, when it comes from an operand
	reason error // what its error must be, for errors.Is
}

// scopeTwin is a Scope beside what the model knows of it.
type scopeTwin struct {
	real   *tensor.Scope
	opened int
	closed bool
}

// failing is the outcome of an operation that must fail.
func failing(reason error) *twin { return &twin{dead: true, reason: reason} }

// fresh returns a twin with cells of its own, row-major.
func fresh(dev device.Device, d dtype.DType, sizes []int, bits []uint64) *twin {
	t := &twin{sizes: slices.Clone(sizes), store: &cellStore{d, dev, bits}, at: make([]int, len(bits))}
	for i := range t.at {
		t.at[i] = i
	}
	return t
}

func weakTwin(n dtype.Number) *twin { return &twin{weak: n} }

func (t *twin) isWeak() bool { return !t.dead && t.store == nil }

// refused returns the outcome of an operation on a dead operand: the first
// one decides. It is nil when all live.
func refusedBy(ts ...*twin) *twin {
	for _, t := range ts {
		if !t.dead {
			continue
		}
		if err := t.real.Err(); err != tensor.ErrFreed && err != tensor.ErrEmpty {
			return &twin{dead: true, same: err}
		}
		return failing(t.real.Err())
	}
	return nil
}

// dtype returns what DType must return.
func (t *twin) dtype() dtype.DType {
	switch {
	case t.dead:
		return dtype.Invalid
	case t.store == nil:
		return weakType(t.weak)
	}
	return t.store.dtype
}

// weakType is the dtype in which a Scalar computes.
func weakType(n dtype.Number) dtype.DType {
	switch {
	case n.Kind() == dtype.BoolKind:
		return dtype.Bool
	case n.Kind() == dtype.FloatKind:
		return dtype.Float64
	case n.Kind() == dtype.UintKind: // above the range of int64
		return dtype.Uint64
	}
	return dtype.Int64
}

// bits returns the elements in row-major order.
func (t *twin) bits() []uint64 {
	out := make([]uint64, len(t.at))
	for i, cell := range t.at {
		out[i] = t.store.cells[cell]
	}
	return out
}

// write stores elements in row-major order.
func (t *twin) write(bits []uint64) {
	for i, cell := range t.at {
		t.store.cells[cell] = bits[i]
	}
}

// shared reports whether two elements are one cell.
func (t *twin) shared() bool {
	seen := make(map[int]bool, len(t.at))
	for _, cell := range t.at {
		if seen[cell] {
			return true
		}
		seen[cell] = true
	}
	return false
}

// contiguous reports whether the cells follow one another.
func (t *twin) contiguous() bool {
	for i, cell := range t.at {
		if cell != t.at[0]+i {
			return false
		}
	}
	return true
}

// like returns a view of other cells of the same memory.
func (t *twin) like(sizes, at []int) *twin {
	return &twin{sizes: sizes, at: at, store: t.store, scope: t.scope}
}

// pick returns the view whose element at index to is t's at index from.
func (t *twin) pick(sizes []int, where func(to, from []int)) *twin {
	v := t.like(sizes, make([]int, 0, shapeSize(sizes)))
	from := make([]int, len(t.sizes))
	each(sizes, func(to []int) {
		where(to, from)
		v.at = append(v.at, t.at[position(t.sizes, from)])
	})
	return v
}

// position returns the place of an index in row-major order.
func position(sizes, index []int) int {
	pos := 0
	for i, n := range sizes {
		pos = pos*n + index[i]
	}
	return pos
}

// stretchOver returns, for every element of a space in row-major order, which
// element of a shape that broadcasts to it is there.
func stretchOver(sizes, space []int) []int {
	out := make([]int, 0, shapeSize(space))
	each(space, func(index []int) {
		pos := 0
		for i, n := range sizes {
			j := index[len(space)-len(sizes)+i]
			if n == 1 {
				j = 0
			}
			pos = pos*n + j
		}
		out = append(out, pos)
	})
	return out
}

// stretchesExactly reports whether sizes broadcast to exactly the space.
func stretchesExactly(sizes, space []int) bool {
	s, ok := stretch(sizes, space)
	return ok && slices.Equal(s, space)
}

// strided reports whether strides over the sizes can reach the cells.
func strided(at, sizes []int) bool {
	if len(at) == 0 {
		return true
	}
	steps := make([]int, len(sizes))
	after := 1
	for i := len(sizes) - 1; i >= 0; i-- {
		if sizes[i] > 1 {
			steps[i] = at[after] - at[0]
		}
		after *= sizes[i]
	}
	ok, next := true, 0
	each(sizes, func(index []int) {
		cell := at[0]
		for i, j := range index {
			cell += j * steps[i]
		}
		ok = ok && cell == at[next]
		next++
	})
	return ok
}

// settled returns the tensor that a Scalar becomes when elements are needed:
// bool, int64 or float32.
func (t *twin) settled(dev device.Device) *twin {
	d := weakType(t.weak)
	if d == dtype.Float64 {
		d = dtype.Float32
	}
	bits, err := t.weak.Bits(d)
	if err != nil {
		return failing(nil)
	}
	return fresh(dev, d, nil, []uint64{bits})
}

// checkError makes sure that an error teaches: a *tensor.Error with a text,
// and the reason or the very error that the model knows.
func (t *twin) checkError(err error) string {
	var e *tensor.Error
	switch {
	case err == nil:
		return "no error, but the operation has no answer"
	case t.same != nil && err != t.same:
		return "error " + err.Error() + ", want that of the operand: " + t.same.Error()
	case !errors.As(err, &e):
		return "error " + err.Error() + " is no *tensor.Error"
	case e.Op == "" || e.At == "" || e.Err == nil || e.Err.Error() == "":
		return "error " + err.Error() + " does not say what failed, where and why"
	case t.reason != nil && !errors.Is(err, t.reason):
		return "error " + err.Error() + " is not " + t.reason.Error()
	}
	return ""
}
