package servers

import "golang.org/x/sys/unix"

// hugePages returns n bytes on huge pages if the system has some to give, on
// plain ones otherwise, and a function that gives them back.
func hugePages(n int64) (v []byte, free func()) {
	if n < 1<<20 {
		return make([]byte, n), func() {}
	}
	v, err := unix.Mmap(-1, 0, int(n), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		return make([]byte, n), func() {}
	}
	_ = unix.Madvise(v, unix.MADV_HUGEPAGE) // refused by kernels without them
	return v, func() { _ = unix.Munmap(v) }
}
