package device

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestFreeListAgainstSlice drives the linked lists and a plain slice, oldest
// first, with the same random operations.
func TestFreeListAgainstSlice(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var list freeList[int]
	var model []*slot[int]
	var epoch uint32
	take := func(i int) { model = slices.Delete(model, i, i+1) }
	for step := range 20_000 {
		switch op := rng.IntN(20); {
		case op < 10:
			class := rng.IntN(3)
			s := &slot[int]{mem: step, class: class, capacity: int64(1 + class), epoch: epoch}
			list.push(s)
			model = append(model, s)
		case op < 18:
			class := rng.IntN(4) - 1
			var want *slot[int]
			for i := len(model) - 1; i >= 0 && class != noClass; i-- {
				if model[i].class == class {
					want = model[i]
					take(i)
					break
				}
			}
			if got := list.pop(class); got != want {
				t.Fatalf("step %d: pop(%d) = %v, want %v", step, class, got, want)
			}
		case op < 19:
			keep := list.bytes - rng.Int64N(5)
			for _, s := range list.trim(keep) {
				if s != model[0] {
					t.Fatalf("step %d: trim took %d, the oldest is %d", step, s.mem, model[0].mem)
				}
				take(0)
			}
			if list.bytes > max(keep, 0) {
				t.Fatalf("step %d: %d bytes after trim(%d)", step, list.bytes, keep)
			}
		default:
			if step%200 > 10 {
				continue
			}
			for _, s := range list.expire(epoch) {
				if s != model[0] || s.epoch == epoch {
					t.Fatalf("step %d: expire took %d", step, s.mem)
				}
				take(0)
			}
			if len(model) > 0 && model[0].epoch != epoch {
				t.Fatalf("step %d: expire left %d", step, model[0].mem)
			}
			epoch++
		}
		checkFreeList(t, &list, model)
	}
}

func checkFreeList(t *testing.T, list *freeList[int], model []*slot[int]) {
	t.Helper()
	var bytes int64
	s := list.age.oldest
	for _, want := range model {
		bytes += want.capacity
		if s != want {
			t.Fatalf("by age: %v, want %v", s, want)
		}
		s = s.links[byAge].newer
	}
	if s != nil || list.bytes != bytes {
		t.Fatalf("%d bytes, want %d; left over: %v", list.bytes, bytes, s)
	}
}
