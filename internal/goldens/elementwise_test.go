package goldens_test

import (
	"testing"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
	"github.com/stride0/stride0/tensor"
)

// family compares rows, one for each row of the golden, on the operands.
func family(t *testing.T, list, file string, d dtype.DType, operands string) {
	t.Helper()
	want, in := golden(t, file, d), split(golden(t, operands, d))
	for i, name := range names(t, list) {
		op := opOf(t, name)
		w := want.Index(0, i)
		got := compute(t, op, kernels.Attr{}, w.DType(), w.Shape(), in...)
		compare(t, op, d, got, w, in)
	}
}

// split returns the operands in the rows of an array, or the one it is.
func split(x *tensor.Tensor) []*tensor.Tensor {
	if x.Rank() < 2 {
		return []*tensor.Tensor{x}
	}
	all := make([]*tensor.Tensor, x.Dim(0))
	for i := range all {
		all[i] = x.Index(0, i)
	}
	return all
}

// compare holds results against the golden, element by element.
func compare(t *testing.T, op kernels.Op, d dtype.DType, got, want *tensor.Tensor, in []*tensor.Tensor) {
	t.Helper()
	x := make([][]float64, len(in))
	for i := range in {
		x[i] = values(t, in[i])
	}
	place := func(i int) (at []float64) {
		for _, v := range x {
			at = append(at, v[i])
		}
		return at
	}
	if !want.DType().IsFloat() {
		g := whole(t, got)
		for i, w := range whole(t, want) {
			if g[i] != w && !ruled(op, d, place(i)) {
				t.Errorf("%v of %v %v is %d, the golden %d", op, d, place(i), int64(g[i]), int64(w))
			}
		}
		return
	}
	g := values(t, got)
	for i, w := range values(t, want) {
		most := allowed(op, d) * op.Row().Cancelled(d, place(i), w)
		if off := units(d, g[i], w); off > most && !ruled(op, d, place(i)) {
			t.Errorf("%v of %v %v is %v, the golden %v: %.2f units apart, %v are allowed", op, d, place(i), g[i], w, off, most)
		}
	}
}

func TestUnaryFunctions(t *testing.T) {
	for _, d := range floats {
		family(t, "unary", "unary_"+d.String(), d, "unary_"+d.String()+"_x")
		family(t, "tests", "tests_"+d.String(), d, "unary_"+d.String()+"_x")
	}
}

func TestBinaryFunctions(t *testing.T) {
	for _, d := range floats {
		family(t, "binary", "binary_"+d.String(), d, "binary_"+d.String()+"_x")
		family(t, "compare", "compare_"+d.String(), d, "binary_"+d.String()+"_x")
	}
}

func TestIntegers(t *testing.T) {
	for _, d := range integers {
		family(t, "integer", "integer_"+d.String(), d, "integer_"+d.String()+"_x")
		family(t, "integer_unary", "integer_unary_"+d.String(), d, "integer_unary_"+d.String()+"_x")
	}
}
