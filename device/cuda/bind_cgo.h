// What bind_cgo.go calls: one shim per driver function, taking the function's
// address first. Those that need a context take cuCtxSetCurrent and the context
// too and make it current, since it is so per thread and goroutines change
// threads. The types are the driver's, spelt without cuda.h; a handle is a
// pointer as an integer.
#ifndef STRIDE0_CUDA_BIND_H
#define STRIDE0_CUDA_BIND_H

#include <stddef.h>
#include <stdint.h>

typedef uintptr_t fn;
typedef uintptr_t hd;
typedef uint64_t addr;

// in is where a call takes place.
typedef struct {
	fn set_current;
	hd ctx;
} in;

int32_t s0cu_init(fn f);
int32_t s0cu_get_int(fn f, int32_t *out);
int32_t s0cu_device_get(fn f, int32_t ordinal, int32_t *out);
int32_t s0cu_device_name(fn f, int32_t device, char *out, int32_t n);
int32_t s0cu_attribute(fn f, int32_t key, hd object, int32_t *out);
int32_t s0cu_device_total(fn f, int32_t device, size_t *out);
int32_t s0cu_retain(fn f, int32_t device, hd *out);
int32_t s0cu_release(fn f, int32_t device);

int32_t s0cu_mem_info(fn f, in c, size_t *available, size_t *total);
int32_t s0cu_alloc(fn f, in c, size_t size, addr *out);
int32_t s0cu_free(fn f, in c, addr mem);
int32_t s0cu_alloc_host(fn f, in c, size_t size, void **out);
int32_t s0cu_free_host(fn f, in c, void *mem);

int32_t s0cu_create(fn f, in c, uint32_t flags, hd *out);
int32_t s0cu_on(fn f, in c, hd object);
int32_t s0cu_record(fn f, in c, hd event, hd stream);

int32_t s0cu_to_device(fn f, in c, addr dst, const uint8_t *src, size_t n, hd stream);
int32_t s0cu_to_host(fn f, in c, uint8_t *dst, addr src, size_t n, hd stream);
int32_t s0cu_copy(fn f, in c, addr dst, addr src, size_t n, hd stream);

int32_t s0cu_load(fn f, in c, const uint8_t *image, char *log, size_t n, hd *out);
int32_t s0cu_function(fn f, in c, hd module, const char *name, hd *out);
int32_t s0cu_function_attribute(fn f, in c, int32_t key, hd function, int32_t *out);
int32_t s0cu_launch(fn f, in c, hd function, const uint32_t *dims, hd stream, uint8_t *args, const uint32_t *offsets, uint32_t n);

#endif
