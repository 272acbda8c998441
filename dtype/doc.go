// Package dtype is the one list of element types a tensor can hold, with
// their sizes, kinds and promotion.
//
// Vocabulary: a DType is an element type; its Kind is bool, unsigned, signed
// or float; a Number is a scalar without a width ("weak"): it adapts to the
// dtype it meets instead of deciding it. Promotion is by the set of dtypes,
// so the order of operands never matters.
//
//	d, err := dtype.Promote(dtype.Int64, dtype.Float32)
//	if err != nil {
//		return err
//	}
//	fmt.Println(d, d.Size()) // float32 4
//
// To add a type, edit the table in dtype.go.
package dtype
