package tensor

import (
	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/cpu"
	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// MatMul returns the matrix product t·u, for every pair of ranks from 1 on:
//
//	(..., M, K) by (..., K, N) is (..., M, N)
//	(K) by (..., K, N) is (..., N), (..., M, K) by (K) is (..., M)
//	(K) by (K) is a tensor of rank 0
//
// The leading (batch) axes broadcast without copying. A transposed operand, as
// T makes it, is not copied either.
//
// The result has the promoted dtype, in which integers wrap; the product of
// bools is whether any pair is true. float16 and bfloat16 are added up in
// float32 and rounded once. Of floats, a sum of K products is off by at most
// K+1 roundings of the sum of their magnitudes, and depends neither on
// GOMAXPROCS nor on where the operands lie. What is not finite counts: 0·NaN
// and 0·Inf are NaN. The sum of no products is 0.
func (t *Tensor) MatMul(u *Tensor) *Tensor {
	return apply(call{Op: opMatMul}, t, u)
}

// MatMulInto writes the matrix product t·u into dst, an existing tensor or
// view of exactly its shape; what dst held does not count. Operands may
// overlap it: the result is as if both had been read before the first write.
// dst keeps its dtype, as with Into. Where its rows are contiguous, it has the
// dtype of the product and overlaps no operand, no other memory is used for
// the product.
//
// Errors: *Error, around ErrShared when elements of dst share memory. On error
// nothing has been written, except when the device was lost.
func MatMulInto(dst, t, u *Tensor) error {
	if err := checkDst(opMatMul, dst); err != nil {
		return err
	}
	if r := apply(call{Op: opMatMul, Dst: dst}, t, u); r != dst {
		return r.Err()
	}
	return dst.Err()
}

// multiplication is a product of matrices: a vector is one row on the left,
// one column on the right.
type multiplication struct {
	in      [2]broadcast.Layout // the operands as matrices
	vector  [2]bool             // which operands are vectors: the result has no axis for them
	batch   Shape
	dtype   dtype.DType
	m, n, k int
}

// matMul carries out a call of MatMul.
func (k *task) matMul(in []*Tensor) (*Tensor, error) {
	p, err := k.checkMatMul()
	if err != nil {
		return nil, err
	}
	if k.Dst != nil {
		return k.matMulInto(p)
	}
	if err := k.checkMatMuler(); err != nil && k.result.Size() > 0 {
		return nil, err
	}
	if k.out, err = allocate(k.dev, p.dtype, k.result); err != nil {
		return nil, err
	}
	if err := k.multiply(p, k.out); err != nil {
		return nil, k.discard(err)
	}
	joinScope(k.out, in...)
	return k.out, nil
}

// matMulInto fills Dst, through a tensor of its own where Dst cannot hold the
// product before all operands are read.
func (k *task) matMulInto(p *multiplication) (*Tensor, error) {
	if err := k.checkProductDst(p.dtype); err != nil {
		return nil, err
	}
	if err := k.checkMatMuler(); err != nil && k.result.Size() > 0 {
		return nil, err
	}
	overlaps := sharesMemory(k.in[0], k.Dst) || sharesMemory(k.in[1], k.Dst)
	c := p.asMatrices(k.Dst.layout)
	_, trans, ok := leading(&c)
	if direct := ok && !trans && !overlaps && k.Dst.dtype == p.dtype; direct {
		if err := k.multiply(p, k.Dst); err != nil {
			return nil, err
		}
		k.Dst.store.writes.Add(1)
		return k.Dst, nil
	}
	fresh, err := allocate(k.dev, p.dtype, k.result)
	if err != nil {
		return nil, err
	}
	defer fresh.Free()
	if err := k.multiply(p, fresh); err != nil {
		return nil, err
	}
	if overlaps {
		device.CountOverlapCopy(k.dev, int64(fresh.byteSize()))
	}
	r := apply(call{Op: kernels.Copy, Dst: k.Dst}, fresh)
	return k.Dst, reason(r.Err())
}

// checkProductDst makes sure that Dst may hold a product of dtype d.
func (k *task) checkProductDst(d dtype.DType) error {
	if d.Kind() > k.Dst.dtype.Kind() {
		return tooGreatAKind(d, k.Dst.dtype)
	}
	if shape := k.Dst.layout.Shape(); !shape.Equal(k.result) {
		return &broadcast.ShapeError{Shapes: []Shape{k.result.Clone(), shape},
			Msg:  "the product has shape " + k.result.String() + ", the destination " + shape.String(),
			Hint: "write into a tensor of exactly the product's shape"}
	}
	return checkWritable(k.Dst)
}

// sharesMemory reports whether t and dst may have a byte in common.
func sharesMemory(t, dst *Tensor) bool {
	switch {
	case t.store == dst.store:
		size := t.dtype.Size()
		return broadcast.Overlaps(t.layout, size, dst.layout, size) != broadcast.Disjoint
	case t.store == nil:
		return false
	}
	return t.store.foreign && dst.store.foreign && sameBytes(t.store.buf, dst.store.buf)
}

// multiply fills out.
func (k *task) multiply(p *multiplication, out *Tensor) error {
	if out.layout.Size() == 0 {
		return nil
	}
	mm := &device.MatMul{DType: p.dtype, M: p.m, N: p.n, K: p.k, Batch: p.batch, Label: opName(opMatMul)}
	a, err := k.matrix(0, p)
	if err != nil {
		return err
	}
	b, err := k.matrix(1, p)
	if err != nil {
		return err
	}
	mm.A, mm.LDA, mm.TransA, mm.BatchA = a.at, a.ld, a.trans, a.batch
	mm.B, mm.LDB, mm.TransB, mm.BatchB = b.at, b.ld, b.trans, b.batch
	c := p.asMatrices(out.layout)
	mm.C = device.Operand{Buffer: out.store.buf, Offset: out.byteOffset()}
	mm.LDC, _, _ = leading(&c)
	mm.BatchC = batchStrides(&c)
	fold(mm)
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

// asMatrices returns the layout of a result with the axes that it has not
// because an operand is a vector.
func (p *multiplication) asMatrices(l *broadcast.Layout) broadcast.Layout {
	c := *l
	if p.vector[1] {
		c, _ = c.Unsqueeze(-1) // the rank of a product of vectors is far below the greatest
	}
	if p.vector[0] {
		c, _ = c.Unsqueeze(-2)
	}
	return c
}
