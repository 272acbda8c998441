//go:build cgo && linux

package nvrtc

/*
#include <stdlib.h>
#include "bind_cgo.h"
*/
import "C"

import (
	"unsafe"

	"github.com/stride0/stride0/internal/dl"
)

// Open finds NVRTC: the first library of names that opens. Errors:
// *dl.OpenError, *dl.SymbolError, one that knows no architectures.
func Open(names ...string) (*Compiler, error) {
	lib, err := dl.Open(names...)
	if err != nil {
		return nil, err
	}
	var f C.s0_nvrtc
	fields := []struct {
		name string
		at   *C.fn
	}{
		{"nvrtcVersion", &f.version}, {"nvrtcGetNumSupportedArchs", &f.num_archs}, {"nvrtcGetSupportedArchs", &f.archs},
		{"nvrtcCreateProgram", &f.create}, {"nvrtcDestroyProgram", &f.destroy}, {"nvrtcCompileProgram", &f.compile},
		{"nvrtcGetProgramLogSize", &f.log_size}, {"nvrtcGetProgramLog", &f.log},
		{"nvrtcGetPTXSize", &f.ptx_size}, {"nvrtcGetPTX", &f.ptx}, {"nvrtcGetCUBINSize", &f.cubin_size}, {"nvrtcGetCUBIN", &f.cubin},
	}
	for _, field := range fields {
		p, err := lib.Symbol(field.name)
		if err != nil {
			return nil, err
		}
		*field.at = C.fn(p)
	}
	var major, minor, n C.int32_t
	var archs [64]C.int32_t
	if C.s0_nvrtc_about(&f, &major, &minor, &n, &archs[0], C.int32_t(len(archs))) != 0 {
		n = 0
	}
	known := make([]int, n)
	for i := range known {
		known[i] = int(archs[i])
	}
	compiler, err := New(int(major), int(minor), known)
	if err == nil {
		compiler.Build = func(source string, options []string, kind Image) ([]byte, string, int) {
			return buildWith(&f, source, options, kind)
		}
	}
	return compiler, err
}

// buildWith creates a program, compiles it and fetches what it became.
func buildWith(f *C.s0_nvrtc, source string, options []string, kind Image) ([]byte, string, int) {
	text := C.CString(source)
	defer C.free(unsafe.Pointer(text))
	list := (**C.char)(C.calloc(C.size_t(len(options)+1), C.size_t(unsafe.Sizeof(text))))
	defer C.free(unsafe.Pointer(list))
	for i, o := range options {
		at := unsafe.Slice(list, len(options))
		at[i] = C.CString(o)
		defer C.free(unsafe.Pointer(at[i]))
	}
	var out, log *C.char
	var n C.size_t
	code := C.s0_nvrtc_build(f, text, C.int32_t(len(options)), list, C.int32_t(kind), &out, &n, &log)
	defer C.free(unsafe.Pointer(out))
	defer C.free(unsafe.Pointer(log))
	return C.GoBytes(unsafe.Pointer(out), C.int(n)), C.GoString(log), int(code)
}
