package tensor_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

// SumTo is the adjoint of BroadcastTo: <y, broadcast(x)> = <sumto(y), x> for
// all x and y. Small integers make both sides exact.
func TestSumToIsTheAdjointOfBroadcastTo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		to := rapid.SliceOfN(rapid.IntRange(0, 4), 0, 5).Draw(t, "to")
		from := append([]int(nil), to[rapid.IntRange(0, len(to)).Draw(t, "drop"):]...)
		for i := range from {
			if rapid.Bool().Draw(t, "one") {
				from[i] = 1
			}
		}
		g := tensor.NewRand(rapid.Uint64().Draw(t, "seed"))
		small := func(sizes []int) *tensor.Tensor {
			return g.Uniform(dtype.Float64, sizes...).MulScalar(16).Cast(dtype.Int32).Cast(dtype.Float64)
		}
		x, y := small(from), small(to)
		left, err := tensor.Item[float64](y.Mul(x.BroadcastTo(to...)).Sum())
		if err != nil {
			t.Fatal(err)
		}
		s := y.SumTo(from...)
		right, err := tensor.Item[float64](s.Mul(x).Sum())
		if err != nil || !s.Shape().Equal(from) {
			t.Fatalf("%v to %v gives %v, %v", to, from, s.Shape(), err)
		}
		if left != right {
			t.Fatalf("%v to %v: %v and %v", to, from, left, right)
		}
	})
}

func TestSumTo(t *testing.T) {
	x := iota32(2, 3)
	wantData(t, x.SumTo(3), tensor.Shape{3}, float32(3), 5, 7)
	wantData(t, x.SumTo(2, 1), tensor.Shape{2, 1}, float32(3), 12)
	wantData(t, x.SumTo(), tensor.Shape{}, float32(15))
	wantData(t, x.SumTo(1), tensor.Shape{1}, float32(15))
	wantData(t, x.SumTo(2, 3), tensor.Shape{2, 3}, float32(0), 1, 2, 3, 4, 5)
	wantData(t, iota32(1, 2).SumTo(2), tensor.Shape{2}, float32(0), 1)
	minus := tensor.New([]float32{float32(math.Copysign(0, -1))}, 1, 1)
	wantData(t, minus.SumTo(1), tensor.Shape{1}, minus0)
	wantData(t, tensor.Ones(dtype.Int32, 2, 2).SumTo(2), tensor.Shape{2}, int64(2), 2)
	wantData(t, tensor.Ones(dtype.Int32, 2).SumTo(2), tensor.Shape{2}, int64(1), 1)
	wantError(t, x.SumTo(2).Err(), nil, "sumto", "(2, 3)", "(2)")
	wantError(t, x.SumTo(1, 1, 3).Err(), nil, "sumto")
	wantError(t, x.SumTo(-3).Err(), nil, "sumto", "negative")
}
