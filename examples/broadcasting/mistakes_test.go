package main

import (
	"fmt"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
	"github.com/stride0/stride0/tensor"
)

// (5, 3) + (5). Shapes are aligned from the right, so that 5 meets 3. The error
// says where the missing axis belongs.
func Example_mistakeRow() {
	marks := tensor.Ones(dtype.Float32, 5, 3) // 5 students, 3 exams
	bonus := tensor.Ones(dtype.Float32, 5)    // one for each student
	fmt.Println(marks.Add(bonus).Err())
	fmt.Println(marks.Add(bonus.Unsqueeze(1)).Shape())
	// Output:
	// add: cannot broadcast (5, 3) with (5): axis -1 is 3 and 5; unsqueeze (5) at axis 1 to make it (5, 1), as a reduction's Keep form does (mistakes_test.go:16)
	// (5, 3)
}

// (3, 1) + (3). That is no error but (3, 3), all pairs. It is found where the
// result meets a shape that is fixed: a destination is never enlarged.
func Example_mistakeColumn() {
	total := tensor.Zeros(dtype.Float32, 3, 1)
	more := tensor.Ones(dtype.Float32, 3)
	fmt.Println(total.Add(more).Shape())
	fmt.Println(tensor.Into(total, kernels.Add, total, more))
	fmt.Println(tensor.Into(total, kernels.Add, total, more.Unsqueeze(1)), total.Shape())
	// Output:
	// (3, 3)
	// add: cannot write (3, 3) into (3, 1): a destination is never enlarged; unsqueeze (3) at axis 1 to make it (3, 1), or write into a tensor of shape (3, 3) (mistakes_test.go:29)
	// <nil> (3, 1)
}

// Writing into a stretched view. Its rows are one row in memory, so that no
// answer would be right. The error says what to write to instead.
func Example_mistakeStretchedWrite() {
	rows := tensor.New([]float32{1, 2, 3}).BroadcastTo(2, 3)
	ones := tensor.Ones(dtype.Float32, 2, 3)
	fmt.Println(tensor.Into(rows, kernels.Add, rows, ones))

	own := rows.Clone() // six elements of its own
	fmt.Println(tensor.Into(own, kernels.Add, own, ones))
	fmt.Println(own)
	// Output:
	// add: cannot write: along axis 0 of (2, 3) several elements share memory; write to a Clone (mistakes_test.go:42)
	// <nil>
	// [[2. 3. 4.]
	//  [2. 3. 4.]]
}

// A mean that drops its axis. On a square matrix it is no error at all: the
// means of the rows line up with the columns, and the first result below is
// wrong, the second right. Keep the axis whenever the mean goes back to where it
// came from.
func Example_mistakeMean() {
	x := tensor.New([]float32{0, 2, 10, 30}, 2, 2)
	fmt.Println(x.Sub(x.Mean(1)))
	fmt.Println(x.Sub(x.MeanKeep(1)))

	tall := tensor.Ones(dtype.Float32, 5, 3)
	fmt.Println(tall.Sub(tall.Mean(1)).Err())
	fmt.Println(tall.Sub(tall.MeanKeep(1)).Shape())
	// Output:
	// [[ -1. -18.]
	//  [  9.  10.]]
	// [[ -1.   1.]
	//  [-10.  10.]]
	// sub: cannot broadcast (5, 3) with (5): axis -1 is 3 and 5; unsqueeze (5) at axis 1 to make it (5, 1), as a reduction's Keep form does (mistakes_test.go:64)
	// (5, 3)
}
