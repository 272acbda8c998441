package tensor_test

import (
	"fmt"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

// An embedding is a table of rows; its gradient adds up by row.
func ExampleTensor_Gather() {
	table := tensor.New([]float32{0, 0, 1, 10, 2, 20}, 3, 2)
	words := tensor.New([]int{2, 0, 2, 1}, 2, 2)
	fmt.Println(table.Gather(0, words))
	gradient := tensor.ZerosLike(table).ScatterND(words.Unsqueeze(-1), tensor.Scalar(1), tensor.MergeAdd)
	fmt.Println(gradient)
	// Output:
	// [[[ 2. 20.]
	//   [ 0.  0.]]
	//
	//  [[ 2. 20.]
	//   [ 1. 10.]]]
	// [[1. 1.]
	//  [1. 1.]
	//  [2. 2.]]
}

func ExampleTensor_TopK() {
	scores := tensor.New([]float32{0.1, 0.7, 0.2, 0.5, 0.3, 0.9}, 2, 3)
	best, class := scores.TopK(2, 1, true)
	fmt.Println(best)
	fmt.Println(class)
	// Output:
	// [[0.7 0.2]
	//  [0.9 0.5]]
	// [[1 2]
	//  [2 0]] (int64)
}

func ExampleTensor_CumSum() {
	x := tensor.New([]int{1, 2, 3, 4})
	fmt.Println(x.CumSum(0), x.CumSum(0, tensor.CumOpts{Exclusive: true, Reverse: true}))
	// Output:
	// [ 1  3  6 10] (int64) [9 7 4 0] (int64)
}

func ExampleTensor_MaskedSelect() {
	x := tensor.New([]float32{-1, 5, -3, 2}, 2, 2)
	positive := x.Gt(tensor.Scalar(0))
	fmt.Println(x.MaskedSelect(positive))
	fmt.Println(positive.NonZero())
	// Output:
	// [5. 2.]
	// [[0 1]
	//  [1 1]] (int64)
}

func ExampleTensor_OneHot() {
	fmt.Println(tensor.New([]int{1, 0, -1}).OneHot(3, dtype.Float32))
	// Output:
	// [[0. 1. 0.]
	//  [1. 0. 0.]
	//  [0. 0. 1.]]
}

// An index out of range says where it is and what would be valid.
func ExampleTensor_IndexSelect() {
	x := tensor.New([]float32{1, 2, 3})
	fmt.Println(x.IndexSelect(0, tensor.New([]int{0, 3})).Err())
	// Output:
	// indexselect: index 3 at (1) is out of range for axis 0 of size 3; valid indices are -3 to 2 (example_gather_test.go:69)
}
