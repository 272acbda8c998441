package servers

import (
	"sync"
	"sync/atomic"
	"time"
)

// spin is how long a helper waits for the next run before it sleeps: waking it
// takes as long as copying a megabyte.
const spin = time.Millisecond

// A team runs a function on every thread at once. Helpers spin between runs
// that follow each other, as those of the measured libraries do.
type team struct {
	helpers int
	work    func(i int)
	turn    atomic.Int64 // number of the run that helpers are to do
	left    atomic.Int64 // helpers that are not done with it

	mu   sync.Mutex
	wake sync.Cond
}

func newTeam(threads int) *team {
	t := &team{helpers: threads - 1}
	t.wake.L = &t.mu
	for i := range t.helpers {
		go t.help(i + 1)
	}
	return t
}

// run calls work(i) for every thread i and waits for all.
func (t *team) run(work func(i int)) {
	t.work = work
	t.left.Store(int64(t.helpers))
	t.mu.Lock()
	t.turn.Add(1)
	t.mu.Unlock()
	t.wake.Broadcast()
	work(0)
	for t.left.Load() > 0 {
	}
}

func (t *team) help(i int) {
	for done := int64(0); ; done++ {
		t.await(done)
		t.work(i)
		t.left.Add(-1)
	}
}

// await returns when the run after the given one has begun.
func (t *team) await(done int64) {
	for start, n := time.Now(), 1; t.turn.Load() == done; n++ {
		if n%1000 != 0 || time.Since(start) < spin {
			continue
		}
		t.mu.Lock()
		for t.turn.Load() == done {
			t.wake.Wait()
		}
		t.mu.Unlock()
	}
}
