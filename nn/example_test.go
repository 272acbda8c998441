package nn_test

import (
	"fmt"

	"github.com/stride0/stride0/nn"
	"github.com/stride0/stride0/tensor"
)

func ExampleLayerNorm() {
	x := tensor.New([]float32{1, 3, -400, 400}, 2, 2)
	fmt.Printf("%.2f\n", nn.LayerNorm(x, nn.LayerNormOpts{}))
	gain, shift := tensor.New([]float32{10, 1}), tensor.New([]float32{0, 5})
	fmt.Printf("%.2f\n", nn.LayerNorm(x, nn.LayerNormOpts{Scale: gain, Bias: shift}))
	// Output:
	// [[-1.00  1.00]
	//  [-1.00  1.00]]
	// [[-10.00   6.00]
	//  [-10.00   6.00]]
}

func ExampleBatchNorm() {
	// Two samples of three places with two channels, which come last.
	x := tensor.New([]float32{1, 10, 2, 20, 3, 30, 1, 10, 2, 20, 3, 30}, 2, 3, 2)
	o := nn.NormOpts{ChannelAxis: -1}
	y, mean, variance := nn.BatchNormTrain(x, o)
	fmt.Printf("%.2f\n%v\n", y.Index(0, 0), mean)
	same, err := tensor.Item[bool](nn.BatchNorm(x, mean, variance, o).Eq(y).All())
	fmt.Println(same, err)
	// Output:
	// [[-1.22 -1.22]
	//  [ 0.00  0.00]
	//  [ 1.22  1.22]]
	// [ 2. 20.]
	// true <nil>
}

func ExampleCrossEntropy() {
	logits := tensor.New([]float32{2, 1, 0, 0, 1000, 0, 3, 3, 3}, 3, 3)
	labels := tensor.New([]int{0, 1, -100}) // the last is padding
	fmt.Printf("%.4f\n", nn.CrossEntropy(logits, labels, nn.ClassOpts{Ignore: []int{-100}}))

	column := labels.Unsqueeze(1)
	fmt.Println(nn.CrossEntropy(logits, column, nn.ClassOpts{}).Err())
	// Output:
	// 0.2038
	// crossentropy: the target (3, 1) does not go with (3, 3), whose classes are axis 1; call Squeeze(1) on the target to make it (3) (example_test.go:44)
}

// Sequences of several lengths in one tensor: the mask says which places count.
func ExampleLengthMask() {
	lengths := tensor.New([]int{2, 3})
	mask := nn.LengthMask(lengths, 4, nn.PadRight)
	fmt.Println(mask)
	scores := tensor.New([]float32{1, 1, 9, 9, 2, 2, 2, 9}, 2, 4)
	fmt.Printf("%.2f\n", nn.MaskedSoftmax(scores, mask, -1))
	fmt.Println(nn.MaskedMean(scores, mask, nn.MaskedMeanOpts{Axes: []int{1}}))
	fmt.Println(nn.LastToken(mask), nn.LastToken(nn.LengthMask(lengths, 4, nn.PadLeft)))
	// Output:
	// [[ true  true false false]
	//  [ true  true  true false]] (bool)
	// [[0.50 0.50 0.00 0.00]
	//  [0.33 0.33 0.33 0.00]]
	// [1. 2.]
	// [1 2] (int64) [3 3] (int64)
}
