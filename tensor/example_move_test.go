package tensor_test

import (
	"fmt"

	"github.com/stride0/stride0/tensor"
)

func ExampleConcat() {
	rows := tensor.New([]float32{1, 2, 3, 4}, 2, 2)
	total := rows.SumKeep(0)
	fmt.Println(tensor.Concat(0, rows, total))
	fmt.Println(tensor.Concat(0, rows, rows.Sum(0)).Err())
	// Output:
	// [[1. 2.]
	//  [3. 4.]
	//  [4. 6.]]
	// concat: cannot join (2, 2) and operand 2, (2), along axis 0: ranks differ; give both 2 axes with Unsqueeze (example_move_test.go:13)
}

func ExampleTensor_Pad() {
	x := tensor.New([]float32{1, 2, 3})
	for _, mode := range []tensor.PadMode{tensor.PadConstant, tensor.PadEdge, tensor.PadReflect, tensor.PadWrap} {
		fmt.Println(x.Pad(tensor.PadOpts{Sides: [][2]int{{2, 2}}, Mode: mode}))
	}
	// Output:
	// [0. 0. 1. 2. 3. 0. 0.]
	// [1. 1. 1. 2. 3. 3. 3.]
	// [3. 2. 1. 2. 3. 2. 1.]
	// [2. 3. 1. 2. 3. 1. 2.]
}

// Splitting copies nothing: a write to a part is one to the whole.
func ExampleTensor_Split() {
	x := tensor.New([]float32{1, 2, 3, 4, 5})
	parts, err := x.Split(0, 2, 3)
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := parts[1].Fill(0); err != nil {
		fmt.Println(err)
	}
	fmt.Println(x, parts[0].Repeat(0, 2), parts[0].Tile(2))
	// Output: [1. 2. 0. 0. 0.] [1. 1. 2. 2.] [1. 2. 1. 2.]
}
