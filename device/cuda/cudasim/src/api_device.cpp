// Devices, primary contexts, errors by name, and the simulator's own functions.
#include <cstdio>
#include <cstring>

#include "driver.h"

using namespace sim;

static bool isDevice(int d) { return d >= 0 && d < settings().devices; }

CUDASIM_API cuInit(unsigned flags) {
	if (flags) return kInvalidValue;
	if (int code = faults().hit("cuInit")) return code;
	if (settings().devices == 0) return kNoDevice;
	driver().initialized = true;
	return kSuccess;
}

CUDASIM_API cuDriverGetVersion(int *version) {
	*version = settings().driver;
	return kSuccess;
}

CUDASIM_API cuDeviceGetCount(int *n) {
	if (!driver().initialized) return kNotInitialized;
	*n = settings().devices;
	return faults().hit("cuDeviceGetCount");
}

CUDASIM_API cuDeviceGet(int *device, int ordinal) {
	if (!driver().initialized) return kNotInitialized;
	if (!isDevice(ordinal)) return kInvalidDevice;
	*device = ordinal;
	return faults().hit("cuDeviceGet");
}

CUDASIM_API cuDeviceGetName(char *name, int n, int device) {
	if (!isDevice(device)) return kInvalidDevice;
	std::snprintf(name, n, "cudasim (no GPU)");
	return kSuccess;
}

CUDASIM_API cuDeviceTotalMem_v2(size_t *bytes, int device) {
	if (!isDevice(device)) return kInvalidDevice;
	*bytes = settings().memory;
	return kSuccess;
}

// Numbers and names of CUdevice_attribute, with values as a small GPU has them.
CUDASIM_API cuDeviceGetAttribute(int *value, int key, int device) {
	if (!driver().initialized) return kNotInitialized;
	if (!isDevice(device)) return kInvalidDevice;
	static const std::map<int, int> values = {
	    {1, 1024},        // MAX_THREADS_PER_BLOCK
	    {2, 1024},        // MAX_BLOCK_DIM_X, Y, Z
	    {3, 1024},        {4, 64},
	    {5, 2147483647},  // MAX_GRID_DIM_X, Y, Z
	    {6, 65535},       {7, 65535},
	    {8, 49152},       // MAX_SHARED_MEMORY_PER_BLOCK
	    {9, 65536},       // TOTAL_CONSTANT_MEMORY
	    {10, kLanes},     // WARP_SIZE
	    {11, 2147483647}, // MAX_PITCH
	    {12, 65536},      // MAX_REGISTERS_PER_BLOCK
	    {13, 1000000},    // CLOCK_RATE, kHz
	    {15, 1},          // GPU_OVERLAP
	    {16, 4},          // MULTIPROCESSOR_COUNT
	    {31, 1},          // CONCURRENT_KERNELS
	    {36, 1000000},    // MEMORY_CLOCK_RATE, kHz
	    {37, 64},         // GLOBAL_MEMORY_BUS_WIDTH
	    {38, 1 << 20},    // L2_CACHE_SIZE
	    {39, 1024},       // MAX_THREADS_PER_MULTIPROCESSOR
	    {40, 2},          // ASYNC_ENGINE_COUNT
	    {41, 1},          // UNIFIED_ADDRESSING
	    {97, 49152},      // MAX_SHARED_MEMORY_PER_BLOCK_OPTIN
	};
	if (key < 1) return kInvalidValue;
	auto i = values.find(key);
	*value = key == 75 ? settings().capability / 10 : key == 76 ? settings().capability % 10 : i == values.end() ? 0 : i->second;
	return faults().hit("cuDeviceGetAttribute");
}

CUDASIM_API cuDevicePrimaryCtxRetain(void **context, int device) {
	if (!driver().initialized) return kNotInitialized;
	if (!isDevice(device)) return kInvalidDevice;
	if (int code = faults().hit("cuDevicePrimaryCtxRetain")) return code;
	Context *c = driver().context(device);
	std::lock_guard<std::mutex> lock(c->mutex);
	if (c->references++ == 0) {
		c->defaultStream = std::make_shared<Stream>(c, true);
		c->defaultStream->start();
	}
	*context = c;
	return kSuccess;
}

CUDASIM_API cuDevicePrimaryCtxRelease_v2(int device) {
	if (!driver().initialized) return kNotInitialized;
	if (!isDevice(device)) return kInvalidDevice;
	Context *c = driver().context(device);
	{
		std::lock_guard<std::mutex> lock(c->mutex);
		if (c->references == 0) return kInvalidContext;
		if (--c->references) return kSuccess;
	}
	c->destroy();
	return kSuccess;
}

CUDASIM_API cuCtxSetCurrent(void *context) {
	if (!driver().initialized) return kNotInitialized;
	Context *found = nullptr;
	if (context) {
		std::lock_guard<std::mutex> lock(driver().mutex);
		for (auto &[device, c] : driver().contexts)
			if (c.get() == context) found = c.get();
		if (!found) return kInvalidContext;
	}
	current() = found;
	return kSuccess;
}

CUDASIM_API cuCtxGetCurrent(void **context) {
	if (!driver().initialized) return kNotInitialized;
	*context = current();
	return kSuccess;
}

CUDASIM_API cuCtxSynchronize() {
	CUDASIM_ENTER("cuCtxSynchronize");
	ctx.drain();
	return ctx.failed;
}

struct ErrorText {
	const char *name, *text;
};

static const std::map<int, ErrorText> &errors() {
	static const std::map<int, ErrorText> t = {
	    {kSuccess, {"CUDA_SUCCESS", "no error"}},
	    {kInvalidValue, {"CUDA_ERROR_INVALID_VALUE", "invalid argument"}},
	    {kOutOfMemory, {"CUDA_ERROR_OUT_OF_MEMORY", "out of memory"}},
	    {kNotInitialized, {"CUDA_ERROR_NOT_INITIALIZED", "initialization error"}},
	    {kNoDevice, {"CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"}},
	    {kInvalidDevice, {"CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"}},
	    {kInvalidContext, {"CUDA_ERROR_INVALID_CONTEXT", "invalid device context"}},
	    {kNoBinary, {"CUDA_ERROR_NO_BINARY_FOR_GPU", "no kernel image is available for execution on the device"}},
	    {kInvalidPtx, {"CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed"}},
	    {kUnsupportedPtxVersion, {"CUDA_ERROR_UNSUPPORTED_PTX_VERSION", "the provided PTX was compiled with an unsupported toolchain."}},
	    {kInvalidHandle, {"CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"}},
	    {kNotFound, {"CUDA_ERROR_NOT_FOUND", "named symbol not found"}},
	    {kNotReady, {"CUDA_ERROR_NOT_READY", "device not ready"}},
	    {kIllegalAddress, {"CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"}},
	    {kOutOfResources, {"CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", "too many resources requested for launch"}},
	    {kTimeout, {"CUDA_ERROR_LAUNCH_TIMEOUT", "the launch timed out and was terminated"}},
	    {kContextDestroyed, {"CUDA_ERROR_CONTEXT_IS_DESTROYED", "context is destroyed"}},
	    {kAssert, {"CUDA_ERROR_ASSERT", "device-side assert triggered"}},
	    {kIllegalInstruction, {"CUDA_ERROR_ILLEGAL_INSTRUCTION", "an illegal instruction was encountered"}},
	    {kMisalignedAddress, {"CUDA_ERROR_MISALIGNED_ADDRESS", "misaligned address"}},
	    {kLaunchFailed, {"CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"}},
	    {kUnknown, {"CUDA_ERROR_UNKNOWN", "unknown error"}},
	};
	return t;
}

CUDASIM_API cuGetErrorName(int code, const char **name) {
	auto i = errors().find(code);
	*name = i == errors().end() ? nullptr : i->second.name;
	return *name ? kSuccess : kInvalidValue;
}

CUDASIM_API cuGetErrorString(int code, const char **text) {
	auto i = errors().find(code);
	*text = i == errors().end() ? nullptr : i->second.text;
	return *text ? kSuccess : kInvalidValue;
}

// cudasim_set changes a setting; 0, or 1 when key or value is not understood.
CUDASIM_API cudasim_set(const char *key, const char *value) { return settings().set(key, value) ? 0 : 1; }

static char *copied(const std::string &s) {
	char *p = static_cast<char *>(std::malloc(s.size() + 1));
	std::memcpy(p, s.c_str(), s.size() + 1);
	return p;
}

// cudasim_reports returns what the checks found since the last call, a line
// each; the caller frees the text.
extern "C" __attribute__((visibility("default"))) char *cudasim_reports() { return copied(takeReports()); }

// cudasim_leaks returns what contexts still held when they were destroyed,
// since the last call, and what is held now; the caller frees the text.
extern "C" __attribute__((visibility("default"))) char *cudasim_leaks() {
	Driver &d = driver();
	std::vector<std::string> lines;
	std::vector<Context *> alive;
	{
		std::lock_guard<std::mutex> lock(d.mutex);
		lines.swap(d.leaked);
		for (auto &[device, c] : d.contexts)
			if (c->references) alive.push_back(c.get());
	}
	for (Context *c : alive) {
		for (auto &line : c->live()) lines.push_back(line);
		lines.push_back("device " + std::to_string(c->device) + ": the primary context");
	}
	std::string all;
	for (auto &line : lines) all += line + "\n";
	return copied(all);
}
