package main

import (
	"fmt"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

// A mean over an axis drops it, and what is left may no longer line up. MeanKeep
// leaves the axis as size 1, so that the result broadcasts where it came from.
func Example_keepdims() {
	x := tensor.New([]float32{1, 2, 3, 10, 20, 60}, 2, 3)

	mean := x.Mean(1) // one for each row
	fmt.Println(mean.Shape(), x.Sub(mean).Err())

	kept := x.MeanKeep(1)
	fmt.Println(kept.Shape())
	fmt.Println(x.Sub(kept))
	// Output:
	// (2) sub: cannot broadcast (2, 3) with (2): axis -1 is 3 and 2; unsqueeze (2) at axis 1 to make it (2, 1), as a reduction's Keep form does (reduce_test.go:16)
	// (2, 1)
	// [[ -1.   0.   1.]
	//  [-20. -10.  30.]]
}

// A comparison broadcasts like arithmetic and gives bools. Where takes one of
// two values by such a mask, and the sum of a mask counts.
func Example_masks() {
	x := tensor.New([]float32{3, -1, 4, -1, 5, -9}, 2, 3)
	limit := tensor.New([]float32{0, -5}).Unsqueeze(1) // one for each row
	mask := x.Ge(limit)
	fmt.Println(mask)
	fmt.Println(mask.Where(x, tensor.Scalar(0)))
	fmt.Println(mask.Sum(1), "in each row")
	// Output:
	// [[ true false  true]
	//  [ true  true false]] (bool)
	// [[ 3.  0.  4.]
	//  [-1.  5.  0.]]
	// [2 2] (int64) in each row
}

// SumTo is broadcasting backwards (its adjoint): an element that was used many
// times gathers what comes back from each use. So a bias that was added to
// every row has as its gradient the sum over the rows.
func Example_sumTo() {
	bias := tensor.New([]float32{1, 2, 3}) // (3)
	x := tensor.Zeros(dtype.Float32, 4, 3)
	y := x.Add(bias) // bias stretched to (4, 3)

	gradient := tensor.FullLike(y, 0.5) // of a loss by y, say
	fmt.Println(gradient.SumTo(bias.Shape()...))

	// Adjoint means that these two are always equal:
	fmt.Println(bias.Mul(gradient.SumTo(3)).Sum(), bias.BroadcastTo(4, 3).Mul(gradient).Sum())
	// Output:
	// [2. 2. 2.]
	// 12.0 12.0
}
