package tensor

import (
	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/kernels"
)

// matrix is an operand as device.MatMul takes it.
type matrix struct {
	at    device.Operand
	ld    int
	trans bool
	batch []int
}

// matrix prepares operand i: converted to the dtype of the product if it has
// another, copied if neither its rows nor its columns are contiguous, with the
// batch axes stretched by stride 0.
func (k *task) matrix(i int, p *multiplication) (matrix, error) {
	t, l := k.in[i], p.in[i]
	ld, trans, ok := leading(&l)
	if t.dtype != p.dtype || !ok {
		few, err := unstretched(&l)
		if err != nil {
			return matrix{}, err
		}
		v := t.withLayout(few)
		t = apply(call{Op: kernels.Cast, Attr: kernels.Attr{DType: p.dtype}}, v)
		_ = v.Free()
		if t.failure() != nil {
			return matrix{}, reason(t.failure())
		}
		k.copies[k.ncopies] = t
		k.ncopies++
		l = *t.layout
		ld, trans, _ = leading(&l)
	}
	full := append(p.batch.Clone(), l.Dim(l.Rank()-2), l.Dim(l.Rank()-1))
	l, err := l.BroadcastTo(full)
	if err != nil {
		return matrix{}, err
	}
	at := device.Operand{Buffer: t.store.buf, Offset: int64(l.Offset()) * int64(p.dtype.Size())}
	return matrix{at: at, ld: ld, trans: trans, batch: batchStrides(&l)}, nil
}

// unstretched returns the layout with size 1 on the batch axes along which it
// is stretched, so that a copy holds every matrix once.
func unstretched(l *broadcast.Layout) (broadcast.Layout, error) {
	ranges := make([]Range, l.Rank()-2)
	for i := range ranges {
		ranges[i] = All
		if l.Stride(i) == 0 {
			ranges[i] = R(0, 1)
		}
	}
	return l.Slice(ranges...)
}

// leading returns the leading dimension of the matrices of l and whether they
// are stored transposed; false when they are neither row-major nor
// column-major, or a batch axis runs backwards.
func leading(l *broadcast.Layout) (ld int, trans, ok bool) {
	n := l.Rank()
	for i := range n - 2 {
		if l.Stride(i) < 0 && l.Dim(i) > 1 {
			return 0, false, false
		}
	}
	rows, cols := l.Dim(n-2), l.Dim(n-1)
	if ld, ok = lead(rows, l.Stride(n-2), cols, l.Stride(n-1)); ok {
		return ld, false, true
	}
	ld, ok = lead(cols, l.Stride(n-1), rows, l.Stride(n-2))
	return ld, true, ok
}

// lead returns the leading dimension of a matrix stored row after row. The
// stride of an axis of size 1 means nothing.
func lead(rows, rowStride, cols, colStride int) (int, bool) {
	if cols > 1 && colStride != 1 {
		return 0, false
	}
	if rows <= 1 {
		return max(cols, 1), true
	}
	return rowStride, rowStride >= max(cols, 1)
}

// batchStrides returns the strides of all but the last two axes.
func batchStrides(l *broadcast.Layout) []int {
	s := make([]int, l.Rank()-2)
	for i := range s {
		s[i] = l.Stride(i)
	}
	return s
}
