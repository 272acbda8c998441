package device

import (
	"os"
	"sync"
	"testing"
	"time"
)

// piece is memory of an arena.
type piece struct {
	size int64
	mark int // whose it is; plain, so that the race detector sees two owners
}

// arena is a fake memory that checks what a Pool does with it.
type arena struct {
	t           *testing.T
	mu          sync.Mutex
	pieces      map[*piece]bool
	bytes, peak int64
	allocs      int
	refuse      func(size int64) error // asked before each allocation, under mu; nil: never
	onRelease   func()                 // called by Release without mu
}

func newArena(t *testing.T) *arena {
	return &arena{t: t, pieces: map[*piece]bool{}}
}

func (a *arena) alloc(size int64) (*piece, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.refuse != nil {
		if err := a.refuse(size); err != nil {
			return nil, err
		}
	}
	p := &piece{size: size}
	a.pieces[p] = true
	a.allocs++
	a.bytes += size
	a.peak = max(a.peak, a.bytes)
	return p, nil
}

func (a *arena) release(p *piece, size int64) {
	if a.onRelease != nil {
		a.onRelease()
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.pieces[p] {
		a.t.Error("memory released that is not allocated")
	}
	if p.size != size {
		a.t.Errorf("%d bytes released as %d", p.size, size)
	}
	delete(a.pieces, p)
	a.bytes -= size
}

func (a *arena) held() int64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.bytes
}

// TestMain makes every test, and the examples, say which mode they want.
func TestMain(m *testing.M) {
	os.Unsetenv("STRIDE0_POOL")
	os.Exit(m.Run())
}

// pool returns a Pool on the arena in the default mode. When the test ends it
// must close and leave nothing.
func (a *arena) pool(cfg PoolConfig[*piece]) *Pool[*piece] {
	return a.poolInMode("", cfg)
}

func (a *arena) poolInMode(mode string, cfg PoolConfig[*piece]) *Pool[*piece] {
	a.t.Helper()
	a.t.Setenv("STRIDE0_POOL", mode)
	cfg.Device, cfg.Alloc, cfg.Release = "fake", a.alloc, a.release
	p := NewPool(cfg)
	a.t.Cleanup(func() {
		if err := p.Close(); err != nil {
			a.t.Error(err)
		}
		if n := a.held(); n != 0 {
			a.t.Errorf("%d bytes are still allocated after Close", n)
		}
	})
	return p
}

func get(t *testing.T, p *Pool[*piece], size int64) *Block[*piece] {
	t.Helper()
	b, err := p.Get(size)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// eventually waits for what another goroutine does.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !ok(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("this did not come true: " + what)
		}
	}
}
