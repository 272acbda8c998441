// Modules, functions and launches.
#include <cstring>

#include "driver.h"

using namespace sim;

// The newest PTX of each toolkit, from the PTX manual's table of releases:
// 7.8 with CUDA 11.8, from then on 8.x with CUDA 12.x.
static int newestPtx(int driverVersion) {
	int major = driverVersion / 1000, minor = driverVersion % 1000 / 10;
	return major >= 12 ? 80 + std::min(minor, 9) : 70 + std::min(minor, 8);
}

static int load(Context &ctx, void **handle, const char *image, std::string &log) {
	if (std::memcmp(image, "\177ELF", 4) == 0) {
		log = "this simulator reads PTX, not machine code";
		return kNoBinary;
	}
	auto m = std::make_shared<Module>();
	m->device = ctx.device;
	auto refuse = [&](int code, const std::string &text) {
		log = text;
		report("module refused: " + text);
		for (uint64_t a : m->allocations) driver().memory.release(a, ctx.device);
		return code;
	};
	try {
		parse(*m, image, driver().memory);
	} catch (const PtxError &e) {
		std::string line = e.line > 0 && size_t(e.line) <= m->lines.size() ? m->lines[e.line - 1] : "";
		return refuse(kInvalidPtx, "line " + std::to_string(e.line) + " `" + line.substr(std::min(line.size(), line.find_first_not_of(" \t"))) + "`: " + e.text);
	}
	if (m->version > newestPtx(settings().driver)) return refuse(kUnsupportedPtxVersion, "the PTX is newer than the driver");
	if (m->target > settings().capability)
		return refuse(kNoBinary, "the PTX is for sm_" + std::to_string(m->target) + ", the device is sm_" + std::to_string(settings().capability));
	std::lock_guard<std::mutex> lock(ctx.mutex);
	ctx.modules[m.get()] = m;
	*handle = m.get();
	return kSuccess;
}

// Options of CUjit_option: a buffer for error messages and its size.
CUDASIM_API cuModuleLoadDataEx(void **module, const void *image, unsigned n, const int *options, void **values) {
	CUDASIM_ENTER("cuModuleLoadData");
	if (!image) return kInvalidValue;
	std::string log;
	int code = load(ctx, module, static_cast<const char *>(image), log);
	char *buffer = nullptr;
	void **size = nullptr;
	for (unsigned i = 0; i < n; i++) {
		if (options[i] == 5) buffer = static_cast<char *>(values[i]); // CU_JIT_ERROR_LOG_BUFFER
		if (options[i] == 6) size = &values[i];                       // ..._SIZE_BYTES
	}
	if (buffer && size && reinterpret_cast<uintptr_t>(*size) > 0) {
		size_t room = reinterpret_cast<uintptr_t>(*size) - 1, length = std::min(room, log.size());
		std::memcpy(buffer, log.data(), length);
		buffer[length] = 0;
		*size = reinterpret_cast<void *>(length);
	}
	return code;
}

CUDASIM_API cuModuleLoadData(void **module, const void *image) { return cuModuleLoadDataEx(module, image, 0, nullptr, nullptr); }

CUDASIM_API cuModuleUnload(void *module) {
	CUDASIM_ENTER("cuModuleUnload");
	ctx.drain();
	std::shared_ptr<Module> m;
	{
		std::lock_guard<std::mutex> lock(ctx.mutex);
		auto i = ctx.modules.find(module);
		if (i == ctx.modules.end()) return kInvalidHandle;
		m = i->second;
		ctx.modules.erase(i);
		for (auto &[name, f] : m->functions) ctx.functions.erase(f.get());
	}
	for (uint64_t a : m->allocations) driver().memory.release(a, ctx.device);
	return kSuccess;
}

CUDASIM_API cuModuleGetFunction(void **function, void *module, const char *name) {
	CUDASIM_ENTER("cuModuleGetFunction");
	std::lock_guard<std::mutex> lock(ctx.mutex);
	auto m = ctx.modules.find(module);
	if (m == ctx.modules.end()) return kInvalidHandle;
	auto f = m->second->functions.find(name);
	if (f == m->second->functions.end() || !f->second->entry) return kNotFound;
	ctx.functions[f->second.get()] = m->second;
	*function = f->second.get();
	return kSuccess;
}

// sharedBytes is what a kernel and all it calls declare, without the gaps here.
static uint64_t sharedBytes(const Module &m, const Function &f) {
	std::vector<const Function *> all;
	SharedMemory::collect(f, all);
	std::set<uint32_t> used;
	for (auto *g : all) used.insert(g->shared.begin(), g->shared.end());
	uint64_t n = 0;
	for (uint32_t i : used) n = (n + m.shared[i].align - 1) / m.shared[i].align * m.shared[i].align + m.shared[i].size;
	return n;
}

static std::shared_ptr<Module> moduleOf(Context &ctx, void *function) {
	std::lock_guard<std::mutex> lock(ctx.mutex);
	auto i = ctx.functions.find(function);
	return i == ctx.functions.end() ? nullptr : i->second;
}

// Keys of CUfunction_attribute. Registers are a made-up number.
CUDASIM_API cuFuncGetAttribute(int *value, int key, void *function) {
	CUDASIM_ENTER("cuFuncGetAttribute");
	auto m = moduleOf(ctx, function);
	if (!m) return kInvalidHandle;
	auto *f = static_cast<Function *>(function);
	switch (key) {
	case 0: *value = int(f->maxThreads); break; // MAX_THREADS_PER_BLOCK
	case 1: *value = int(sharedBytes(*m, *f)); break; // SHARED_SIZE_BYTES
	case 3: *value = f->locals.empty() ? 0 : int(f->locals[0].size); break; // LOCAL_SIZE_BYTES
	case 4: *value = 32; break; // NUM_REGS
	case 5: *value = m->version; break; // PTX_VERSION
	case 6: *value = settings().capability; break; // BINARY_VERSION
	default: *value = 0;
	}
	return key < 0 ? kInvalidValue : kSuccess;
}

CUDASIM_API cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned dynamicShared,
                           void *stream, void **params, void **extra) {
	CUDASIM_ENTER("cuLaunchKernel");
	auto m = moduleOf(ctx, function);
	auto s = ctx.stream(stream);
	if (!m || !s) return kInvalidHandle;
	auto *f = static_cast<Function *>(function);
	auto l = std::make_shared<Launch>();
	l->module = m.get();
	l->function = f;
	l->grid = {gx, gy, gz};
	l->block = {bx, by, bz};
	l->dynamicShared = dynamicShared;
	l->device = ctx.device;
	if (!gx || !gy || !gz || gx > 2147483647u || gy > 65535 || gz > 65535) return kInvalidValue;
	if (!bx || !by || !bz || bx > 1024 || by > 1024 || bz > 64 || l->block.count() > f->maxThreads) return kInvalidValue;
	if (sharedBytes(*m, *f) + dynamicShared > 49152 || extra || (!params && !f->params.empty())) return kInvalidValue;
	l->params.resize(f->paramBytes);
	for (size_t i = 0; i < f->params.size(); i++) std::memcpy(l->params.data() + f->params[i].address, params[i], f->params[i].size);
	int late = faults().hit("kernel");
	ctx.submit(s, [l, m, late](Runner &runner) {
		if (late) throw Fault{late, ""};
		l->reverse = settings().reverse;
		l->maxSteps = settings().steps;
		runner.run(*l);
	});
	return kSuccess;
}
