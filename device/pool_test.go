package device

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"
)

func TestPoolReusesTheNewestOfTheClass(t *testing.T) {
	a := newArena(t)
	p := a.pool(PoolConfig[*piece]{})
	x, y, other := get(t, p, 1000), get(t, p, 1020), get(t, p, 3000)
	mx, my := x.Mem(), y.Mem()
	x.Free()
	y.Free()
	other.Free()
	first, second, third := get(t, p, 970), get(t, p, 1024), get(t, p, 1000)
	if first.Mem() != my || second.Mem() != mx {
		t.Error("memory is not reused last in, first out")
	}
	if third.Mem() == mx || third.Mem() == my || a.allocs != 4 {
		t.Errorf("after 4 different needs there were %d allocations", a.allocs)
	}
	if first.Size() != 970 || first.Capacity() != 1024 {
		t.Errorf("size %d, capacity %d; want 970, 1024", first.Size(), first.Capacity())
	}
	for _, b := range []*Block[*piece]{first, second, third} {
		b.Free()
	}
}

func TestPoolZeroBytesIsMemory(t *testing.T) {
	for _, mode := range []string{"", "exact"} {
		p := newArena(t).poolInMode(mode, PoolConfig[*piece]{})
		b := get(t, p, 0)
		if b.Mem() == nil || b.Size() != 0 || b.Capacity() < 1 {
			t.Errorf("mode %q: memory %v, size %d, capacity %d", mode, b.Mem(), b.Size(), b.Capacity())
		}
		b.Free()
	}
}

func TestBlockFreeTwiceGivesBackOnce(t *testing.T) {
	a := newArena(t)
	p := a.pool(PoolConfig[*piece]{})
	b := get(t, p, 100)
	b.Free()
	b.Free()
	if !b.Freed() || b.Mem() != nil {
		t.Error("a freed Block still has memory")
	}
	c := get(t, p, 100)
	b.Free() // must not free c's memory
	d := get(t, p, 100)
	if c.Mem() == d.Mem() {
		t.Error("one piece of memory belongs to two Blocks")
	}
	if n := p.Live(); n != 256 {
		t.Errorf("%d bytes are live, want 256", n)
	}
	c.Free()
	d.Free()
}

func TestPoolLimit(t *testing.T) {
	a := newArena(t)
	p := a.pool(PoolConfig[*piece]{Limit: 10_000})
	tests := []struct {
		name       string
		size       int64
		ok         bool
		need, free int64
	}{
		{name: "one byte above", size: 10_001, need: 10_001, free: 10_000},
		{name: "far above, no overflow", size: math.MaxInt64, need: math.MaxInt64, free: 10_000},
		{name: "all of it, though its class is larger", size: 10_000, ok: true},
		{name: "most of it", size: 9_000, ok: true},
	}
	for _, tt := range tests {
		b, err := p.Get(tt.size)
		if tt.ok {
			if err != nil {
				t.Fatalf("%s: %v", tt.name, err)
			}
			b.Free()
			continue
		}
		var oom *OutOfMemoryError
		if !errors.As(err, &oom) || !errors.Is(err, ErrOutOfMemory) {
			t.Fatalf("%s: error %v", tt.name, err)
		}
		if want := (OutOfMemoryError{Device: "fake", Need: tt.need, Free: tt.free, Limit: 10_000}); *oom != want {
			t.Errorf("%s: %+v, want %+v", tt.name, *oom, want)
		}
	}
	if a.peak > 10_000 {
		t.Errorf("the Pool held %d bytes", a.peak)
	}
}

func TestPoolNegativeSize(t *testing.T) {
	p := newArena(t).pool(PoolConfig[*piece]{})
	if _, err := p.Get(-1); err == nil || err.Error() != "fake: Alloc: negative size -1" {
		t.Errorf("error %v", err)
	}
}

func TestPoolAtTheLimitGivesUpOtherClassesFirst(t *testing.T) {
	a := newArena(t)
	p := a.pool(PoolConfig[*piece]{Limit: 8192})
	for range 3 {
		x, y := get(t, p, 4096), get(t, p, 4096)
		x.Free()
		y.Free()
		z := get(t, p, 8000)
		z.Free()
	}
	if s := p.Stats(); s.Waits != 0 || s.Paces != 0 {
		t.Errorf("%d waits and %d collections although nothing was live", s.Waits, s.Paces)
	}
	if a.peak > 8192 {
		t.Errorf("the Pool held %d bytes", a.peak)
	}
}

func TestPoolExactModeGivesBackAtOnce(t *testing.T) {
	a := newArena(t)
	p := a.poolInMode("exact", PoolConfig[*piece]{})
	b := get(t, p, 1001)
	if b.Capacity() != 1001 || a.held() != 1001 {
		t.Errorf("capacity %d, held %d; want 1001", b.Capacity(), a.held())
	}
	b.Free()
	if a.held() != 0 || p.Stats().Pooled != 0 {
		t.Errorf("%d bytes held, %d pooled after Free", a.held(), p.Stats().Pooled)
	}
}

func TestPoolStats(t *testing.T) {
	p := newArena(t).pool(PoolConfig[*piece]{Limit: 1 << 20})
	x, y := get(t, p, 1024), get(t, p, 2048)
	x.Free()
	z := get(t, p, 1000)
	y.Free()
	want := PoolStats{Live: 1024, Peak: 3072, Pooled: 2048, Limit: 1 << 20, Blocks: 1, Gets: 3, Hits: 1}
	if got := p.Stats(); got != want {
		t.Errorf("stats\n%+v, want\n%+v", got, want)
	}
	if n := p.Trim(); n != 2048 {
		t.Errorf("Trim released %d bytes, want 2048", n)
	}
	z.Free()
}

func TestPoolRetriesWhenTheDeviceIsFull(t *testing.T) {
	full := &Error{Device: "fake", Call: "cuMemAlloc", Code: 2, Err: ErrOutOfMemory}
	t.Run("after giving up pooled memory", func(t *testing.T) {
		a := newArena(t)
		p := a.pool(PoolConfig[*piece]{})
		get(t, p, 4096).Free()
		a.refuse = func(size int64) error {
			if a.bytes > 0 {
				return full
			}
			return nil
		}
		get(t, p, 1024).Free()
		if n := p.Stats().Paces; n != 0 {
			t.Errorf("%d collections, want none", n)
		}
	})
	t.Run("after collecting garbage", func(t *testing.T) {
		a := newArena(t)
		p := a.pool(PoolConfig[*piece]{})
		get(t, p, 4096) // dropped
		a.refuse = func(size int64) error {
			if a.bytes > 0 {
				return full
			}
			return nil
		}
		get(t, p, 1024).Free()
	})
	t.Run("in vain", func(t *testing.T) {
		a := newArena(t)
		p := a.pool(PoolConfig[*piece]{Patience: time.Second})
		b := get(t, p, 4096)
		a.refuse = func(size int64) error { return full }
		_, err := p.Get(1024)
		var oom *OutOfMemoryError
		if !errors.As(err, &oom) || oom.Need != 1024 {
			t.Errorf("error %v", err)
		}
		if n := p.Live(); n != 4096 {
			t.Errorf("%d bytes are live after the failure, want 4096", n)
		}
		b.Free()
	})
	t.Run("not after another error", func(t *testing.T) {
		a := newArena(t)
		p := a.pool(PoolConfig[*piece]{})
		calls := 0
		a.refuse = func(int64) error { calls++; return errors.New("cable pulled") }
		if _, err := p.Get(1); err == nil || !strings.Contains(err.Error(), "cable pulled") || calls != 1 {
			t.Errorf("error %v after %d calls", err, calls)
		}
		if s := p.Stats(); s.Live != 0 || s.Blocks != 0 {
			t.Errorf("a failed Get left %d bytes live in %d blocks", s.Live, s.Blocks)
		}
	})
}
