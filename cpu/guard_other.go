//go:build !linux

package cpu

const canGuard = false

// forbid does nothing: Guarding is false here.
func forbid([]byte) {}
