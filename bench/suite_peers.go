package bench

import (
	"github.com/stride0/stride0/kernels"
	"github.com/stride0/stride0/tensor"
)

// peerSpecs are the workloads that every peer knows by these IDs, all float32.
// Sizes stand for places: 1e6 elements lie in the L3 cache, 2^24 in memory.
func peerSpecs() []spec {
	square, row, column := of(4096, 4096), of(4096), of(4096, 1)
	return append([]spec{
		{id: "W1", op: "add", form: "flat", work: "add (1e6)+(1e6)", in: []operand{of(1e6), of(1e6)}, result: []int{1e6}, steps: pair(add), twin: twinFlat},
		{id: "W2", op: "add", form: "flat", work: "add (2^25)+(2^25)", in: []operand{of(1 << 25), of(1 << 25)}, result: []int{1 << 25}, steps: pair(add), twin: twinFlat},
		{id: "W3", op: "add", form: "row", work: "add (4096,4096)+(4096)", in: []operand{square, row}, result: square.sizes, steps: pair(add), twin: twinRow},
		{id: "W4", op: "add", form: "column", work: "add (4096,4096)+(4096,1)", in: []operand{square, column}, result: square.sizes, steps: pair(add), twin: twinColumn},
		{id: "W5", op: "add", form: "outer", work: "add (4096,1)+(1,4096)", in: []operand{column, of(1, 4096)}, result: square.sizes, steps: pair(add), twin: twinOuter},
		{id: "W6", op: "mul", form: "channel", work: "mul (32,64,56,56)*(64,1,1)", in: []operand{of(32, 64, 56, 56), of(64, 1, 1)}, result: []int{32, 64, 56, 56}, steps: pair(mul), twin: twinChannel},
		{id: "W7", op: "add", form: "transposed", work: "add (2048,2048)+(2048,2048).T", in: []operand{of(2048, 2048), {sizes: []int{2048, 2048}, view: (*tensor.Tensor).T}}, result: []int{2048, 2048}, steps: pair(add), twin: twinTransposed},
		{id: "W8", op: "mul", form: "scalar", work: "scalar mul 1e6", in: []operand{of(1e6)}, result: []int{1e6}, steps: times(1.7), twin: twinScalar},
		{id: "W9exp", op: "exp", form: "flat", work: "exp 1e6", in: []operand{of(1e6)}, result: []int{1e6}, steps: single(exp), twin: twinExp},
		{id: "W9tanh", op: "tanh", form: "flat", work: "tanh 1e6", in: []operand{of(1e6)}, result: []int{1e6}, steps: single(tanh), twin: twinTanh},
		{id: "W9gelu", op: "gelu", form: "flat", work: "gelu(erf) 1e6", in: []operand{of(1e6)}, result: []int{1e6}, steps: gelu, twin: twinGelu},
	}, composedSpecs(square, row)...)
}

// composedSpecs are the reductions, the chains, and what is left.
func composedSpecs(square, row operand) []spec {
	wide, strided := of(1024, 4096), operand{sizes: []int{8192, 6144}, view: everyOther, moved: 4096 * 6144}
	axis0, axis1 := over(kernels.Sum, (*tensor.Tensor).Sum, 0), over(kernels.Sum, (*tensor.Tensor).Sum, 1)
	return []spec{
		{id: "W10sum", op: "sum", form: "all", work: "sum all 2^25", in: []operand{of(1 << 25)}, reduces: true, steps: single(over(kernels.Sum, (*tensor.Tensor).Sum)), twin: twinSum},
		{id: "W10sum0", op: "sum", form: "axis0", work: "sum axis 0 (4096,4096)", in: []operand{square}, result: row.sizes, reduces: true, steps: single(axis0), twin: twinSum0},
		{id: "W10sum1", op: "sum", form: "axis1", work: "sum axis 1 (4096,4096)", in: []operand{square}, result: row.sizes, reduces: true, steps: single(axis1), twin: twinSum1},
		{id: "W10max1", op: "max", form: "axis1", work: "max axis 1 (4096,4096)", in: []operand{square}, result: row.sizes, reduces: true, steps: single(over(kernels.Max, (*tensor.Tensor).Max, 1)), twin: twinMax1},
		{id: "W11", op: "standardize", form: "row", work: "(x-mu)/sigma (4096,4096)", in: []operand{square, row, row}, result: square.sizes, steps: standardize, twin: twinStandardize},
		{id: "W12", op: "tanhaffine", form: "row", work: "tanh(a*x+b)*c+x (1024,4096)", in: []operand{wide, row, row, row}, result: wide.sizes, steps: tanhAffine, twin: twinTanhAffine},
		{id: "W12b", op: "gate", form: "row", work: "c/(1+exp(-(a*x+b)))+x (1024,4096)", in: []operand{wide, row, row, row}, result: wide.sizes, steps: gate, twin: twinGate},
		{id: "W13a", op: "add", form: "flat", work: "add (1)+(1)", in: []operand{of(1), of(1)}, result: []int{1}, steps: pair(add), twin: twinFlat},
		{id: "W13b", op: "add", form: "flat", work: "add (16)+(16)", in: []operand{of(16), of(16)}, result: []int{16}, steps: pair(add), twin: twinFlat},
		{id: "W13c", op: "add", form: "row", work: "add (8,8)+(8)", in: []operand{of(8, 8), of(8)}, result: []int{8, 8}, steps: pair(add), twin: twinRow},
		{id: "W14a", op: "matmul", form: "square", work: "matmul 512", in: []operand{of(512, 512), of(512, 512)}, result: []int{512, 512}, steps: pair(matmul), twin: twinMatMul, flops: 2 * 512 * 512 * 512},
		{id: "W14b", op: "matmul", form: "square", work: "matmul 1024", in: []operand{of(1024, 1024), of(1024, 1024)}, result: []int{1024, 1024}, steps: pair(matmul), twin: twinMatMul, flops: 2 * 1024 * 1024 * 1024},
		{id: "W15", op: "softmax", form: "axis1", work: "softmax(-1) (4096,1024)", in: []operand{of(4096, 1024)}, result: []int{4096, 1024}, steps: single(over(kernels.Softmax, (*tensor.Tensor).Softmax, -1)), twin: twinSoftmax},
		{id: "W16", op: "mul", form: "strided", work: "x[::2,::3]*y, y (4096,2048)", in: []operand{strided, of(4096, 2048)}, result: []int{4096, 2048}, steps: pair(mul), twin: twinStrided},
	}
}
