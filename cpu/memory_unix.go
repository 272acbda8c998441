//go:build unix

package cpu

import (
	"fmt"
	"os"
	"sync"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/stride0/stride0/device"
)

const canMap = true

const (
	// hugeBlock is from where on blocks are worth huge pages: fewer faults (a
	// fresh 128 MiB costs 74 ms in 4 KB pages, 24 ms in huge ones) and fewer
	// TLB misses.
	hugeBlock = 1 << 20
	// hugePage is the size and alignment of a huge page on amd64 and, with
	// pages of 4 KB, on arm64. Where it is another one, nothing breaks.
	hugePage = 2 << 20
	// oddPages is how many pages blocks are moved apart at most. Operands at
	// distances that are powers of two meet in the same sets of the caches,
	// which takes a third of the bandwidth.
	oddPages = 15
)

// mappings remembers what was mapped for a block, by its address.
var mappings struct {
	sync.Mutex
	of     map[*byte][]byte
	blocks int
}

// mapPages returns size bytes of fresh zero pages, of which only those that are
// touched take memory.
func mapPages(size int64) ([]byte, error) {
	page := os.Getpagesize()
	need := max(int(size), 1)
	extra, align := oddPages*page, page
	huge := size >= hugeBlock
	if huge {
		extra, align = oddPages*page+hugePage, hugePage
	}
	if device.PoolMode() == device.ModeExact {
		extra, align, huge = 0, page, false // an overrun must leave the mapping
	}
	if size != int64(int(size)) || need > need+extra {
		return nil, device.ErrOutOfMemory
	}
	all, err := unix.Mmap(-1, 0, need+extra, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		return nil, fmt.Errorf("%w: mmap: %w", device.ErrOutOfMemory, err)
	}
	start := -int(uintptr(unsafe.Pointer(&all[0]))) & (align - 1)
	mappings.Lock()
	defer mappings.Unlock()
	first := start
	if extra > 0 {
		start += (2*(mappings.blocks%((oddPages+1)/2)) + 1) * page
		mappings.blocks++
	}
	if huge {
		// A last part of less than half a huge page keeps small ones, so that a
		// block takes at most 1 MiB more than it has.
		n := (start + need - first + hugePage/2) / hugePage * hugePage
		adviseHuge(all[first:min(first+n, len(all))])
	}
	if mappings.of == nil {
		mappings.of = map[*byte][]byte{}
	}
	b := all[start : start+need : start+need]
	mappings.of[&b[0]] = all
	return b, nil
}

// unmapPages gives the pages of a block back. b is what mapPages returned, so
// that it cannot fail.
func unmapPages(b []byte, _ int64) {
	mappings.Lock()
	all := mappings.of[&b[0]]
	delete(mappings.of, &b[0])
	mappings.Unlock()
	_ = unix.Munmap(all)
}
