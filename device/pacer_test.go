package device

import (
	"errors"
	"runtime"
	"runtime/debug"
	"sync"
	"testing"
	"time"
)

const kib = 1 << 10

// noGC turns the program's own collections off, so that only the Pool's happen.
func noGC(t *testing.T) {
	percent := debug.SetGCPercent(-1)
	t.Cleanup(func() { debug.SetGCPercent(percent) })
}

// awaitCollection waits for the end of a collection that must have begun.
func awaitCollection(t *testing.T, p *Pool[*piece]) {
	t.Helper()
	eventually(t, "the last collection ends", func() bool {
		p.mu.Lock()
		defer p.mu.Unlock()
		return !p.collecting
	})
	if p.base == 0 {
		t.Fatal("no collection has been paced, or it found nothing live")
	}
}

func TestPacingBoundsDroppedBlocks(t *testing.T) {
	noGC(t)
	for _, tt := range []struct {
		name    string
		workers int
	}{{"one goroutine", 1}, {"many goroutines", 16}} {
		t.Run(tt.name, func(t *testing.T) {
			a := newArena(t)
			p := a.pool(PoolConfig[*piece]{Threshold: 2048 * kib})
			var wg sync.WaitGroup
			for range tt.workers {
				wg.Go(func() {
					for range 50_000 / tt.workers {
						if _, err := p.Get(4 * kib); err != nil {
							t.Error(err)
							return
						}
					}
				})
			}
			wg.Wait()
			// Nothing survives a collection, so L stays near 0 and the ceiling
			// near two thresholds.
			if s := p.Stats(); s.Peak > 2*2048*kib+3*int64(tt.workers)*4*kib || a.peak > s.Peak {
				t.Errorf("memory grew to %d bytes of live blocks and %d in all", s.Peak, a.peak)
			} else if s.Paces < 10 {
				t.Errorf("only %d collections in 200 MB of garbage", s.Paces)
			}
		})
	}
}

func TestPacingStaysUnderTheLimit(t *testing.T) {
	noGC(t)
	a := newArena(t)
	p := a.pool(PoolConfig[*piece]{Limit: 1024 * kib}) // the threshold alone would allow more
	for range 5_000 {
		get(t, p, 4*kib)
	}
	if a.peak > 1024*kib {
		t.Errorf("the Pool held %d bytes", a.peak)
	}
}

func TestPacingIsRareWhenEverythingIsNeeded(t *testing.T) {
	noGC(t)
	a := newArena(t)
	p := a.pool(PoolConfig[*piece]{Threshold: 64 * kib})
	var blocks []*Block[*piece]
	for range 16 * 1024 { // 64 MiB: ten doublings of the threshold
		blocks = append(blocks, get(t, p, 4*kib))
	}
	if n := p.Stats().Paces; n < 5 || n > 12 {
		t.Errorf("%d collections while the live bytes doubled ten times", n)
	}
	for _, b := range blocks {
		b.Free()
	}
}

func TestPacingIgnoresWhatIsFreed(t *testing.T) {
	noGC(t)
	p := newArena(t).pool(PoolConfig[*piece]{Threshold: 64 * kib})
	for range 1000 {
		get(t, p, 1<<20).Free() // far above the ceiling, but no garbage
	}
	if n := p.Stats().Paces; n != 0 {
		t.Errorf("%d collections although every block was freed", n)
	}
}

func TestPacingFollowsTheProgramsOwnCollections(t *testing.T) {
	noGC(t)
	p := newArena(t).pool(PoolConfig[*piece]{Threshold: 64 * kib, Idle: time.Hour})
	var blocks []*Block[*piece]
	for range 1024 {
		blocks = append(blocks, get(t, p, 4*kib))
	}
	awaitCollection(t, p)
	runtime.KeepAlive(blocks)
	blocks = nil
	runtime.GC()
	eventually(t, "L falls with what is live", func() bool {
		p.mu.Lock()
		defer p.mu.Unlock()
		return p.live == 0 && p.base == 0
	})
}

func TestWaitersWakeWhenEnoughCameBack(t *testing.T) {
	var p pacer
	p.grew(1000)
	wake := p.waker(500)
	if p.waker(800) != wake {
		t.Fatal("two waiters have two channels")
	}
	woken := func() bool {
		select {
		case <-wake:
			return true
		default:
			return false
		}
	}
	p.fell(199, 0, false)
	if woken() {
		t.Error("woken with 801 bytes live, the waiters need 500 and 800")
	}
	p.fell(1, 0, false)
	if !woken() {
		t.Error("not woken with 800 bytes live")
	}
	wake = p.waker(500) // the other one waits again
	p.fell(299, 0, false)
	if woken() {
		t.Error("woken with 501 bytes live, the waiter needs 500")
	}
	p.fell(1, 0, true)
	if !woken() {
		t.Error("not woken with 500 bytes live")
	}
}

func TestLimitWaitsForAnotherGoroutinesFree(t *testing.T) {
	p := newArena(t).pool(PoolConfig[*piece]{Limit: 64 * kib})
	hold := get(t, p, 60*kib)
	// The other goroutine shows that memory comes back, as it does in a program
	// that works at its limit, and then frees what is waited for.
	stop := make(chan bool)
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case <-stop:
				hold.Free()
				return
			default:
				get(t, p, 64).Free()
			}
		}
	})
	time.AfterFunc(30*time.Millisecond, func() { close(stop) })
	get(t, p, 32*kib).Free()
	wg.Wait()
	if s := p.Stats(); s.Waits == 0 {
		t.Error("nobody waited")
	}
}

func TestLimitFailsWhenAllIsNeeded(t *testing.T) {
	p := newArena(t).pool(PoolConfig[*piece]{Limit: 64 * kib, Patience: time.Minute})
	hold := get(t, p, 60*kib)
	start := time.Now()
	if _, err := p.Get(32 * kib); !errors.Is(err, ErrOutOfMemory) {
		t.Errorf("error %v, want ErrOutOfMemory", err)
	}
	if d := time.Since(start); d > 30*time.Second {
		t.Errorf("it took %v to see that waiting is no use", d)
	}
	hold.Free()
}

func TestPatienceEndsTheWait(t *testing.T) {
	p := newArena(t).pool(PoolConfig[*piece]{Limit: 64 * kib, Patience: 50 * time.Millisecond})
	hold := get(t, p, 60*kib)
	stop := make(chan bool)
	var wg sync.WaitGroup
	wg.Go(func() { // memory comes back all the time, but never enough
		for {
			select {
			case <-stop:
				return
			default:
				get(t, p, 64).Free()
			}
		}
	})
	if _, err := p.Get(32 * kib); !errors.Is(err, ErrOutOfMemory) {
		t.Errorf("error %v, want ErrOutOfMemory", err)
	}
	close(stop)
	wg.Wait()
	hold.Free()
}

// A cleanup elsewhere that never returns may occupy the goroutine that runs
// ours. Allocation then goes on without waiting for good.
func TestPacingSurvivesABlockedCleanup(t *testing.T) {
	entered, leave := make(chan bool), make(chan bool)
	object := new([100]int)
	runtime.AddCleanup(object, func(c chan bool) { close(entered); <-c }, leave)
	object = nil
	runtime.GC()
	<-entered
	start := time.Now()
	t.Run("allocate", func(t *testing.T) {
		t.Cleanup(func() { close(leave) })
		p := newArena(t).pool(PoolConfig[*piece]{Threshold: 64 * kib})
		t.Cleanup(func() { leave <- true }) // before the Pool closes
		for range 100 {
			get(t, p, 4*kib)
		}
		if d := time.Since(start); d > 20*time.Second {
			t.Errorf("100 allocations took %v", d)
		}
	})
}

func TestPoolLeavesNoGoroutine(t *testing.T) {
	before := runtime.NumGoroutine()
	t.Run("pool", func(t *testing.T) {
		p := newArena(t).pool(PoolConfig[*piece]{Threshold: 64 * kib, Idle: time.Millisecond})
		get(t, p, 100).Free()
		// One more for the subtest; others end by themselves: the runtime's
		// own that runs cleanups, and the timer's that trims idle memory.
		eventually(t, "no goroutine before any is needed", func() bool { return runtime.NumGoroutine() <= before+1 })
		for range 1000 {
			get(t, p, 4*kib)
		}
	})
	eventually(t, "all goroutines have ended", func() bool { return runtime.NumGoroutine() <= before })
}
