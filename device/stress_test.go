package device

import (
	"math/rand/v2"
	"sync"
	"testing"
	"time"
)

// TestPoolHandsNothingOutTwice lets goroutines get, stamp, check, free and drop
// blocks. A piece of memory with two owners shows as a wrong stamp, or to the
// race detector, because stamps are plain writes.
func TestPoolHandsNothingOutTwice(t *testing.T) {
	for _, tt := range []struct {
		name string
		mode string
		cfg  PoolConfig[*piece]
	}{
		{"roomy", "", PoolConfig[*piece]{}},
		{"paced", "", PoolConfig[*piece]{Threshold: 256 * kib}},
		{"at the limit", "", PoolConfig[*piece]{Limit: 512 * kib}},
		{"idle", "", PoolConfig[*piece]{Threshold: 256 * kib, Idle: 100 * time.Microsecond}},
		{"exact", "exact", PoolConfig[*piece]{Threshold: 256 * kib}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := newArena(t)
			p := a.poolInMode(tt.mode, tt.cfg)
			var wg sync.WaitGroup
			for worker := range 8 {
				wg.Go(func() { stampBlocks(t, p, worker+1) })
			}
			wg.Wait()
		})
	}
}

func stampBlocks(t *testing.T, p *Pool[*piece], worker int) {
	rng := rand.New(rand.NewPCG(uint64(worker), 7))
	type owned struct {
		b    *Block[*piece]
		mark int
	}
	limit := p.Stats().Limit
	var held []owned
	for step := range 2000 {
		if len(held) < 8 && rng.IntN(2) == 0 {
			b, err := p.Get(rng.Int64N(4 * kib))
			if err != nil {
				t.Error(err)
				return
			}
			mark := worker<<20 + step
			b.Mem().mark = mark
			if s := p.Stats(); s.Live+s.Pooled > limit {
				t.Errorf("%d bytes live and %d pooled at a limit of %d", s.Live, s.Pooled, limit)
				return
			}
			held = append(held, owned{b, mark})
			continue
		}
		if len(held) == 0 {
			continue
		}
		i := rng.IntN(len(held))
		o := held[i]
		held[i] = held[len(held)-1]
		held[len(held)-1] = owned{}
		held = held[:len(held)-1]
		if got := o.b.Mem().mark; got != o.mark {
			t.Errorf("a block of worker %d carries the stamp %#x, want %#x", worker, got, o.mark)
			return
		}
		if rng.IntN(3) > 0 {
			o.b.Free()
		}
	}
	for _, o := range held {
		o.b.Free()
	}
}

func TestBlockFreeFromManyGoroutines(t *testing.T) {
	a := newArena(t)
	p := a.pool(PoolConfig[*piece]{})
	for range 200 {
		b := get(t, p, 1000)
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(b.Free)
		}
		wg.Wait()
	}
	if s := p.Stats(); s.Live != 0 || s.Blocks != 0 || s.Pooled != 1024 {
		t.Errorf("%+v after everything was freed", s)
	}
}

func TestPoolCloseAgainstGet(t *testing.T) {
	for range 50 {
		a := newArena(t)
		p := a.pool(PoolConfig[*piece]{})
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				for {
					b, err := p.Get(100)
					if err != nil {
						return
					}
					b.Free()
					p.Trim()
				}
			})
		}
		for p.Close() != nil {
		}
		wg.Wait()
	}
}

func BenchmarkPoolGetFree(b *testing.B) {
	p := NewPool(PoolConfig[int]{
		Alloc:   func(int64) (int, error) { return 1, nil },
		Release: func(int, int64) {},
	})
	b.ReportAllocs()
	for b.Loop() {
		block, err := p.Get(1 << 20)
		if err != nil {
			b.Fatal(err)
		}
		block.Free()
	}
}
