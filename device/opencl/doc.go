// Package opencl runs Programs on OpenCL devices: GPUs, and CPUs through PoCL
// or Intel's runtime. It needs no OpenCL at build time; importing it registers
// the driver "opencl", which finds libOpenCL.so.1 only when asked for devices.
//
// Vocabulary: a platform is one vendor's OpenCL; a Device has one in-order
// command queue; a build is the compiled source of one Program in one
// kernels.Form, kept in a cache; a status is OpenCL's error code; api is the
// table of OpenCL functions, which tests replace by a fake.
//
//	dev, err := device.Open("opencl:0")
//	if err != nil {
//		return err // which library was looked for, or that no driver is installed
//	}
//	defer dev.Close()
//	device.AllowHost(dev) // matrix products go through the CPU
//	x := tensor.New([]float32{1, 2, 3}).To(dev)
//
// Kernels give the same bits as the CPU: contraction is off, division and
// square root are correctly rounded (computed with integers where the device
// cannot).
//
// With STRIDE0_SYNC=1 every launch is waited for, so that a fault names its
// operation. With STRIDE0_POOL=exact buffers have their exact sizes, so that
// checkers such as oclgrind see an overrun.
//
// To use another OpenCL function, add it to api.go, bind_cgo.go and the fake in
// fake_test.go. What kernels look like is decided in package kernels
// (dialect_opencl.go, spell_*.go).
package opencl
