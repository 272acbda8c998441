// Package broadcast is the shape algebra of tensors: which shapes go together,
// how a view addresses its buffer, and how an operation walks its operands.
// It is pure integer work: no data, no devices.
//
// Vocabulary: a Shape is the sizes of the axes, outermost first. A Layout is a
// Shape with an offset and strides, all in elements; stride 0 stretches an axis
// without copying. The rule (Shapes) aligns shapes at the right; sizes must be
// equal, or one of them 1 or missing. A Plan puts the Layouts of one operation
// on one iteration space: its kept axes, in the order that suits memory, then
// its reduced axes in logical order. A Piece is a part of a Plan that 32-bit
// indices can address. A ShapeError says which axis is wrong and what mends it;
// Explain draws the whole of it.
//
//	shape, err := broadcast.Shapes(broadcast.Shape{3, 1}, broadcast.Shape{4})
//	if err != nil {
//		return err
//	}
//	in := broadcast.RowMajor(broadcast.Shape{3, 1}) // (4) and the output alike
//	var plan broadcast.Plan
//	plan.Build(shape, 0, 0, 1, &in, &bias, &out)
//	fmt.Println(shape, plan.Sizes, plan.Classes)
//
// To add a view, edit view.go (or give it a file, as slice.go, reshape.go and
// windows.go) and add it to the model in view_fuzz_test.go. To change how a Plan orders or
// fuses axes, edit plan.go; odometer_test.go holds what must stay true.
package broadcast
