package tensor_test

import (
	"fmt"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
	"github.com/stride0/stride0/tensor"
)

func ExampleTensor_Diagonal() {
	x := tensor.Zeros(dtype.Int64, 3, 3)
	err := tensor.Into(x.Diagonal(0, 0, 1), kernels.Copy, tensor.New([]int64{1, 2, 3}))
	fmt.Println(x, err)
	// Output:
	// [[1 0 0]
	//  [0 2 0]
	//  [0 0 3]] (int64) <nil>
}

func ExampleTensor_Windows() {
	x := tensor.New([]float32{1, 2, 3, 4, 8})
	w := x.Windows(0, 3, 1)
	fmt.Println(w)
	fmt.Println(w.Mean(-1)) // a moving average
	fmt.Println(tensor.Into(w, kernels.Copy, tensor.Scalar(0)))
	// Output:
	// [[1. 2. 3.]
	//  [2. 3. 4.]
	//  [3. 4. 8.]]
	// [2. 3. 5.]
	// copy: cannot write: along axis 1 of (3, 3) several elements share memory; write to a Clone (example_windows_test.go:27)
}

func ExampleBroadcastTensors() {
	month := tensor.New([]int64{1, 2}, 2, 1)
	price := tensor.New([]float64{9.5, 12, 20})
	views, err := tensor.BroadcastTensors(month, price)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, v := range views {
		fmt.Println(v)
	}
	// Output:
	// [[1 1 1]
	//  [2 2 2]] (int64)
	// [[ 9.5 12.  20. ]
	//  [ 9.5 12.  20. ]] (float64)
}
