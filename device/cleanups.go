package device

import (
	"runtime/metrics"
	"time"
)

const (
	// cleanupBound is the longest wait for a collection's cleanups.
	cleanupBound = time.Second
	// cleanupQuiet ends the wait when none of the Pool's own cleanups has run
	// for so long, because a cleanup elsewhere in the program may block for
	// good and would otherwise cost every collection the full bound.
	cleanupQuiet = 100 * time.Millisecond
)

// awaitCleanups returns when the cleanups queued by the last garbage
// collection have run. It is called right after runtime.GC, which returns once
// everything is swept, and the sweeper is what queues cleanups; they then run
// on goroutines of the runtime, in any order and concurrently, so that no
// object's cleanup marks the end of the others'. The runtime counts them
// instead: when as many were executed as were queued, none is outstanding.
//
// progress counts the cleanups that the caller waits for. It ends the wait
// when it stands still, whatever other packages' cleanups do, and serves alone
// should a runtime not publish the counts.
func awaitCleanups(progress func() uint64) {
	samples := []metrics.Sample{
		{Name: "/gc/cleanups/queued:cleanups"},
		{Name: "/gc/cleanups/executed:cleanups"},
	}
	start := time.Now()
	last, quietSince := progress(), start
	for pause := 10 * time.Microsecond; ; pause = min(2*pause, time.Millisecond) {
		if drained(samples) {
			return
		}
		now := time.Now()
		if n := progress(); n != last {
			last, quietSince = n, now
		}
		if now.Sub(quietSince) > cleanupQuiet || now.Sub(start) > cleanupBound {
			return
		}
		time.Sleep(pause)
	}
}

// drained reports whether every queued cleanup has been executed.
func drained(samples []metrics.Sample) bool {
	metrics.Read(samples)
	queued, executed := samples[0].Value, samples[1].Value
	if queued.Kind() != metrics.KindUint64 || executed.Kind() != metrics.KindUint64 {
		return false
	}
	return executed.Uint64() >= queued.Uint64()
}
