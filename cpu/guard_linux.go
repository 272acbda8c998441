package cpu

import "golang.org/x/sys/unix"

const canGuard = true

// forbid gives the memory of pages back and makes every access to them a fault.
// Neither call can fail for pages of mapPages.
func forbid(pages []byte) {
	_ = unix.Madvise(pages, unix.MADV_DONTNEED)
	_ = unix.Mprotect(pages, unix.PROT_NONE)
}
