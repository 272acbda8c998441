package device

import "github.com/stride0/stride0/kernels"

// Splitter is the ability of a device that runs less than any Runnable Program.
type Splitter interface {
	// SplitMode says how finely Programs are to be cut for it.
	SplitMode() kernels.SplitMode
}

// SplitMode returns how finely Programs are to be cut for dev.
func SplitMode(dev Device) kernels.SplitMode {
	if s, ok := dev.(Splitter); ok {
		return s.SplitMode()
	}
	return kernels.SplitRunnable
}
