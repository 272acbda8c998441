package cuda

import (
	"fmt"

	"github.com/stride0/stride0/device"
)

// status is what a driver function returns, a CUresult: 0, or an error code.
type status int32

// The codes this package decides by.
const (
	success              status = 0
	invalidValue         status = 1
	outOfMemory          status = 2
	stubLibrary          status = 34
	noDevice             status = 100
	ptxTooNew            status = 222
	illegalAddress       status = 700
	launchOutOfResources status = 701
	launchFailed         status = 719
	systemNotReady       status = 802
	driverMismatch       status = 803
	unknown              status = 999
)

// statusNames has the names in cuda.h, without CUDA_ERROR_.
var statusNames = map[status]string{
	1: "INVALID_VALUE", 2: "OUT_OF_MEMORY", 3: "NOT_INITIALIZED", 4: "DEINITIALIZED", 34: "STUB_LIBRARY", 46: "DEVICE_UNAVAILABLE",
	100: "NO_DEVICE", 101: "INVALID_DEVICE", 102: "DEVICE_NOT_LICENSED",
	200: "INVALID_IMAGE", 201: "INVALID_CONTEXT", 205: "MAP_FAILED", 206: "UNMAP_FAILED", 209: "NO_BINARY_FOR_GPU",
	214: "ECC_UNCORRECTABLE", 215: "UNSUPPORTED_LIMIT", 216: "CONTEXT_ALREADY_IN_USE", 218: "INVALID_PTX", 220: "NVLINK_UNCORRECTABLE",
	221: "JIT_COMPILER_NOT_FOUND", 222: "UNSUPPORTED_PTX_VERSION", 223: "JIT_COMPILATION_DISABLED", 226: "CONTAINED",
	300: "INVALID_SOURCE", 301: "FILE_NOT_FOUND", 302: "SHARED_OBJECT_SYMBOL_NOT_FOUND", 303: "SHARED_OBJECT_INIT_FAILED", 304: "OPERATING_SYSTEM",
	400: "INVALID_HANDLE", 401: "ILLEGAL_STATE", 500: "NOT_FOUND", 600: "NOT_READY",
	700: "ILLEGAL_ADDRESS", 701: "LAUNCH_OUT_OF_RESOURCES", 702: "LAUNCH_TIMEOUT", 703: "LAUNCH_INCOMPATIBLE_TEXTURING",
	708: "PRIMARY_CONTEXT_ACTIVE", 709: "CONTEXT_IS_DESTROYED", 710: "ASSERT", 712: "HOST_MEMORY_ALREADY_REGISTERED", 713: "HOST_MEMORY_NOT_REGISTERED",
	714: "HARDWARE_STACK_ERROR", 715: "ILLEGAL_INSTRUCTION", 716: "MISALIGNED_ADDRESS", 717: "INVALID_ADDRESS_SPACE", 718: "INVALID_PC",
	719: "LAUNCH_FAILED", 721: "TENSOR_MEMORY_LEAK", 800: "NOT_PERMITTED", 801: "NOT_SUPPORTED", 802: "SYSTEM_NOT_READY", 803: "SYSTEM_DRIVER_MISMATCH",
	804: "COMPAT_NOT_SUPPORTED_ON_DEVICE", 805: "MPS_CONNECTION_FAILED", 806: "MPS_RPC_FAILURE", 807: "MPS_SERVER_NOT_READY",
	808: "MPS_MAX_CLIENTS_REACHED", 809: "MPS_MAX_CONNECTIONS_REACHED", 810: "MPS_CLIENT_TERMINATED", 911: "EXTERNAL_DEVICE", 999: "UNKNOWN",
}

// Error returns the code's name in cuda.h.
func (s status) Error() string {
	if name, ok := statusNames[s]; ok {
		return "CUDA_ERROR_" + name
	}
	return fmt.Sprintf("unknown CUDA error %d", int32(s))
}

// exhausted reports whether the call found too little memory, so that it may
// succeed once some is given back.
func (s status) exhausted() bool { return s == outOfMemory }

// fatal reports whether work enqueued earlier has failed, or the context or
// the device is gone: every later call would fail too. These are the codes of
// which cuda.h says that the context cannot be used any more.
func (s status) fatal() bool {
	switch s {
	case 4, 46, 201, 214, 220, 226, illegalAddress, 702, 709, 710, 714, 715, 716, 717, 718, launchFailed, 721, 806, 810, 911, unknown:
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
