package tensor

import (
	"strings"

	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/dtype"
)

// checkMatMul finds what is to be multiplied and the shape of the result
// (k.result).
func (k *task) checkMatMul() (*multiplication, error) {
	p := new(multiplication)
	for i, t := range k.in[:2] {
		var err error
		if p.in[i], p.vector[i], err = asMatrix(t, i); err != nil {
			return nil, err
		}
	}
	a, b := &p.in[0], &p.in[1]
	p.m, p.k, p.n = a.Dim(a.Rank()-2), a.Dim(a.Rank()-1), b.Dim(b.Rank()-1)
	if p.k != b.Dim(b.Rank()-2) {
		return nil, p.mismatch(k.in[0], k.in[1])
	}
	var err error
	if p.batch, err = broadcast.Shapes(batchOf(a), batchOf(b)); err != nil {
		return nil, err
	}
	if p.dtype, err = dtype.Promote(k.in[0].elementType(), k.in[1].elementType()); err != nil {
		return nil, err
	}
	k.result = append(k.result[:0:0], p.batch...)
	if !p.vector[0] {
		k.result = append(k.result, p.m)
	}
	if !p.vector[1] {
		k.result = append(k.result, p.n)
	}
	return p, k.result.Check(p.dtype.Size())
}

// asMatrix returns the layout of operand i with the axis that a vector lacks.
func asMatrix(t *Tensor, i int) (l broadcast.Layout, vector bool, err error) {
	switch l = *t.layout; {
	case l.Rank() > 1:
		return l, false, nil
	case l.Rank() == 1:
		l, err = l.Unsqueeze([...]int{0, -1}[i])
		return l, true, err
	}
	return l, false, &broadcast.ShapeError{Shapes: []Shape{{}},
		Msg:  "the " + [...]string{"left", "right"}[i] + " operand is of rank 0, neither a vector nor a matrix",
		Hint: "multiply by a single number with Mul"}
}

// batchOf returns the sizes of all but the last two axes.
func batchOf(l *broadcast.Layout) Shape {
	s := l.Shape()
	return s[:len(s)-2]
}

// mismatch says that columns do not meet as many rows, and what would fit.
func (p *multiplication) mismatch(a, b *Tensor) error {
	as, bs := a.layout.Shape(), b.layout.Shape()
	rows := p.in[1].Dim(p.in[1].Rank() - 2)
	var ways []string
	if !p.vector[1] && p.k == p.n {
		ways = append(ways, "T of the right operand makes it "+transposed(bs).String())
	}
	if !p.vector[0] && p.m == rows {
		ways = append(ways, "T of the left operand makes it "+transposed(as).String())
	}
	if !p.vector[0] && !p.vector[1] && p.m == p.n {
		ways = append(ways, "the other way round, "+bs.String()+" by "+as.String()+" is defined")
	}
	if ways == nil {
		ways = []string{"the last axis of the left operand and the second last of the right must agree"}
	}
	return &broadcast.ShapeError{Axis: -1, Shapes: []Shape{as, bs},
		Msg:  "cannot multiply " + as.String() + " by " + bs.String() + ": " + itoa(p.k) + " columns meet " + itoa(rows) + " rows",
		Hint: strings.Join(ways, ", or ")}
}

// transposed returns s with its last two sizes swapped.
func transposed(s Shape) Shape {
	t, n := s.Clone(), len(s)
	t[n-1], t[n-2] = t[n-2], t[n-1]
	return t
}

// matMulResult returns the dtype of a product that checkMatMul accepted.
func (k *task) matMulResult() dtype.DType {
	d, _ := dtype.Promote(k.in[0].elementType(), k.in[1].elementType())
	return d
}
