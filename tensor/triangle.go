package tensor

import (
	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// Tril returns a copy of t with zeros above a diagonal of its last two axes:
// the main one for k = 0, one k places to its right (k > 0) or left (k < 0).
// t needs rank 2 or more.
func (t *Tensor) Tril(k int) *Tensor { return t.triangle("tril", kernels.Ge, k) }

// Triu returns a copy of t with zeros below a diagonal; see Tril.
func (t *Tensor) Triu(k int) *Tensor { return t.triangle("triu", kernels.Le, k) }

// triangle returns t where row + k and column compare so, else zeros. The
// comparison is one matrix of bools, which broadcasts over the batch.
func (t *Tensor) triangle(op string, compare kernels.Op, k int) *Tensor {
	if err := t.hold(); err != nil {
		return refuse(op, t)
	}
	defer t.drop()
	rank := t.layout.Rank()
	if rank < 2 {
		shape := t.layout.Shape()
		return fail(op, &broadcast.ShapeError{Shapes: []Shape{shape}, Msg: shape.String() + " is not a matrix",
			Hint: "it needs 2 axes or more; Unsqueeze adds one"}, t)
	}
	rows, columns := t.layout.Dim(rank-2), t.layout.Dim(rank-1)
	k = max(min(k, columns), -rows) // beyond the corners nothing changes
	place := On(t.store.dev)
	lines := place.Arange(dtype.Int64, k, k+rows, 1)
	defer lines.Free()
	column := lines.Unsqueeze(-1)
	defer column.Free()
	mask := place.empty(op, dtype.Bool, Shape{rows, columns}).fill(op, call{Op: compare}, column, indexAlong(1))
	defer mask.Free()
	r := mask.Where(t, zeroOf(t.dtype))
	if r.failure() != nil {
		return fail(op, reason(r.failure()), t)
	}
	return r
}

// zeroOf returns the Scalar zero of the kind of d.
func zeroOf(d dtype.DType) *Tensor {
	if d == dtype.Bool {
		return weakScalar(dtype.BoolNumber(false))
	}
	return weakScalar(dtype.IntNumber(0))
}
