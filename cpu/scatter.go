package cpu

import (
	"fmt"
	"unsafe"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
)

// Scatter merges elements into places that indices name. Elements with one
// place are merged in row-major order, so that the result does not depend on
// GOMAXPROCS. Errors are those of Gather.
func (d *Device) Scatter(x *device.Indexed, how device.Merge) error {
	w, err := newWalk("Scatter", x)
	if err != nil {
		return err
	}
	defer w.done()
	lanes := mergeLanes(x, how)
	if lanes == nil {
		return refusal("Scatter", fmt.Errorf("%w: %v of %v", device.ErrUnsupported, how, x.DType))
	}
	return w.run(lanes, true)
}

var replaceLanes = byWidth{
	{replaceLane[uint8, int32], replaceLane[uint16, int32], replaceLane[uint32, int32], replaceLane[uint64, int32]},
	{replaceLane[uint8, int64], replaceLane[uint16, int64], replaceLane[uint32, int64], replaceLane[uint64, int64]},
}

// number is an element with which scatter computes.
type number interface {
	uint8 | uint16 | uint32 | uint64 | int8 | int16 | int32 | int64 | float32 | float64
}

// mergeLanes returns the loop of a Scatter, nil for what is not supported.
func mergeLanes(x *device.Indexed, how device.Merge) walkLane {
	if how == device.MergeReplace {
		return laneByWidth(x, replaceLanes)
	}
	if x.DType == dtype.Bool {
		switch how {
		case device.MergeAdd:
			how = device.MergeMax
		case device.MergeMul:
			how = device.MergeMin
		}
	}
	switch x.DType {
	case dtype.Bool, dtype.Uint8:
		return merging[uint8](x, how)
	case dtype.Uint16:
		return merging[uint16](x, how)
	case dtype.Uint32:
		return merging[uint32](x, how)
	case dtype.Uint64:
		return merging[uint64](x, how)
	case dtype.Int8:
		return merging[int8](x, how)
	case dtype.Int16:
		return merging[int16](x, how)
	case dtype.Int32:
		return merging[int32](x, how)
	case dtype.Int64:
		return merging[int64](x, how)
	case dtype.Float32:
		return merging[float32](x, how)
	case dtype.Float64:
		return merging[float64](x, how)
	}
	return nil
}

// merging returns the loop for a type. Go's min and max are those of IEEE
// 754-2019: NaN wins, and -0 comes before +0.
func merging[T number](x *device.Indexed, how device.Merge) walkLane {
	narrow := x.IndexDType == dtype.Int32
	switch how {
	case device.MergeAdd:
		if narrow {
			return addLane[T, int32]
		}
		return addLane[T, int64]
	case device.MergeMul:
		return mergeBy[T](narrow, func(a, b T) T { return a * b })
	case device.MergeMin:
		return mergeBy[T](narrow, func(a, b T) T { return min(a, b) })
	case device.MergeMax:
		return mergeBy[T](narrow, func(a, b T) T { return max(a, b) })
	}
	return nil
}

func mergeBy[T number](narrow bool, f func(a, b T) T) walkLane {
	if narrow {
		return func(w *walk, n, v, t, i int) { mergeLane[T, int32](w, f, n, v, t, i) }
	}
	return func(w *walk, n, v, t, i int) { mergeLane[T, int64](w, f, n, v, t, i) }
}

// replaceLane is table[place of p] = values[p].
func replaceLane[E word, I position](w *walk, n, v, t, i int) {
	l := w.lane
	if l.index == 0 && l.table != 0 {
		if at, ok := placeAt[I](w, i); ok {
			copyLane[E](n, w.table.base, t+at, l.table, w.values.base, v, l.values)
		} else {
			w.bad.Store(true)
		}
		return
	}
	for range n {
		if at, ok := placeAt[I](w, i); ok {
			*(*E)(unsafe.Add(w.table.base, t+at)) = *(*E)(unsafe.Add(w.values.base, v))
		} else {
			w.bad.Store(true)
		}
		v, t, i = v+l.values, t+l.table, i+l.index
	}
}

// addLane is table[place of p] += values[p].
func addLane[T number, I position](w *walk, n, v, t, i int) {
	l := w.lane
	at, ok := 0, false
	for k := range n {
		if k == 0 || l.index != 0 {
			at, ok = placeAt[I](w, i)
		}
		if ok {
			*(*T)(unsafe.Add(w.table.base, t+at)) += *(*T)(unsafe.Add(w.values.base, v))
		} else {
			w.bad.Store(true)
		}
		v, t, i = v+l.values, t+l.table, i+l.index
	}
}

// mergeLane is table[place of p] = f(table[place of p], values[p]).
func mergeLane[T number, I position](w *walk, f func(a, b T) T, n, v, t, i int) {
	l := w.lane
	for range n {
		if at, ok := placeAt[I](w, i); ok {
			p := (*T)(unsafe.Add(w.table.base, t+at))
			*p = f(*p, *(*T)(unsafe.Add(w.values.base, v)))
		} else {
			w.bad.Store(true)
		}
		v, t, i = v+l.values, t+l.table, i+l.index
	}
}
