// Package report holds what a run of all peers measured and draws it: JSON,
// Markdown tables, charts.
//
// Vocabulary: a Series is the times of one peer on one workload in one mode on
// a number of threads, one median for each round; the limit of a workload is
// the time in which the peer memory moves its bytes; the best peer is the
// fastest series of a peer that is no reference, on at most as many threads.
package report

import (
	"slices"

	"github.com/stride0/stride0/bench/peers/protocol"
	"github.com/stride0/stride0/bench/peers/servers"
)

// Ours and the references by the names of their servers.
const (
	Ours       = "stride0"
	contiguous = "contiguous"
	loop       = "loop"
	memory     = "memory"
)

var references = []string{Ours, contiguous, loop, memory}

// A Run is all that was measured together.
type Run struct {
	Machine  Machine
	Rounds   int
	Slice    float64  // seconds of each peer in each round
	LeftOut  []string // peers that are not there, and why
	Work     []Work
	Measured []Series
}

// A Machine is where; ratios of another one or another hour may differ.
type Machine struct {
	CPU     string
	Threads int
	Load    string // of the last minute, before the run
	Go      string
	Time    string
}

// Work is a workload: what it moves and computes.
type Work struct {
	W, Text string
	Bytes   int64
	Flops   int64
}

// A Series is the times of one peer in one mode.
type Series struct {
	W, Mode, Peer string
	Threads       int
	MS            []float64 // the median of each round
}

// Time is the median over rounds, in milliseconds.
func (s Series) Time() float64 { return Median(s.MS) }

// Median returns the middle of v, the mean of the two middle ones of an even
// number; 0 of none.
func Median(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(v))
	middle := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[middle]
	}
	return (sorted[middle-1] + sorted[middle]) / 2
}

// Find returns the time of a peer on exactly so many threads, 0 if it was not
// measured.
func (r *Run) Find(w, mode, peer string, threads int) float64 {
	for _, s := range r.Measured {
		if s.W == w && s.Mode == mode && s.Peer == peer && s.Threads == threads {
			return s.Time()
		}
	}
	return 0
}

// Peer returns the time of a peer on at most so many threads: of one that uses
// a single thread that is its time beside others that use more.
func (r *Run) Peer(w, mode, peer string, threads int) float64 {
	for ; threads > 0; threads-- {
		if t := r.Find(w, mode, peer, threads); t > 0 {
			return t
		}
	}
	return 0
}

// Best returns the fastest peer and its time, "" if no peer has the workload.
func (r *Run) Best(w, mode string, threads int) (peer string, ms float64) {
	for _, s := range r.Measured {
		if s.W != w || s.Mode != mode || s.Threads > threads || slices.Contains(references, s.Peer) {
			continue
		}
		if t := s.Time(); ms == 0 || t < ms {
			peer, ms = s.Peer, t
		}
	}
	return peer, ms
}

// Limit returns the time in which the bytes of a workload can be moved: the
// faster of normal and streaming stores. 0 where memory is not what limits.
func (r *Run) Limit(w string, threads int) float64 {
	normal, streaming := r.Find(w, servers.Normal, memory, threads), r.Find(w, servers.Streaming, memory, threads)
	if streaming > 0 && (normal == 0 || streaming < normal) {
		return streaming
	}
	return normal
}

// Bandwidth returns the bytes per second of a workload of the peer memory.
func (r *Run) Bandwidth(w string, threads int) float64 {
	bytes := float64(servers.MemoryBytes)
	if w == servers.CopyMemory {
		bytes *= 2
	}
	return ratio(bytes*1e3, r.Limit(w, threads))
}

// Speedup returns how many times faster ours is than the best peer, 0 if
// either is missing.
func (r *Run) Speedup(w, mode string, threads int) float64 {
	_, best := r.Best(w, mode, threads)
	return ratio(best, r.Find(w, mode, Ours, threads))
}

// Reached returns the share of the limit that ours reaches.
func (r *Run) Reached(w, mode string, threads int) float64 {
	return ratio(r.Limit(w, threads), r.Find(w, mode, Ours, threads))
}

// Slowdown returns how much longer ours takes than the contiguous addition of
// as many bytes.
func (r *Run) Slowdown(w, mode string, threads int) float64 {
	return ratio(r.Find(w, mode, Ours, threads), r.Find(w, mode, contiguous, threads))
}

// ratio is a/b, 0 if either is missing.
func ratio(a, b float64) float64 {
	if a == 0 || b == 0 {
		return 0
	}
	return a / b
}

// modes are those that peers are compared in.
var modes = []string{protocol.Alloc, protocol.Out}
