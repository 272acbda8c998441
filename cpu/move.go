package cpu

import "unsafe"

// move copies elements between two strided places. Its axes are added
// outermost first. Strides are in elements; on the source 0 repeats an element.
type move struct {
	n    int // axes
	axes [34]moveAxis
}

type moveAxis struct{ size, dst, src int }

// reset makes m a move of one element.
func (m *move) reset() { m.n = 0 }

// add appends an axis inside the others, fused with the last one where both
// sides allow.
func (m *move) add(size, dst, src int) {
	if size == 1 {
		return
	}
	if m.n > 0 {
		last := &m.axes[m.n-1]
		if last.dst == dst*size && last.src == src*size {
			*last = moveAxis{last.size * size, dst, src}
			return
		}
	}
	m.axes[m.n] = moveAxis{size, dst, src}
	m.n++
}

// run moves elements of elem bytes.
func (m *move) run(elem int, dst, src unsafe.Pointer) {
	m.arrange()
	axes := m.axes[:m.n]
	switch elem {
	case 1:
		moveAll[uint8](axes, dst, src)
	case 2:
		moveAll[uint16](axes, dst, src)
	case 4:
		moveAll[uint32](axes, dst, src)
	case 8:
		moveAll[uint64](axes, dst, src)
	}
}

// arrange puts the axis along which the destination is closest last and, before
// it, that along which the source is, if that is another: these two make the
// planes. The order of the axes does not matter to the result.
func (m *move) arrange() {
	if m.n < 2 {
		return
	}
	axes := m.axes[:m.n]
	last := len(axes) - 1
	for k := range last {
		if distance(axes[k].dst) < distance(axes[last].dst) {
			axes[k], axes[last] = axes[last], axes[k]
		}
	}
	for k := range last - 1 {
		if s := distance(axes[k].src); s > 0 && s < distance(axes[last-1].src) {
			axes[k], axes[last-1] = axes[last-1], axes[k]
		}
	}
}

// moveAll walks the outer axes; the inner two it leaves to movePlane.
func moveAll[T word](axes []moveAxis, dst, src unsafe.Pointer) {
	switch len(axes) {
	case 0:
		*(*T)(dst) = *(*T)(src)
	case 1:
		moveRow[T](axes[0], dst, src)
	case 2:
		movePlane[T](axes[0], axes[1], dst, src)
	default:
		var zero T
		step := int(unsafe.Sizeof(zero))
		for i := range axes[0].size {
			moveAll[T](axes[1:], unsafe.Add(dst, i*axes[0].dst*step), unsafe.Add(src, i*axes[0].src*step))
		}
	}
}

// movePlane moves row by row along the longer axis, so that (100000, 3) is
// three rows and not 100,000.
func movePlane[T word](outer, inner moveAxis, dst, src unsafe.Pointer) {
	var zero T
	step := int(unsafe.Sizeof(zero))
	if inner.dst == 1 && distance(outer.src) == 1 && min(inner.size, outer.size) >= shortSide {
		if outer.src < 0 { // from the last row up
			dst, src = unsafe.Add(dst, (outer.size-1)*outer.dst*step), unsafe.Add(src, -(outer.size-1)*step)
			outer.dst = -outer.dst
		}
		transpose[T](outer.size, inner.size, dst, outer.dst*step, src, inner.src*step)
		return
	}
	if inner.size < outer.size && inner.size < 16 {
		outer, inner = inner, outer
	}
	for i := range outer.size {
		moveRow[T](inner, unsafe.Add(dst, i*outer.dst*step), unsafe.Add(src, i*outer.src*step))
	}
}

// moveRow moves along one axis. Strided sides advance by an offset in bytes,
// not a pointer: one beyond the last element may point into nothing.
func moveRow[T word](a moveAxis, dst, src unsafe.Pointer) {
	var zero T
	to, from := a.dst*int(unsafe.Sizeof(zero)), a.src*int(unsafe.Sizeof(zero))
	switch {
	case a.dst == 1 && a.src == 1:
		copy(unsafe.Slice((*T)(dst), a.size), unsafe.Slice((*T)(src), a.size))
	case a.dst == 1 && a.src == 0:
		fill(unsafe.Slice((*T)(dst), a.size), *(*T)(src))
	case a.dst == 1:
		pick[T](a.size, dst, src, a.src)
	case a.src == 1:
		at := 0
		for _, v := range unsafe.Slice((*T)(src), a.size) {
			*(*T)(unsafe.Add(dst, at)) = v
			at += to
		}
	default:
		for i, j, k := 0, 0, 0; k < a.size; k++ {
			*(*T)(unsafe.Add(dst, i)) = *(*T)(unsafe.Add(src, j))
			i, j = i+to, j+from
		}
	}
}

// fill sets the elements of d to v. Beyond a few cache lines copying what is
// there already is faster than storing one by one.
func fill[T word](d []T, v T) {
	head := min(len(d), 64)
	for i := range d[:head] {
		d[i] = v
	}
	for head < len(d) {
		head += copy(d[head:], d[:min(head, 4096)])
	}
}
