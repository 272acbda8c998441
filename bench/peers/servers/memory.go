package servers

import (
	"bytes"

	"github.com/stride0/stride0/bench/peers/protocol"
)

// The modes of the peer memory. Go's memmove and memclr choose streaming
// (non-temporal) stores by the size of a call, so the size of pieces decides.
// Which is faster depends on whether the bytes fit in the cache.
const (
	Normal    = "normal"    // pieces of 256 KiB: stores through the cache
	Streaming = "streaming" // one piece a thread: from 1 MiB (copy) and 32 MiB (clear) on, stores past it
)

// The workloads of the peer memory besides those of the suite: what a thread
// or all can read, write or copy, far beyond any cache.
const (
	ReadMemory  = "read"
	WriteMemory = "write"
	CopyMemory  = "copy"

	// MemoryBytes is what each of them reads, or writes, or both.
	MemoryBytes = 256 << 20
)

const (
	piece       = 256 << 10
	leastMemory = 4096 // bytes of a workload below which a call costs more than its memory
)

// memory moves the bytes that a workload must move.
func memory(threads int) (protocol.Maker, error) {
	team := newTeam(threads)
	shares := make([]share, threads)
	return func(w string) (map[string]protocol.Run, error) {
		for i := range shares {
			shares[i].free()
		}
		var read, write int64
		switch w {
		case ReadMemory:
			read = MemoryBytes
		case WriteMemory:
			write = MemoryBytes
		case CopyMemory:
			read, write = MemoryBytes, MemoryBytes
		default:
			c, ok := find(w)
			if !ok || c.Bytes() < leastMemory {
				return nil, nil
			}
			read, write = c.Read, c.Write
		}
		for i := range shares {
			shares[i] = newShare(read/int64(threads), write/int64(threads))
		}
		run := func(size int) protocol.Run {
			work := func(i int) { shares[i].move(size) }
			return func() error { team.run(work); return nil }
		}
		return map[string]protocol.Run{Normal: run(piece), Streaming: run(MemoryBytes)}, nil
	}, nil
}

// A share is the bytes of one thread.
type share struct {
	src, dst         []byte
	freeSrc, freeDst func()
}

func newShare(read, write int64) share {
	var s share
	s.src, s.freeSrc = hugePages(read)
	s.dst, s.freeDst = hugePages(write)
	clear(s.src) // so that each has pages of its own
	clear(s.dst)
	return s
}

func (s *share) free() {
	if s.src != nil {
		s.freeSrc()
		s.freeDst()
	}
	*s = share{}
}

// move copies what is both read and written, and reads or writes the rest.
func (s share) move(size int) {
	both := min(len(s.src), len(s.dst))
	for i := 0; i < both; i += size {
		end := min(i+size, both)
		copy(s.dst[i:end], s.src[i:end])
	}
	for i := both; i < len(s.src); i += piece {
		readAll(s.src[i:min(i+piece, len(s.src))])
	}
	for i := both; i < len(s.dst); i += size {
		clear(s.dst[i:min(i+size, len(s.dst))])
	}
}

// readAll reads v, which is all zero: the comparison of its halves is the
// fastest loop of the Go runtime that only reads.
func readAll(v []byte) {
	half := len(v) / 2
	if !bytes.Equal(v[:half], v[half:2*half]) {
		panic("memory was written by another")
	}
}
