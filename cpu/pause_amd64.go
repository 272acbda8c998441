//go:build !noasm

package cpu

// pause waits for some ten nanoseconds and leaves the core to its other
// hardware thread meanwhile.
//
//go:noescape
func pause()
