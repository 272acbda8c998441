package device

import "sync"

// recentOps is how many operations a LostError names.
const recentOps = 16

// Recent remembers the labels of the last operations of an in-order queue that
// are not known to be done, for LostError. The zero value is empty. All methods
// are safe for concurrent use.
type Recent struct {
	mu     sync.Mutex
	labels [recentOps]string
	added  uint64 // operations ever enqueued
	done   uint64 // the first so many are known to be done
}

// Enqueued notes one operation. Call it in the order of the queue.
func (r *Recent) Enqueued(label string) {
	r.mu.Lock()
	r.labels[r.added%recentOps] = label
	r.added++
	r.mu.Unlock()
}

// Mark returns a point in the queue: after everything enqueued so far. Take it
// before waiting for the queue.
func (r *Recent) Mark() uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.added
}

// Done notes that everything before mark is done. What other goroutines
// enqueued during the wait stays remembered.
func (r *Recent) Done(mark uint64) {
	r.mu.Lock()
	r.done = max(r.done, mark)
	r.mu.Unlock()
}

// Ops returns the labels not known to be done, oldest first, at most 16.
func (r *Recent) Ops() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	first := r.done
	if r.added > first+recentOps {
		first = r.added - recentOps
	}
	var ops []string
	for i := first; i < r.added; i++ {
		ops = append(ops, r.labels[i%recentOps])
	}
	return ops
}
