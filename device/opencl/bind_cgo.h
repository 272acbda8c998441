// What bind_cgo.go calls: one shim per OpenCL function, taking the function's
// address first. The types are OpenCL's, spelt without its headers; a handle
// is a pointer as an integer.
#ifndef STRIDE0_OPENCL_BIND_H
#define STRIDE0_OPENCL_BIND_H

#include <stddef.h>
#include <stdint.h>

typedef uintptr_t fn;
typedef uintptr_t hd;

int32_t s0_get_ids(fn f, uint32_t n, hd *out, uint32_t *count);
int32_t s0_get_device_ids(fn f, hd platform, uint64_t kind, uint32_t n, hd *out, uint32_t *count);
int32_t s0_get_info(fn f, hd object, uint32_t key, size_t n, uint8_t *out, size_t *size);
int32_t s0_get_info_on(fn f, hd object, hd device, uint32_t key, size_t n, uint8_t *out, size_t *size);
int32_t s0_release(fn f, hd object);

hd s0_create_context(fn f, hd platform, hd device, int32_t *status);
hd s0_create_queue(fn f, hd context, hd device, int32_t *status);
hd s0_create_buffer(fn f, hd context, size_t size, int32_t *status);
hd s0_create_program(fn f, hd context, const char *source, size_t n, int32_t *status);
int32_t s0_build_program(fn f, hd program, hd device, const char *options);
hd s0_create_kernel(fn f, hd program, const char *name, int32_t *status);
int32_t s0_set_arg(fn f, hd kernel, uint32_t index, size_t size, const uint8_t *value);

int32_t s0_enqueue_kernel(fn f, hd queue, hd kernel, const size_t *global, const size_t *local);
int32_t s0_read(fn f, hd queue, hd mem, size_t off, size_t n, uint8_t *dst);
int32_t s0_write(fn f, hd queue, hd mem, size_t off, size_t n, const uint8_t *src);
int32_t s0_copy(fn f, hd queue, hd src, hd dst, size_t soff, size_t doff, size_t n);

#endif
