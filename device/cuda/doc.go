// Package cuda runs Programs on NVIDIA GPUs. It needs no part of CUDA at build
// time; importing it registers the driver "cuda", which finds libcuda.so.1, the
// GPU driver's own library, only when asked for devices.
//
// Vocabulary: a Device has the primary context of the process on one GPU and
// one stream in it; a build is a module with the kernels of one Program in one
// kernels.Form, kept in a cache; a status is the driver's error code; api is
// the table of driver functions, and nvrtc that of the compiler's, which tests
// replace by fakes; staging is the pinned memory through which bytes pass.
//
//	dev, err := device.Open("cuda:0")
//	if err != nil {
//		return err // which library was looked for, or that there is no GPU
//	}
//	defer dev.Close()
//	device.AllowHost(dev) // matrix products go through the CPU
//	x := tensor.New([]float32{1, 2, 3}).To(dev)
//
// Kernels give the same bits as the CPU: nothing is fused that the source does
// not fuse, division and square root round correctly. They come from two
// places. The PTX of single operations is part of the package (ptx.zip, made by
// package internal/gen/ptxgen with NVRTC 11.8 for compute capability 5.2) and
// needs nothing beside the driver, of CUDA 11.0 or later. All others are
// compiled by NVRTC where its library, libnvrtc.so of CUDA 11.2 or later, is
// installed: of several the newest that the driver and the GPU go with. Without
// one Info says so, and other Programs are cut to single operations.
//
// With STRIDE0_SYNC=1 every launch is waited for, so that a fault names its
// operation. With STRIDE0_POOL=exact buffers have their exact sizes, so that
// compute-sanitizer sees an overrun. STRIDE0_CUDA_LIBRARY is the path of a
// library to take instead of libcuda.so.1: a simulator's, in tests.
//
// To use another driver function, add it to api.go, bind_cgo.go and the fake in
// fake_test.go. What kernels look like is decided in package kernels
// (dialect_cuda.go, spell_*.go).
package cuda
