// What nvrtc_cgo.go calls: the functions of NVRTC that it found, and what is
// done with several of them at a time.
#ifndef STRIDE0_CUDA_NVRTC_H
#define STRIDE0_CUDA_NVRTC_H

#include <stddef.h>
#include <stdint.h>

#include "bind_cgo.h"

typedef struct {
	fn version, num_archs, archs;
	fn create, destroy, compile;
	fn log_size, log;
	fn ptx_size, ptx, cubin_size, cubin;
} s0cu_nvrtc;

// s0cu_nvrtc_about tells the version and at most room architectures.
int32_t s0cu_nvrtc_about(const s0cu_nvrtc *f, int32_t *major, int32_t *minor, int32_t *n, int32_t *archs, int32_t room);

// s0cu_nvrtc_build compiles a source to PTX (kind 0) or machine code (1). *out and
// *log are the caller's to free; either may stay NULL.
int32_t s0cu_nvrtc_build(const s0cu_nvrtc *f, const char *source, int32_t n, char **options, int32_t kind,
	char **out, size_t *size, char **log);

#endif
