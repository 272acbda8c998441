//go:build !unix

package cpu

const canMap = false

// mapPages is the Go heap where there is no mmap.
func mapPages(size int64) ([]byte, error) { return heapAlloc(size) }

// unmapPages leaves memory to the garbage collector.
func unmapPages([]byte, int64) {}
