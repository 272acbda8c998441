package tensor_test

import (
	"slices"
	"testing"

	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

// naive multiplies matrices whose elements are small integers, so that every
// order of additions gives the same result.
func naive(t *testing.T, a, b *tensor.Tensor) []float64 {
	if a.Rank() == 1 {
		a = a.Unsqueeze(0)
	}
	if b.Rank() == 1 {
		b = b.Unsqueeze(-1)
	}
	batch, err := broadcast.Shapes(a.Shape()[:a.Rank()-2], b.Shape()[:b.Rank()-2])
	must(t, err)
	m, k, n := a.Dim(-2), a.Dim(-1), b.Dim(-1)
	x := data[float64](t, a.BroadcastTo(append(batch.Clone(), m, k)...).Cast(dtype.Float64))
	y := data[float64](t, b.BroadcastTo(append(batch.Clone(), k, n)...).Cast(dtype.Float64))
	out := make([]float64, batch.Size()*m*n)
	for i := range out {
		matrix, row, col := i/(m*n), i/n%m, i%n
		for j := range k {
			out[i] += x[(matrix*m+row)*k+j] * y[(matrix*k+j)*n+col]
		}
	}
	return out
}

func TestMatMul(t *testing.T) {
	steps := tensor.R(tensor.Begin, tensor.End, 2)
	for _, c := range []struct {
		name  string
		a, b  *tensor.Tensor
		shape tensor.Shape
	}{
		{"matrices", iota32(2, 3), iota32(3, 4), tensor.Shape{2, 4}},
		{"left transposed", iota32(3, 2).T(), iota32(3, 4), tensor.Shape{2, 4}},
		{"right transposed", iota32(2, 3), iota32(4, 3).T(), tensor.Shape{2, 4}},
		{"both transposed", iota32(3, 2).T(), iota32(4, 3).T(), tensor.Shape{2, 4}},
		{"rows with gaps", iota32(2, 5).Slice(tensor.All, tensor.R(1, 4)), iota32(3, 4), tensor.Shape{2, 4}},
		{"columns with gaps", iota32(2, 6).Slice(tensor.All, steps), iota32(6, 4).Slice(steps), tensor.Shape{2, 4}},
		{"reversed rows", iota32(2, 3).Flip(0), iota32(3, 4).Flip(1), tensor.Shape{2, 4}},
		{"batch", iota32(5, 2, 3), iota32(5, 3, 4), tensor.Shape{5, 2, 4}},
		{"left without batch", iota32(2, 3), iota32(5, 3, 4), tensor.Shape{5, 2, 4}},
		{"right without batch", iota32(5, 2, 3), iota32(3, 4), tensor.Shape{5, 2, 4}},
		{"batch of size 1", iota32(5, 2, 3), iota32(1, 3, 4), tensor.Shape{5, 2, 4}},
		{"batches of two axes", iota32(2, 1, 2, 3).BroadcastTo(2, 3, 2, 3), iota32(3, 3, 4), tensor.Shape{2, 3, 2, 4}},
		{"reversed batch", iota32(5, 2, 3).Flip(0), iota32(5, 3, 4), tensor.Shape{5, 2, 4}},
		{"permuted batch", iota32(2, 5, 3).Permute(1, 0, 2), iota32(3, 4), tensor.Shape{5, 2, 4}},
		{"one row", iota32(1, 3), iota32(3, 4), tensor.Shape{1, 4}},
		{"one column", iota32(2, 3), iota32(3, 1), tensor.Shape{2, 1}},
		{"outer product", iota32(3, 1), iota32(1, 4), tensor.Shape{3, 4}},
		{"stretched rows", iota32(1, 3).BroadcastTo(2, 3), iota32(3, 4), tensor.Shape{2, 4}},
		{"float64", iota32(2, 3).Cast(dtype.Float64), iota32(3, 4), tensor.Shape{2, 4}},
		{"integers beside floats", tensor.Arange(dtype.Int32, 0, 6, 1).Reshape(2, 3), iota32(3, 4), tensor.Shape{2, 4}},
		{"vectors", iota32(4), iota32(4), tensor.Shape{}},
		{"reversed vectors", iota32(4).Flip(), iota32(8).Slice(steps), tensor.Shape{}},
		{"vector by matrix", iota32(3), iota32(3, 4), tensor.Shape{4}},
		{"vector by transposed", iota32(3), iota32(4, 3).T(), tensor.Shape{4}},
		{"matrix by vector", iota32(2, 3), iota32(3), tensor.Shape{2}},
		{"transposed by vector", iota32(3, 2).T(), iota32(3), tensor.Shape{2}},
		{"transposed by strided vector", iota32(3, 2).T(), iota32(6).Slice(steps), tensor.Shape{2}},
		{"vector by batch", iota32(3), iota32(5, 3, 4), tensor.Shape{5, 4}},
		{"vector by transposed batch", iota32(3), iota32(5, 4, 3).T(), tensor.Shape{5, 4}},
		{"batch by vector", iota32(5, 2, 3), iota32(3), tensor.Shape{5, 2}},
		{"stretched vector", iota32(1).BroadcastTo(3), iota32(3, 4), tensor.Shape{4}},
		{"batch of rows", iota32(6, 5, 1, 3), iota32(5, 3, 4), tensor.Shape{6, 5, 1, 4}},
		{"batch of rows permuted", iota32(5, 6, 1, 3).Permute(1, 0, 2, 3), iota32(5, 3, 4), tensor.Shape{6, 5, 1, 4}},
		{"batch of strided rows", iota32(6, 5, 3, 2).T().Slice(tensor.All, tensor.All, tensor.R(1, 2)), iota32(5, 3, 4), tensor.Shape{6, 5, 1, 4}},
		{"batch of columns", iota32(4, 3), iota32(6, 3, 1), tensor.Shape{6, 4, 1}},
		{"batch of columns of a transposed", iota32(3, 4).T(), iota32(6, 3, 1), tensor.Shape{6, 4, 1}},
		{"batch of columns of batches", iota32(5, 4, 3), iota32(6, 5, 3, 1), tensor.Shape{6, 5, 4, 1}},
		{"rows with gaps between batches", iota32(5, 4, 3).Slice(tensor.All, tensor.R(0, 2)), iota32(3, 4), tensor.Shape{5, 2, 4}},
		{"two batch axes by one matrix", iota32(2, 5, 2, 3), iota32(3, 4), tensor.Shape{2, 5, 2, 4}},
		{"one batch axis of two is the same", iota32(2, 5, 2, 3), iota32(2, 1, 3, 4), tensor.Shape{2, 5, 2, 4}},
		{"one matrix for all, stretched", iota32(2, 3), iota32(1, 3, 4).BroadcastTo(5, 3, 4), tensor.Shape{5, 2, 4}},
		{"stretched on both sides", iota32(1, 1, 3).BroadcastTo(5, 1, 3), iota32(1, 3, 4).BroadcastTo(5, 3, 4), tensor.Shape{5, 1, 4}},
		{"transposed side by side", iota32(3, 10).Reshape(3, 5, 2).Permute(1, 2, 0), iota32(3, 4), tensor.Shape{5, 2, 4}},
		{"vectors of nothing", iota32(0), iota32(0), tensor.Shape{}},
		{"vector of nothing by matrix", iota32(0), iota32(0, 3), tensor.Shape{3}},
		{"matrix of nothing by vector", iota32(0, 3), iota32(3), tensor.Shape{0}},
		{"batch of nothing by vector", iota32(0, 2, 3), iota32(3), tensor.Shape{0, 2}},
		{"no rows", iota32(0, 3), iota32(3, 4), tensor.Shape{0, 4}},
		{"no columns", iota32(2, 3), iota32(3, 0), tensor.Shape{2, 0}},
		{"nothing to sum", iota32(2, 0), iota32(0, 4), tensor.Shape{2, 4}},
		{"no batch", iota32(0, 2, 3), iota32(3, 4), tensor.Shape{0, 2, 4}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := c.a.MatMul(c.b)
			if got.Err() != nil || !got.Shape().Equal(c.shape) {
				t.Fatalf("shape %v, want %v (%v)", got.Shape(), c.shape, got.Err())
			}
			if v, want := data[float64](t, got.Cast(dtype.Float64)), naive(t, c.a, c.b); !slices.Equal(v, want) {
				t.Errorf("got %v, want %v", v, want)
			}
		})
	}
}

func TestMatMulRefuses(t *testing.T) {
	m := iota32(2, 3)
	for _, c := range []struct {
		a, b *tensor.Tensor
		text string
	}{
		{m, m, "cannot multiply (2, 3) by (2, 3): 3 columns meet 2 rows; T of the right operand makes it (3, 2), or T of the left operand makes it (3, 2)"},
		{m.T(), m.T(), "2 columns meet 3 rows; T of the right operand makes it (2, 3), or T of the left operand makes it (2, 3)"},
		{m, iota32(4, 2), "3 columns meet 4 rows; the other way round, (4, 2) by (2, 3) is defined"},
		{m, iota32(4, 3), "3 columns meet 4 rows; T of the right operand makes it (3, 4)"},
		{m, iota32(5, 2, 4), "3 columns meet 2 rows; T of the left operand makes it (3, 2)"},
		{m, iota32(5, 5), "3 columns meet 5 rows; the last axis of the left operand and the second last of the right must agree"},
		{iota32(3), m, "cannot multiply (3) by (2, 3): 3 columns meet 2 rows; T of the right operand makes it (3, 2)"},
		{m, iota32(2), "cannot multiply (2, 3) by (2): 3 columns meet 2 rows; T of the left operand makes it (3, 2)"},
		{iota32(3), iota32(2), "cannot multiply (3) by (2): 3 columns meet 2 rows; the last axis"},
		{iota32(), m, "the left operand is of rank 0, neither a vector nor a matrix; multiply by a single number with Mul"},
		{m, iota32(), "the right operand is of rank 0"},
		{m.Cast(dtype.Int32), iota32(3, 2).Cast(dtype.Uint64), "cast"},
	} {
		wantError(t, c.a.MatMul(c.b).Err(), nil, "matmul: ", c.text, "matmul_test.go")
	}
	wantError(t, iota32(2, 2, 3).MatMul(iota32(3, 3, 4)).Err(), nil, "matmul", "cannot broadcast")
	wantError(t, tensor.Scalar(2).MatMul(m).Err(), nil, "matmul")
	wantError(t, m.MatMul(tensor.Scalar(2)).Err(), nil, "matmul")
}

func TestMatMulOfNothingIsZeroInUsedMemory(t *testing.T) {
	const n = 40
	for range 3 {
		_ = tensor.Full(dtype.Float32, 7, n, n).Free() // what the product gets back
		wantData(t, iota32(n, 0).MatMul(iota32(0, n)).Abs().Sum(), tensor.Shape{}, float32(0))
	}
}

func TestMatMulKeepsNaN(t *testing.T) {
	wantData(t, tensor.New([]float32{0, 0}, 1, 2).MatMul(tensor.New([]float32{nan, inf}, 2, 1)), tensor.Shape{1, 1}, nan)
}

func TestMatMulJoinsTheScope(t *testing.T) {
	s := tensor.NewScope()
	r := iota32(2, 3).In(s).MatMul(iota32(3, 2))
	s.Close()
	if r.Err() != tensor.ErrFreed {
		t.Errorf("after Close: %v", r.Err())
	}
}
