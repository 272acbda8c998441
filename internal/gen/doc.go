// Command gen writes package cpu's loops from the op table: one straight-line
// typed loop for each row, dtype and form.
//
// Vocabulary: a map loop runs an element-wise row over n elements, in the
// forms flat (all operands advance), ls and rs (the left or the right operand
// is one element). A reduction has the loops identity, block, lead, lead4,
// merge and finish; package cpu says what each does. A signature is a row with
// the dtypes of its operands and its result.
//
//	//go:generate go run ../internal/gen
//
//	func add_float32_flat(n int, p *[4]unsafe.Pointer) {
//		...
//		for i := range d {
//			d[i] = float32(a[i] + b[i])
//		}
//	}
//
// It knows no operation: to add one, edit the table in package kernels and run
// go generate ./cpu. To add a form, edit maps.go or reduces.go here and the
// driver in package cpu that calls it.
package main
