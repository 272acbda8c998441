package cpu

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// withProcs runs the rest of the test with n processors for Go code and no
// helper awake.
func withProcs(t *testing.T, n int) {
	t.Helper()
	before := runtime.GOMAXPROCS(n)
	t.Cleanup(func() { runtime.GOMAXPROCS(before) })
	awaitSleep(t)
	team.missed.Store(0)
	team.rest.until.Store(0)
}

// awaitSleep waits until no helper is left.
func awaitSleep(t *testing.T) {
	t.Helper()
	for start := time.Now(); awake() > 0; time.Sleep(time.Millisecond) {
		if time.Since(start) > 10*time.Second {
			t.Fatalf("%d helpers are awake long after the last work", awake())
		}
	}
}

// awake counts the helpers that have a goroutine.
func awake() (n int) {
	if list := team.helpers.Load(); list != nil {
		for _, h := range *list {
			if h.state.Load() != &asleep {
				n++
			}
		}
	}
	return n
}

// withSpin sets for how long helpers stay awake.
func withSpin(t *testing.T, d time.Duration) {
	t.Helper()
	awaitSleep(t)
	before := spinTime
	spinTime = d
	t.Cleanup(func() {
		awaitSleep(t)
		spinTime = before
	})
}

// heavy is the cost of a unit that is worth waking a helper for.
const heavy = worthWaking

func TestEveryUnitIsDoneOnce(t *testing.T) {
	for _, spin := range []time.Duration{0, usualSpin} {
		for _, procs := range []int{1, 2, 7} {
			withSpin(t, spin)
			withProcs(t, procs)
			var callers sync.WaitGroup
			for range 8 { // all of them at once
				callers.Go(func() {
					for units := range 60 {
						checkUnits(t, units, func(work func(number, lo, hi int)) {
							share(workersFor(units, heavy), units, heavy, work)
						})
						checkUnits(t, units, func(work func(number, lo, hi int)) {
							shareRuns(units, heavy, func(lo, hi int) { work(0, lo, hi) })
						})
					}
				})
			}
			callers.Wait()
		}
	}
}

// checkUnits has run do that many units.
func checkUnits(t *testing.T, units int, run func(work func(number, lo, hi int))) {
	done := make([]atomic.Int32, units)
	limit := runtime.GOMAXPROCS(0)
	run(func(number, lo, hi int) {
		if number < 0 || number >= limit {
			t.Errorf("goroutine number %d of %d", number, limit)
		}
		for i := lo; i < hi; i++ {
			done[i].Add(1)
		}
	})
	for i := range done {
		if n := done[i].Load(); n != 1 {
			t.Errorf("unit %d of %d was done %d times", i, units, n)
		}
	}
}

// TestNumbersTellGoroutinesApart: working memory is found by number.
func TestNumbersTellGoroutinesApart(t *testing.T) {
	withProcs(t, 4)
	var inUse [4]atomic.Bool
	for range 50 {
		share(4, 64, heavy, func(number, lo, hi int) {
			if inUse[number].Swap(true) {
				t.Errorf("two goroutines are number %d", number)
			}
			runtime.Gosched()
			inUse[number].Store(false)
		})
	}
}

// TestHelpersTakePart waits in one unit until another goroutine does the other.
func TestHelpersTakePart(t *testing.T) {
	withProcs(t, 2)
	var began sync.WaitGroup
	began.Add(2)
	share(2, 2, heavy, func(_, lo, hi int) {
		for range hi - lo {
			began.Done()
		}
		began.Wait() // forever, if the caller were alone
	})
}

// TestCallerWaitsForNobodyWhoHasNotBegun holds all helpers up in one task while
// another is run.
func TestCallerWaitsForNobodyWhoHasNotBegun(t *testing.T) {
	withProcs(t, 2)
	hold, held := make(chan bool), make(chan bool, 2)
	var slow sync.WaitGroup
	slow.Go(func() {
		share(2, 2, heavy, func(_, lo, hi int) {
			held <- true
			<-hold
		})
	})
	<-held
	<-held
	checkUnits(t, 100, func(work func(number, lo, hi int)) { share(2, 100, heavy, work) })
	close(hold)
	slow.Wait()
}

// TestCallerSleepsUntilHelpersLeave gives the helper work for longer than the
// caller looks out for it.
func TestCallerSleepsUntilHelpersLeave(t *testing.T) {
	withProcs(t, 2)
	var began sync.WaitGroup
	began.Add(2)
	var done atomic.Int32
	share(2, 2, heavy, func(number, lo, hi int) {
		began.Done()
		began.Wait()
		if number > 0 {
			time.Sleep(20 * time.Millisecond)
		}
		done.Add(1)
	})
	if done.Load() != 2 {
		t.Error("the call returned before the helper was done")
	}
	if !team.rest.now() {
		t.Error("the team takes no rest after a helper was held up")
	}
	share(2, 2, heavy, func(number, lo, hi int) {
		if number != 0 {
			t.Error("a helper works in the rest")
		}
	})
	for start := time.Now(); team.rest.now(); time.Sleep(time.Millisecond) {
		if time.Since(start) > 10*time.Second {
			t.Fatal("the rest does not end")
		}
	}
}

func TestHelpersEndAfterTheSpin(t *testing.T) {
	withProcs(t, 4)
	goroutines := runtime.NumGoroutine()
	for range 20 {
		share(4, 64, heavy, func(number, lo, hi int) {})
	}
	awaitSleep(t)
	for start := time.Now(); runtime.NumGoroutine() > goroutines; time.Sleep(time.Millisecond) {
		if time.Since(start) > 10*time.Second {
			t.Fatalf("%d goroutines, before the work %d", runtime.NumGoroutine(), goroutines)
		}
	}
}

func TestNoHelperOnOneProcessor(t *testing.T) {
	withProcs(t, 1)
	if n := workersFor(1000, heavy); n != 1 {
		t.Errorf("%d goroutines on one processor", n)
	}
	h := new(helper)
	if start := time.Now(); h.spin() || time.Since(start) > time.Second {
		t.Error("a helper spins on the only processor")
	}
}

// TestCallersKeepTheirProcessors: where every processor has a caller, nobody is
// asked to help.
func TestCallersKeepTheirProcessors(t *testing.T) {
	withProcs(t, 2)
	var helped atomic.Bool
	both := func(number, _, _ int) {
		if number > 0 {
			helped.Store(true)
		}
		time.Sleep(time.Millisecond) // long enough for a helper to come
	}
	team.callers.Add(1)
	for range 20 {
		share(2, 4, heavy, both)
	}
	team.callers.Add(-1)
	if helped.Load() {
		t.Error("a helper took the processor of a caller")
	}
}

func TestSmallWorkWakesHelpersOnceItAddsUp(t *testing.T) {
	withSpin(t, usualSpin)
	withProcs(t, 2)
	small := task{}
	for asked := int64(0); ; asked += 2 * portion {
		team.ask(&small, 1, 2*portion)
		if len(small.asked) > 0 {
			if asked < worthWaking/2 {
				t.Errorf("a goroutine is started after work for %d additions", asked)
			}
			break
		}
		if asked > 2*worthWaking {
			t.Fatal("small work never gets a helper")
		}
	}
	small.open.Add(small.takeBack())
}

func TestSpinSetting(t *testing.T) {
	for value, want := range map[string]time.Duration{
		"": usualSpin, "0": 0, "0s": 0, "500us": 500 * time.Microsecond, "1h": maxSpin, "-1ms": usualSpin, "long": usualSpin,
	} {
		if got := spinSetting(value); got != want {
			t.Errorf("STRIDE0_SPIN=%s: %v, want %v", value, got, want)
		}
	}
}
