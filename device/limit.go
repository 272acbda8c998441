package device

import "fmt"

// Limiter is the ability of a device to bound its memory otherwise than by
// DefaultLimit.
type Limiter interface {
	// SetLimit is what the function SetLimit passes on; bytes is not negative.
	SetLimit(bytes int64) error
}

// SetLimit bounds the bytes that d may hold, lent out and waiting for reuse;
// 0 restores the bound that d was opened with. An allocation that cannot be
// kept below it fails with *OutOfMemoryError before anything is allocated. A
// bound below what is live now frees nothing: allocations fail until enough
// has come back. Stats tells the bound in force.
//
// Errors: *Error for a negative number, and with ErrUnsupported for a device
// that is no Limiter.
func SetLimit(d Device, bytes int64) error {
	l, ok := d.(Limiter)
	switch {
	case !ok:
		return &Error{Device: d.Info().Name, Call: "SetLimit", Err: ErrUnsupported}
	case bytes < 0:
		return &Error{Device: d.Info().Name, Call: "SetLimit", Err: fmt.Errorf("negative limit %d; 0 restores the default", bytes)}
	}
	return l.SetLimit(bytes)
}

// SetLimit changes the bytes that the Pool may hold; 0 or less restores the
// limit it was made with. Who waits for memory goes on when there is room now.
func (p *Pool[M]) SetLimit(bytes int64) {
	p.mu.Lock()
	p.limit = orDefault(min(bytes, maxBytes), p.standard)
	unused := p.free.trim(p.limit - p.live)
	p.wakeAll()
	defer p.begin()()
	p.mu.Unlock()
	p.drop(unused)
}
