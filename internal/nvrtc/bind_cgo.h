// What bind_cgo.go calls: the functions of NVRTC that it found, and what is
// done with several of them at a time.
#ifndef STRIDE0_NVRTC_BIND_H
#define STRIDE0_NVRTC_BIND_H

#include <stddef.h>
#include <stdint.h>

typedef uintptr_t fn;

typedef struct {
	fn version, num_archs, archs;
	fn create, destroy, compile;
	fn log_size, log;
	fn ptx_size, ptx, cubin_size, cubin;
} s0_nvrtc;

// s0_nvrtc_about tells the version and at most room architectures.
int32_t s0_nvrtc_about(const s0_nvrtc *f, int32_t *major, int32_t *minor, int32_t *n, int32_t *archs, int32_t room);

// s0_nvrtc_build compiles a source to PTX (kind 0) or machine code (1). *out and
// *log are the caller's to free; either may stay NULL.
int32_t s0_nvrtc_build(const s0_nvrtc *f, const char *source, int32_t n, char **options, int32_t kind,
	char **out, size_t *size, char **log);

#endif
