//go:build cgo && linux

package cuda

/*
#include <stdlib.h>
#include "bind_cgo.h"
*/
import "C"

import (
	"errors"
	"unsafe"

	"github.com/stride0/stride0/internal/dl"
)

// bind finds the driver: the first library of names that opens. Errors:
// *dl.OpenError, *dl.SymbolError.
func bind(names []string) (*api, error) {
	if unsafe.Sizeof(address(0)) != unsafe.Sizeof(handle(0)) {
		return nil, errors.New("CUDA needs a 64-bit program") // addresses have 32 bits in others, so prototypes differ
	}
	lib, err := dl.Open(names...)
	if err != nil {
		return nil, err
	}
	b := binder{lib: lib}
	b.current = b.find("cuCtxSetCurrent")
	a := new(api)
	b.queries(a)
	b.memory(a)
	b.streams(a)
	b.copies(a)
	b.modules(a)
	if b.err != nil {
		return nil, b.err
	}
	return a, nil
}

// binder looks functions up and keeps the first failure.
type binder struct {
	lib     *dl.Library
	current C.fn // cuCtxSetCurrent
	err     error
}

func (b *binder) find(name string) C.fn {
	p, err := b.lib.Symbol(name)
	if b.err == nil {
		b.err = err
	}
	return C.fn(p)
}

// in says in which context a call takes place.
func (b *binder) in(ctx handle) C.in { return C.in{set_current: b.current, ctx: C.hd(ctx)} }

func (b *binder) queries(a *api) {
	start := b.find("cuInit")
	a.init = func() status { return status(C.s0cu_init(start)) }
	count := func(name string) func() (int, status) {
		f := b.find(name)
		return func() (int, status) {
			var n C.int32_t
			s := C.s0cu_get_int(f, &n)
			return int(n), status(s)
		}
	}
	a.driverGetVersion = count("cuDriverGetVersion")
	a.deviceGetCount = count("cuDeviceGetCount")
	get := b.find("cuDeviceGet")
	a.deviceGet = func(ordinal int) (handle, status) {
		var d C.int32_t
		s := C.s0cu_device_get(get, C.int32_t(ordinal), &d)
		return handle(d), status(s)
	}
	name := b.find("cuDeviceGetName")
	a.deviceGetName = func(device handle) (string, status) {
		var text [256]C.char
		s := C.s0cu_device_name(name, C.int32_t(device), &text[0], C.int32_t(len(text)-1))
		return C.GoString(&text[0]), status(s)
	}
	attribute := b.find("cuDeviceGetAttribute")
	a.deviceGetAttr = func(device handle, key int) (int, status) {
		var v C.int32_t
		s := C.s0cu_attribute(attribute, C.int32_t(key), C.hd(device), &v)
		return int(v), status(s)
	}
	total := b.find("cuDeviceTotalMem_v2")
	a.deviceTotalMem = func(device handle) (int64, status) {
		var n C.size_t
		s := C.s0cu_device_total(total, C.int32_t(device), &n)
		return int64(n), status(s)
	}
	retain := b.find("cuDevicePrimaryCtxRetain")
	a.primaryCtxRetain = func(device handle) (handle, status) {
		var ctx C.hd
		s := C.s0cu_retain(retain, C.int32_t(device), &ctx)
		return handle(ctx), status(s)
	}
	release := b.find("cuDevicePrimaryCtxRelease_v2")
	a.primaryCtxRelease = func(device handle) status { return status(C.s0cu_release(release, C.int32_t(device))) }
}

func (b *binder) memory(a *api) {
	info := b.find("cuMemGetInfo_v2")
	a.memGetInfo = func(ctx handle) (available, total int64, s status) {
		var x, y C.size_t
		code := C.s0cu_mem_info(info, b.in(ctx), &x, &y)
		return int64(x), int64(y), status(code)
	}
	alloc := b.find("cuMemAlloc_v2")
	a.memAlloc = func(ctx handle, size int64) (address, status) {
		var p C.addr
		s := C.s0cu_alloc(alloc, b.in(ctx), C.size_t(size), &p)
		return address(p), status(s)
	}
	free := b.find("cuMemFree_v2")
	a.memFree = func(ctx handle, mem address) status { return status(C.s0cu_free(free, b.in(ctx), C.addr(mem))) }
	allocHost := b.find("cuMemAllocHost_v2")
	a.memAllocHost = func(ctx handle, size int) ([]byte, status) {
		var p unsafe.Pointer
		s := C.s0cu_alloc_host(allocHost, b.in(ctx), C.size_t(size), &p)
		if status(s) != success {
			return nil, status(s)
		}
		return unsafe.Slice((*byte)(p), size), success
	}
	freeHost := b.find("cuMemFreeHost")
	a.memFreeHost = func(ctx handle, pinned []byte) status {
		return status(C.s0cu_free_host(freeHost, b.in(ctx), unsafe.Pointer(unsafe.SliceData(pinned))))
	}
}

// The flags with which streams and events are made.
const (
	streamNonBlocking  = 1 // CU_STREAM_NON_BLOCKING: in no order with the legacy stream 0
	eventDisableTiming = 2 // CU_EVENT_DISABLE_TIMING
)

func (b *binder) streams(a *api) {
	a.streamCreate = b.create("cuStreamCreate", streamNonBlocking)
	a.streamDestroy = b.on("cuStreamDestroy_v2")
	a.streamSynchronize = b.on("cuStreamSynchronize")
	a.eventCreate = b.create("cuEventCreate", eventDisableTiming)
	a.eventDestroy = b.on("cuEventDestroy_v2")
	a.eventSynchronize = b.on("cuEventSynchronize")
	record := b.find("cuEventRecord")
	a.eventRecord = func(ctx, event, stream handle) status {
		return status(C.s0cu_record(record, b.in(ctx), C.hd(event), C.hd(stream)))
	}
}

func (b *binder) create(name string, flags uint32) func(handle) (handle, status) {
	f := b.find(name)
	return func(ctx handle) (handle, status) {
		var h C.hd
		s := C.s0cu_create(f, b.in(ctx), C.uint32_t(flags), &h)
		return handle(h), status(s)
	}
}

func (b *binder) on(name string) func(ctx, object handle) status {
	f := b.find(name)
	return func(ctx, object handle) status { return status(C.s0cu_on(f, b.in(ctx), C.hd(object))) }
}

func (b *binder) copies(a *api) {
	write := b.find("cuMemcpyHtoDAsync_v2")
	a.memcpyHtoD = func(ctx handle, dst address, src []byte, stream handle) status {
		return status(C.s0cu_to_device(write, b.in(ctx), C.addr(dst), first(src), C.size_t(len(src)), C.hd(stream)))
	}
	read := b.find("cuMemcpyDtoHAsync_v2")
	a.memcpyDtoH = func(ctx handle, dst []byte, src address, stream handle) status {
		return status(C.s0cu_to_host(read, b.in(ctx), first(dst), C.addr(src), C.size_t(len(dst)), C.hd(stream)))
	}
	duplicate := b.find("cuMemcpyDtoDAsync_v2")
	a.memcpyDtoD = func(ctx handle, dst, src address, n int64, stream handle) status {
		return status(C.s0cu_copy(duplicate, b.in(ctx), C.addr(dst), C.addr(src), C.size_t(n), C.hd(stream)))
	}
}

func (b *binder) modules(a *api) {
	load := b.find("cuModuleLoadDataEx")
	a.moduleLoadData = func(ctx handle, image []byte) (handle, string, status) {
		image = append(image[:len(image):len(image)], 0) // text ends in a zero
		log := (*C.char)(C.calloc(1, logSize))
		defer C.free(unsafe.Pointer(log))
		var m C.hd
		s := C.s0cu_load(load, b.in(ctx), first(image), log, logSize-1, &m)
		return handle(m), C.GoString(log), status(s)
	}
	a.moduleUnload = b.on("cuModuleUnload")
	function := b.find("cuModuleGetFunction")
	a.moduleGetFunction = func(ctx, module handle, name string) (handle, status) {
		text := C.CString(name)
		defer C.free(unsafe.Pointer(text))
		var f C.hd
		s := C.s0cu_function(function, b.in(ctx), C.hd(module), text, &f)
		return handle(f), status(s)
	}
	attribute := b.find("cuFuncGetAttribute")
	a.funcGetAttribute = func(ctx, f handle, key int) (int, status) {
		var v C.int32_t
		s := C.s0cu_function_attribute(attribute, b.in(ctx), C.int32_t(key), C.hd(f), &v)
		return int(v), status(s)
	}
	launch := b.find("cuLaunchKernel")
	a.launchKernel = func(ctx, f handle, grid, block [3]int, stream handle, args [][]byte) status {
		dims := [6]C.uint32_t{C.uint32_t(grid[0]), C.uint32_t(grid[1]), C.uint32_t(grid[2]),
			C.uint32_t(block[0]), C.uint32_t(block[1]), C.uint32_t(block[2])}
		bytes, offsets := flatten(args)
		return status(C.s0cu_launch(launch, b.in(ctx), C.hd(f), &dims[0], C.hd(stream), first(bytes),
			(*C.uint32_t)(unsafe.Pointer(unsafe.SliceData(offsets))), C.uint32_t(len(offsets))))
	}
}

// logSize is the room for what the driver's compiler says.
const logSize = 8 << 10

// flatten puts arguments one after the other, each at a multiple of 8 bytes,
// and tells where each begins.
func flatten(args [][]byte) (bytes []byte, offsets []uint32) {
	for _, a := range args {
		offsets = append(offsets, uint32(len(bytes)))
		bytes = append(bytes, a...)
		for len(bytes)%8 != 0 {
			bytes = append(bytes, 0)
		}
	}
	return bytes, offsets
}

// first returns the address of the first byte, which C reads or writes during
// the call only, unless it is pinned memory of C's: cgo keeps it in place. Its
// type says that C sees bytes and no pointers, though b may be part of an
// object that has some.
func first(b []byte) *C.uint8_t { return (*C.uint8_t)(unsafe.SliceData(b)) }
