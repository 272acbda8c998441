// Package lru keeps a bounded number of things that are dear to make, such as
// compiled kernels, and drops the least recently used ones.
//
// Vocabulary: an Entry is a thing in the cache; it is held from Acquire to
// Release, and a thing that is dropped while held lives until it is released.
// Things are made at most once at a time for each key, without a lock on
// others.
//
//	c := lru.New(256, func(k *kernel) { k.unload() })
//	e, err := c.Acquire(key, compile)
//	if err != nil {
//		return err // compile's; the next Acquire tries again
//	}
//	defer e.Release()
//	launch(e.Value())
//
// To bound by something else than a number of entries, edit Cache.trim.
package lru
