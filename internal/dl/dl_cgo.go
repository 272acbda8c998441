//go:build cgo && (linux || darwin || freebsd)

package dl

/*
#cgo linux LDFLAGS: -ldl
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// dlerror is per thread, so the message is copied in the same call.
static uintptr_t s0_open(const char *name, char **reason) {
	void *lib = dlopen(name, RTLD_NOW | RTLD_LOCAL);
	if (!lib) {
		const char *text = dlerror();
		*reason = strdup(text ? text : "unknown error");
	}
	return (uintptr_t)lib;
}

static uintptr_t s0_find(uintptr_t lib, int process, const char *name) {
	return (uintptr_t)dlsym(process ? RTLD_DEFAULT : (void *)lib, name);
}
*/
import "C"

import "unsafe"

const hasLoader = true

// processHandle stands for RTLD_DEFAULT, whose value differs between systems.
const processHandle = ^uintptr(0)

func open(name string) (handle uintptr, reason string) {
	cname := C.CString(name)
	defer C.free(unsafe.Pointer(cname))
	var text *C.char
	h := C.s0_open(cname, &text)
	if text != nil {
		reason = C.GoString(text)
		C.free(unsafe.Pointer(text))
	}
	return uintptr(h), reason
}

func find(handle uintptr, symbol string) uintptr {
	cname := C.CString(symbol)
	defer C.free(unsafe.Pointer(cname))
	process := C.int(0)
	if handle == processHandle {
		process = 1
	}
	return uintptr(C.s0_find(C.uintptr_t(handle), process, cname))
}
