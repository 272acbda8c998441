package tensor_test

import (
	"fmt"

	"github.com/stride0/stride0/cpu"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
	"github.com/stride0/stride0/tensor"
)

// Salaries of three people in two years, a bonus of a year each.
func Example() {
	x := tensor.New([]float32{10, 20, 30, 40, 50, 60}, 3, 2)
	bonus := tensor.New([]float32{1, 100}, 2)
	y := x.Add(bonus).MulScalar(0.5)
	fmt.Println(y)

	v, err := tensor.Data[float32](y.Sum(1))
	fmt.Println(v, err)
	// Output:
	// [[ 5.5 60. ]
	//  [15.5 70. ]
	//  [25.5 80. ]]
	// [65.5 85.5 105.5] <nil>
}

// An error names the operation, the shapes, the axis and the line, and goes
// through the rest of the chain.
func ExampleTensor_Err() {
	x := tensor.Zeros(dtype.Float32, 3, 2)
	y := x.Add(tensor.Zeros(dtype.Float32, 3)).Exp().Sum()
	fmt.Println(y.Err())
	// Output:
	// add: cannot broadcast (3, 2) with (3): axis -1 is 2 and 3; unsqueeze (3) at axis 1 to make it (3, 1), as a reduction's Keep form does (example_test.go:32)
}

func ExampleInto() {
	x := tensor.New([]float32{1, 2, 3})
	err := tensor.Into(x, kernels.Mul, x, tensor.Scalar(2)) // x *= 2
	fmt.Println(x, err)

	err = tensor.Into(x, kernels.Add, x, tensor.Zeros(dtype.Float32, 2, 3))
	fmt.Println(err)
	// Output:
	// [2. 4. 6.] <nil>
	// add: cannot write (2, 3) into (3): a destination is never enlarged; write into a tensor of shape (2, 3) (example_test.go:43)
}

func ExampleTensor_Slice() {
	x := tensor.Arange(dtype.Int64, 0, 12, 1).Reshape(3, 4)
	fmt.Println(x.Slice(tensor.R(0, tensor.End, 2), tensor.All))
	fmt.Println(x.Slice(tensor.All, tensor.R(-1, tensor.End)).Squeeze())
	// Output:
	// [[ 0  1  2  3]
	//  [ 8  9 10 11]] (int64)
	// [ 3  7 11] (int64)
}

func ExampleTensor_SumTo() {
	x := tensor.Ones(dtype.Float32, 3, 1)
	y := x.BroadcastTo(3, 4)
	fmt.Println(tensor.OnesLike(y).SumTo(3, 1).Squeeze()) // each element of x was used four times
	// Output:
	// [4. 4. 4.]
}

func ExampleScope() {
	s := tensor.NewScope()
	x := tensor.New([]float32{1, 2, 3}).In(s)
	mean := x.Square().Mean()
	s.Keep(mean)
	s.Close()
	fmt.Println(x.Err())
	fmt.Println(mean)
	// Output:
	// tensor is freed
	// 4.6666665
}

func ExampleOn() {
	w := tensor.On(cpu.Default()).Full(dtype.Float64, 0.5, 2, 2)
	fmt.Println(w)
	// Output:
	// [[0.5 0.5]
	//  [0.5 0.5]] (float64)
}

func ExampleNewRand() {
	a := tensor.NewRand(42).Uniform(dtype.Float32, 2, 3)
	b := tensor.NewRand(42).Uniform(dtype.Float32, 2, 3)
	same, err := tensor.Item[int64](a.Eq(b).Sum())
	fmt.Println(same, err)
	// Output:
	// 6 <nil>
}

func ExampleWithData() {
	x := tensor.New([]float32{3, 1, 2})
	err := tensor.WithData(x, func(v []float32) error {
		fmt.Println(len(v), v[0])
		return nil
	})
	fmt.Println(err)
	// Output:
	// 3 3
	// <nil>
}
