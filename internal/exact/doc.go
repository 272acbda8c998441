// Package exact holds the scalar arithmetic that Go's operators do not give
// with one rounding on every architecture.
//
// Vocabulary: exact means correctly rounded, once, to nearest even; the same
// bits on every GOARCH and with every compiler setting.
//
//	y := exact.FMA32(a, b, c)       // a*b + c as a float32
//	var p float32 = a * b           // not the same: two roundings
//	z := exact.FMA32(a, b, -p)      // the rounding error of p
//	if z == 0 {
//		return p
//	}
//	return y
//
// Generated loops and the interpreter of kernels use it, so that they cannot
// differ. To add a function, give it its own file and a test against math/big.
package exact
