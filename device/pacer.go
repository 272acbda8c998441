package device

import (
	"runtime"
	"sync"
	"time"
)

// pacer decides when a Pool collects garbage. The Go GC does not see the bytes
// behind a Block, so a program that drops Blocks would fill the memory long
// before its small heap makes the GC run.
//
// Let L (base) be the live bytes once the last collection's cleanups have run,
// of the blocks lent out before it began: only those has it examined, and a
// fast allocator makes much new garbage until it is over. (Counting that as
// needed lets L grow without end.) Above trigger = L + max(threshold, L) a
// collection starts in the background; above ceiling = L + 2·max(threshold, L)
// allocators wait for it. If what is live is really needed, L rises with it and
// the next collection is due only when the live bytes have doubled, so its cost
// stays in proportion.
//
// All fields are guarded by mu, which is the Pool's lock too.
type pacer struct {
	mu        sync.Mutex
	threshold int64         // bytes of garbage that are always tolerated
	patience  time.Duration // the longest an allocator waits

	live, peak int64    // bytes lent out; the most ever
	recent     [2]int64 // the most in this idle period and the one before
	base       int64    // L
	old        int64    // bytes lent out before the last collection began
	frees      uint64   // Blocks that came back
	cleaned    uint64   // those of them that a cleanup brought back

	collecting    bool
	started, done uint64 // collections
	waits         uint64
	wake          chan struct{} // closed to wake the waiters; nil when there are none
	wakeAt        int64         // the most live bytes that let one of them go on

	closed     bool
	background sync.WaitGroup // work outside mu that Close waits for, see begin
}

// begin counts work that goes on after mu is let go, so that Close waits for
// its end. It needs mu. After Close nobody waits and nothing is counted.
func (p *pacer) begin() (end func()) {
	if p.closed {
		return func() {}
	}
	p.background.Add(1)
	return p.background.Done
}

// slack is the garbage tolerated before a collection starts.
func (p *pacer) slack() int64   { return max(p.threshold, p.base) }
func (p *pacer) trigger() int64 { return p.base + p.slack() }
func (p *pacer) ceiling() int64 { return p.base + 2*p.slack() }

// footprint is the most bytes that live and pooled memory together may reach
// by a new allocation: what may be live anyway, or was live lately.
func (p *pacer) footprint() int64 { return max(p.ceiling(), p.recent[0], p.recent[1]) }

// grew records that n more bytes are lent out.
func (p *pacer) grew(n int64) {
	p.live += n
	p.peak = max(p.peak, p.live)
	p.recent[0] = max(p.recent[0], p.live)
}

// fell records that n bytes came back that were lent out when born collections
// had begun. A cleanup that runs when the Pool is not collecting shows that the
// program's own collection has found less to be live, and L follows. An
// explicit Free says nothing about garbage: what it frees may be needed again.
func (p *pacer) fell(n int64, born uint64, byCleanup bool) {
	p.live -= n
	p.frees++
	if byCleanup {
		p.cleaned++
	}
	if born < p.started {
		p.old -= n
		if byCleanup && !p.collecting {
			p.base = max(p.base-n, 0)
		}
	}
	if p.live <= p.wakeAt {
		p.wakeAll()
	}
}

// pace is called, with mu held, before an allocation. It looks at what is live
// without that allocation: memory that is freed explicitly before the next one
// is no garbage, however large it is. It may let go of mu while it waits.
func (p *pacer) pace() {
	switch {
	case p.live <= p.trigger():
	case p.live <= p.ceiling():
		p.collect()
	default:
		p.await(p.ceiling, 1)
	}
}

// collect starts a collection on a goroutine of its own, unless one is running.
func (p *pacer) collect() {
	if p.collecting || p.closed {
		return
	}
	p.collecting = true
	p.started++
	p.old = p.live
	go p.run(p.begin())
}

// run is one collection.
func (p *pacer) run(end func()) {
	defer end()
	runtime.GC()
	awaitCleanups(p.cleanups)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.base = p.old
	p.done = p.started
	p.collecting = false
	p.wakeAll()
}

func (p *pacer) cleanups() uint64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.cleaned
}

// await waits, with mu let go, until at most level() bytes are live. It gives
// up when that many collections, all started after the call, did not help
// although no memory came back meanwhile from anyone, or when patience ends.
func (p *pacer) await(level func() int64, collections uint64) {
	if p.live <= level() {
		return
	}
	p.waits++
	timeout := time.NewTimer(p.patience)
	defer timeout.Stop()
	target, frees := p.started+collections, p.frees
	for p.live > level() && !p.closed {
		if p.done >= target {
			if p.frees == frees {
				return
			}
			target, frees = p.started+1, p.frees
		}
		p.collect()
		wake := p.waker(level())
		p.mu.Unlock()
		expired := false
		select {
		case <-wake:
		case <-timeout.C:
			expired = true
		}
		p.mu.Lock()
		if expired {
			return
		}
	}
}

// waker returns a channel that is closed when at most level bytes are live or
// a collection has ended.
func (p *pacer) waker(level int64) <-chan struct{} {
	if p.wake == nil {
		p.wake, p.wakeAt = make(chan struct{}), level
	}
	p.wakeAt = max(p.wakeAt, level)
	return p.wake
}

func (p *pacer) wakeAll() {
	if p.wake != nil {
		close(p.wake)
		p.wake = nil
	}
	p.wakeAt = -1
}
