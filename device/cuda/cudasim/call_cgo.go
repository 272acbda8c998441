//go:build cgo && linux

package cudasim

/*
#include <stdint.h>
#include <stdlib.h>

// All functions of the driver take at most 11 integers or pointers.
static int s0_call(uintptr_t f, const uint64_t *a) {
	typedef int (*fn)(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t);
	return ((fn)f)(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10]);
}

static int s0_set(uintptr_t f, const char *key, const char *value) {
	return ((int (*)(const char *, const char *))f)(key, value);
}

static char *s0_text(uintptr_t f) { return ((char *(*)(void))f)(); }
*/
import "C"

import "unsafe"

const canCall = true

// control calls a function of the simulator that takes two strings.
func (s *Sim) control(name, key, value string) int {
	k, v := C.CString(key), C.CString(value)
	defer C.free(unsafe.Pointer(k))
	defer C.free(unsafe.Pointer(v))
	return int(C.s0_set(C.uintptr_t(s.symbol(name)), k, v))
}

// text calls a function of the simulator that returns a new string.
func (s *Sim) text(name string) string {
	p := C.s0_text(C.uintptr_t(s.symbol(name)))
	defer C.free(unsafe.Pointer(p))
	return C.GoString(p)
}

// call calls a function of the driver with integers, and pointers as integers.
func (s *Sim) call(name string, args ...uint64) int {
	var all [11]C.uint64_t
	for i, a := range args {
		all[i] = C.uint64_t(a)
	}
	return int(C.s0_call(C.uintptr_t(s.symbol(name)), &all[0]))
}
