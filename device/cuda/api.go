package cuda

// handle is one of CUDA's opaque pointers, or a device's number; 0 is none.
type handle uintptr

// address is where memory of a device begins: CUdeviceptr, 64 bits in the
// functions whose names end in _v2.
type address uint64

// api is the part of the CUDA driver API this package uses: one field per
// function, named as the driver names it (cuMemAlloc_v2 is memAlloc), so that
// tests can put a fake in its place. A context is current per thread and
// goroutines change threads: functions that need one take it first, and the
// binding calls cuCtxSetCurrent and the function in one step. Every function
// is safe for concurrent use.
type api struct {
	init             func() status        // cuInit(0)
	driverGetVersion func() (int, status) // 12020 is CUDA 12.2
	deviceGetCount   func() (int, status) // 0 without a GPU, or noDevice from init
	deviceGet        func(ordinal int) (handle, status)
	deviceGetName    func(device handle) (string, status)
	deviceGetAttr    func(device handle, key int) (int, status) // cuDeviceGetAttribute
	deviceTotalMem   func(device handle) (int64, status)        // cuDeviceTotalMem_v2

	primaryCtxRetain  func(device handle) (handle, status) // cuDevicePrimaryCtxRetain
	primaryCtxRelease func(device handle) status           // cuDevicePrimaryCtxRelease_v2

	memGetInfo   func(ctx handle) (free, total int64, s status) // cuMemGetInfo_v2
	memAlloc     func(ctx handle, size int64) (address, status) // cuMemAlloc_v2
	memFree      func(ctx handle, mem address) status           // cuMemFree_v2
	memAllocHost func(ctx handle, size int) ([]byte, status)    // cuMemAllocHost_v2: pinned
	memFreeHost  func(ctx handle, pinned []byte) status         // cuMemFreeHost

	streamCreate      func(ctx handle) (handle, status) // cuStreamCreate, CU_STREAM_NON_BLOCKING
	streamDestroy     func(ctx, stream handle) status   // cuStreamDestroy_v2
	streamSynchronize func(ctx, stream handle) status
	eventCreate       func(ctx handle) (handle, status) // cuEventCreate, CU_EVENT_DISABLE_TIMING
	eventDestroy      func(ctx, event handle) status    // cuEventDestroy_v2
	eventRecord       func(ctx, event, stream handle) status
	eventSynchronize  func(ctx, event handle) status

	// Copies are put on the stream and return at once; host memory is pinned.
	memcpyHtoD func(ctx handle, dst address, src []byte, stream handle) status   // cuMemcpyHtoDAsync_v2
	memcpyDtoH func(ctx handle, dst []byte, src address, stream handle) status   // cuMemcpyDtoHAsync_v2
	memcpyDtoD func(ctx handle, dst, src address, n int64, stream handle) status // cuMemcpyDtoDAsync_v2

	// moduleLoadData is cuModuleLoadDataEx of PTX text or a cubin, with
	// CU_JIT_ERROR_LOG_BUFFER; log is what the driver's compiler says.
	moduleLoadData    func(ctx handle, image []byte) (module handle, log string, s status)
	moduleUnload      func(ctx, module handle) status
	moduleGetFunction func(ctx, module handle, name string) (handle, status)
	funcGetAttribute  func(ctx, function handle, key int) (int, status)

	// launchKernel copies the arguments before it returns.
	launchKernel func(ctx, function handle, grid, block [3]int, stream handle, args [][]byte) status
}

// The constants of cuda.h that this package uses.
const (
	attrMaxThreads   = 1 // CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK
	attrMaxBlockX    = 2 // and Y, Z
	attrMaxGridX     = 5 // and Y, Z
	attrComputeMode  = 20
	attrComputeMajor = 75
	attrComputeMinor = 76

	computeProhibited = 2 // a value of attrComputeMode

	funcMaxThreads = 0 // CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK
)
