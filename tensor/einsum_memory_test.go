package tensor_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/device/devicetest"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

func TestEinsumErrorsPointIntoTheExpression(t *testing.T) {
	a, b := iota32(2, 3), iota32(3, 4)
	for _, c := range []struct {
		expr string
		in   []*tensor.Tensor
		pos  int
		text string
	}{
		{"ij,jk->il", []*tensor.Tensor{a, b}, 8, "index l of the result is in no operand"},
		{"ij,jk->ii", []*tensor.Tensor{a, b}, 8, "index i stands twice in the result"},
		{"ij,kj->ik", []*tensor.Tensor{a, b}, 4, "index j is 4 in operand 2 and 3 before"},
		{"ij,j->i", []*tensor.Tensor{a, b}, 3, "operand 2 of shape (3, 4) has 2 axes for 1 index"},
		{"ij,jkl...->i", []*tensor.Tensor{a, b}, 3, "has 2 axes for 3 indices"},
		{"ii->i", []*tensor.Tensor{a}, 1, "the axes of index i in operand 1 have sizes 2 and 3"},
		{"ij,jk->ik", []*tensor.Tensor{a}, 3, "2 terms for 1 operand"},
		{"ij->i", []*tensor.Tensor{a, b}, 2, "1 term for 2 operands"},
		{"", nil, 0, "1 term for 0 operands"},
		{"ij->i->j", []*tensor.Tensor{a}, 5, `"-" outside the one ->`},
		{"i-j", []*tensor.Tensor{a}, 1, `"-" outside the one ->`},
		{"ij->i,j", []*tensor.Tensor{a}, 5, "a comma behind ->"},
		{"ij.->i", []*tensor.Tensor{a}, 2, "a dot that belongs to no ellipsis"},
		{"...i...", []*tensor.Tensor{a}, 4, "a second ellipsis"},
		{"ij->...i", []*tensor.Tensor{a}, 4, "an ellipsis that no operand has"},
		{"ié", []*tensor.Tensor{a}, 1, `an index "é"`},
		{"i1", []*tensor.Tensor{a}, 1, `an index "1"`},
		{"...,...", []*tensor.Tensor{a, b}, 4, "axis -2 of the ellipsis is 3 in operand 2 and 2 before"},
		{"ij,", []*tensor.Tensor{a, tensor.Scalar(2)}, 3, "operand 2 is a Scalar"},
	} {
		err := tensor.Einsum(c.expr, c.in...).Err()
		wantError(t, err, nil, "einsum: ", c.text, "einsum_memory_test.go")
		var e *tensor.EinsumError
		if !errors.As(err, &e) || e.Pos != c.pos || e.Expr != c.expr || e.Hint == "" {
			t.Errorf("%q: %+v, want position %d", c.expr, e, c.pos)
		}
	}
	freed := iota32(2)
	must(t, freed.Free())
	wantError(t, tensor.Einsum("i,i", iota32(2), freed).Err(), tensor.ErrFreed, "einsum: operand 2 of 2 was freed")
	wantError(t, tensor.Einsum("i,i", iota32(2), nil).Err(), tensor.ErrEmpty, "einsum: ")
	far := lagging(t, devicetest.LagOptions{DropAbilities: true})
	wantError(t, tensor.Einsum("i,i", iota32(2), iota32(2).To(far)).Err(), tensor.ErrDevices, "einsum: ")
	wantError(t, tensor.Einsum("i,i", iota32(2).To(far), iota32(2).To(far)).Err(), device.ErrUnsupported, "einsum: ", "AllowHost")
	wantError(t, tensor.Einsum("i,i", tensor.Ones(dtype.Uint64, 2), tensor.Ones(dtype.Int8, 2)).Err(), nil, "einsum: ", "uint64")
}

// Stretched operands and batches are not materialised.
func TestEinsumNeverMaterialisesWhatIsStretched(t *testing.T) {
	x := tensor.Ones(dtype.Float32, 1, 64).BroadcastTo(5000, 64)
	w := tensor.Ones(dtype.Float32, 64, 8)
	batch := tensor.Ones(dtype.Float32, 2000, 1, 64)
	for _, c := range []struct {
		expr   string
		in     []*tensor.Tensor
		result int64
	}{
		{"ij,jk->ik", []*tensor.Tensor{x, w}, 4 * 5000 * 8},
		{"ij,ij->", []*tensor.Tensor{x, x}, 4},
		{"bij,jk->bik", []*tensor.Tensor{batch, w}, 4 * 2000 * 8},
		{"jk,bij->kbi", []*tensor.Tensor{w, batch}, 4 * 2000 * 8},
	} {
		// with the result in the order of the product once more, where it is another
		withinMemory(t, c.expr, 2*c.result+c.result/4+8<<10, func() *tensor.Tensor { return tensor.Einsum(c.expr, c.in...) }, x, w, batch)
	}
}

// What Einsum takes on the way it gives back, also when it fails; its result
// belongs to the scope of an operand.
func TestEinsumLeavesNothingBehind(t *testing.T) {
	dev := lagging(t, devicetest.LagOptions{Seed: 9})
	on := tensor.On(dev)
	a, b, c := on.Ones(dtype.Float32, 3, 40, 50), on.Ones(dtype.Int32, 50, 40), on.Ones(dtype.Float16, 40)
	for _, expr := range []string{"bij,jk,k->b", "bij,ji,i->bi", "bij,jk,k->kb", "bij,jk,k", "bij,kj,k->i"} {
		blocks := device.Stats(dev).Pool.Blocks
		s := tensor.NewScope()
		r := tensor.Einsum(expr, a.In(s), b, c)
		if fails := strings.Contains(expr, "kj"); (r.Err() != nil) != fails {
			t.Fatalf("%s: %v", expr, r.Err())
		} else if fails {
			s.Close()
			continue
		}
		must(t, dev.Sync()) // what was freed goes once the work on it is done
		if n := device.Stats(dev).Pool.Blocks - blocks; n > 1 {
			t.Errorf("%s: %d blocks are left beside the result", expr, n-1)
		}
		s.Close()
		if r.Err() != tensor.ErrFreed {
			t.Errorf("%s: the result does not belong to the scope: %v", expr, r.Err())
		}
	}
}

// The result never shares memory with an operand.
func TestEinsumReturnsNewMemory(t *testing.T) {
	x := iota32(2, 2)
	for _, expr := range []string{"ij", "ij->ij", "ij->ji", "ii->i", "..."} {
		r := tensor.Einsum(expr, x)
		must(t, r.Fill(9))
		wantData(t, x, tensor.Shape{2, 2}, float32(0), 1, 2, 3)
	}
}
