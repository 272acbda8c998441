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
	sum, sum1 := tensor.Zeros(dtype.Float32), tensor.Zeros(dtype.Float32, 1)
	var r *tensor.Tensor
	allocs(t, "(1)+(1)", 1, func() { r = one.Add(one) })
	allocs(t, "(16)+(16)", 1, func() { r = row.Add(row) })
	allocs(t, "(8,8)+(8)", 1, func() { r = m.Add(short) })
	allocs(t, "exp", 1, func() { r = m.Exp() })
	allocs(t, "mulscalar", 2, func() { r = m.MulScalar(0.5) })
	allocs(t, "sum", 1, func() { r = m.Sum() })
	allocs(t, "softmax, in three launches", 1, func() { r = m.Softmax(1) })
	allocs(t, "logsumexp, in three launches", 1, func() { r = m.LogSumExp(1) })
	allocs(t, "t", 1, func() { r = m.T() })
	allocs(t, "transpose", 1, func() { r = m.Transpose() })
	allocs(t, "permute", 1, func() { r = m.Permute(1, 0) })
	allocs(t, "slice", 1, func() { r = m.Slice(tensor.R(1, 3), tensor.All) })
	allocs(t, "index", 1, func() { r = m.Index(0, 1) })
	allocs(t, "unsqueeze", 1, func() { r = m.Unsqueeze(0) })
	allocs(t, "broadcastto", 1, func() { r = m.BroadcastTo(3, 8, 8) })
	allocs(t, "flip", 1, func() { r = m.Flip(0) })
	allocs(t, "reshape", 1, func() { r = m.Reshape(4, 16) })
	if r.Err() != nil {
		t.Fatal(r.Err())
	}
	var err error
	allocs(t, "into, one element", 0, func() { err = tensor.Into(sum1, kernels.Add, one, one) })
	allocs(t, "into, a row", 0, func() { err = tensor.Into(dst, kernels.Add, m, short) })
	allocs(t, "addassign", 0, func() { err = dst.AddAssign(m) })
	allocs(t, "into", 0, func() { err = tensor.Into(dst, kernels.Add, m, m) })
	allocs(t, "into, in place", 0, func() { err = tensor.Into(dst, kernels.Mul, dst, m) })
	allocs(t, "into, a reduction", 0, func() { err = tensor.Into(sum, kernels.Sum, m) })
	if err != nil {
		t.Fatal(err)
	}
}
