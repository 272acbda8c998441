package device

import (
	"runtime"
	"sync/atomic"
)

// Block is memory lent out by a Pool until Free is called or the Block becomes
// unreachable. What Mem returns does not keep it reachable: code that hands the
// memory to a driver calls runtime.KeepAlive on the Block, or on what refers to
// it, once the work is enqueued.
type Block[M any] struct {
	slot    *slot[M]
	size    int64
	freed   atomic.Bool
	cleanup runtime.Cleanup
}

// newBlock lends s out. The cleanup refers to the slot and never to the Block.
func newBlock[M any](s *slot[M], size int64) *Block[M] {
	b := &Block[M]{slot: s, size: size}
	b.cleanup = runtime.AddCleanup(b, s.pool.collected, s)
	return b
}

// Mem returns the memory, or M's zero value once the Block is freed.
func (b *Block[M]) Mem() M {
	if b.freed.Load() {
		var none M
		return none
	}
	return b.slot.mem
}

// Size returns the bytes that were asked for.
func (b *Block[M]) Size() int64 { return b.size }

// Capacity returns the bytes there are, at least Size.
func (b *Block[M]) Capacity() int64 { return b.slot.capacity }

// Freed reports whether Free was called.
func (b *Block[M]) Freed() bool { return b.freed.Load() }

// Free gives the memory back at once; work that was enqueued before may still
// use it. A second Free does nothing.
func (b *Block[M]) Free() {
	if b.freed.Swap(true) {
		return
	}
	// While b is reachable the cleanup is not queued, and a stopped one never
	// is, so the slot goes back exactly once.
	b.cleanup.Stop()
	b.slot.pool.put(b.slot, false)
	runtime.KeepAlive(b)
}

// put takes a slot back, for reuse if it has a class.
func (p *Pool[M]) put(s *slot[M], byCleanup bool) {
	p.mu.Lock()
	if !p.lost {
		p.blocks--
		p.fell(s.capacity, s.born, byCleanup)
		if s.class != noClass {
			p.keep(s)
			p.mu.Unlock()
			return
		}
	}
	defer p.begin()()
	p.mu.Unlock()
	p.release(s.mem, s.capacity)
}
