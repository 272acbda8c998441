package goldens_test

import (
	"math"
	"testing"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
	"github.com/stride0/stride0/tensor"
)

// The operand is (12, 37): most rows have one kind of special values.
func TestReductions(t *testing.T) {
	for _, d := range floats {
		x := golden(t, "reduce_"+d.String()+"_x", d)
		want := golden(t, "reduce_"+d.String(), d)
		for i, name := range names(t, "reduce") {
			op := opOf(t, name)
			got := compute(t, op, alongLast, d, tensor.Shape{x.Dim(0)}, x)
			compareRows(t, op, d, got, want.Index(0, i), x)
			turned := compute(t, op, kernels.Attr{Axes: kernels.Axes(0)}, d, tensor.Shape{x.Dim(0)}, x.T())
			compareRows(t, op, d, turned, want.Index(0, i), x)
		}
		positions := golden(t, "position_"+d.String(), d)
		for i, name := range names(t, "position") {
			op := opOf(t, name)
			got, w := whole(t, compute(t, op, alongLast, dtype.Int64, tensor.Shape{x.Dim(0)}, x)), whole(t, positions.Index(0, i))
			for r := range w {
				if got[r] != w[r] {
					t.Errorf("%v of %v, row %d, is %d, the golden %d", op, d, r, got[r], w[r])
				}
			}
		}
	}
}

var alongLast = kernels.Attr{Axes: kernels.Axes(-1)}

func TestOperationsAlongAxes(t *testing.T) {
	for _, d := range floats {
		x := golden(t, "reduce_"+d.String()+"_x", d)
		want := golden(t, "along_"+d.String(), d)
		for i, name := range names(t, "along") {
			op := opOf(t, name)
			compareRows(t, op, d, compute(t, op, alongLast, d, x.Shape(), x), want.Index(0, i), x)
		}
	}
}

// compareRows compares results of each row of x. Bounds count in the greatest
// number on the way, since sums and logarithms may cancel.
func compareRows(t *testing.T, op kernels.Op, d dtype.DType, got, want, x *tensor.Tensor) {
	t.Helper()
	g, w, in := values(t, got), values(t, want), values(t, x)
	each, n := len(g)/x.Dim(0), x.Dim(1)
	for i := range g {
		row := in[i/each*n:][:n]
		most := allowed(op, d)
		if !math.IsNaN(w[i]) && !math.IsInf(w[i], 0) && w[i] != 0 {
			most *= math.Max(1, onTheWay(op, row)/math.Abs(w[i]))
		}
		if off := units(d, g[i], w[i]); off > most && !ruled(op, d, row) {
			t.Errorf("%v of %v, row %d, is %v, the golden %v: %.2f units apart, %v are allowed", op, d, i/each, g[i], w[i], off, most)
		}
	}
}

// onTheWay is the magnitude of what a result is a sum of.
func onTheWay(op kernels.Op, row []float64) (m float64) {
	for _, v := range row {
		switch op {
		case kernels.Sum:
			m += math.Abs(v)
		case kernels.Mean:
			m += math.Abs(v) / float64(len(row))
		case kernels.LogSumExp, kernels.LogSoftmax:
			m = math.Max(m, 2*math.Abs(v))
		}
	}
	return m
}

// Integers and bools sum to 64 bits, exactly.
func TestSumsOfIntegers(t *testing.T) {
	for _, d := range append(integers, dtype.Bool) {
		x := golden(t, "reduce_"+d.String()+"_x", d)
		want := golden(t, "sums_"+d.String(), d)
		for i, got := range []*tensor.Tensor{x.Sum(-1), x.Prod(-1)} {
			g, w := whole(t, got), whole(t, want.Index(0, i))
			for r := range w {
				if g[r] != w[r] {
					t.Errorf("%v of %v, row %d: %d, the golden %d", []string{"sum", "prod"}[i], d, r, g[r], w[r])
				}
			}
			if got.DType() != want.DType() {
				t.Errorf("%v of %v is %v, the golden %v", []string{"sum", "prod"}[i], d, got.DType(), want.DType())
			}
		}
	}
}
