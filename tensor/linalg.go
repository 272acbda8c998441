package tensor

import (
	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/kernels"
)

// Dot returns the sum of the products of the elements of two vectors of equal
// length, a tensor of rank 0, by the rules of MatMul. Tensors of other ranks
// are for MatMul and VecDot.
func (t *Tensor) Dot(u *Tensor) *Tensor {
	const op = "dot"
	if r := checkVectors(op, "use MatMul for matrices, VecDot for the products of vectors along an axis", t, u); r != nil {
		return r
	}
	r := t.MatMul(u)
	if r.failure() != nil {
		return fail(op, reason(r.failure()), t, u)
	}
	return r
}

// Outer returns all products of an element of one vector with an element of
// another: (M) and (N) give (M, N), by the rules of Mul.
func (t *Tensor) Outer(u *Tensor) *Tensor {
	const op = "outer"
	if r := checkVectors(op, "make vectors of them with Reshape(-1)", t, u); r != nil {
		return r
	}
	column := t.Unsqueeze(-1)
	r := apply(call{Op: kernels.Mul}, column, u)
	_ = column.Free()
	if r.failure() != nil {
		return fail(op, reason(r.failure()), t, u)
	}
	return r
}

// checkVectors returns a failed tensor unless both operands are vectors.
func checkVectors(op, hint string, in ...*Tensor) *Tensor {
	for i, t := range in {
		switch {
		case !t.live():
			return refuseOperand(op, i, len(in), t)
		case t.layout.Rank() != 1:
			return fail(op, &broadcast.ShapeError{Shapes: []Shape{in[0].Shape(), in[1].Shape()},
				Msg: "operand " + itoa(i+1) + " of shape " + t.layout.Shape().String() + " is not a vector", Hint: hint}, in...)
		}
	}
	return nil
}

// VecDot returns the sums of the products of t and u along an axis, which must
// have the same size in both and disappears; the other axes broadcast. It is
// t.Mul(u) summed, by the rules of MatMul and without the memory for the
// products. axis counts as on the broadcast shape, negative ones from its end.
func (t *Tensor) VecDot(u *Tensor, axis int) *Tensor {
	const op = "vecdot"
	for i, x := range []*Tensor{t, u} {
		if !x.live() {
			return refuseOperand(op, i, 2, x)
		}
	}
	back := axis // from the end
	if axis >= 0 {
		back -= max(t.layout.Rank(), u.layout.Rank())
	}
	if err := checkVecDot(t, u, axis, back); err != nil {
		return fail(op, err, t, u)
	}
	row, column := t.alongLast(back, -2), u.alongLast(back, -1)
	defer row.Free()
	defer column.Free()
	product := row.MatMul(column)
	if product.failure() != nil {
		return fail(op, reason(product.failure()), t, u)
	}
	r := product.Squeeze(-2, -1)
	_ = product.Free()
	return r
}

// checkVecDot makes sure that the axis is there in both, in one size.
func checkVecDot(t, u *Tensor, axis, back int) error {
	shapes := []Shape{t.Shape(), u.Shape()}
	if least := min(len(shapes[0]), len(shapes[1])); back >= 0 || back < -least {
		return &broadcast.ShapeError{Shapes: shapes,
			Msg:  "axis " + itoa(axis) + " is not in both " + shapes[0].String() + " and " + shapes[1].String(),
			Hint: "name one of the last " + itoa(least) + ", as -1"}
	}
	if n, m := t.Dim(back), u.Dim(back); n != m {
		return &broadcast.ShapeError{Axis: back, Shapes: shapes,
			Msg:  "axis " + itoa(back) + " is " + itoa(n) + " and " + itoa(m) + " in " + shapes[0].String() + " and " + shapes[1].String(),
			Hint: "the axis that is summed must have the same size in both; BroadcastTo stretches one"}
	}
	return nil
}

// alongLast returns the view of t with an axis, counted from the end, moved to
// the last place and an axis of size 1 inserted at the given one.
func (t *Tensor) alongLast(axis, at int) *Tensor {
	return t.view("vecdot", func(l *broadcast.Layout) (broadcast.Layout, error) {
		axes := make([]int, 0, broadcast.MaxRank)
		from := l.Rank() + axis
		for i := range l.Rank() {
			if i != from {
				axes = append(axes, i)
			}
		}
		moved, err := l.Permute(append(axes, from)...)
		if err != nil {
			return moved, err
		}
		return moved.Unsqueeze(at)
	})
}
