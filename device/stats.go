package device

import (
	"fmt"
	"sync/atomic"
)

// PoolStats describes a Pool at one moment. Sizes are in bytes.
type PoolStats struct {
	Live   int64 // lent out
	Peak   int64 // the most that was ever lent out
	Pooled int64 // waiting for reuse
	Limit  int64 // of Live and Pooled together
	Blocks int   // lent out

	Gets  uint64 // calls of Get
	Hits  uint64 // those served with reused memory
	Paces uint64 // garbage collections the Pool started
	Waits uint64 // times somebody waited for memory to come back
}

// Stats returns the Pool's counters.
func (p *Pool[M]) Stats() PoolStats {
	p.mu.Lock()
	defer p.mu.Unlock()
	return PoolStats{
		Live: p.live, Peak: p.peak, Pooled: p.free.bytes, Limit: p.limit, Blocks: p.blocks,
		Gets: p.gets, Hits: p.hits, Paces: p.started, Waits: p.waits,
	}
}

// Live returns the bytes lent out.
func (p *Pool[M]) Live() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.live
}

// DeviceStats describes a device at one moment.
type DeviceStats struct {
	Pool          PoolStats // zero for a device without a Pool
	HostFallbacks int64     // operations that went through the host, see AllowHost
	HostBytes     int64     // what was copied for them, there and back
	OverlapCopies int64     // operands copied because they might overlap the result
	OverlapBytes  int64
}

// String returns the counters as people read them: "live 1.0 MB in 3 blocks
// (peak 2.0 MB), pooled 512.0 kB, limit 4.0 GB; 1 GC pace, 0 waits; 0 host
// copies (0 B), 2 overlap copies (4.0 kB)".
func (s DeviceStats) String() string {
	p := s.Pool
	return fmt.Sprintf("live %s in %s (peak %s), pooled %s, limit %s; %s, %s; %s (%s), %s (%s)",
		Bytes(p.Live), count(int64(p.Blocks), "block", "blocks"), Bytes(p.Peak), Bytes(p.Pooled), Bytes(p.Limit),
		count(int64(p.Paces), "GC pace", "GC paces"), count(int64(p.Waits), "wait", "waits"),
		count(s.HostFallbacks, "host copy", "host copies"), Bytes(s.HostBytes),
		count(s.OverlapCopies, "overlap copy", "overlap copies"), Bytes(s.OverlapBytes))
}

func count(n int64, one, many string) string {
	if n == 1 {
		many = one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// PoolReporter is the ability of a device to tell about its memory.
type PoolReporter interface {
	PoolStats() PoolStats
}

// Trimmer is the ability of a device to give memory that waits for reuse back
// to the system.
type Trimmer interface {
	Trim() int64 // how many bytes that was
}

// Trim gives the memory of d that waits for reuse back to the system and
// returns how many bytes that was, 0 for a device that keeps none. A Pool does
// so by itself after a while; call Trim before a long pause, or to measure.
func Trim(d Device) int64 {
	if t, ok := d.(Trimmer); ok {
		return t.Trim()
	}
	return 0
}

// counter counts events and the bytes they moved.
type counter struct{ events, bytes atomic.Int64 }

func (c *counter) add(bytes int64) {
	c.events.Add(1)
	c.bytes.Add(bytes)
}

// Stats returns what d has counted so far.
func Stats(d Device) DeviceStats {
	var s DeviceStats
	if p, ok := d.(PoolReporter); ok {
		s.Pool = p.PoolStats()
	}
	if b := baseOf(d); b != nil {
		s.HostFallbacks, s.HostBytes = b.fallbacks.events.Load(), b.fallbacks.bytes.Load()
		s.OverlapCopies, s.OverlapBytes = b.overlaps.events.Load(), b.overlaps.bytes.Load()
	}
	return s
}

// CountHostFallback counts an operation of d that went through the host, and
// the bytes copied for it.
func CountHostFallback(d Device, bytes int64) {
	if b := baseOf(d); b != nil {
		b.fallbacks.add(bytes)
	}
}

// CountOverlapCopy counts an operand on d, of so many bytes, that was copied
// because it might overlap the result.
func CountOverlapCopy(d Device, bytes int64) {
	if b := baseOf(d); b != nil {
		b.overlaps.add(bytes)
	}
}
