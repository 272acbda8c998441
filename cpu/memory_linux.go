package cpu

import "golang.org/x/sys/unix"

// adviseHuge asks for huge pages. A kernel without them ignores it or refuses;
// both are as good as nothing.
func adviseHuge(b []byte) { _ = unix.Madvise(b, unix.MADV_HUGEPAGE) }
