//go:build cgo && linux

package opencl

/*
#include <stdlib.h>
#include "bind_cgo.h"
*/
import "C"

import (
	"unsafe"

	"github.com/stride0/stride0/internal/dl"
)

// bind finds OpenCL: the functions a tool has put into the process, else the
// first library of names that opens. Errors: *dl.OpenError, *dl.SymbolError.
func bind(names []string) (*api, error) {
	lib, ok := dl.Process("clGetPlatformIDs")
	if !ok {
		var err error
		if lib, err = dl.Open(names...); err != nil {
			return nil, err
		}
	}
	b := binder{lib: lib}
	a := new(api)
	b.queries(a)
	b.objects(a)
	b.programs(a)
	b.commands(a)
	if b.err != nil {
		return nil, b.err
	}
	return a, nil
}

// binder looks functions up and keeps the first failure.
type binder struct {
	lib *dl.Library
	err error
}

func (b *binder) find(name string) C.fn {
	p, err := b.lib.Symbol(name)
	if b.err == nil {
		b.err = err
	}
	return C.fn(p)
}

func (b *binder) queries(a *api) {
	platforms := b.find("clGetPlatformIDs")
	a.getPlatformIDs = func(out []handle) (int, status) {
		var n C.uint32_t
		s := C.s0_get_ids(platforms, C.uint32_t(len(out)), handles(out), &n)
		return int(n), status(s)
	}
	devices := b.find("clGetDeviceIDs")
	a.getDeviceIDs = func(platform handle, kind uint64, out []handle) (int, status) {
		var n C.uint32_t
		s := C.s0_get_device_ids(devices, C.hd(platform), C.uint64_t(kind), C.uint32_t(len(out)), handles(out), &n)
		return int(n), status(s)
	}
	a.getPlatformInfo = b.info("clGetPlatformInfo")
	a.getDeviceInfo = b.info("clGetDeviceInfo")
	a.getProgramBuildInfo = b.infoOn("clGetProgramBuildInfo")
	a.getKernelWorkGroupInfo = b.infoOn("clGetKernelWorkGroupInfo")
}

func (b *binder) info(name string) func(handle, uint32, []byte) (int, status) {
	f := b.find(name)
	return func(object handle, key uint32, out []byte) (int, status) {
		var n C.size_t
		s := C.s0_get_info(f, C.hd(object), C.uint32_t(key), C.size_t(len(out)), first(out), &n)
		return int(n), status(s)
	}
}

func (b *binder) infoOn(name string) func(object, device handle, key uint32, out []byte) (int, status) {
	f := b.find(name)
	return func(object, device handle, key uint32, out []byte) (int, status) {
		var n C.size_t
		s := C.s0_get_info_on(f, C.hd(object), C.hd(device), C.uint32_t(key), C.size_t(len(out)), first(out), &n)
		return int(n), status(s)
	}
}

func (b *binder) release(name string) func(handle) status {
	f := b.find(name)
	return func(object handle) status { return status(C.s0_release(f, C.hd(object))) }
}

func (b *binder) objects(a *api) {
	context := b.find("clCreateContext")
	a.createContext = func(platform, device handle) (handle, status) {
		var s C.int32_t
		h := C.s0_create_context(context, C.hd(platform), C.hd(device), &s)
		return handle(h), status(s)
	}
	queue := b.find("clCreateCommandQueue")
	a.createCommandQueue = func(context, device handle) (handle, status) {
		var s C.int32_t
		h := C.s0_create_queue(queue, C.hd(context), C.hd(device), &s)
		return handle(h), status(s)
	}
	buffer := b.find("clCreateBuffer")
	a.createBuffer = func(context handle, size int64) (handle, status) {
		var s C.int32_t
		h := C.s0_create_buffer(buffer, C.hd(context), C.size_t(size), &s)
		return handle(h), status(s)
	}
	a.releaseContext = b.release("clReleaseContext")
	a.releaseCommandQueue = b.release("clReleaseCommandQueue")
	a.releaseMemObject = b.release("clReleaseMemObject")
}

func (b *binder) programs(a *api) {
	create := b.find("clCreateProgramWithSource")
	a.createProgramWithSource = func(context handle, source string) (handle, status) {
		text := C.CString(source)
		defer C.free(unsafe.Pointer(text))
		var s C.int32_t
		h := C.s0_create_program(create, C.hd(context), text, C.size_t(len(source)), &s)
		return handle(h), status(s)
	}
	build := b.find("clBuildProgram")
	a.buildProgram = func(program, device handle, options string) status {
		text := C.CString(options)
		defer C.free(unsafe.Pointer(text))
		return status(C.s0_build_program(build, C.hd(program), C.hd(device), text))
	}
	kernel := b.find("clCreateKernel")
	a.createKernel = func(program handle, name string) (handle, status) {
		text := C.CString(name)
		defer C.free(unsafe.Pointer(text))
		var s C.int32_t
		h := C.s0_create_kernel(kernel, C.hd(program), text, &s)
		return handle(h), status(s)
	}
	setArg := b.find("clSetKernelArg")
	a.setKernelArg = func(kernel handle, index int, value []byte) status {
		return status(C.s0_set_arg(setArg, C.hd(kernel), C.uint32_t(index), C.size_t(len(value)), first(value)))
	}
	a.releaseProgram = b.release("clReleaseProgram")
	a.releaseKernel = b.release("clReleaseKernel")
}

func (b *binder) commands(a *api) {
	kernel := b.find("clEnqueueNDRangeKernel")
	a.enqueueNDRangeKernel = func(queue, k handle, global, local [3]int) status {
		g := [3]C.size_t{C.size_t(global[0]), C.size_t(global[1]), C.size_t(global[2])}
		l := [3]C.size_t{C.size_t(local[0]), C.size_t(local[1]), C.size_t(local[2])}
		return status(C.s0_enqueue_kernel(kernel, C.hd(queue), C.hd(k), &g[0], &l[0]))
	}
	read := b.find("clEnqueueReadBuffer")
	a.enqueueReadBuffer = func(queue, mem handle, off int64, dst []byte) status {
		return status(C.s0_read(read, C.hd(queue), C.hd(mem), C.size_t(off), C.size_t(len(dst)), first(dst)))
	}
	write := b.find("clEnqueueWriteBuffer")
	a.enqueueWriteBuffer = func(queue, mem handle, off int64, src []byte) status {
		return status(C.s0_write(write, C.hd(queue), C.hd(mem), C.size_t(off), C.size_t(len(src)), first(src)))
	}
	duplicate := b.find("clEnqueueCopyBuffer")
	a.enqueueCopyBuffer = func(queue, src, dst handle, soff, doff, n int64) status {
		return status(C.s0_copy(duplicate, C.hd(queue), C.hd(src), C.hd(dst), C.size_t(soff), C.size_t(doff), C.size_t(n)))
	}
	a.flush = b.release("clFlush") // flush and finish take one handle too
	a.finish = b.release("clFinish")
}

// first returns the address of the first byte, which C reads or writes during
// the call only: cgo keeps it in place. Its type says that C sees bytes and no
// pointers, though b may be part of an object that has some.
func first(b []byte) *C.uint8_t { return (*C.uint8_t)(unsafe.SliceData(b)) }

func handles(out []handle) *C.hd { return (*C.hd)(unsafe.Pointer(unsafe.SliceData(out))) }
