// Command ptxgen writes device/cuda/ptx.zip: the kernels of single operations
// as PTX, with which a machine that has only the GPU's driver computes.
//
// Vocabulary: a kernel source is the CUDA C of one module; a group is the
// sources whose names begin alike, one file of the archive; a key is the
// beginning of a source's SHA-256.
//
//	//go:generate go run ../../internal/gen/ptxgen
//
// It compiles the sources that the archive does not have yet and keeps the PTX
// of the others, so that a newer compiler changes nothing. Where NVRTC 11 is
// not installed (Debian: libnvrtc11.2, in non-free) it says so, leaves the
// archive alone, and the test of this package fails if that is out of date.
//
// What kernels there are is decided in sources.go and kernels.CommonForms.
package main
