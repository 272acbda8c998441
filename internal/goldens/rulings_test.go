package goldens_test

import (
	"math"
	"slices"
	"testing"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// ruling is a set of cases in which the golden does not count.
type ruling struct {
	ops  []kernels.Op
	when func(d dtype.DType, x []float64) bool
	why  string // what the peer answers, and why stride0 does not
	used bool
}

var rulings = []*ruling{
	{
		ops:  []kernels.Op{kernels.Maximum, kernels.Minimum, kernels.FMax, kernels.FMin},
		when: func(d dtype.DType, x []float64) bool { return x[0] == 0 && x[1] == 0 && d.IsFloat() },
		why:  "NumPy takes one of two zeros by its place; IEEE 754-2019 has -0 below +0",
	},
	{
		ops:  []kernels.Op{kernels.Relu},
		when: func(d dtype.DType, x []float64) bool { return x[0] == 0 },
		why:  "PyTorch's relu of -0 is -0; the greater of -0 and +0 is +0",
	},
	{
		ops:  []kernels.Op{kernels.Silu, kernels.Mish, kernels.Gelu, kernels.GeluTanh},
		when: func(d dtype.DType, x []float64) bool { return math.IsInf(x[0], -1) },
		why:  "PyTorch multiplies -Inf by 0 and gets NaN; the limit is -0",
	},
	{
		ops:  []kernels.Op{kernels.GeluTanh},
		when: func(d dtype.DType, x []float64) bool { return x[0] < -3 },
		why:  "1 + tanh cancels in PyTorch, which has -0 from -10 on; the small results are numbers",
	},
	{
		ops:  []kernels.Op{kernels.Sigmoid, kernels.Silu},
		when: func(d dtype.DType, x []float64) bool { return d == dtype.Float64 && x[0] < -709 },
		why:  "e^710 overflows in PyTorch's 1 / (1 + e^-x); the result is a subnormal number, kept",
	},
	{
		ops:  []kernels.Op{kernels.Selu},
		when: func(d dtype.DType, x []float64) bool { return x[0] <= 0 && x[0] > -1 },
		why:  "PyTorch computes e^x - 1, which has few digits near 0 and no -0",
	},
	{
		ops:  []kernels.Op{kernels.LogSigmoid},
		when: func(d dtype.DType, x []float64) bool { return x[0] > 700 },
		why:  "PyTorch gives +0 where the small negative result vanishes; rounding gives -0",
	},
	{
		ops:  []kernels.Op{kernels.Digamma},
		when: func(d dtype.DType, x []float64) bool { return d == dtype.Float64 },
		why:  "PyTorch's series is off by up to some hundred units in float64; the row's bound is 4 against exact arithmetic",
	},
}

// ruled reports whether a ruling covers a case, and remembers that.
func ruled(op kernels.Op, d dtype.DType, x []float64) bool {
	for _, r := range rulings {
		if slices.Contains(r.ops, op) && r.when(d, x) {
			r.used = true
			return true
		}
	}
	return false
}

// A ruling that no golden needs would hide nothing but a mistake to come.
func TestEveryRulingIsNeeded(t *testing.T) {
	TestUnaryFunctions(t)
	TestBinaryFunctions(t)
	TestIntegers(t)
	TestReductions(t)
	TestOperationsAlongAxes(t)
	for _, r := range rulings {
		if !r.used {
			t.Errorf("no golden differs for %v: %s", r.ops, r.why)
		}
	}
}
