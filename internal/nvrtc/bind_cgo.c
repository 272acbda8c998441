//go:build cgo && linux

#include "bind_cgo.h"

#include <stdlib.h>

// Each call casts to the function's prototype in nvrtc.h.

enum { NVRTC_ERROR_OUT_OF_MEMORY = 1 };

typedef void *program;
typedef int32_t (*size_of)(program, size_t *);
typedef int32_t (*fetch)(program, char *);

int32_t s0_nvrtc_about(const s0_nvrtc *f, int32_t *major, int32_t *minor, int32_t *n, int32_t *archs, int32_t room) {
	int32_t e = ((int32_t (*)(int32_t *, int32_t *))f->version)(major, minor);
	if (e) return e;
	if ((e = ((int32_t (*)(int32_t *))f->num_archs)(n))) return e;
	if (*n > room) return NVRTC_ERROR_OUT_OF_MEMORY;
	return ((int32_t (*)(int32_t *))f->archs)(archs);
}

// text fetches something that the program has into new memory, which ends in a
// zero.
static int32_t text(program p, fn size, fn get, char **out, size_t *n) {
	int32_t e = ((size_of)size)(p, n);
	if (e) return e;
	if (!(*out = calloc(*n + 1, 1))) return NVRTC_ERROR_OUT_OF_MEMORY;
	return ((fetch)get)(p, *out);
}

int32_t s0_nvrtc_build(const s0_nvrtc *f, const char *source, int32_t n, char **options, int32_t kind,
	char **out, size_t *size, char **log) {
	program p = NULL;
	int32_t e = ((int32_t (*)(program *, const char *, const char *, int32_t, const char **, const char **))f->create)(
		&p, source, "stride0.cu", 0, NULL, NULL);
	if (e) return e;
	e = ((int32_t (*)(program, int32_t, char **))f->compile)(p, n, options);
	size_t ignored;
	text(p, f->log_size, f->log, log, &ignored);
	if (!e) e = kind ? text(p, f->cubin_size, f->cubin, out, size) : text(p, f->ptx_size, f->ptx, out, size);
	((int32_t (*)(program *))f->destroy)(&p);
	return e;
}
