package device

import (
	"errors"
	"runtime"
	"testing"
	"time"
)

func TestPoolCloseIsBusyWhileBlocksLive(t *testing.T) {
	a := newArena(t)
	p := a.pool(PoolConfig[*piece]{})
	b := get(t, p, 1000)
	err := p.Close()
	if !errors.Is(err, ErrBusy) {
		t.Fatalf("error %v, want ErrBusy", err)
	}
	get(t, p, 1000).Free() // still usable
	b.Free()
	for range 2 {
		if err := p.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := p.Get(1); !errors.Is(err, ErrClosed) {
		t.Errorf("Get after Close: %v, want ErrClosed", err)
	}
	p.Trim()
}

func TestPoolCloseCollectsDroppedBlocks(t *testing.T) {
	p := newArena(t).pool(PoolConfig[*piece]{})
	for range 1000 {
		get(t, p, 1000)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
}

func TestPoolCloseCollectsWhatAFinalizerHolds(t *testing.T) {
	p := newArena(t).pool(PoolConfig[*piece]{})
	owner := &struct{ b *Block[*piece] }{get(t, p, 1000)}
	runtime.SetFinalizer(owner, func(any) {})
	owner = nil
	if err := p.Close(); err != nil {
		t.Error(err)
	}
}

func TestPoolCloseWaitsForReleases(t *testing.T) {
	a := newArena(t)
	p := a.poolInMode("exact", PoolConfig[*piece]{})
	b := get(t, p, 1000)
	entered, leave := make(chan bool), make(chan bool)
	a.onRelease = func() { close(entered); <-leave }
	go b.Free()
	<-entered
	closed := make(chan error)
	go func() { closed <- p.Close() }()
	select {
	case <-closed:
		t.Error("Close returned while memory was being released")
		close(leave)
	case <-time.After(20 * time.Millisecond):
		close(leave)
		if err := <-closed; err != nil {
			t.Error(err)
		}
	}
}

func TestPoolReleasesIdleMemory(t *testing.T) {
	a := newArena(t)
	p := a.pool(PoolConfig[*piece]{Idle: 10 * time.Millisecond})
	kept := get(t, p, 100)
	var blocks []*Block[*piece]
	for range 100 {
		blocks = append(blocks, get(t, p, 5000))
	}
	for _, b := range blocks {
		b.Free()
	}
	eventually(t, "idle memory is released", func() bool { return a.held() == kept.Capacity() })
	eventually(t, "the timer stops", func() bool {
		p.mu.Lock()
		defer p.mu.Unlock()
		return !p.idle.armed && p.footprint() == p.ceiling()
	})
	kept.Free()
	eventually(t, "the timer starts again", func() bool { return a.held() == 0 })
}

// Ticks are called by hand here: the period is an hour.
func TestPoolKeepsMemoryInUse(t *testing.T) {
	a := newArena(t)
	p := a.pool(PoolConfig[*piece]{Idle: time.Hour})
	get(t, p, 5000).Free()
	unused := get(t, p, 300)
	unused.Free()
	for range 10 {
		get(t, p, 5000).Free()
		p.tick()
	}
	if n := p.Stats().Pooled; n != 5120 {
		t.Errorf("%d bytes are pooled, want the 5120 in use", n)
	}
	p.tick()
	if n := p.Stats().Pooled; n != 0 {
		t.Errorf("%d bytes are pooled after a period without use", n)
	}
}

func TestIdlePeriodsForgetWhatWasLive(t *testing.T) {
	noGC(t)
	p := newArena(t).pool(PoolConfig[*piece]{Threshold: 64 * kib, Idle: time.Hour})
	var blocks []*Block[*piece]
	for range 1024 {
		blocks = append(blocks, get(t, p, 4*kib))
	}
	awaitCollection(t, p)
	for _, b := range blocks {
		b.Free()
	}
	p.Trim()
	if p.tick(); p.base == 0 || !p.idle.armed {
		t.Errorf("L is %d after a period with allocations; goes on: %v", p.base, p.idle.armed)
	}
	if p.tick(); p.base != 0 || p.idle.armed {
		t.Errorf("L is %d after a period without allocations; goes on: %v", p.base, p.idle.armed)
	}
}

func TestIdlePeriodsForgetThePeak(t *testing.T) {
	p := newArena(t).pool(PoolConfig[*piece]{Threshold: 64 * kib, Idle: time.Hour})
	get(t, p, 1<<20).Free()
	p.Trim()
	if p.tick(); p.footprint() != 1<<20 || !p.idle.armed {
		t.Errorf("footprint %d after one period, want the peak; goes on: %v", p.footprint(), p.idle.armed)
	}
	if p.tick(); p.footprint() != 128*kib || p.idle.armed {
		t.Errorf("footprint %d after two periods, want the ceiling; goes on: %v", p.footprint(), p.idle.armed)
	}
}

func TestPoolFootprintIsBounded(t *testing.T) {
	a := newArena(t)
	p := a.pool(PoolConfig[*piece]{Threshold: 1 << 16, Idle: time.Hour})
	for size := int64(64); size < 1<<17; size += 64 {
		get(t, p, size).Free()
	}
	// Each block was the only one, so at most the largest, or the ceiling of
	// two thresholds, is worth keeping.
	if want := int64(1<<17 + 64); a.peak > want {
		t.Errorf("live and pooled memory grew to %d bytes, want at most %d", a.peak, want)
	}
}

func TestPoolAbandon(t *testing.T) {
	a := newArena(t)
	p := a.pool(PoolConfig[*piece]{})
	b := get(t, p, 1000)
	get(t, p, 3000).Free()
	p.Abandon()
	if a.held() != 1024 {
		t.Errorf("%d bytes are held, want only the live 1024", a.held())
	}
	if _, err := p.Get(1); !errors.Is(err, ErrLost) {
		t.Errorf("Get: %v, want ErrLost", err)
	}
	if err := p.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
	b.Free()
	if s := p.Stats(); a.held() != 0 || s.Live != 0 || s.Blocks != 0 || s.Pooled != 0 {
		t.Errorf("%d bytes held, %+v after the last Free", a.held(), s)
	}
}

func TestPoolAbandonDuringAllocation(t *testing.T) {
	a := newArena(t)
	p := a.pool(PoolConfig[*piece]{})
	entered, leave := make(chan bool), make(chan bool)
	a.refuse = func(int64) error { close(entered); <-leave; return nil }
	result := make(chan error)
	go func() {
		_, err := p.Get(1000)
		result <- err
	}()
	<-entered
	p.Abandon()
	close(leave)
	if err := <-result; !errors.Is(err, ErrLost) {
		t.Errorf("Get: %v, want ErrLost", err)
	}
	if n := p.Live(); n != 0 || a.held() != 0 {
		t.Errorf("%d bytes live, %d held", n, a.held())
	}
}
