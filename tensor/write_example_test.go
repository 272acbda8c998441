package tensor_test

import (
	"errors"
	"fmt"

	"github.com/stride0/stride0/cpu"
	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
	"github.com/stride0/stride0/tensor"
)

// A write through a view is seen in the base; the source broadcasts.
func ExampleTensor_Assign() {
	x := tensor.Zeros(dtype.Float32, 3, 4)
	err := x.Slice(tensor.All, tensor.R(1, 3)).Assign(tensor.New([]float32{5, 6}))
	fmt.Println(x, err)
	fmt.Println(x.Index(0, 0).Assign(x))
	// Output:
	// [[0. 5. 6. 0.]
	//  [0. 5. 6. 0.]
	//  [0. 5. 6. 0.]] <nil>
	// assign: cannot write (3, 4) into (4): a destination is never enlarged; write into a tensor of shape (3, 4) (write_example_test.go:19)
}

// The result is as if both operands had been read before the first write.
func ExampleTensor_AddAssign() {
	x := tensor.Arange(dtype.Int64, 0, 4, 1).Reshape(2, 2)
	err := x.AddAssign(x.T())
	fmt.Println(x, err)
	fmt.Println(x.AddAssign(tensor.Scalar(0.5)))
	// Output:
	// [[0 3]
	//  [3 6]] (int64) <nil>
	// add: cannot write float32 into int64; cast the operands, or write into a tensor of float32 (write_example_test.go:32)
}

func ExampleTensor_Set() {
	x := tensor.Zeros(dtype.Float32, 2, 2)
	fmt.Println(x.Fill(1), x.Set(7, 0, -1))
	fmt.Println(x)
	// Output:
	// <nil> <nil>
	// [[1. 7.]
	//  [1. 1.]]
}

func ExamplePrice() {
	bytes, err := tensor.Price(dtype.Float32, 32, 2048, 4096)
	fmt.Println(bytes, device.Bytes(bytes), err)
	// Output:
	// 1073741824 1.1 GB <nil>
}

// Two vectors of a few kilobytes, and what all sums of their elements take.
func ExamplePriceOf() {
	x := tensor.Ones(dtype.Float32, 20000)
	cost, err := tensor.PriceOf(kernels.Add, x.Unsqueeze(1), x)
	fmt.Println(device.Bytes(cost.Total()), err)
	// Output:
	// 1.6 GB <nil>
}

// A limit refuses what is too large before anything is allocated.
func ExampleMemoryError() {
	if err := device.SetLimit(cpu.Default(), 2e6); err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = device.SetLimit(cpu.Default(), 0) }()
	err := tensor.Zeros(dtype.Float32, 1000, 1000).Err()
	fmt.Println(err)
	var short *device.OutOfMemoryError
	fmt.Println(errors.As(err, &short), short.Need)
	// Output:
	// zeros: (1000, 1000) float32 is 4.0 MB; limit 2 MB on cpu; use a smaller shape, or raise the limit with device.SetLimit (write_example_test.go:72)
	// true 4000000
}
