package tensor_test

import (
	"slices"
	"testing"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

// naive multiplies matrices whose elements are small integers, so that every
// order of additions gives the same result.
func naive(t *testing.T, a, b *tensor.Tensor) []float64 {
	batch := a.Shape()[:a.Rank()-2]
	if len(b.Shape()[:b.Rank()-2]) > len(batch) {
		batch = b.Shape()[:b.Rank()-2]
	}
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
	wantError(t, iota32(3).MatMul(m).Err(), nil, "matmul", "left operand (3)", "Unsqueeze(0)")
	wantError(t, m.MatMul(iota32(3)).Err(), nil, "matmul", "right operand (3)", "Unsqueeze(-1)")
	wantError(t, m.MatMul(m).Err(), nil, "matmul", "(2, 3) by (2, 3)", "3 columns meet 2 rows",
		"; T of the right operand makes it (3, 2), or T of the left operand makes it (3, 2) (")
	wantError(t, m.MatMul(iota32(4, 3)).Err(), nil, "3 columns meet 4 rows; T of the right operand makes it (3, 4) (")
	wantError(t, m.MatMul(iota32(5, 2, 4)).Err(), nil, "3 columns meet 2 rows; T of the left operand makes it (3, 2) (")
	wantError(t, m.MatMul(iota32(4, 2)).Err(), nil, "3 columns meet 4 rows; the other way round, (4, 2) by (2, 3) is defined (")
	wantError(t, m.MatMul(iota32(4, 5)).Err(), nil, "the last axis of the left operand and the second last of the right must agree (")
	wantError(t, iota32(2, 2, 3).MatMul(iota32(3, 3, 4)).Err(), nil, "matmul", "cannot broadcast")
	wantError(t, m.Cast(dtype.Int32).MatMul(m.T().Cast(dtype.Int32)).Err(), nil, "matmul", "int32", "cast")
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
