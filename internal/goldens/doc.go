// Package goldens compares what stride0 computes with what NumPy and PyTorch
// answered, from small .npy files in testdata.
//
// Vocabulary: a golden is an array that one of them computed; make.py writes
// them, by hand, and is the only part that needs Python; a ruling is a case in
// which the goldens do not count, because the two disagree, or one of them
// traps or loses digits, and stride0 decides otherwise (rulings_test.go).
//
//	x, err := goldens.Read(file) // the bytes of a .npy file
//	if err != nil {
//		return err
//	}
//	fmt.Println(x.Shape(), x.DType())
//
// Comparisons count in units in the last place: as many as the row of the op
// table allows, and one for the rounding of the golden.
package goldens

// To add a golden, extend make.py, run it, and add to the test of its family.
