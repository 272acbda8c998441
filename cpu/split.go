package cpu

import "runtime"

// portion is the least work, in eighths of an addition (some 0.05 ns), for
// which a goroutine is asked to help, and about what one claims at once. Half of
// 32K additions in assembly, or of 4K to 8K exponentials, takes as long as it
// takes to hand the other half to a helper that is awake and to see it done.
const portion = 64 << 10

// workersFor returns how many goroutines units of work are worth, each of about
// that cost in eighths of an addition.
func workersFor(units int, cost int64) int {
	if units < 2 || int64(units)*cost < 2*portion {
		return 1
	}
	limit := min(runtime.GOMAXPROCS(0), units)
	return int(min(int64(limit), int64(units)*cost/portion))
}

// claimOf returns how many units of that cost a goroutine claims at once.
func claimOf(cost int64) int { return int(max(1, portion/max(cost, 1))) }

// split does units of work, each of about that cost in eighths of an addition,
// on as many goroutines as pay, the caller's among them. Which worker does which
// units must not matter to the result.
func (j *job) split(units int, cost int64, extra int, work func(w *worker, lo, hi int)) {
	n := workersFor(units, cost)
	if n == 1 {
		w := newWorker(j, extra)
		work(w, 0, units)
		w.done()
		return
	}
	j.extra, j.work = extra, work
	j.task.run(j, n, units, claimOf(cost), int64(units)*cost)
	j.work = nil
}

// help works on units of a job.
func (j *job) help(t *task, number int) {
	c := t.claims(number)
	lo, hi, more := c.next()
	if !more {
		return
	}
	w := newWorker(j, j.extra)
	for ; more; lo, hi, more = c.next() {
		j.work(w, lo, hi)
	}
	w.done()
}
