package cpu

import (
	"sync"
	"sync/atomic"
	"time"
)

// rest is a time in which callers work alone, after a helper lost its processor
// to somebody else, another program perhaps. Most such losses pass, so the first
// rest is as long as what was lost; where the next loss follows soon the machine
// has more to do than processors to do it, and each rest is longer than the one
// before: one goroutine gets more done there.
type rest struct {
	until atomic.Int64 // in nanoseconds after began; 0 when there is none

	mu    sync.Mutex
	calm  int64 // a loss after this is the first again
	times int64 // how many times what was lost the last rest took
}

const (
	// mostTimes bounds what is lost to a thirtieth of the time.
	mostTimes = 32
	// longest bounds a rest: a program that was stopped for an hour lost no
	// more than one that was stopped for a second.
	longest = int64(time.Second)
	// soon is how long after a rest a loss is held to have the same cause, but
	// at least as long as the rest took.
	soon = int64(20 * time.Millisecond)
)

// began is when the program did. In a bubble of testing/synctest, whose clock is
// another, there may seem to be no rest, or one without end; both do no harm.
var began = time.Now()

// now reports whether it is time to rest.
func (r *rest) now() bool {
	until := r.until.Load()
	if until == 0 {
		return false
	}
	if int64(time.Since(began)) < until {
		return true
	}
	r.until.CompareAndSwap(until, 0)
	return false
}

// after begins a rest after so much was lost.
func (r *rest) after(lost time.Duration) { r.afterAt(int64(lost), int64(time.Since(began))) }

func (r *rest) afterAt(lost, now int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case now < r.until.Load(): // another helper lost its processor to the same
	case now < r.calm:
		r.times = min(2*r.times, mostTimes)
	default:
		r.times = 1
	}
	length := min(r.times*lost, longest)
	r.until.Store(max(r.until.Load(), now+length))
	r.calm = max(r.calm, now+length+max(length, soon))
}
