//go:build !race

package tensor_test

import (
	"testing"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
	"github.com/stride0/stride0/tensor"
)

// allocs fails when f allocates more often than want, on average.
func allocs(t *testing.T, name string, want float64, f func()) {
	t.Helper()
	f() // fills caches
	if got := testing.AllocsPerRun(200, f); got > want {
		t.Errorf("%s: %v allocations, want %v", name, got, want)
	}
}

func TestAllocations(t *testing.T) {
	one, row, short, m := iota32(1), iota32(16), iota32(8), iota32(8, 8)
	dst := tensor.Zeros(dtype.Float32, 8, 8)
	sum := tensor.Zeros(dtype.Float32)
	var r *tensor.Tensor
	allocs(t, "(1)+(1)", 1, func() { r = one.Add(one) })
	allocs(t, "(16)+(16)", 1, func() { r = row.Add(row) })
	allocs(t, "(8,8)+(8)", 1, func() { r = m.Add(short) })
	allocs(t, "exp", 1, func() { r = m.Exp() })
	allocs(t, "mulscalar", 2, func() { r = m.MulScalar(0.5) })
	allocs(t, "sum", 1, func() { r = m.Sum() })
	allocs(t, "softmax, in three launches", 1, func() { r = m.Softmax(1) })
	allocs(t, "logsumexp, in three launches", 1, func() { r = m.LogSumExp(1) })
	allocs(t, "view", 1, func() { r = m.T() })
	if r.Err() != nil {
		t.Fatal(r.Err())
	}
	var err error
	allocs(t, "into", 0, func() { err = tensor.Into(dst, kernels.Add, m, m) })
	allocs(t, "into, in place", 0, func() { err = tensor.Into(dst, kernels.Mul, dst, m) })
	allocs(t, "into, a reduction", 0, func() { err = tensor.Into(sum, kernels.Sum, m) })
	if err != nil {
		t.Fatal(err)
	}
}
