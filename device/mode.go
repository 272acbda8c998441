package device

import "os"

// Mode is how device memory is kept, for debugging.
type Mode uint8

// The modes, chosen by the environment variable STRIDE0_POOL.
const (
	// ModePooled reuses freed memory by size class: the default.
	ModePooled Mode = iota
	// ModeExact ("exact") allocates every block at its own size and gives it
	// back when it is freed, so that a memory checker sees each overrun and
	// each use after free.
	ModeExact
	// ModeHeap ("heap") makes host devices allocate on the Go heap, which the
	// race detector watches. Other devices ignore it.
	ModeHeap
)

// PoolMode returns the mode that STRIDE0_POOL asks for. An unset or unknown
// value means ModePooled.
func PoolMode() Mode {
	switch os.Getenv("STRIDE0_POOL") {
	case "exact":
		return ModeExact
	case "heap":
		return ModeHeap
	}
	return ModePooled
}
