// Package conform runs the node tests of ONNX on the tensor API: an oracle that
// others wrote, for operations, corner cases of shapes, and dtypes.
//
// Vocabulary: a Case is one test, a graph of Nodes with its inputs and the
// outputs that it must have; an operator is what a Node applies, by the name
// that ONNX gives it; a call is one application of an operator, with what its
// function needs to look up.
//
//	cases, err := conform.Read("../shared/data/onnx_node_tests.json.gz")
//	if err != nil {
//		return err
//	}
//	for _, c := range cases {
//		if err := c.Check(dev); err != nil {
//			fmt.Println(c.Name, err)
//		}
//	}
//
// The files of cases are no part of the module. `go test ./internal/conform`
// reads every *.json.gz in the folder that STRIDE0_CONFORM names, without it
// in ../shared/data beside the repository, and skips where there is none; on
// the device that STRIDE0_DEVICE names, without it on the CPU.
//
// To map another operator, add it to the table of its topic (elementwise.go,
// shapes.go, reductions.go, index.go and so on). Operators for which package tensor
// has nothing of its own, and needs nothing, are compositions here.
package conform
