//go:build cgo && linux

#include "bind_cgo.h"

// Each shim casts f to the function's prototype in cuda.h.

enum { CU_JIT_ERROR_LOG_BUFFER = 5, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6, MOST_ARGUMENTS = 512 };

int32_t s0cu_init(fn f) { return ((int32_t (*)(uint32_t))f)(0); }

int32_t s0cu_get_int(fn f, int32_t *out) { return ((int32_t (*)(int32_t *))f)(out); }

int32_t s0cu_device_get(fn f, int32_t ordinal, int32_t *out) {
	return ((int32_t (*)(int32_t *, int32_t))f)(out, ordinal);
}

int32_t s0cu_device_name(fn f, int32_t device, char *out, int32_t n) {
	return ((int32_t (*)(char *, int32_t, int32_t))f)(out, n, device);
}

int32_t s0cu_attribute(fn f, int32_t key, hd device, int32_t *out) {
	return ((int32_t (*)(int32_t *, int32_t, int32_t))f)(out, key, (int32_t)device);
}

int32_t s0cu_device_total(fn f, int32_t device, size_t *out) {
	return ((int32_t (*)(size_t *, int32_t))f)(out, device);
}

int32_t s0cu_retain(fn f, int32_t device, hd *out) { return ((int32_t (*)(hd *, int32_t))f)(out, device); }

int32_t s0cu_release(fn f, int32_t device) { return ((int32_t (*)(int32_t))f)(device); }

// enter makes the context current. It is not remembered which one is: other
// libraries in the process change it too, and the call takes nanoseconds.
static int32_t enter(in c) { return ((int32_t (*)(hd))c.set_current)(c.ctx); }

#define IN(call) \
	int32_t status = enter(c); \
	return status ? status : (call)

int32_t s0cu_mem_info(fn f, in c, size_t *available, size_t *total) {
	IN(((int32_t (*)(size_t *, size_t *))f)(available, total));
}

int32_t s0cu_alloc(fn f, in c, size_t size, addr *out) { IN(((int32_t (*)(addr *, size_t))f)(out, size)); }

int32_t s0cu_free(fn f, in c, addr mem) { IN(((int32_t (*)(addr))f)(mem)); }

int32_t s0cu_alloc_host(fn f, in c, size_t size, void **out) { IN(((int32_t (*)(void **, size_t))f)(out, size)); }

int32_t s0cu_free_host(fn f, in c, void *mem) { IN(((int32_t (*)(void *))f)(mem)); }

int32_t s0cu_create(fn f, in c, uint32_t flags, hd *out) { IN(((int32_t (*)(hd *, uint32_t))f)(out, flags)); }

int32_t s0cu_on(fn f, in c, hd object) { IN(((int32_t (*)(hd))f)(object)); }

int32_t s0cu_record(fn f, in c, hd event, hd stream) { IN(((int32_t (*)(hd, hd))f)(event, stream)); }

int32_t s0cu_to_device(fn f, in c, addr dst, const uint8_t *src, size_t n, hd stream) {
	IN(((int32_t (*)(addr, const void *, size_t, hd))f)(dst, src, n, stream));
}

int32_t s0cu_to_host(fn f, in c, uint8_t *dst, addr src, size_t n, hd stream) {
	IN(((int32_t (*)(void *, addr, size_t, hd))f)(dst, src, n, stream));
}

int32_t s0cu_copy(fn f, in c, addr dst, addr src, size_t n, hd stream) {
	IN(((int32_t (*)(addr, addr, size_t, hd))f)(dst, src, n, stream));
}

int32_t s0cu_load(fn f, in c, const uint8_t *image, char *log, size_t n, hd *out) {
	int32_t keys[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
	void *values[] = {log, (void *)n};
	IN(((int32_t (*)(hd *, const void *, uint32_t, int32_t *, void **))f)(out, image, 2, keys, values));
}

int32_t s0cu_function(fn f, in c, hd module, const char *name, hd *out) {
	IN(((int32_t (*)(hd *, hd, const char *))f)(out, module, name));
}

int32_t s0cu_function_attribute(fn f, in c, int32_t key, hd function, int32_t *out) {
	IN(((int32_t (*)(int32_t *, int32_t, hd))f)(out, key, function));
}

// The driver takes an array of pointers to the arguments, which it copies.
int32_t s0cu_launch(fn f, in c, hd function, const uint32_t *dims, hd stream, uint8_t *args, const uint32_t *offsets, uint32_t n) {
	void *at[MOST_ARGUMENTS];
	if (n > MOST_ARGUMENTS) return 1; // CUDA_ERROR_INVALID_VALUE
	for (uint32_t i = 0; i < n; i++) at[i] = args + offsets[i];
	IN(((int32_t (*)(hd, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, hd, void **, void **))f)(
		function, dims[0], dims[1], dims[2], dims[3], dims[4], dims[5], 0, stream, at, 0));
}
