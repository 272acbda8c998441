package tensor

import (
	"errors"
	"sync"
	"sync/atomic"
)

// Scope frees what was computed within it in one call, without waiting for the
// garbage collector:
//
//	s := tensor.NewScope()
//	x = x.In(s)
//	loss := x.Sub(y).Square().Mean() // all three results belong to s
//	s.Keep(loss)
//	s.Close() // frees the other two
//
// A result belongs to s when an operand does, even when the other does not; of
// two scopes, to the one opened last. So what outlives a step of a loop must be
// kept, such as weights:
//
//	for range steps {
//		s := tensor.NewScope()
//		gradient := x.In(s).T().MatMul(...)
//		w = w.Sub(gradient.MulScalar(rate)) // belongs to s, as gradient does
//		s.Keep(w)
//		s.Close() // without Keep it would free w
//	}
//
// An operation on a tensor that a scope freed is ErrFreed and says so. A Scope
// is safe for concurrent use.
type Scope struct {
	opened uint64 // counts scopes: the greater was opened later

	mu      sync.Mutex
	members map[*Tensor]struct{} // nil once closed
}

var scopes atomic.Uint64

// NewScope opens a scope.
func NewScope() *Scope {
	return &Scope{opened: scopes.Add(1), members: map[*Tensor]struct{}{}}
}

// In returns a view of t that belongs to s, and so do the results computed
// from it; t itself stays outside.
func (t *Tensor) In(s *Scope) *Tensor {
	if err := t.hold(); err != nil {
		return refuse("in", t)
	}
	defer t.drop()
	if s == nil {
		return fail("in", errors.New("nil Scope; open one with NewScope"), t)
	}
	if !s.open() {
		return fail("in", errorf("%w: the Scope is closed; open one with NewScope", ErrFreed), t)
	}
	if t.store == nil { // a Scalar has no memory to give back
		return weakScalar(t.weak())
	}
	v := t.again()
	v.store.refs.Add(1)
	s.add(v)
	return v
}

// Keep takes tensors out of s: Close does not free them, and what is computed
// from them no longer belongs to s.
func (s *Scope) Keep(ts ...*Tensor) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range ts {
		if _, ok := s.members[t]; ok {
			t.ext.scope.Store(nil)
			delete(s.members, t)
		}
	}
}

// Close frees every tensor that belongs to s. Work in flight on them still
// completes. A second Close does nothing.
func (s *Scope) Close() {
	if s == nil {
		return
	}
	s.mu.Lock()
	members := s.members
	s.members = nil
	s.mu.Unlock()
	for t := range members {
		_ = t.free(byScope) // the only error is that somebody else freed it first
	}
}

// open reports whether NewScope made s and Close has not ended it.
func (s *Scope) open() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.members != nil
}

// add makes t, which nobody else knows yet, belong to s. In a closed scope it
// is freed at once. What has no memory to give back belongs to no scope.
func (s *Scope) add(t *Tensor) {
	if t.store == nil {
		return
	}
	t.ext = new(ext)
	t.ext.scope.Store(s)
	s.mu.Lock()
	open := s.members != nil
	if open {
		s.members[t] = struct{}{}
	}
	s.mu.Unlock()
	if !open {
		_ = t.free(byScope)
	}
}

// scope returns the scope that t belongs to, or nil.
func (t *Tensor) scope() *Scope {
	if t.ext == nil {
		return nil
	}
	return t.ext.scope.Load()
}

// joinScope makes a fresh result belong to the scope, opened last, of its operands.
func joinScope(result *Tensor, in ...*Tensor) {
	var last *Scope
	for _, t := range in {
		if s := t.scope(); s != nil && (last == nil || s.opened > last.opened) {
			last = s
		}
	}
	if last != nil {
		last.add(result)
	}
}

// leaveScope forgets a freed tensor.
func leaveScope(t *Tensor) {
	if s := t.scope(); s != nil {
		s.mu.Lock()
		delete(s.members, t)
		s.mu.Unlock()
	}
}
