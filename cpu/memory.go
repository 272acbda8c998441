package cpu

import (
	"bufio"
	"os"
	"runtime"
	"strings"
	"unsafe"

	"github.com/stride0/stride0/device"
)

// alignment is that of pooled memory and of block scratch: a cache line, and
// the widest vector register.
const alignment = 64

// memorySource returns where the pool's memory comes from and goes: mapped
// pages, or the Go heap with STRIDE0_POOL=heap (the race detector sees only
// that) and where there is no mmap.
func memorySource() (alloc func(int64) ([]byte, error), release func([]byte, int64)) {
	if !canMap || device.PoolMode() == device.ModeHeap {
		return heapAlloc, func([]byte, int64) {}
	}
	return mapPages, unmapPages
}

// heapAlloc returns size bytes of the Go heap, aligned.
func heapAlloc(size int64) ([]byte, error) {
	if size != int64(int(size)) {
		return nil, device.ErrOutOfMemory
	}
	return alignedBytes(int(size)), nil
}

// alignedBytes returns n zero bytes of the Go heap, aligned.
func alignedBytes(n int) []byte {
	b := make([]byte, n+alignment-1)
	skip := -int(uintptr(unsafe.Pointer(unsafe.SliceData(b)))) & (alignment - 1)
	return b[skip : skip+n : skip+n]
}

// model returns the name of the processor, or of the architecture.
func model() string {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return runtime.GOARCH
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		key, value, _ := strings.Cut(lines.Text(), ":")
		if strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}
