package opencl

// handle is one of OpenCL's opaque pointers; 0 is none.
type handle uintptr

// api is the part of OpenCL 1.2 this package uses: one field per function,
// named as OpenCL names it, so that tests can put a fake in its place. Every
// function is safe for concurrent use except setKernelArg, see kernel.
//
// Functions that fill a slice return how long the answer is; called with nil
// they only tell that.
type api struct {
	getPlatformIDs  func(out []handle) (int, status)
	getPlatformInfo func(platform handle, key uint32, out []byte) (int, status)
	getDeviceIDs    func(platform handle, kind uint64, out []handle) (int, status)
	getDeviceInfo   func(device handle, key uint32, out []byte) (int, status)

	createContext       func(platform, device handle) (handle, status)
	releaseContext      func(context handle) status
	createCommandQueue  func(context, device handle) (handle, status) // in order
	releaseCommandQueue func(queue handle) status

	createBuffer     func(context handle, size int64) (handle, status) // read and write
	releaseMemObject func(mem handle) status

	createProgramWithSource func(context handle, source string) (handle, status)
	buildProgram            func(program, device handle, options string) status
	getProgramBuildInfo     func(program, device handle, key uint32, out []byte) (int, status)
	releaseProgram          func(program handle) status

	createKernel           func(program handle, name string) (handle, status)
	releaseKernel          func(kernel handle) status
	getKernelWorkGroupInfo func(kernel, device handle, key uint32, out []byte) (int, status)
	setKernelArg           func(kernel handle, index int, value []byte) status // copies the value

	enqueueNDRangeKernel func(queue, kernel handle, global, local [3]int) status
	enqueueReadBuffer    func(queue, mem handle, off int64, dst []byte) status // waits for the bytes
	enqueueWriteBuffer   func(queue, mem handle, off int64, src []byte) status // waits until src may be reused
	enqueueCopyBuffer    func(queue, src, dst handle, soff, doff, n int64) status
	flush                func(queue handle) status
	finish               func(queue handle) status
}

// The constants of the OpenCL headers that this package uses.
const (
	platformName = 0x0902

	deviceTypeAll = 0xFFFFFFFF
	deviceTypeCPU = 1 << 1
	deviceTypeGPU = 1 << 2

	deviceType             = 0x1000
	deviceMaxWorkGroupSize = 0x1004
	deviceMaxWorkItemSizes = 0x1005
	deviceMaxMemAllocSize  = 0x1010
	deviceMaxParameterSize = 0x1017
	deviceSingleFPConfig   = 0x101B
	deviceGlobalMemSize    = 0x101F
	deviceEndianLittle     = 0x1026
	deviceAvailable        = 0x1027
	deviceCompiler         = 0x1028
	deviceName             = 0x102B
	driverVersion          = 0x102D
	deviceVersion          = 0x102F
	deviceExtensions       = 0x1030
	deviceDoubleFPConfig   = 0x1032

	fpDenorm           = 1 << 0
	fpInfNaN           = 1 << 1
	fpRoundToNearest   = 1 << 2
	fpFMA              = 1 << 5
	fpCorrectDivideSqr = 1 << 7

	programBuildLog     = 0x1183
	kernelWorkGroupSize = 0x11B0
)
