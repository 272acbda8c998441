package device

import (
	"fmt"
	"time"
)

// idle releases pooled memory that nobody wanted for a while. Time is counted
// in periods, so that Free need not read a clock; the timer that ends a period
// runs only while there is something to give up.
type idle struct {
	period time.Duration
	timer  *time.Timer
	armed  bool
	epoch  uint32 // periods so far
	gets   uint64 // the Pool's when the period began
}

// keep puts a slot into the free list. It needs mu.
func (p *Pool[M]) keep(s *slot[M]) {
	s.epoch = p.idle.epoch
	p.free.push(s)
	if !p.idle.armed {
		p.idle.armed = true
		p.arm()
	}
}

func (p *Pool[M]) arm() {
	if p.idle.timer == nil {
		p.idle.timer = time.AfterFunc(p.idle.period, p.tick)
	} else {
		p.idle.timer.Reset(p.idle.period)
	}
}

// tick ends an idle period: slots that were free all through it are released,
// and what was needed long ago stops counting as needed.
func (p *Pool[M]) tick() {
	p.mu.Lock()
	if p.closed || p.lost {
		p.mu.Unlock()
		return
	}
	unused := p.free.expire(p.idle.epoch)
	p.idle.epoch++
	p.recent = [2]int64{p.live, p.recent[0]}
	if p.gets == p.idle.gets {
		p.base = min(p.base, p.live)
	}
	p.idle.gets = p.gets
	p.idle.armed = p.free.bytes > 0 || max(p.base, p.recent[1]) > p.live
	if p.idle.armed {
		p.arm()
	}
	defer p.begin()()
	p.mu.Unlock()
	p.drop(unused)
}

// drop releases slots that were taken out of the free list. It runs without mu.
func (p *Pool[M]) drop(slots []*slot[M]) {
	for _, s := range slots {
		p.release(s.mem, s.capacity)
	}
}

// Trim releases all pooled memory and returns how many bytes that was.
func (p *Pool[M]) Trim() int64 {
	p.mu.Lock()
	n := p.free.bytes
	unused := p.free.trim(0)
	defer p.begin()()
	p.mu.Unlock()
	p.drop(unused)
	return n
}

// Close releases everything and waits for the Pool's own work to end. While
// Blocks are live, also after collecting garbage, it fails with ErrBusy and the
// Pool stays usable. Closing twice does nothing.
func (p *Pool[M]) Close() error {
	p.mu.Lock()
	p.await(func() int64 { return 0 }, 2)
	if p.live > 0 {
		defer p.mu.Unlock()
		return p.fail("Close", fmt.Errorf("%w: %d, %s in all; drop or free what uses them first",
			ErrBusy, p.blocks, Bytes(p.live)))
	}
	end := p.begin()
	p.closed = true
	if p.idle.timer != nil {
		p.idle.timer.Stop()
	}
	unused := p.free.trim(0)
	p.mu.Unlock()
	p.drop(unused)
	end()
	p.background.Wait()
	return nil
}

// Abandon is for a lost device: nothing is live any more, Get fails with
// ErrLost and Close succeeds. Memory still lent out goes straight to Release
// when it is freed, maybe after Close; where it died with the device, the
// device makes Release do nothing.
func (p *Pool[M]) Abandon() {
	p.mu.Lock()
	p.lost = true
	p.live, p.old, p.base, p.blocks = 0, 0, 0, 0
	p.wakeAll()
	p.mu.Unlock()
	p.Trim()
}
