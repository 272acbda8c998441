// Digits trains a small neural network to read handwritten digits and shows
// the ones it gets wrong.
//
// The data are 1,797 real images of 8×8 pixels (data/ATTRIBUTION.md), a fifth
// of them held out. The network has two layers, 64 pixels to a hidden layer to
// 10 scores. Its gradients are written by hand with MatMul and SumTo, the
// adjoint of broadcasting, and Adam follows them. The code names no device and
// frees no tensor.
//
//	go run ./examples/digits -device best -epochs 40 -hidden 128 -seed 1
//
// With -steps N it trains N steps instead and reports whether memory grew.
//
// The files: data.go reads the images, model.go is the network and its
// gradients, train.go the optimiser and the loop, soak.go the memory report,
// draw.go the pictures. To try another network, edit model.go.
package main
