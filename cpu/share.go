package cpu

import "sync"

// share does units of work, each of about that cost in eighths of an addition,
// on n goroutines (workersFor), the caller's among them; work gets the number of
// its goroutine, 0..n-1, and a range of units. Which of them does which units
// must not matter to the result. It is split for work that is no Program.
func share(n, units int, cost int64, work func(number, lo, hi int)) {
	shareClaims(n, units, claimOf(cost), cost, work)
}

// shareRuns is share for work that keeps something from one unit for the next:
// a goroutine gets its whole range at once.
func shareRuns(units int, cost int64, work func(lo, hi int)) {
	n := workersFor(units, cost)
	shareClaims(n, units, units, cost, func(_, lo, hi int) { work(lo, hi) })
}

func shareClaims(n, units, claim int, cost int64, work func(number, lo, hi int)) {
	if n == 1 {
		work(0, 0, units)
		return
	}
	s := sharings.Get().(*sharing)
	s.work = work
	s.task.run(s, n, units, claim, int64(units)*cost)
	s.work = nil
	sharings.Put(s)
}

// sharing is a task that is no job's.
type sharing struct {
	task task
	work func(number, lo, hi int)
}

var sharings = sync.Pool{New: func() any { return new(sharing) }}

// help works on units of a sharing.
func (s *sharing) help(t *task, number int) {
	c := t.claims(number)
	for lo, hi, more := c.next(); more; lo, hi, more = c.next() {
		s.work(number, lo, hi)
	}
}
