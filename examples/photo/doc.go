// Photo gives a photo warm light: it brings the three colour channels to one
// brightness and contrast, then turns red up and blue down.
//
//	go run ./examples/photo -warm 0.2 IN.png OUT.png
//
// It reads PNG and JPEG and writes PNG, 8 bits a channel; transparency (alpha)
// stays as it is. All arithmetic is broadcasting: the mean and the spread of a
// channel, and its gain, are one number each, stretched over every pixel.
// -layout says where the channel axis stands, last (nhwc, as in files) or
// before the pixels (nchw, as in many neural networks). There the three gains
// must have the shape (3, 1, 1), since sizes are aligned from the right; both
// layouts give the same bytes. -device says where to compute.
//
// The files: image.go reads and writes images, develop.go is the arithmetic.
// To try another look, edit develop.
package main
