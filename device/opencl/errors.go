package opencl

import (
	"fmt"

	"github.com/stride0/stride0/device"
)

// status is what an OpenCL function returns: 0, or a negative error code.
type status int32

// The codes this package decides by.
const (
	success               status = 0
	deviceNotFound        status = -1
	deviceNotAvailable    status = -2
	memAllocationFailure  status = -4
	outOfResources        status = -5
	outOfHostMemory       status = -6
	buildProgramFailure   status = -11
	execStatusErrorInWait status = -14
	invalidValue          status = -30
	invalidCommandQueue   status = -36
	invalidKernelArgs     status = -52
	invalidBufferSize     status = -61
	platformNotFound      status = -1001 // cl_khr_icd: the loader found no driver
	illegalAccess         status = -9999 // NVIDIA: a kernel read or wrote outside its buffers
)

var statusNames = map[status]string{
	-1: "CL_DEVICE_NOT_FOUND", -2: "CL_DEVICE_NOT_AVAILABLE", -3: "CL_COMPILER_NOT_AVAILABLE",
	-4: "CL_MEM_OBJECT_ALLOCATION_FAILURE", -5: "CL_OUT_OF_RESOURCES", -6: "CL_OUT_OF_HOST_MEMORY",
	-7: "CL_PROFILING_INFO_NOT_AVAILABLE", -8: "CL_MEM_COPY_OVERLAP", -9: "CL_IMAGE_FORMAT_MISMATCH",
	-11: "CL_BUILD_PROGRAM_FAILURE", -12: "CL_MAP_FAILURE", -13: "CL_MISALIGNED_SUB_BUFFER_OFFSET",
	-14: "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST", -15: "CL_COMPILE_PROGRAM_FAILURE",
	-16: "CL_LINKER_NOT_AVAILABLE", -17: "CL_LINK_PROGRAM_FAILURE",
	-30: "CL_INVALID_VALUE", -31: "CL_INVALID_DEVICE_TYPE", -32: "CL_INVALID_PLATFORM", -33: "CL_INVALID_DEVICE",
	-34: "CL_INVALID_CONTEXT", -35: "CL_INVALID_QUEUE_PROPERTIES", -36: "CL_INVALID_COMMAND_QUEUE",
	-37: "CL_INVALID_HOST_PTR", -38: "CL_INVALID_MEM_OBJECT", -42: "CL_INVALID_BINARY",
	-43: "CL_INVALID_BUILD_OPTIONS", -44: "CL_INVALID_PROGRAM", -45: "CL_INVALID_PROGRAM_EXECUTABLE",
	-46: "CL_INVALID_KERNEL_NAME", -47: "CL_INVALID_KERNEL_DEFINITION", -48: "CL_INVALID_KERNEL",
	-49: "CL_INVALID_ARG_INDEX", -50: "CL_INVALID_ARG_VALUE", -51: "CL_INVALID_ARG_SIZE",
	-52: "CL_INVALID_KERNEL_ARGS", -53: "CL_INVALID_WORK_DIMENSION", -54: "CL_INVALID_WORK_GROUP_SIZE",
	-55: "CL_INVALID_WORK_ITEM_SIZE", -56: "CL_INVALID_GLOBAL_OFFSET", -57: "CL_INVALID_EVENT_WAIT_LIST",
	-58: "CL_INVALID_EVENT", -59: "CL_INVALID_OPERATION", -61: "CL_INVALID_BUFFER_SIZE",
	-63: "CL_INVALID_GLOBAL_WORK_SIZE", -1001: "CL_PLATFORM_NOT_FOUND_KHR", -9999: "illegal memory access by a kernel",
}

// Error returns the code's name in the OpenCL headers.
func (s status) Error() string {
	if name, ok := statusNames[s]; ok {
		return name
	}
	return fmt.Sprintf("unknown OpenCL error %d", int32(s))
}

// exhausted reports whether the call found too little memory, so that it may
// succeed once some is given back.
func (s status) exhausted() bool {
	return s == memAllocationFailure || s == outOfResources || s == outOfHostMemory
}

// fatal reports whether work enqueued earlier has failed, or the device is
// gone: nothing on the queue can be relied on any more.
func (s status) fatal() bool {
	switch s {
	case deviceNotAvailable, execStatusErrorInWait, invalidCommandQueue, illegalAccess:
		return true
	}
	return false
}

// callError wraps a failed call. One that found too little memory is
// device.ErrOutOfMemory.
func callError(name, call string, s status) error {
	var err error = s
	if s.exhausted() {
		err = fmt.Errorf("%w: %w", device.ErrOutOfMemory, s)
	}
	return &device.Error{Device: name, Call: call, Code: int(s), Err: err}
}
