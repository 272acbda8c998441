// Command tensorgen writes package tensor's methods, one for each row of the
// op table (three for a reduction), and a check that each row has one.
//
// Vocabulary: a row with an expression becomes an element-wise method of as
// many operands as its arity, and OpAssign too where it has two and is no
// comparison; a row that reduces becomes Op, OpKeep and OpAxes; one that gives a
// value for every element along axes takes those; rows that package tensor
// offers in another form are listed in byHand.
//
//	//go:generate go run ../internal/gen/tensorgen
//
//	// Exp returns e to the power x; integers become float32. x is t.
//	func (t *Tensor) Exp() *Tensor {
//		return apply(call{Op: kernels.Exp}, t)
//	}
//
// To add a method, add a row to package kernels; to change how methods look,
// edit methods.go.
package main
