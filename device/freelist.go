package device

// slot is memory of a Pool. It outlives the Blocks that lend it out.
type slot[M any] struct {
	pool     *Pool[M]
	mem      M
	capacity int64
	class    int    // noClass: released when freed
	born     uint64 // collections begun when it was last lent out
	epoch    uint32 // the Pool's idle period in which it was last freed
	links    [2]link[M]
}

// link joins a slot to its neighbours in one list.
type link[M any] struct{ newer, older *slot[M] }

// The lists a free slot is in.
const (
	byClass = iota
	byAge
)

// slotList is a doubly linked list of slots, newest first, through links[which].
type slotList[M any] struct{ newest, oldest *slot[M] }

func (l *slotList[M]) push(s *slot[M], which int) {
	s.links[which] = link[M]{older: l.newest}
	if l.newest != nil {
		l.newest.links[which].newer = s
	} else {
		l.oldest = s
	}
	l.newest = s
}

func (l *slotList[M]) remove(s *slot[M], which int) {
	at := s.links[which]
	if at.newer != nil {
		at.newer.links[which].older = at.older
	} else {
		l.newest = at.older
	}
	if at.older != nil {
		at.older.links[which].newer = at.newer
	} else {
		l.oldest = at.newer
	}
	s.links[which] = link[M]{}
}

// freeList holds the slots waiting for reuse: per class, where the newest is
// taken because its bytes are the likeliest to be in a cache, and by age, from
// which the oldest is given up.
type freeList[M any] struct {
	class [classes]slotList[M]
	age   slotList[M]
	bytes int64
}

func (f *freeList[M]) push(s *slot[M]) {
	f.class[s.class].push(s, byClass)
	f.age.push(s, byAge)
	f.bytes += s.capacity
}

// pop takes the newest slot of a class, or returns nil.
func (f *freeList[M]) pop(class int) *slot[M] {
	if class == noClass {
		return nil
	}
	s := f.class[class].newest
	if s != nil {
		f.remove(s)
	}
	return s
}

func (f *freeList[M]) remove(s *slot[M]) {
	f.class[s.class].remove(s, byClass)
	f.age.remove(s, byAge)
	f.bytes -= s.capacity
}

// trim takes out the oldest slots until at most keep bytes are left.
func (f *freeList[M]) trim(keep int64) []*slot[M] {
	var out []*slot[M]
	for f.bytes > max(keep, 0) {
		s := f.age.oldest
		f.remove(s)
		out = append(out, s)
	}
	return out
}

// expire takes out the slots that were freed before the given idle period.
func (f *freeList[M]) expire(epoch uint32) []*slot[M] {
	var out []*slot[M]
	for f.age.oldest != nil && f.age.oldest.epoch != epoch {
		s := f.age.oldest
		f.remove(s)
		out = append(out, s)
	}
	return out
}
