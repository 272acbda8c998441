// Package tensor is the public face of stride0: tensors that broadcast, on any
// device.
//
// Vocabulary: a Tensor is a view (a Layout: sizes and strides) of shared
// storage on one device.Device; an operation is a method, or its constant in
// package kernels for Into and PriceOf, and computes at once; a failed tensor
// carries an error through a chain; a weak scalar (Scalar) is a number that
// adapts to the dtype it meets; a Scope frees the results of a step together.
//
//	x := tensor.New([]float32{10, 20, 30, 40, 50, 60}, 3, 2)
//	bonus := tensor.New([]float32{1, 100}, 2)
//	y := x.Add(bonus).MulScalar(0.9)
//	v, err := tensor.Data[float32](y) // one check at the end of the chain
//	if err != nil {
//		return err // "add: cannot broadcast (3, 2) with (3): ... (main.go:12)"
//	}
//	fmt.Println(v)
//
// Shapes align on the right: (n, 1) with (n) is (n, n), without an error. Give
// predictions and targets the same rank; use MeanKeep or SumKeep when the
// result meets its source again.
package tensor

// To add an operation, add its row to kernels/optab_<family>.go and run
// go generate ./...: the method in ztensor_ops.go follows. To change what
// happens to every operation, edit call.go (the one door), then check.go,
// launch.go and reduce.go, through which each call passes in this order.

//go:generate go run ../internal/gen/tensorgen
