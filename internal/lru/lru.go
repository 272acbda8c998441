package lru

import (
	"container/list"
	"sync"
)

// Cache holds at most a number of things by key. All methods are safe for
// concurrent use.
type Cache[K comparable, V any] struct {
	limit int
	drop  func(V)

	mu    sync.Mutex
	byKey map[K]*Entry[K, V]
	order list.List // of *Entry, most recently used first
}

// Entry is a thing in a Cache, held by whoever acquired it.
type Entry[K comparable, V any] struct {
	cache *Cache[K, V]
	key   K
	once  sync.Once
	value V
	err   error

	// Under cache.mu.
	place *list.Element // nil once out of the cache
	held  int
}

// New returns an empty cache of at most limit things. drop is called, without
// a lock, for each thing that is out of the cache and not held any more.
func New[K comparable, V any](limit int, drop func(V)) *Cache[K, V] {
	return &Cache[K, V]{limit: limit, drop: drop, byKey: map[K]*Entry[K, V]{}}
}

// Acquire returns the thing of a key, made by build if it is not there. What
// other goroutines acquire for the same key meanwhile waits for that. An error
// is build's, and is not kept.
func (c *Cache[K, V]) Acquire(key K, build func() (V, error)) (*Entry[K, V], error) {
	c.mu.Lock()
	e, ok := c.byKey[key]
	if !ok {
		e = &Entry[K, V]{cache: c, key: key}
		c.byKey[key] = e
		e.place = c.order.PushFront(e)
	} else {
		c.order.MoveToFront(e.place)
	}
	e.held++
	victims := c.trim(c.limit)
	c.mu.Unlock()
	c.dropAll(victims)

	e.once.Do(func() { e.value, e.err = build() })
	if e.err != nil {
		e.fail()
		return nil, e.err
	}
	return e, nil
}

// Value returns the thing. It must not be used after Release.
func (e *Entry[K, V]) Value() V { return e.value }

// Release ends what Acquire began.
func (e *Entry[K, V]) Release() {
	c := e.cache
	c.mu.Lock()
	e.held--
	last := e.held == 0 && e.place == nil
	c.mu.Unlock()
	if last {
		c.drop(e.value)
	}
}

// fail takes an entry whose thing could not be made out of the cache. There is
// nothing to drop.
func (e *Entry[K, V]) fail() {
	e.cache.mu.Lock()
	defer e.cache.mu.Unlock()
	e.cache.remove(e)
}

// remove takes an entry out of the cache. It needs mu.
func (c *Cache[K, V]) remove(e *Entry[K, V]) {
	if e.place != nil {
		c.order.Remove(e.place)
		delete(c.byKey, e.key)
		e.place = nil
	}
}

// trim takes out the least recently used entries until at most keep are left
// and returns those that nobody holds. It needs mu.
func (c *Cache[K, V]) trim(keep int) []*Entry[K, V] {
	var victims []*Entry[K, V]
	for c.order.Len() > keep {
		e := c.order.Back().Value.(*Entry[K, V])
		c.remove(e)
		if e.held == 0 {
			victims = append(victims, e)
		}
	}
	return victims
}

func (c *Cache[K, V]) dropAll(entries []*Entry[K, V]) {
	for _, e := range entries {
		c.drop(e.value)
	}
}

// Clear takes everything out; what is held is dropped when it is released.
func (c *Cache[K, V]) Clear() {
	c.mu.Lock()
	victims := c.trim(0)
	c.mu.Unlock()
	c.dropAll(victims)
}

// Len returns the number of entries.
func (c *Cache[K, V]) Len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.order.Len()
}
