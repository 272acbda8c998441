package lru_test

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/stride0/stride0/internal/lru"
)

func ExampleCache() {
	c := lru.New[int](1, func(v string) { fmt.Println("dropped", v) })
	for _, key := range []int{1, 1, 2} {
		e, _ := c.Acquire(key, func() (string, error) {
			fmt.Println("made", key)
			return fmt.Sprint("thing ", key), nil
		})
		e.Release()
	}
	// Output:
	// made 1
	// dropped thing 1
	// made 2
}

// recorder counts what is made and dropped.
type recorder struct {
	mu            sync.Mutex
	made, dropped []int
}

func (r *recorder) cache(limit int) *lru.Cache[int, int] {
	return lru.New[int](limit, func(v int) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.dropped = append(r.dropped, v)
	})
}

func (r *recorder) make(v int) func() (int, error) {
	return func() (int, error) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.made = append(r.made, v)
		return v, nil
	}
}

func TestLeastRecentlyUsedGoesFirst(t *testing.T) {
	var r recorder
	c := r.cache(3)
	for _, key := range []int{1, 2, 3, 1, 4, 5, 1} {
		e, err := c.Acquire(key, r.make(key))
		require.NoError(t, err)
		assert.Equal(t, key, e.Value())
		e.Release()
	}
	assert.Equal(t, []int{1, 2, 3, 4, 5}, r.made)
	assert.Equal(t, []int{2, 3}, r.dropped)
	assert.Equal(t, 3, c.Len())
}

func TestHeldThingsLiveUntilReleased(t *testing.T) {
	var r recorder
	c := r.cache(1)
	first, err := c.Acquire(1, r.make(1))
	require.NoError(t, err)
	again, err := c.Acquire(1, r.make(1))
	require.NoError(t, err)
	second, err := c.Acquire(2, r.make(2))
	require.NoError(t, err)
	assert.Empty(t, r.dropped, "still held")
	first.Release()
	assert.Empty(t, r.dropped, "held once more")
	again.Release()
	assert.Equal(t, []int{1}, r.dropped)

	c.Clear()
	assert.Zero(t, c.Len())
	assert.Equal(t, []int{1}, r.dropped)
	second.Release()
	assert.Equal(t, []int{1, 2}, r.dropped)
}

func TestFailuresAreNotKept(t *testing.T) {
	var r recorder
	c := r.cache(2)
	broken := errors.New("broken")
	_, err := c.Acquire(1, func() (int, error) { return 0, broken })
	assert.ErrorIs(t, err, broken)
	assert.Zero(t, c.Len())
	e, err := c.Acquire(1, r.make(1))
	require.NoError(t, err)
	e.Release()
	c.Clear()
	assert.Equal(t, []int{1}, r.dropped, "only what was made is dropped")
}

func TestMadeOnceWhileOthersWait(t *testing.T) {
	var r recorder
	c := r.cache(8)
	var inside, most atomic.Int64
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			for key := range 4 {
				e, err := c.Acquire(key, func() (int, error) {
					most.Store(max(most.Load(), inside.Add(1)))
					defer inside.Add(-1)
					return r.make(key)()
				})
				if assert.NoError(t, err) {
					assert.Equal(t, key, e.Value())
					e.Release()
				}
			}
		})
	}
	wg.Wait()
	assert.Len(t, r.made, 4)
	c.Clear()
	assert.ElementsMatch(t, r.made, r.dropped)
}

// Many goroutines on a cache that is too small: whatever is made is dropped
// once, and never while held.
func TestEveryThingIsDroppedOnce(t *testing.T) {
	var alive sync.Map
	c := lru.New[int](2, func(v int) {
		_, was := alive.LoadAndDelete(v)
		assert.True(t, was, "%d dropped twice", v)
	})
	var next atomic.Int64
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 300 {
				e, err := c.Acquire((g+i)%5, func() (int, error) {
					v := int(next.Add(1))
					alive.Store(v, true)
					return v, nil
				})
				if !assert.NoError(t, err) {
					return
				}
				_, ok := alive.Load(e.Value())
				assert.True(t, ok, "dropped while held")
				e.Release()
			}
		})
	}
	wg.Wait()
	c.Clear()
	alive.Range(func(v, _ any) bool { t.Errorf("%v was never dropped", v); return true })
}
