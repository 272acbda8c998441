package broadcast_test

import (
	"fmt"

	"github.com/stride0/stride0/broadcast"
)

func Example() {
	in := broadcast.RowMajor(broadcast.Shape{3, 1})
	bias := broadcast.RowMajor(broadcast.Shape{4})
	shape, err := broadcast.Shapes(in.Shape(), bias.Shape())
	if err != nil {
		fmt.Println(err)
		return
	}
	out := broadcast.RowMajor(shape)
	var plan broadcast.Plan
	plan.Build(shape, 0, 0, 1, &in, &bias, &out)
	fmt.Println(shape, plan.Sizes, plan.Strides, plan.Classes)
	// Output: (3, 4) [3 4] [[1 0] [0 1] [4 1]] [column row contiguous]
}

func ExampleShapes() {
	fmt.Println(broadcast.Shapes(broadcast.Shape{8, 1, 6, 1}, broadcast.Shape{7, 1, 5}))
	fmt.Println(broadcast.Shapes(broadcast.Shape{1}, broadcast.Shape{0}))
	_, err := broadcast.Shapes(broadcast.Shape{3, 2}, broadcast.Shape{3})
	fmt.Println(err)
	// Output:
	// (8, 7, 6, 5) <nil>
	// (0) <nil>
	// cannot broadcast (3, 2) with (3): axis -1 is 2 and 3; unsqueeze (3) at axis 1 to make it (3, 1), as a reduction's Keep form does
}

func ExampleLayout_Slice() {
	x := broadcast.RowMajor(broadcast.Shape{4, 5})
	v, err := x.Slice(broadcast.R(1, 3), broadcast.R(broadcast.Begin, broadcast.End, -2))
	fmt.Println(v.String(), err)
	// Output: (2, 3) strides (5, -2) offset 9 <nil>
}

func ExampleLayout_Reshape() {
	x := broadcast.RowMajor(broadcast.Shape{4, 6})
	turned, err := x.Transpose(0, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	v, ok, err := turned.Reshape(broadcast.Shape{2, 3, -1})
	fmt.Println(v.String(), ok, err)
	_, ok, err = turned.Reshape(broadcast.Shape{24})
	fmt.Println(ok, err) // valid, but the elements must be copied
	// Output:
	// (2, 3, 4) strides (3, 1, 6) offset 0 true <nil>
	// false <nil>
}

func ExampleLayout_Diagonal() {
	x := broadcast.RowMajor(broadcast.Shape{3, 4})
	v, err := x.Diagonal(1, 0, 1)
	fmt.Println(v.String(), err)
	// Output: (3) strides (5) offset 1 <nil>
}

func ExampleLayout_Windows() {
	x := broadcast.RowMajor(broadcast.Shape{2, 10})
	v, err := x.Windows(-1, 4, 3)
	fmt.Println(v.String(), err)
	_, shared := v.SharedAxis() // the windows overlap by one element
	fmt.Println(shared)
	// Output:
	// (2, 3, 4) strides (10, 3, 1) offset 0 <nil>
	// true
}

func ExampleExplain() {
	fmt.Println(broadcast.Explain(broadcast.Shape{3, 2}, broadcast.Shape{2}))
	fmt.Println()
	fmt.Println(broadcast.Explain(broadcast.Shape{3, 2}, broadcast.Shape{3}))
	// Output:
	// axis                  -2    -1
	// (3, 2)                 3     2
	// (2)                          2
	//                stretches  same
	// result (3, 2)          3     2
	//
	// axis           -2       -1
	// (3, 2)          3        2
	// (3)                      3
	//         stretches  clashes
	// no result: cannot broadcast (3, 2) with (3): axis -1 is 2 and 3
	// hint: unsqueeze (3) at axis 1 to make it (3, 1), as a reduction's Keep form does
}

func ExampleOverlaps() {
	x := broadcast.RowMajor(broadcast.Shape{10})
	even, _ := x.Slice(broadcast.R(0, broadcast.End, 2))
	odd, _ := x.Slice(broadcast.R(1, broadcast.End, 2))
	fmt.Println(broadcast.Overlaps(&even, 4, &odd, 4))
	fmt.Println(broadcast.Overlaps(&even, 4, &even, 4))
	fmt.Println(broadcast.Overlaps(&even, 4, &x, 4))
	// Output:
	// disjoint
	// exact
	// maybe
}

func ExampleSumTo() {
	axes, err := broadcast.SumTo(broadcast.Shape{8, 3, 4}, broadcast.Shape{3, 1})
	fmt.Printf("%03b %v\n", axes, err) // axes 0 and 2
	// Output: 101 <nil>
}

func ExamplePlan_Pieces() {
	x := broadcast.RowMajor(broadcast.Shape{4, 3000})
	sums := broadcast.RowMajor(broadcast.Shape{4, 1})
	var plan broadcast.Plan
	plan.Build(x.Shape(), 1<<1, 0, 1, &x, &sums)
	for _, piece := range plan.Pieces(2500) { // broadcast.IndexLimit on a device
		if piece.Base[0] == 0 {
			fmt.Println(piece.Base, piece.Plan.Sizes, piece.ReducedBase)
		}
	}
	// Output:
	// [0 0] [1 2048] 0
	// [0 2048] [1 952] 2048
}
