//go:build cgo && linux

#include "bind_cgo.h"

// Each shim casts f to the function's prototype in OpenCL 1.2.

enum { CL_TRUE = 1, CL_CONTEXT_PLATFORM = 0x1084, CL_MEM_READ_WRITE = 1 };

int32_t s0_get_ids(fn f, uint32_t n, hd *out, uint32_t *count) {
	return ((int32_t (*)(uint32_t, hd *, uint32_t *))f)(n, out, count);
}

int32_t s0_get_device_ids(fn f, hd platform, uint64_t kind, uint32_t n, hd *out, uint32_t *count) {
	return ((int32_t (*)(hd, uint64_t, uint32_t, hd *, uint32_t *))f)(platform, kind, n, out, count);
}

int32_t s0_get_info(fn f, hd object, uint32_t key, size_t n, uint8_t *out, size_t *size) {
	return ((int32_t (*)(hd, uint32_t, size_t, void *, size_t *))f)(object, key, n, out, size);
}

int32_t s0_get_info_on(fn f, hd object, hd device, uint32_t key, size_t n, uint8_t *out, size_t *size) {
	return ((int32_t (*)(hd, hd, uint32_t, size_t, void *, size_t *))f)(object, device, key, n, out, size);
}

int32_t s0_release(fn f, hd object) {
	return ((int32_t (*)(hd))f)(object);
}

hd s0_create_context(fn f, hd platform, hd device, int32_t *status) {
	const intptr_t properties[] = {CL_CONTEXT_PLATFORM, (intptr_t)platform, 0};
	return ((hd (*)(const intptr_t *, uint32_t, const hd *, void *, void *, int32_t *))f)(
		properties, 1, &device, NULL, NULL, status);
}

hd s0_create_queue(fn f, hd context, hd device, int32_t *status) {
	return ((hd (*)(hd, hd, uint64_t, int32_t *))f)(context, device, 0, status);
}

hd s0_create_buffer(fn f, hd context, size_t size, int32_t *status) {
	return ((hd (*)(hd, uint64_t, size_t, void *, int32_t *))f)(context, CL_MEM_READ_WRITE, size, NULL, status);
}

hd s0_create_program(fn f, hd context, const char *source, size_t n, int32_t *status) {
	return ((hd (*)(hd, uint32_t, const char **, const size_t *, int32_t *))f)(context, 1, &source, &n, status);
}

int32_t s0_build_program(fn f, hd program, hd device, const char *options) {
	return ((int32_t (*)(hd, uint32_t, const hd *, const char *, void *, void *))f)(
		program, 1, &device, options, NULL, NULL);
}

hd s0_create_kernel(fn f, hd program, const char *name, int32_t *status) {
	return ((hd (*)(hd, const char *, int32_t *))f)(program, name, status);
}

int32_t s0_set_arg(fn f, hd kernel, uint32_t index, size_t size, const uint8_t *value) {
	return ((int32_t (*)(hd, uint32_t, size_t, const void *))f)(kernel, index, size, value);
}

int32_t s0_enqueue_kernel(fn f, hd queue, hd kernel, const size_t *global, const size_t *local) {
	return ((int32_t (*)(hd, hd, uint32_t, const size_t *, const size_t *, const size_t *, uint32_t, const hd *, hd *))f)(
		queue, kernel, 3, NULL, global, local, 0, NULL, NULL);
}

int32_t s0_read(fn f, hd queue, hd mem, size_t off, size_t n, uint8_t *dst) {
	return ((int32_t (*)(hd, hd, uint32_t, size_t, size_t, void *, uint32_t, const hd *, hd *))f)(
		queue, mem, CL_TRUE, off, n, dst, 0, NULL, NULL);
}

int32_t s0_write(fn f, hd queue, hd mem, size_t off, size_t n, const uint8_t *src) {
	return ((int32_t (*)(hd, hd, uint32_t, size_t, size_t, const void *, uint32_t, const hd *, hd *))f)(
		queue, mem, CL_TRUE, off, n, src, 0, NULL, NULL);
}

int32_t s0_copy(fn f, hd queue, hd src, hd dst, size_t soff, size_t doff, size_t n) {
	return ((int32_t (*)(hd, hd, hd, size_t, size_t, size_t, uint32_t, const hd *, hd *))f)(
		queue, src, dst, soff, doff, n, 0, NULL, NULL);
}
