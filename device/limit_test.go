package device

import (
	"errors"
	"strings"
	"testing"
	"time"
)

func TestPoolSetLimit(t *testing.T) {
	p := newArena(t).pool(PoolConfig[*piece]{Limit: 10_000})
	a := get(t, p, 8000)
	p.SetLimit(4000)
	var oom *OutOfMemoryError
	if _, err := p.Get(1); !errors.As(err, &oom) || oom.Free != 0 || oom.Limit != 4000 {
		t.Errorf("one byte more than a limit that is passed already: %v", err)
	}
	a.Free()
	if s := p.Stats(); s.Live != 0 || s.Limit != 4000 {
		t.Errorf("%+v", s)
	}
	get(t, p, 3000).Free()
	if _, err := p.Get(4001); !errors.As(err, &oom) || oom.Need != 4001 || oom.Free != 4000 {
		t.Errorf("above the limit: %v", err)
	}
	p.SetLimit(20_000)
	get(t, p, 15_000).Free()
	p.SetLimit(0)
	if s := p.Stats(); s.Limit != 10_000 {
		t.Errorf("the limit is %d after SetLimit(0), want 10000", s.Limit)
	}
}

// Memory that waits for reuse counts against the limit too.
func TestPoolSetLimitReleasesPooledMemory(t *testing.T) {
	a := newArena(t)
	p := a.pool(PoolConfig[*piece]{Limit: 100_000})
	for _, b := range []*Block[*piece]{get(t, p, 1000), get(t, p, 2000), get(t, p, 4000)} {
		b.Free()
	}
	p.SetLimit(5000)
	if s := p.Stats(); s.Pooled > 5000 || s.Pooled == 0 {
		t.Errorf("%d bytes are pooled after a limit of 5000", s.Pooled)
	}
}

// Who waits for memory goes on when the limit rises.
func TestPoolSetLimitWakes(t *testing.T) {
	p := newArena(t).pool(PoolConfig[*piece]{Limit: 1 << 20, Patience: time.Minute})
	held := get(t, p, 1<<20)
	p.mu.Lock()
	p.collecting = true // as if a collection took forever: nothing else wakes the waiter
	p.mu.Unlock()
	got := make(chan error, 1)
	go func() {
		b, err := p.Get(1000)
		if err == nil {
			b.Free()
		}
		got <- err
	}()
	for p.Stats().Waits == 0 {
		time.Sleep(time.Millisecond)
	}
	p.SetLimit(2 << 20)
	select {
	case err := <-got:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(10 * time.Second):
		t.Error("still waiting")
	}
	held.Free()
	p.mu.Lock()
	p.collecting = false
	p.mu.Unlock()
}

// A request that can never be met is refused before anything waits.
func TestPoolRefusesWithoutWaiting(t *testing.T) {
	p := newArena(t).pool(PoolConfig[*piece]{Limit: 1 << 20, Threshold: 1000})
	held := get(t, p, 1<<19) // far above the ceiling of 2,000 bytes
	defer held.Free()
	if _, err := p.Get(1<<20 + 1); !errors.Is(err, ErrOutOfMemory) {
		t.Error(err)
	}
	if s := p.Stats(); s.Waits != 0 || s.Paces != 0 {
		t.Errorf("%d waits and %d collections for a refusal", s.Waits, s.Paces)
	}
}

// limited is a device that keeps the limit it is given.
type limited struct {
	Device
	limit int64
}

func (l *limited) SetLimit(bytes int64) error {
	l.limit = bytes
	return nil
}

func TestSetLimit(t *testing.T) {
	plain := &fakeDevice{}
	if err := SetLimit(plain, 5); !errors.Is(err, ErrUnsupported) || !strings.Contains(err.Error(), "SetLimit") {
		t.Errorf("a device without the ability: %v", err)
	}
	l := &limited{Device: plain, limit: -1}
	if err := SetLimit(l, -5); err == nil || l.limit != -1 || !strings.Contains(err.Error(), "negative limit -5") {
		t.Errorf("a negative limit: %v, passed on as %d", err, l.limit)
	}
	if err := SetLimit(l, 5); err != nil || l.limit != 5 {
		t.Errorf("%v, passed on as %d", err, l.limit)
	}
}

func TestStatsText(t *testing.T) {
	s := DeviceStats{
		Pool:          PoolStats{Live: 1e6, Peak: 2e6, Pooled: 512_000, Limit: 4e9, Blocks: 3, Paces: 1},
		OverlapCopies: 2, OverlapBytes: 4000,
	}
	want := "live 1.0 MB in 3 blocks (peak 2.0 MB), pooled 512.0 kB, limit 4.0 GB; 1 GC pace, 0 waits; 0 host copies (0 B), 2 overlap copies (4.0 kB)"
	if got := s.String(); got != want {
		t.Errorf("%s, want\n%s", got, want)
	}
}
