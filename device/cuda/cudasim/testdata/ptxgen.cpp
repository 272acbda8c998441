// ptxgen IN.cu OUT.ptx compiles CUDA C to PTX with NVRTC, which it opens at run
// time (libnvrtc.so.11.2, Debian package libnvrtc11.2). The fixtures of this
// folder were made with it; their test makes them again and compares.
#include <dlfcn.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

template <class F>
static F symbol(void *lib, const char *name) { return reinterpret_cast<F>(dlsym(lib, name)); }

int main(int argc, char **argv) {
	void *lib = dlopen("libnvrtc.so.11.2", RTLD_NOW);
	if (argc != 3 || !lib) {
		std::fprintf(stderr, "%s\n", lib ? "usage: ptxgen IN.cu OUT.ptx" : dlerror());
		return lib ? 1 : 2; // 2: no NVRTC
	}
	auto create = symbol<int (*)(void **, const char *, const char *, int, const char **, const char **)>(lib, "nvrtcCreateProgram");
	auto compile = symbol<int (*)(void *, int, const char **)>(lib, "nvrtcCompileProgram");
	auto size = symbol<int (*)(void *, size_t *)>(lib, "nvrtcGetPTXSize");
	auto text = symbol<int (*)(void *, char *)>(lib, "nvrtcGetPTX");
	auto logSize = symbol<int (*)(void *, size_t *)>(lib, "nvrtcGetProgramLogSize");
	auto logText = symbol<int (*)(void *, char *)>(lib, "nvrtcGetProgramLog");

	std::ifstream in(argv[1]);
	std::string source((std::istreambuf_iterator<char>(in)), {});
	const char *options[] = {"--gpu-architecture=compute_70", "--fmad=false", "--std=c++14"};
	void *program = nullptr;
	size_t n = 0;
	if (create(&program, source.c_str(), "kernels.cu", 0, nullptr, nullptr)) return 1;
	if (compile(program, 3, options)) {
		logSize(program, &n);
		std::string log(n, 0);
		logText(program, &log[0]);
		std::fprintf(stderr, "%s\n", log.c_str());
		return 1;
	}
	size(program, &n);
	std::string ptx(n, 0);
	text(program, &ptx[0]);
	ptx.resize(ptx.find('\0') == std::string::npos ? n : ptx.find('\0'));
	std::ofstream(argv[2]) << ptx;
	return 0;
}
