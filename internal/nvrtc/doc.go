// Package nvrtc compiles CUDA C with NVIDIA's run-time compiler, which it loads
// while the program runs: nothing of CUDA is needed to build it. The compiler
// itself needs no GPU.
//
// Vocabulary: PTX is text for a virtual architecture, a cubin machine code for
// a real one; an architecture is a compute capability times ten.
//
//	c, err := nvrtc.Open(nvrtc.Libraries...)
//	if err != nil {
//		return err // which libraries were looked for
//	}
//	ptx, _, err := c.Compile(source, c.Target(86), nvrtc.PTX)
//
// To use another function of NVRTC, add it to the list in bind_cgo.go and to
// the struct in bind_cgo.h.
package nvrtc
