package cpu

import (
	"os"
	"sync"
)

// Guarding reports whether STRIDE0_DEBUG=guard asks for lent memory to be
// guarded, where that is possible: on Linux.
func Guarding() bool { return guarding() }

var guarding = sync.OnceValue(func() bool { return canGuard && os.Getenv("STRIDE0_DEBUG") == "guard" })

// lendings are the last guarded copies. Their addresses stay taken, without
// memory behind them: were they unmapped at once, another mapping could be put
// there and a kept slice read that.
var lendings struct {
	sync.Mutex
	pages [maxLendings][]byte
	next  int
}

const maxLendings = 1024

// LendGuarded calls f with a copy of data in pages of its own, which nobody may
// touch once f has returned: a slice that f kept faults at its next use,
// instead of reading what the memory was reused for. With write, what f wrote
// is in data afterwards. It returns f's error, or that there is no memory for
// the copy (device.ErrOutOfMemory).
func LendGuarded(data []byte, write bool, f func(data []byte) error) error {
	pages, err := mapPages(int64(len(data)))
	if err != nil {
		return err
	}
	lent := pages[:len(data):len(data)]
	copy(lent, data)
	defer func() { // also when f panics
		if write {
			copy(data, lent)
		}
		seal(pages)
	}()
	return f(lent)
}

// seal makes pages inaccessible and unmaps those sealed maxLendings ago.
func seal(pages []byte) {
	forbid(pages)
	lendings.Lock()
	old := lendings.pages[lendings.next]
	lendings.pages[lendings.next] = pages
	lendings.next = (lendings.next + 1) % maxLendings
	lendings.Unlock()
	if old != nil {
		unmapPages(old, 0)
	}
}
