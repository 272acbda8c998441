package tensor

import (
	"sync"
	"sync/atomic"

	"github.com/stride0/stride0/cpu"
	"github.com/stride0/stride0/device"
)

// smallClass is a size of small storage: classOf.
type smallClass uint8

const (
	notSmall smallClass = iota
	class64
	class256
	class1024
	smallClasses
)

// classOf returns the class of at most maxSmall bytes.
func classOf(bytes int) smallClass {
	switch {
	case bytes <= 64:
		return class64
	case bytes <= 256:
		return class256
	}
	return class1024
}

// shelves are where small storages wait, after the Free of the last tensor
// over one, for a result that needs as much. An allocation of theirs and its
// share of the garbage collector's work cost more than most operations on so few
// elements.
var shelves [smallClasses]shelf

// shelved is whether shelves are in use.
var shelved = device.PoolMode() != device.ModeExact

// shelf holds storages of one class, without references.
type shelf struct {
	used atomic.Bool // a program that frees nothing need not look
	pool sync.Pool
}

// take returns a storage of so many bytes with one reference, nil when there is
// none at hand.
func (s *shelf) take(bytes int) *storage {
	if !s.used.Load() {
		return nil
	}
	if c, ok := s.pool.Get().(*storage); ok {
		c.buf.(*cpu.Buffer).Shorten(bytes)
		c.refs.Store(1)
		return c
	}
	s.used.Store(false)
	return nil
}

func (s *shelf) put(c *storage) {
	if e := cellOf(c).tensor.ext; e != nil {
		e.scope.Store(nil) // else c would keep in memory all that is in that scope
	}
	if !s.used.Load() {
		s.used.Store(true)
	}
	s.pool.Put(c)
}
