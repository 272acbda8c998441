package devicetest

import (
	"math/rand/v2"
	"sync"
	"time"

	"github.com/stride0/stride0/device"
)

// lagQueue does work in order, late, on a goroutine that lives only while
// there is work: an idle queue holds nothing.
type lagQueue struct {
	name  string
	delay time.Duration
	base  *device.Base // of the device; it knows whether that is lost

	mu      sync.Mutex
	step    *sync.Cond // work was done, or dropped
	rng     *rand.Rand
	work    []lagWork
	added   int // how many works there have been
	done    int // how many of them are done
	running bool
}

type lagWork struct {
	seq int
	do  func() error // an error loses the device
}

// ticket is a place in the queue.
type ticket struct {
	seq  int
	mark uint64 // the same place in the device's Recent
}

func newLagQueue(name string, opts LagOptions, base *device.Base) *lagQueue {
	q := &lagQueue{name: name, delay: opts.Delay, base: base, rng: rand.New(rand.NewPCG(opts.Seed, 1))}
	q.step = sync.NewCond(&q.mu)
	return q
}

// add appends work under a label; without one it is no suspect. A device that
// is lost or closed takes none.
func (q *lagQueue) add(label string, do func() error) (ticket, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if err := q.base.Down(); err != nil {
		return ticket{}, err
	}
	if label != "" {
		q.base.Recent.Enqueued(label)
	}
	q.added++
	q.work = append(q.work, lagWork{q.added, do})
	if !q.running {
		q.running = true
		go q.drain()
	}
	return ticket{q.added, q.base.Recent.Mark()}, nil
}

// last returns the place after all that was added.
func (q *lagQueue) last() ticket {
	q.mu.Lock()
	defer q.mu.Unlock()
	return ticket{q.added, q.base.Recent.Mark()}
}

// drain works until nothing is left.
func (q *lagQueue) drain() {
	for {
		w, ok := q.next()
		if !ok {
			return
		}
		err := w.do()
		q.mu.Lock()
		q.done = max(q.done, w.seq)
		if err != nil {
			_ = q.base.SetLost(q.name, err)
			q.done, q.work = q.added, nil
		}
		q.step.Broadcast()
		q.mu.Unlock()
	}
}

// next waits the random time and takes the first work; false when there is none.
func (q *lagQueue) next() (lagWork, bool) {
	q.mu.Lock()
	if len(q.work) == 0 {
		q.running, q.work = false, nil
		q.step.Broadcast()
		q.mu.Unlock()
		return lagWork{}, false
	}
	w := q.work[0]
	q.work[0] = lagWork{} // or the slice would keep its buffers reachable
	q.work = q.work[1:]
	late := time.Duration(0)
	if q.delay > 0 && q.rng.IntN(3) == 0 { // bursts, too, find faults
		late = time.Duration(q.rng.Int64N(int64(q.delay) + 1))
	}
	q.mu.Unlock()
	time.Sleep(late)
	return w, true
}

// wait waits until the work at t and all before it are done.
func (q *lagQueue) wait(t ticket) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.done < t.seq {
		q.step.Wait()
	}
	if err := q.base.Down(); err != nil {
		return err
	}
	q.base.Recent.Done(t.mark)
	return nil
}

// rest waits until all work is done and the goroutine has ended.
func (q *lagQueue) rest() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.running {
		q.step.Wait()
	}
}
