package tensor

import "github.com/stride0/stride0/kernels"

// elideAbove is the number of elements above which the middle of long axes is
// not printed.
const elideAbove = 1000

// edge returns how many elements to print at either end of an axis, -1 for
// all: NumPy's three, or fewer where many axes would make that more than
// elideAbove elements; 0 stands for the first element alone.
func edge(shape Shape) int {
	if shape.Size() <= elideAbove {
		return -1
	}
	for e := 3; e > 0; e-- {
		printed := 1
		for _, n := range shape {
			head, tail := split(n, e)
			if printed *= head + tail; printed > elideAbove {
				break
			}
		}
		if printed <= elideAbove {
			return e
		}
	}
	return 0
}

// split returns how many elements of an axis of size n to print: the first
// head and the last tail.
func split(n, edge int) (head, tail int) {
	switch {
	case edge < 0 || n <= 2*edge || n <= 1:
		return n, 0
	case edge == 0:
		return 1, 0
	}
	return edge, edge
}

// ends returns a copy of the elements of t that are printed, where t is, so
// that one transfer of few bytes brings them to the host.
func (t *Tensor) ends(edge int) *Tensor {
	if err := t.hold(); err != nil {
		return refuse("string", t)
	}
	defer t.drop()
	shape := t.layout.Shape()
	for i, n := range shape {
		head, tail := split(n, edge)
		shape[i] = head + tail
	}
	few := On(t.Device()).empty("string", t.dtype, shape)
	if few.failure() != nil {
		return few
	}
	if err := copyEnds(few, t, edge, 0); err != nil {
		_ = few.Free()
		return fail("string", reason(err), t)
	}
	return few
}

// copyEnds copies the ends of src along the axes from the given one on to dst,
// block by block.
func copyEnds(dst, src *Tensor, edge, axis int) error {
	if axis == src.Rank() {
		return Into(dst, kernels.Copy, src)
	}
	n := src.Dim(axis)
	head, tail := split(n, edge)
	if head == n {
		return copyEnds(dst, src, edge, axis+1)
	}
	if err := copyBlock(dst, R(0, head), src, R(0, head), edge, axis); err != nil || tail == 0 {
		return err
	}
	return copyBlock(dst, R(head, head+tail), src, R(n-tail, n), edge, axis)
}

// copyBlock is copyEnds for a part of an axis.
func copyBlock(dst *Tensor, to Range, src *Tensor, from Range, edge, axis int) error {
	ranges := make([]Range, axis+1)
	for i := range axis {
		ranges[i] = All
	}
	ranges[axis] = to
	dst = dst.Slice(ranges...)
	defer dst.Free()
	ranges[axis] = from
	src = src.Slice(ranges...)
	defer src.Free()
	return copyEnds(dst, src, edge, axis+1)
}
