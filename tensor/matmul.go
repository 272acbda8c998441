package tensor

import (
	"strings"

	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/cpu"
	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// MatMul returns the matrix product t·u: (..., M, K) times (..., K, N) is
// (..., M, N), where the leading (batch) axes broadcast without copying. A
// transposed operand, as T makes it, is not copied either. Integers and bools
// must be cast to a float first.
func (t *Tensor) MatMul(u *Tensor) *Tensor {
	return apply(call{Op: opMatMul}, t, u)
}

// matMul carries out a call of MatMul.
func (k *task) matMul(in []*Tensor) (*Tensor, error) {
	a, b := k.in[0], k.in[1]
	batch, d, err := k.checkMatMul()
	if err != nil {
		return nil, err
	}
	m, n, inner := a.Dim(-2), b.Dim(-1), a.Dim(-1)
	if err := k.checkMatMuler(); err != nil && k.result.Size() > 0 {
		return nil, err
	}
	if k.out, err = allocate(k.dev, d, k.result); err != nil {
		return nil, err
	}
	if err := k.multiply(d, batch, m, n, inner); err != nil {
		return nil, k.discard(err)
	}
	joinScope(k.out, in...)
	return k.out, nil
}

// checkMatMul finds the shape of the product (k.result), its batch sizes and
// its dtype.
func (k *task) checkMatMul() (batch Shape, d dtype.DType, err error) {
	a, b := k.in[0], k.in[1]
	if batch, err = checkMatrices(a, b); err != nil {
		return nil, d, err
	}
	if d, err = matMulDType(a, b); err != nil {
		return nil, d, err
	}
	k.result = append(append(k.result[:0:0], batch...), a.Dim(-2), b.Dim(-1))
	return batch, d, k.result.Check(d.Size())
}

// multiply fills k.out.
func (k *task) multiply(d dtype.DType, batch Shape, m, n, inner int) error {
	if k.out.layout.Size() == 0 {
		return nil
	}
	mm := &device.MatMul{DType: d, M: m, N: n, K: inner, LDC: n, Batch: batch, Label: "matmul"}
	a, err := k.matrix(0, d, batch)
	if err != nil {
		return err
	}
	b, err := k.matrix(1, d, batch)
	if err != nil {
		return err
	}
	mm.A, mm.LDA, mm.TransA, mm.BatchA = a.at, a.ld, a.trans, a.batch
	mm.B, mm.LDB, mm.TransB, mm.BatchB = b.at, b.ld, b.trans, b.batch
	mm.C, mm.BatchC = device.Operand{Buffer: k.out.store.buf}, batchStrides(&k.out.layout)
	if dev, ok := k.dev.(*cpu.Device); ok {
		return dev.MatMul(mm)
	}
	return k.dev.(device.MatMuler).MatMul(mm) // checkMatMuler
}

// checkMatMuler makes sure that the device has a matrix product.
func (k *task) checkMatMuler() error {
	if _, ok := k.dev.(device.MatMuler); ok {
		return nil
	}
	name := k.dev.Info().Name
	return &unsupported{name + " has no matrix product", &device.Error{Device: name, Call: "MatMul", Err: device.ErrUnsupported}}
}

// checkMatrices makes sure that a·b is defined and returns its batch sizes.
func checkMatrices(a, b *Tensor) (Shape, error) {
	as, bs := a.layout.Shape(), b.layout.Shape()
	shapes := []Shape{as, bs}
	switch {
	case len(as) < 2:
		return nil, &broadcast.ShapeError{Shapes: shapes, Msg: "the left operand " + as.String() + " is not a matrix",
			Hint: "make a row of it with Unsqueeze(0) and drop that axis of the product with Squeeze(-2)"}
	case len(bs) < 2:
		return nil, &broadcast.ShapeError{Shapes: shapes, Msg: "the right operand " + bs.String() + " is not a matrix",
			Hint: "make a column of it with Unsqueeze(-1) and drop that axis of the product with Squeeze(-1)"}
	case as[len(as)-1] != bs[len(bs)-2]:
		return nil, &broadcast.ShapeError{Axis: -1, Shapes: shapes,
			Msg:  "cannot multiply " + as.String() + " by " + bs.String() + ": " + itoa(as[len(as)-1]) + " columns meet " + itoa(bs[len(bs)-2]) + " rows",
			Hint: mendMatrices(as, bs)}
	}
	return broadcast.Shapes(as[:len(as)-2], bs[:len(bs)-2])
}

// mendMatrices says which operand of a product to transpose so that columns
// meet as many rows, or whether the operands change places.
func mendMatrices(a, b Shape) string {
	rows, cols := a[len(a)-2], b[len(b)-1]
	inner, other := a[len(a)-1], b[len(b)-2]
	var ways []string
	if inner == cols {
		ways = append(ways, "T of the right operand makes it "+transposed(b).String())
	}
	if rows == other {
		ways = append(ways, "T of the left operand makes it "+transposed(a).String())
	}
	if rows == cols {
		ways = append(ways, "the other way round, "+b.String()+" by "+a.String()+" is defined")
	}
	if len(ways) == 0 {
		return "the last axis of the left operand and the second last of the right must agree"
	}
	return strings.Join(ways, ", or ")
}

// transposed returns s with its last two sizes swapped.
func transposed(s Shape) Shape {
	t, n := s.Clone(), len(s)
	t[n-1], t[n-2] = t[n-2], t[n-1]
	return t
}

// matMulResult returns the dtype of a product that checkMatMul accepted.
func (k *task) matMulResult() dtype.DType {
	d, _ := matMulDType(k.in[0], k.in[1])
	return d
}

// matMulDType returns the float dtype of the product.
func matMulDType(a, b *Tensor) (dtype.DType, error) {
	d, err := dtype.Promote(a.DType(), b.DType())
	if err == nil && !d.IsFloat() {
		err = &dtype.Error{DTypes: []dtype.DType{a.DType(), b.DType()}, Msg: "matmul is not defined for " + d.String(),
			Hint: "cast to a float type first"}
	}
	return d, err
}

// matrix is an operand as device.MatMul takes it.
type matrix struct {
	at    device.Operand
	ld    int
	trans bool
	batch []int
}

// matrix prepares operand i: converted to d if it has another dtype, copied if
// neither its rows nor its columns are contiguous, with the batch axes
// stretched by stride 0.
func (k *task) matrix(i int, d dtype.DType, batch Shape) (matrix, error) {
	t := k.in[i]
	ld, trans, ok := leading(&t.layout)
	if t.dtype != d || !ok {
		v := t.unstretched()
		t = apply(call{Op: kernels.Cast, Attr: kernels.Attr{DType: d}}, v)
		_ = v.Free()
		if t.err != nil {
			return matrix{}, reason(t.err)
		}
		k.copies[k.ncopies] = t
		k.ncopies++
		ld, trans, _ = leading(&t.layout)
	}
	rank := t.layout.Rank()
	full := append(append(Shape{}, batch...), t.layout.Dim(rank-2), t.layout.Dim(rank-1))
	l, err := t.layout.BroadcastTo(full)
	if err != nil {
		return matrix{}, err
	}
	at := device.Operand{Buffer: t.store.buf, Offset: int64(l.Offset()) * int64(d.Size())}
	return matrix{at: at, ld: ld, trans: trans, batch: batchStrides(&l)}, nil
}

// unstretched returns the view of t with size 1 on the batch axes along which
// t is stretched, so that a copy holds every matrix once.
func (t *Tensor) unstretched() *Tensor {
	return t.view("matmul", func(l *broadcast.Layout) (broadcast.Layout, error) {
		ranges := make([]Range, l.Rank()-2)
		for i := range ranges {
			ranges[i] = All
			if l.Stride(i) == 0 {
				ranges[i] = R(0, 1)
			}
		}
		return l.Slice(ranges...)
	})
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
