// Package stride0 is the root of a library of broadcasting tensors; it
// contains no code. Programs import tensor, and device to choose where
// tensors live.
//
// Vocabulary: a Tensor is a view of elements on a Device; an operation is a
// row of the op table in kernels; broadcast decides how shapes combine.
//
//	x := tensor.New([]float32{10, 20, 30, 40, 50, 60}, 3, 2)
//	bonus := tensor.New([]float32{1, 100}, 2)
//	y := x.Add(bonus).MulScalar(0.9)
//	if err := y.Err(); err != nil {
//		return err
//	}
//	v, err := tensor.Data[float32](y)
//
// To find the file for a change, see the code map in README.md; to change
// what the README shows, edit readme_test.go.
package stride0
