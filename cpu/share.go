package cpu

import (
	"sync"
	"sync/atomic"
)

// share does units of work, each about cost additions, on as many goroutines
// as pay, the caller's among them; work gets the number of its goroutine,
// 0..workersFor-1, and a range of units. Which worker does which units must
// not matter to the result. It is split for work that is no Program.
func share(units int, cost int64, work func(worker, lo, hi int)) {
	n := workersFor(units, cost)
	claimed(units, n, max(1, int(min(portion/max(cost, 1), int64(units/(4*n))))), work)
}

// shareRuns is share for work that keeps something from one unit for the next:
// each goroutine gets one range.
func shareRuns(units int, cost int64, work func(lo, hi int)) {
	n := workersFor(units, cost)
	claimed(units, n, (units+n-1)/n, func(_, lo, hi int) { work(lo, hi) })
}

// claimed has n goroutines claim so many units at a time until none is left.
func claimed(units, n, claim int, work func(worker, lo, hi int)) {
	if n == 1 {
		work(0, 0, units)
		return
	}
	var next atomic.Int64
	claims := func(worker int) {
		for {
			lo := int(next.Add(int64(claim))) - claim
			if lo >= units {
				return
			}
			work(worker, lo, min(lo+claim, units))
		}
	}
	var wg sync.WaitGroup
	for i := 1; i < n; i++ {
		wg.Go(func() { claims(i) })
	}
	claims(0)
	wg.Wait()
}
