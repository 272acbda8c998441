// Package kernels holds the op table, the only list of operations, and
// spells computations over it for every device. It runs nothing.
//
// Vocabulary: an Op names a Row of the table; a Row is an expression of exact
// primitives (Expr, built with Emit into a Body), a Reduction (a monoid over
// states) or an Expand (a composition of other rows); a Program is typed SSA
// of ops applied to inputs, scalars and indices; a Signature is the dtypes an
// op computes in; a Lowered program is flattened to primitives, ready to be
// spelt in Go or a Dialect (OpenCL C, CUDA C).
//
//	b := kernels.NewBuilder()
//	x, y := b.Input(dtype.Float32), b.Input(dtype.Float32)
//	sum, _ := b.Apply(kernels.Add, kernels.Attr{}, x, y)
//	root, _ := b.Apply(kernels.Sqrt, kernels.Attr{}, sum)
//	b.Output(root)
//	p, err := b.Program()
//
// To add an operation, add a constant and a row to optab_<family>.go and run
// go generate ./...; to add a primitive, edit expr.go, eval.go and the dialects.
package kernels

//go:generate go run ../internal/gen/opsgen
