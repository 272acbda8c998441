//go:build !linux

package device

// hostMemory returns 0: unknown.
func hostMemory() int64 { return 0 }
