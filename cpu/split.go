package cpu

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// worthSplitting is the work, in additions, from which on a second goroutine
// pays: waking an idle processor takes 70 to 110 microseconds.
const worthSplitting = 64 << 10

// portion is the least work, in additions, that a worker claims at once.
const portion = 16 << 10

// parallel is the work of a job that workers share: units 0..units-1, claimed
// a few at a time, so that a worker that comes late or is interrupted costs no
// more than it gives.
type parallel struct {
	units, claim int
	extra        int // scratch bytes of each worker
	work         func(w *worker, lo, hi int)
	next         atomic.Int64
	wg           sync.WaitGroup
}

// split does units of work, each about cost additions, on as many goroutines
// as pay, the caller's among them. Which worker does which units must not
// matter to the result.
func (j *job) split(units int, cost int64, extra int, work func(w *worker, lo, hi int)) {
	n := workersFor(units, cost)
	if n == 1 {
		w := newWorker(j, extra)
		work(w, 0, units)
		w.done()
		return
	}
	p := &j.par
	p.units, p.extra, p.work = units, extra, work
	p.claim = max(1, int(min(portion/max(cost, 1), int64(units/(4*n)))))
	p.next.Store(0)
	for range n - 1 {
		p.wg.Go(j.claims)
	}
	j.claims()
	p.wg.Wait()
	p.work = nil
}

// workersFor returns how many goroutines the work is worth.
func workersFor(units int, cost int64) int {
	limit := runtime.GOMAXPROCS(0)
	if limit == 1 || units < 2 || int64(units)*cost < worthSplitting {
		return 1
	}
	byWork := int64(units) * int64(cost) / portion
	return int(min(int64(min(limit, units)), byWork))
}

// claims works on units until none is left.
func (j *job) claims() {
	p := &j.par
	var w *worker
	for {
		lo := int(p.next.Add(int64(p.claim))) - p.claim
		if lo >= p.units {
			break
		}
		if w == nil {
			w = newWorker(j, p.extra)
		}
		p.work(w, lo, min(lo+p.claim, p.units))
	}
	if w != nil {
		w.done()
	}
}
