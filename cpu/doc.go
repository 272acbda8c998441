// Package cpu is the host device: it runs Programs in Go on the memory and
// the processors of the machine, and is always there.
//
// Vocabulary: a loop is generated code for one row, dtypes and form, over
// contiguous elements. A job is a launch made ready; it is cut into boxes, each
// at most a block of elements, which workers claim: the caller's goroutine and
// helpers, which together are the crew and stay awake for a while after work
// (STRIDE0_SPIN). On a box a Program runs step by step, each value at its place: in an
// operand if it is contiguous there, else in a block of scratch memory that
// stays in the first-level cache. A rowJob is a job of one row whose operands
// all are where a loop takes them, so that nothing is decided for each box.
// Results too large for the last-level cache are written past it. Reductions
// follow the canonical tree, in the block form (the elements of one output after
// another) or the lead form (rows across outputs), and give the same bits in
// both, on any number of workers.
//
//	dev := cpu.Default()
//	a, err := dev.Alloc(4 * 1024)
//	if err != nil {
//		return err
//	}
//	defer a.Free()
//	err = dev.Write(a, 0, data)
//	err = dev.Run(&device.Launch{Program: p, Plan: &plan, ...})
//
// To add an operation, add its row in package kernels and run go generate
// here. To add a form of loop, edit internal/gen and the file that drives it:
// rows.go and eval.go for element-wise rows, elements.go and lead.go for
// reductions. The rows that the table calls hot also have loops in assembly,
// which cpu/_asm writes (make generate-asm) and vector.go puts in the place of
// those in Go. Operands that are no rows in memory are made contiguous by
// move.go; tile.go cuts launches for those that lie across the rows.
package cpu

//go:generate go run ../internal/gen
