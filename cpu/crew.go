package cpu

import (
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// crew is the goroutines that help callers with their tasks, at most
// GOMAXPROCS-1 of them. Starting a goroutine on an idle processor takes 70 to
// 110 µs, longer than most operations; so a helper that has nothing to do
// stays awake for a while (spinTime), looking for more, and then ends. The
// caller of an operation works too and never waits for a helper that has not
// begun: what it asked of that one it does itself.
type crew struct {
	mu      sync.Mutex
	helpers atomic.Pointer[[]*helper]
	callers atomic.Int32 // that are at work; each has a processor of its own
	missed  atomic.Int64 // work, as cost is counted, for which nobody was awake
	rest    rest
}

// team is the one crew: all callers have the same processors.
var team crew

// helper is one goroutine of the crew, or the place of one that has ended. Its
// state is the task it is asked to do, nil when it is awake and idle, or a mark.
type helper struct {
	state atomic.Pointer[task]
	_     [cacheLine - 8]byte
}

// The marks in the state of a helper.
var (
	asleep task // no goroutine
	busy   task
)

// cacheLine keeps what different processors write apart.
const cacheLine = 64

// worthWaking is the work, in eighths of an addition, for which a goroutine is
// started: some 50 µs. For less, helpers that are awake already are asked.
const worthWaking = 1 << 20

// spinTime is how long a helper stays awake without work.
var spinTime = spinSetting(os.Getenv("STRIDE0_SPIN"))

const (
	// usualSpin covers what a program does between two operations, and is a
	// fiftieth of a core for one that computes ten times a second.
	usualSpin = 2 * time.Millisecond
	maxSpin   = 20 * time.Millisecond
	// stillRounds and stillTasks are how long a helper believes a clock that
	// does not move: so many rounds of a spin, some milliseconds, and tasks.
	// In a bubble of testing/synctest it stands still, and the bubble waits for
	// the helpers that were started in it.
	stillRounds = 512
	stillTasks  = 64
	// crowded is far more than a round takes, unless somebody else has the
	// processor meanwhile.
	crowded = 100 * time.Microsecond
	// roundPauses is the length of a round: a few microseconds, so that a
	// goroutine that waits for the processor gets it soon.
	roundPauses = 64
)

// spinSetting reads STRIDE0_SPIN: a duration up to maxSpin, 0 for not at all.
func spinSetting(value string) time.Duration {
	d, err := time.ParseDuration(value)
	if err != nil || d < 0 {
		return usualSpin
	}
	return min(d, maxSpin)
}

// ask asks up to want helpers to join t, whose cost in all is given, but no more
// than there are processors without a caller: a helper that has to wait for one
// holds its caller up.
func (c *crew) ask(t *task, want int, cost int64) {
	want = min(want, runtime.GOMAXPROCS(0)-int(c.callers.Load()))
	if want <= 0 {
		return
	}
	if c.rest.now() {
		return
	}
	list := c.atLeast(want)
	for _, h := range list {
		if len(t.asked) == want {
			return
		}
		if h.state.Load() == nil && h.state.CompareAndSwap(nil, t) {
			t.asked = append(t.asked, h)
		}
	}
	if cost < worthWaking && (spinTime == 0 || c.missed.Add(cost) < worthWaking) {
		return // a program of many small operations gets its helpers after a few
	}
	c.missed.Store(0)
	for _, h := range list {
		if len(t.asked) == want {
			return
		}
		if h.state.Load() == &asleep && h.state.CompareAndSwap(&asleep, t) {
			t.asked = append(t.asked, h)
			go h.serve()
		}
	}
}

// atLeast returns the helpers, after making places so that there are n.
func (c *crew) atLeast(n int) []*helper {
	if list := c.helpers.Load(); list != nil && len(*list) >= n {
		return *list
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	var list []*helper
	if old := c.helpers.Load(); old != nil {
		list = *old
	}
	list = list[:len(list):len(list)]
	for len(list) < n {
		h := new(helper)
		h.state.Store(&asleep)
		list = append(list, h)
	}
	c.helpers.Store(&list)
	return list
}

// serve does what h is asked to do until it has been idle for spinTime.
func (h *helper) serve() {
	start, done := time.Now(), 0
	for {
		t := h.state.Load()
		switch {
		case t != nil && h.state.CompareAndSwap(t, &busy):
			t.who.help(t, int(t.joined.Add(1)))
			h.state.Store(nil) // before the caller goes on and asks again
			t.leave()
			done++
		case t == nil && (done >= stillTasks && time.Now().Equal(start) || !h.spin()) && h.state.CompareAndSwap(nil, &asleep):
			return
		}
	}
}

// spin returns true as soon as h is asked to do something, false after
// spinTime. Other goroutines and the garbage collector get the processor when
// they want it; once one of them, or another program, has kept it for long,
// there is no idle processor to spin on, and h ends.
func (h *helper) spin() bool {
	start := time.Now()
	before := start
	for round := 0; ; round++ {
		for range roundPauses {
			if h.state.Load() != nil {
				return true
			}
			pause()
		}
		now := time.Now()
		if lost := now.Sub(before); lost > crowded {
			team.rest.after(lost)
			return false
		}
		still := round >= stillRounds && now.Equal(start)
		if still || now.Sub(start) >= spinTime || runtime.GOMAXPROCS(0) == 1 {
			return false
		}
		before = now
		runtime.Gosched()
	}
}
