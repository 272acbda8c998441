package main

import (
	"fmt"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

// A number goes with every element: it has no axes, so all are stretched. A Go
// constant keeps the dtype of the tensor; 1.5 lifts integers to float32.
func Example_scalar() {
	prices := tensor.New([]int32{10, 20, 30})
	fmt.Println(prices.AddScalar(5))
	fmt.Println(prices.MulScalar(1.5))
	// Output:
	// [15 25 35] (int32)
	// [15. 30. 45.]
}

// Shapes are aligned from the right and a missing axis is stretched: a (3) is a
// row, which goes with every row of a (2, 3).
func Example_row() {
	sales := tensor.New([]float32{1, 2, 3, 4, 5, 6}, 2, 3) // of 3 products in 2 shops
	price := tensor.New([]float32{10, 20, 30})             // of the 3 products
	fmt.Println(sales.Mul(price))
	// Output:
	// [[ 10.  40.  90.]
	//  [ 40. 100. 180.]]
}

// One number for each row is a column, (2, 1): the axis of size 1 is stretched.
// Unsqueeze makes the column out of a (2).
func Example_column() {
	sales := tensor.New([]float32{1, 2, 3, 4, 5, 6}, 2, 3) // of 3 products in 2 shops
	rent := tensor.New([]float32{1, 4})                    // of the 2 shops
	column := rent.Unsqueeze(1)
	fmt.Println(column.Shape())
	fmt.Println(sales.Sub(column))
	// Output:
	// (2, 1)
	// [[0. 1. 2.]
	//  [0. 1. 2.]]
}

// A column and a row stretch each other: every pair of their elements meets.
// Nothing is copied for it; a stretched axis is walked with stride 0.
func Example_outer() {
	hours := tensor.New([]float32{1, 2, 3}).Unsqueeze(1) // (3, 1)
	wages := tensor.New([]float32{10, 20})               // (2)
	fmt.Println(hours.Mul(wages))
	// Output:
	// [[10. 20.]
	//  [20. 40.]
	//  [30. 60.]]
}

// The trap: a model returns (N, 1), the targets are (N), and their difference
// is no error but all N×N pairs, so that a loss trains towards nonsense. Look at
// the shape; Squeeze drops the axis that should not be there.
func Example_trap() {
	predicted := tensor.New([]float32{1, 2, 3}, 3, 1)
	target := tensor.New([]float32{1, 2, 3}) // all predicted right

	wrong := predicted.Sub(target)
	fmt.Println(wrong.Shape(), "loss", wrong.Square().Mean())

	right := predicted.Squeeze(1).Sub(target)
	fmt.Println(right.Shape(), "loss", right.Square().Mean())

	// Where the shape is known beforehand, a BroadcastTo checks it: it
	// stretches, but never beyond the shape asked for.
	fmt.Println(wrong.BroadcastTo(target.Shape()...))
	// Output:
	// (3, 3) loss 1.3333334
	// (3) loss 0.0
	// broadcastto: cannot broadcast (3, 3) to (3): it has 2 axes, more than 1; broadcasting drops no axes (stretch_test.go:73)
}

// Broadcasting copies nothing: a row stretched to a million rows is a view of
// three numbers. Clone makes the copies where they are wanted.
func Example_stretch() {
	row := tensor.New([]float32{1, 2, 3})
	tall := row.BroadcastTo(1_000_000, 3)
	bytes, err := tensor.Price(dtype.Float32, tall.Shape()...)
	fmt.Println(tall.Shape(), tall.IsContiguous(), "a copy would take", bytes, "bytes", err)
	// Output:
	// (1000000, 3) false a copy would take 12000000 bytes <nil>
}
