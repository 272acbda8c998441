package tensor_test

import (
	"fmt"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

// Tensors print in columns; verbs with a width or a precision format each
// element, %+v tells what kind of tensor it is.
func ExampleTensor_Format() {
	x := tensor.New([]float64{1, 2.5, -10, 1.0 / 3}, 2, 2)
	fmt.Println(x)
	fmt.Printf("%.2f\n", x)
	fmt.Printf("%+v\n", x.T())
	fmt.Println(tensor.Arange(dtype.Int32, 0, 10000, 1))
	// Output:
	// [[  1.           2.5       ]
	//  [-10.           0.33333333]] (float64)
	// [[  1.00   2.50]
	//  [-10.00   0.33]]
	// [[  1.         -10.        ]
	//  [  2.5          0.33333333]] (shape (2, 2), float64, cpu, strides (1, 2))
	// [   0    1    2 ... 9997 9998 9999] (int32)
}

func ExampleLinspace() {
	fmt.Println(tensor.Linspace(dtype.Float32, 0, 1, 5))
	// Output:
	// [0.   0.25 0.5  0.75 1.  ]
}

// The same numbers on every device, from a generator for each goroutine.
func ExampleRand_Normal() {
	g := tensor.NewRand(7)
	fmt.Printf("%.3f\n", g.Normal(dtype.Float32, 2, 3))

	parts := make(chan *tensor.Tensor)
	for range 2 {
		own := g.Split() // before the goroutine starts, so that the order is fixed
		go func() { parts <- own.Normal(dtype.Float32, 1000) }()
	}
	for range 2 {
		mean, err := tensor.Item[float32]((<-parts).Mean())
		fmt.Println(mean > -0.1 && mean < 0.1, err)
	}
	// Output:
	// [[-1.126  0.557 -0.290]
	//  [ 1.003 -0.652  0.055]]
	// true <nil>
	// true <nil>
}
