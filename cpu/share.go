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
	if n == 1 {
		work(0, 0, units)
		return
	}
	claim := max(1, int(min(portion/max(cost, 1), int64(units/(4*n)))))
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
