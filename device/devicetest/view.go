package devicetest

import (
	"fmt"

	"github.com/stride0/stride0/broadcast"
)

// view is devicetest's own idea of a layout: where in a buffer, counted in
// elements, the elements of a shape lie. It shares no code with package
// broadcast, whose Plan it checks.
type view struct {
	sizes, strides []int
	offset         int
}

// layout converts the view for Plan.Build.
func (v view) layout() (broadcast.Layout, error) {
	return broadcast.NewLayout(broadcast.Shape(v.sizes), v.strides, v.offset)
}

// at returns the element offset of an index into a space to which the view
// broadcasts: axes are matched from the right, a size of 1 is stretched.
func (v view) at(index []int) int {
	off := v.offset
	for i, stride := range v.strides {
		if v.sizes[i] != 1 {
			off += stride * index[len(index)-len(v.sizes)+i]
		}
	}
	return off
}

// span returns the least element offset of the view and one more than the
// greatest; both are the offset when the view is empty.
func (v view) span() (lo, hi int) {
	if count(v.sizes) == 0 {
		return v.offset, v.offset
	}
	lo, hi = v.offset, v.offset
	for i, stride := range v.strides {
		reach := stride * (v.sizes[i] - 1)
		lo, hi = lo+min(reach, 0), hi+max(reach, 0)
	}
	return lo, hi + 1
}

// injective reports whether no two elements of the view share a cell.
func (v view) injective() bool {
	seen := map[int]bool{}
	shared := false
	odometer(v.sizes, func(index []int) {
		at := v.at(index)
		shared = shared || seen[at]
		seen[at] = true
	})
	return !shared
}

// String prints the view as "(2, 3) strides [3 1] offset 5".
func (v view) String() string {
	return fmt.Sprintf("%v strides %v offset %d", broadcast.Shape(v.sizes), v.strides, v.offset)
}

// count returns the number of elements of a shape.
func count(sizes []int) int {
	n := 1
	for _, s := range sizes {
		n *= s
	}
	return n
}

// odometer calls visit with every index into sizes, in row-major order. The
// slice is reused.
func odometer(sizes []int, visit func(index []int)) {
	index := make([]int, len(sizes))
	for n := count(sizes); n > 0; n-- {
		visit(index)
		for axis := len(sizes) - 1; axis >= 0; axis-- {
			if index[axis]++; index[axis] < sizes[axis] {
				break
			}
			index[axis] = 0
		}
	}
}

// placement says how the elements of a shape lie in a buffer.
type placement func(sizes []int) view

// dense is row-major without gaps.
func dense(sizes []int) view { return spread(sizes, 1, 0) }

// spread is row-major with the innermost stride given and pad more elements
// after every row.
func spread(sizes []int, inner, pad int) view {
	v := view{sizes: sizes, strides: make([]int, len(sizes))}
	stride := inner
	for i := len(sizes) - 1; i >= 0; i-- {
		v.strides[i] = stride
		stride *= max(sizes[i], 1)
		if i == len(sizes)-1 {
			stride += pad
		}
	}
	return v
}

// shifted is dense, n elements into the buffer.
func shifted(n int) placement {
	return func(sizes []int) view {
		v := dense(sizes)
		v.offset = n
		return v
	}
}

// stepped takes every third element.
func stepped(sizes []int) view { return spread(sizes, 3, 0) }

// padded leaves two elements unused after every row.
func padded(sizes []int) view { return spread(sizes, 1, 2) }

// reversed runs backwards along every axis.
func reversed(sizes []int) view {
	v := dense(sizes)
	for i := range v.strides {
		v.offset += v.strides[i] * max(sizes[i]-1, 0)
		v.strides[i] = -v.strides[i]
	}
	return v
}

// reversedInner runs backwards along the last axis, with gaps.
func reversedInner(sizes []int) view {
	v := spread(sizes, 2, 1)
	if last := len(sizes) - 1; last >= 0 {
		v.offset += v.strides[last] * max(sizes[last]-1, 0)
		v.strides[last] = -v.strides[last]
	}
	return v
}

// transposed lies column-major.
func transposed(sizes []int) view {
	v := view{sizes: sizes, strides: make([]int, len(sizes))}
	stride := 1
	for i := range sizes {
		v.strides[i] = stride
		stride *= max(sizes[i], 1)
	}
	return v
}

// swirled stores the axes in an order that is neither row- nor column-major,
// every other one backwards.
func swirled(sizes []int) view {
	v := view{sizes: sizes, strides: make([]int, len(sizes))}
	stride := 1
	for start := range 2 {
		for i := start; i < len(sizes); i += 2 {
			v.strides[i] = stride
			stride *= max(sizes[i], 1)
			if start == 1 {
				v.offset += v.strides[i] * max(sizes[i]-1, 0)
				v.strides[i] = -v.strides[i]
			}
		}
	}
	return v
}

// oddOnes is dense, but the axes of size 1 carry strides that mean nothing.
func oddOnes(sizes []int) view {
	v := dense(sizes)
	for i, s := range sizes {
		if s == 1 {
			v.strides[i] = 977 - 2000*(i%2)
		}
	}
	return v
}

// expanded stretches its axes of the given mask with stride 0 instead of
// leaving them at size 1.
func expanded(mask uint) placement {
	return func(sizes []int) view {
		cells := append([]int(nil), sizes...)
		for i := range cells {
			if mask>>i&1 == 1 {
				cells[i] = 1
			}
		}
		v := dense(cells)
		v.sizes = sizes
		for i := range cells {
			if mask>>i&1 == 1 {
				v.strides[i] = 0
			}
		}
		return v
	}
}
