// Package devicetest proves that a device keeps the contract of package
// device, as testing/slogtest does for slog handlers.
//
// Vocabulary: a case is one launch with its operands; a form is how operands
// lie (flat, stretched, strided, empty); the oracle computes what a case must
// yield, element by element from the op table's expressions, and shares no
// code with broadcast.Plan or any device; a guard word is a cell round or
// between elements that a launch must not touch. Results are compared bit for
// bit, where any NaN equals any NaN, and then with the rows' own references.
//
//	func TestConformance(t *testing.T) {
//		dev := devicetest.Open(t, "opencl:0") // skips the test where there is none
//		devicetest.Run(t, dev)
//	}
//
// By default Run works through a covering set: every operation at every dtype
// in one form, and every form with a few operations. With the flag -full, or
// with STRIDE0_FULL=1, every operation meets every form. Lagging makes an
// asynchronous device of any other. Only tests import this package.
//
// To add a form, edit forms.go or forms_reduce.go; a Program, programs.go; a
// promise of the contract, contract.go; an ability, ability.go and the files that
// use it. Rows of the op table need nothing.
package devicetest
