package cpu

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// task is work that its caller shares with helpers: units in parts, one part
// for each goroutine. A goroutine claims units of its own part first, so that
// the next operation on the same elements finds them in the cache of the same
// core, and then what is left of the others'. One that comes late or is
// interrupted therefore costs no more than it gives.
type task struct {
	who    sharer
	parts  []part
	claim  int64     // units that are claimed at once
	asked  []*helper // who was asked to join
	joined atomic.Int32
	open   atomic.Int32 // helpers that have begun and not left
	gate   sync.Mutex
}

// part is a range of units.
type part struct {
	next atomic.Int64 // the first that is not claimed
	end  int64
	_    [cacheLine - 16]byte
}

// sharer is whose work a task is. It is an interface so that launches, which
// have one each, need no closure.
type sharer interface {
	// help does units of t until all are claimed; number tells goroutines
	// apart, the caller's is 0.
	help(t *task, number int)
}

// run does units of work, of that cost in all, on up to n goroutines, the
// caller's among them, which claim so many units at once. It returns when all
// are done.
func (t *task) run(who sharer, n, units, claim int, cost int64) {
	t.who, t.claim = who, int64(claim)
	t.cut(n, units)
	team.callers.Add(1)
	team.ask(t, n-1, cost)
	who.help(t, 0)
	if begun := t.takeBack(); t.open.Add(begun) != 0 {
		t.wait(cost)
	}
	team.callers.Add(-1)
	t.who, t.asked = nil, t.asked[:0]
}

// cut makes n parts of the units.
func (t *task) cut(n, units int) {
	if cap(t.parts) < n {
		t.parts = make([]part, n)
	}
	t.parts = t.parts[:n]
	for i := range t.parts {
		p := &t.parts[i]
		p.next.Store(int64(i) * int64(units) / int64(n))
		p.end = int64(i+1) * int64(units) / int64(n)
	}
	t.joined.Store(0)
}

// claims hands out units to one goroutine.
type claims struct {
	t    *task
	at   int // the part it is working on
	done int // parts that it has seen the end of
}

// claims returns those of the goroutine of that number.
func (t *task) claims(number int) claims { return claims{t: t, at: number % len(t.parts)} }

// next returns the next units to do, lo..hi-1; false when none is left.
func (c *claims) next() (lo, hi int, more bool) {
	for ; c.done < len(c.t.parts); c.done++ {
		p := &c.t.parts[c.at]
		if p.next.Load() < p.end {
			if from := p.next.Add(c.t.claim) - c.t.claim; from < p.end {
				return int(from), int(min(from+c.t.claim, p.end)), true
			}
		}
		if c.at++; c.at == len(c.t.parts) {
			c.at = 0
		}
	}
	return 0, 0, false
}

// sleeping is added to task.open by a caller that sleeps until it is 0.
const sleeping = 1 << 20

// leave ends the work of a helper.
func (t *task) leave() {
	if t.open.Add(-1) == sleeping {
		t.gate.Unlock()
	}
}

// takeBack takes back what no helper has begun and returns how many did begin.
func (t *task) takeBack() (begun int32) {
	for i, h := range t.asked {
		if !h.state.CompareAndSwap(t, nil) {
			begun++
		}
		t.asked[i] = nil
	}
	return begun
}

// wait returns when the helpers have left. It looks for a moment, since they
// are at their last units, then lets other goroutines run, then sleeps: a
// helper's processor may have been taken away.
func (t *task) wait(cost int64) {
	for range 16 {
		for range roundPauses {
			if t.open.Load() == 0 {
				return
			}
			pause()
		}
		runtime.Gosched()
	}
	start := time.Now()
	// A mutex and not a channel: that may not be used both inside and outside
	// a bubble of testing/synctest.
	t.gate.Lock()
	if t.open.Add(sleeping) != sleeping {
		t.gate.Lock() // until the last helper unlocks it
	}
	t.open.Add(-sleeping)
	t.gate.Unlock()
	if lost := time.Since(start); lost > slack+time.Duration(cost/16) {
		team.rest.after(lost)
	}
}

// slack is how much longer than its work, at 16 eighths of an addition a
// nanosecond, a helper takes only when its processor was taken away.
const slack = 200 * time.Microsecond
