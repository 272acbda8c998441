package device

import (
	"errors"
	"fmt"
	"time"
)

// PoolConfig says where a Pool's memory comes from. M is the device's own
// handle to a piece of it.
type PoolConfig[M any] struct {
	Device string // its name, for errors
	Limit  int64  // bytes the Pool may hold, lent out and pooled; 0: no limit

	// Alloc gets size bytes of new memory. It is called without a lock, from
	// any goroutine. An error that is ErrOutOfMemory makes the Pool give back
	// what it can and try again.
	Alloc func(size int64) (M, error)

	// Release gives memory back that Alloc returned for the same size. Work
	// enqueued earlier may still use it, so it waits for that work or leaves
	// the order to the driver. It is called without a lock, from any
	// goroutine, rarely also from a cleanup.
	Release func(m M, size int64)

	// Threshold is how many bytes of garbage are always tolerated before a
	// collection; 0: 64 MiB.
	Threshold int64
	// Patience bounds how long Get waits for memory; 0: 5 seconds.
	Patience time.Duration
	// Idle is the period after which memory that nobody wanted is released;
	// 0: 10 seconds. It takes between one and two periods.
	Idle time.Duration
}

// Pool lends out the memory of one device and takes it back: by Block.Free, or
// by the garbage collector once a Block is unreachable. Freed memory is reused
// at once, which is right for a device with one in-order queue: the next user's
// work runs after the last user's. All methods are safe for concurrent use.
//
// Memory that is lent out is called live, memory waiting for reuse pooled.
type Pool[M any] struct {
	pacer
	device    string
	limit     int64
	standard  int64 // the limit that SetLimit(0) restores
	alloc     func(int64) (M, error)
	release   func(M, int64)
	exact     bool
	collected func(*slot[M]) // the Blocks' cleanup

	free       freeList[M]
	blocks     int // live Blocks
	gets, hits uint64
	lost       bool
	idle       idle
}

// NewPool returns an empty Pool. It honours STRIDE0_POOL=exact.
func NewPool[M any](cfg PoolConfig[M]) *Pool[M] {
	p := &Pool[M]{
		device:  cfg.Device,
		limit:   orDefault(min(cfg.Limit, maxBytes), maxBytes),
		alloc:   cfg.Alloc,
		release: cfg.Release,
		exact:   PoolMode() == ModeExact,
	}
	p.standard = p.limit
	p.threshold = orDefault(min(cfg.Threshold, maxBytes), 64<<20)
	p.patience = orDefault(cfg.Patience, 5*time.Second)
	p.idle.period = orDefault(cfg.Idle, 10*time.Second)
	p.collected = func(s *slot[M]) { p.put(s, true) }
	return p
}

func orDefault[T int64 | time.Duration](v, def T) T {
	if v > 0 {
		return v
	}
	return def
}

// Get lends out at least size bytes with any contents; 0 is valid. When too
// much is live it first waits for garbage to be collected.
//
// Errors: *OutOfMemoryError when the memory cannot be had even after a
// collection, *Error with ErrClosed or ErrLost, and what Alloc returns.
func (p *Pool[M]) Get(size int64) (*Block[M], error) {
	if size < 0 {
		return nil, p.fail("Alloc", fmt.Errorf("negative size %d", size))
	}
	s, err := p.take(size)
	if err != nil {
		return nil, err
	}
	return newBlock(s, size), nil
}

// take returns a slot for size bytes, counted as live.
func (p *Pool[M]) take(size int64) (*slot[M], error) {
	p.mu.Lock()
	p.gets++
	err := p.usable()
	if err == nil && size > p.limit { // before any wait, which would be in vain
		err = p.outOfMemory(size)
	}
	if err != nil {
		p.mu.Unlock()
		return nil, err
	}
	p.pace()
	class, capacity, err := p.admit(size)
	if err != nil {
		p.mu.Unlock()
		return nil, err
	}
	p.grew(capacity)
	p.blocks++
	if s := p.free.pop(class); s != nil {
		p.hits++
		s.born = p.started
		p.mu.Unlock()
		return s, nil
	}
	s := &slot[M]{pool: p, capacity: capacity, class: class, born: p.started}
	surplus := p.free.trim(min(p.limit, p.footprint()) - p.live)
	defer p.begin()()
	p.mu.Unlock()
	p.drop(surplus)
	return p.create(s)
}

// admit returns the class and capacity that size bytes get and makes sure that
// so many bytes may be live, waiting for room if it must. It needs mu.
func (p *Pool[M]) admit(size int64) (class int, capacity int64, err error) {
	if size > p.limit {
		return 0, 0, p.outOfMemory(size)
	}
	if p.exact {
		class, capacity = noClass, max(size, 1)
	} else {
		class, capacity = sizeClass(size)
	}
	if p.live+capacity > p.limit {
		// Twice: what only an object with a finalizer refers to is freed by
		// the second collection.
		p.await(func() int64 { return p.limit - max(size, 1) }, 2)
	}
	if err := p.usable(); err != nil { // both waits let go of mu
		return 0, 0, err
	}
	if p.live+capacity > p.limit {
		class, capacity = noClass, max(size, 1) // the class is what does not fit
	}
	if p.live+capacity > p.limit {
		return 0, 0, p.outOfMemory(size)
	}
	return class, capacity, nil
}

// create gets memory for a new slot that is already counted as live. It runs
// without mu and counts as background work.
func (p *Pool[M]) create(s *slot[M]) (*slot[M], error) {
	capacity := s.capacity
	mem, err := p.alloc(capacity)
	if errors.Is(err, ErrOutOfMemory) {
		mem, err = p.retry(capacity)
	}
	s.mem = mem
	p.mu.Lock()
	if err == nil && !p.lost {
		p.mu.Unlock()
		return s, nil
	}
	if !p.lost {
		p.blocks--
		p.fell(capacity, s.born, false)
	}
	if errors.Is(err, ErrOutOfMemory) {
		if !errors.As(err, new(*OutOfMemoryError)) {
			err = &OutOfMemoryError{Device: p.device, Need: capacity, Limit: p.limit}
		}
	} else if err == nil {
		err = p.usable()
		defer p.release(mem, capacity)
	}
	p.mu.Unlock()
	return nil, err
}

// retry allocates after the device had no memory although the limit allowed
// it: with the pooled memory given back, then with the garbage collected too.
func (p *Pool[M]) retry(capacity int64) (M, error) {
	p.Trim()
	mem, err := p.alloc(capacity)
	if !errors.Is(err, ErrOutOfMemory) {
		return mem, err
	}
	p.mu.Lock()
	less := p.live - 1
	p.await(func() int64 { return less }, 1)
	p.mu.Unlock()
	p.Trim()
	return p.alloc(capacity)
}

// usable returns why the Pool lends nothing out any more, or nil.
func (p *Pool[M]) usable() error {
	switch {
	case p.lost:
		return p.fail("Alloc", ErrLost)
	case p.closed:
		return p.fail("Alloc", ErrClosed)
	}
	return nil
}

func (p *Pool[M]) fail(call string, err error) error {
	return &Error{Device: p.device, Call: call, Err: err}
}

func (p *Pool[M]) outOfMemory(need int64) error {
	return &OutOfMemoryError{Device: p.device, Need: need, Free: max(p.limit-p.live, 0), Limit: p.limit}
}
