package servers

import (
	"math"
	"os"
	"strconv"

	"github.com/gomlx/gomlx/backends"
	"github.com/gomlx/gomlx/backends/simplego"
	"github.com/gomlx/gomlx/pkg/core/graph"
	"github.com/gomlx/gomlx/pkg/core/tensors"

	"github.com/stride0/stride0/bench/peers/protocol"
)

type node = *graph.Node

// goMLX runs compiled graphs on GoMLX's backend in pure Go. It always
// allocates its results, from a pool to which they are given back here.
func goMLX(threads int) (protocol.Maker, error) {
	stdout := os.Stdout // the backend greets there, where answers are expected
	os.Stdout = os.Stderr
	backend, err := simplego.New("parallelism=" + strconv.Itoa(threads))
	os.Stdout = stdout
	if err != nil {
		return nil, err
	}
	return func(w string) (map[string]protocol.Run, error) {
		f, in := goMLXGraph(w)
		if f == nil {
			f, in = goMLXComposed(w)
		}
		if f == nil {
			return nil, nil
		}
		return goMLXRuns(backend, f, in)
	}, nil
}

func goMLXRuns(backend backends.Backend, f func(x []node) node, in []*tensors.Tensor) (map[string]protocol.Run, error) {
	exec, err := graph.NewExec(backend, f)
	if err != nil {
		return nil, err
	}
	args := make([]any, len(in))
	for i, t := range in {
		args[i] = t
	}
	return map[string]protocol.Run{protocol.Alloc: func() error {
		out, err := exec.Exec(args...)
		if err != nil {
			return err
		}
		return out[0].FinalizeAll()
	}}, nil
}

// goMLXGraph returns the graph of a single operation, and its operands; nil
// for another workload.
func goMLXGraph(w string) (func(x []node) node, []*tensors.Tensor) {
	add := func(x []node) node { return graph.Add(x[0], x[1]) }
	switch w {
	case "W1":
		return add, operands([]int{1e6}, []int{1e6})
	case "W2":
		return add, operands([]int{1 << 25}, []int{1 << 25})
	case "W3":
		return add, operands([]int{4096, 4096}, []int{1, 4096})
	case "W4":
		return add, operands([]int{4096, 4096}, []int{4096, 1})
	case "W5":
		return add, operands([]int{4096, 1}, []int{1, 4096})
	case "W6":
		return func(x []node) node { return graph.Mul(x[0], x[1]) }, operands([]int{32, 64, 56, 56}, []int{1, 64, 1, 1})
	case "W7":
		return func(x []node) node { return graph.Add(x[0], graph.Transpose(x[1], 0, 1)) }, operands([]int{2048, 2048}, []int{2048, 2048})
	case "W8":
		return func(x []node) node { return graph.MulScalar(x[0], 1.7) }, operands([]int{1e6})
	case "W9exp":
		return func(x []node) node { return graph.Exp(x[0]) }, operands([]int{1e6})
	case "W9tanh":
		return func(x []node) node { return graph.Tanh(x[0]) }, operands([]int{1e6})
	case "W13a":
		return add, operands([]int{1}, []int{1})
	case "W13b":
		return add, operands([]int{16}, []int{16})
	case "W13c":
		return add, operands([]int{8, 8}, []int{1, 8})
	}
	return nil, nil
}

// goMLXComposed is goMLXGraph for reductions, products and chains.
func goMLXComposed(w string) (func(x []node) node, []*tensors.Tensor) {
	square, wide, row := []int{4096, 4096}, []int{1024, 4096}, []int{1, 4096}
	switch w {
	case "W9gelu":
		return func(x []node) node {
			return graph.Mul(graph.MulScalar(x[0], 0.5), graph.OnePlus(graph.Erf(graph.MulScalar(x[0], math.Sqrt2/2))))
		}, operands([]int{1e6})
	case "W10sum":
		return func(x []node) node { return graph.ReduceAllSum(x[0]) }, operands([]int{1 << 25})
	case "W10sum0":
		return func(x []node) node { return graph.ReduceSum(x[0], 0) }, operands(square)
	case "W10sum1":
		return func(x []node) node { return graph.ReduceSum(x[0], 1) }, operands(square)
	case "W10max1":
		return func(x []node) node { return graph.ReduceMax(x[0], 1) }, operands(square)
	case "W11":
		return func(x []node) node { return graph.Div(graph.Sub(x[0], x[1]), x[2]) }, operands(square, row, row)
	case "W12":
		return func(x []node) node {
			return graph.Add(graph.Mul(graph.Tanh(graph.Add(graph.Mul(x[1], x[0]), x[2])), x[3]), x[0])
		}, operands(wide, row, row, row)
	case "W12b":
		return func(x []node) node {
			z := graph.Neg(graph.Add(graph.Mul(x[1], x[0]), x[2]))
			return graph.Add(graph.Div(x[3], graph.OnePlus(graph.Exp(z))), x[0])
		}, operands(wide, row, row, row)
	case "W14a":
		return func(x []node) node { return graph.MatMul(x[0], x[1]) }, operands([]int{512, 512}, []int{512, 512})
	case "W14b":
		return func(x []node) node { return graph.MatMul(x[0], x[1]) }, operands([]int{1024, 1024}, []int{1024, 1024})
	case "W15":
		return func(x []node) node { return graph.Softmax(x[0], -1) }, operands([]int{4096, 1024})
	case "W16":
		return func(x []node) node {
			return graph.Mul(graph.Slice(x[0], graph.AxisRange().Stride(2), graph.AxisRange().Stride(3)), x[1])
		}, operands([]int{8192, 6144}, []int{4096, 2048})
	}
	return nil, nil
}

// operands are tensors of these sizes: the first random, the others positive.
func operands(sizes ...[]int) []*tensors.Tensor {
	in := make([]*tensors.Tensor, len(sizes))
	for i, s := range sizes {
		n := 1
		for _, size := range s {
			n *= size
		}
		numbers := positive
		if i == 0 {
			numbers = random
		}
		in[i] = tensors.FromFlatDataAndDimensions(numbers(n), s...)
	}
	return in
}
