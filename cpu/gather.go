package cpu

import (
	"unsafe"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
)

// word is an element by its width, where its value does not matter.
type word interface {
	uint8 | uint16 | uint32 | uint64
}

// position is the type of an index.
type position interface{ int32 | int64 }

// Gather reads elements at indices, on as many cores as pay.
//
// Errors: *device.IndexError for an index out of range, the first in row-major
// order of the index tensor; *device.Error for ErrUnsupported, ErrFreed, an
// operand that reaches beyond its buffer.
func (d *Device) Gather(x *device.Indexed) error {
	w, err := newWalk("Gather", x)
	if err != nil {
		return err
	}
	defer w.done()
	return w.run(laneByWidth(x, gatherLanes), false)
}

// byWidth are lanes for elements of 1, 2, 4 and 8 bytes at indices of int32,
// then of int64.
type byWidth [2][4]walkLane

var gatherLanes = byWidth{
	{gatherLane[uint8, int32], gatherLane[uint16, int32], gatherLane[uint32, int32], gatherLane[uint64, int32]},
	{gatherLane[uint8, int64], gatherLane[uint16, int64], gatherLane[uint32, int64], gatherLane[uint64, int64]},
}

func laneByWidth(x *device.Indexed, lanes byWidth) walkLane {
	of := lanes[0]
	if x.IndexDType == dtype.Int64 {
		of = lanes[1]
	}
	switch x.DType.Size() {
	case 1:
		return of[0]
	case 2:
		return of[1]
	case 4:
		return of[2]
	}
	return of[3]
}

// placeAt returns the offset in the table that the indices at an offset add;
// false when one is out of range.
func placeAt[I position](w *walk, index int) (off int, ok bool) {
	for j, limit := range w.limits {
		i := int64(*(*I)(unsafe.Add(w.index.base, index+j*w.step)))
		if i < 0 {
			i += int64(limit)
		}
		if uint64(i) >= uint64(limit) {
			return 0, false
		}
		off += int(i) * w.jumps[j]
	}
	return off, true
}

// gatherLane is values[p] = table[place of p].
func gatherLane[E word, I position](w *walk, n, v, t, i int) {
	l := w.lane
	if l.index == 0 {
		if at, ok := placeAt[I](w, i); ok {
			copyLane[E](n, w.values.base, v, l.values, w.table.base, t+at, l.table)
		} else {
			w.bad.Store(true)
			var zero E
			copyLane[E](n, w.values.base, v, l.values, unsafe.Pointer(&zero), 0, 0)
		}
		return
	}
	if len(w.limits) == 1 {
		gatherEach[E, I](w, n, v, t, i)
		return
	}
	for range n {
		at, ok := placeAt[I](w, i)
		var e E
		if ok {
			e = *(*E)(unsafe.Add(w.table.base, t+at))
		} else {
			w.bad.Store(true)
		}
		*(*E)(unsafe.Add(w.values.base, v)) = e
		v, t, i = v+l.values, t+l.table, i+l.index
	}
}

// gatherEach is gatherLane for one index a point.
func gatherEach[E word, I position](w *walk, n, v, t, i int) {
	l, limit, jump := w.lane, int64(w.limits[0]), w.jumps[0]
	values, table, index := w.values.base, w.table.base, w.index.base
	for range n {
		at := int64(*(*I)(unsafe.Add(index, i)))
		if at < 0 {
			at += limit
		}
		var e E
		if uint64(at) < uint64(limit) {
			e = *(*E)(unsafe.Add(table, t+int(at)*jump))
		} else {
			w.bad.Store(true)
		}
		*(*E)(unsafe.Add(values, v)) = e
		v, t, i = v+l.values, t+l.table, i+l.index
	}
}

// copyLane copies n elements between places that advance by steps of bytes.
func copyLane[E word](n int, dst unsafe.Pointer, to, toStep int, src unsafe.Pointer, from, fromStep int) {
	var zero E
	elem := int(unsafe.Sizeof(zero))
	if toStep == elem && fromStep == elem {
		copy(unsafe.Slice((*E)(unsafe.Add(dst, to)), n), unsafe.Slice((*E)(unsafe.Add(src, from)), n))
		return
	}
	for range n {
		*(*E)(unsafe.Add(dst, to)) = *(*E)(unsafe.Add(src, from))
		to, from = to+toStep, from+fromStep
	}
}

// firstBad returns the error of the first index out of range, in row-major
// order of the index tensor. It runs only when there is one.
func (w *walk) firstBad() error {
	x := w.x
	at := make([]int, x.IndexRank)
	off := 0
	for {
		for j, limit := range x.Limits {
			i := w.indexAt(off + j*x.Step)
			if i >= -int64(limit) && i < int64(limit) {
				continue
			}
			if x.Tuples {
				at = append(at, j)
			}
			return &device.IndexError{Op: x.Label, Value: i, Place: at, Axis: x.Axes[j], Size: limit}
		}
		k := x.IndexRank - 1
		for ; k >= 0; k-- {
			stride, size := x.Index.Strides[x.IndexAxis+k], x.Sizes[x.IndexAxis+k]
			at[k]++
			off += stride
			if at[k] < size {
				break
			}
			at[k], off = 0, off-size*stride
		}
		if k < 0 { // somebody wrote to the indices meanwhile
			return &device.IndexError{Op: x.Label}
		}
	}
}

// indexAt returns the element of the index tensor at an offset in elements.
func (w *walk) indexAt(off int) int64 {
	if w.x.IndexDType == dtype.Int32 {
		return int64(*(*int32)(unsafe.Add(w.index.base, off*4)))
	}
	return *(*int64)(unsafe.Add(w.index.base, off*8))
}
