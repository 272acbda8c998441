package cpu

import (
	"cmp"
	"math"
	"slices"

	"github.com/stride0/stride0/dtype"
)

// ordering makes of elements' bit patterns unsigned numbers in the order in
// which the elements shall come.
type ordering struct {
	mask uint64 // the bits of an element
	sign uint64 // its sign bit; 0 for types without
	inf  uint64 // of floats: +Inf, above which, without the sign, is NaN; else 0
	flip uint64 // mask when descending
}

// orderingOf returns the ordering of a dtype.
func orderingOf(d dtype.DType, descending bool) ordering {
	o := ordering{mask: math.MaxUint64 >> (64 - 8*d.Size())}
	if k := d.Kind(); k == dtype.IntKind || k == dtype.FloatKind {
		o.sign = o.mask - o.mask>>1
	}
	switch d {
	case dtype.Float16:
		o.inf = 0x7c00
	case dtype.BFloat16:
		o.inf = 0x7f80
	case dtype.Float32:
		o.inf = 0xff << 23
	case dtype.Float64:
		o.inf = 0x7ff << 52
	}
	if descending {
		o.flip = o.mask
	}
	return o
}

// key returns the number of a bit pattern. Both zeros have the same, and every
// NaN has the greatest, which no other float has: the bits of finite numbers
// and infinities end below those of NaN on either side.
func (o *ordering) key(bits uint64) uint64 {
	if o.inf == 0 {
		return bits ^ o.sign ^ o.flip
	}
	switch magnitude := bits &^ o.sign; {
	case magnitude > o.inf:
		return o.mask
	case magnitude == 0:
		bits = o.sign
	case bits&o.sign != 0:
		bits ^= o.mask
	default:
		bits |= o.sign
	}
	return bits ^ o.flip
}

// ranked is an element in a sort: its key and where it stood. No two are
// equal, so any way to sort them is stable.
type ranked[K uint32 | uint64] struct {
	key K
	pos uint32
}

func (a ranked[K]) before(b ranked[K]) bool {
	return a.key < b.key || a.key == b.key && a.pos < b.pos
}

func compareRanked[K uint32 | uint64](a, b ranked[K]) int {
	if c := cmp.Compare(a.key, b.key); c != 0 {
		return c
	}
	return cmp.Compare(a.pos, b.pos)
}

// radixFrom is the number of elements from which on radix sort is faster than
// comparing: about where its tables are filled for less than n·log n.
const radixFrom = 256

// sortRanked sorts list, which is in order of position, with room of the same
// length to work in, and returns the one of the two that holds the result. Keys
// have keyBytes bytes.
func sortRanked[K uint32 | uint64](list, room []ranked[K], keyBytes int) []ranked[K] {
	if len(list) < radixFrom {
		slices.SortFunc(list, compareRanked[K])
		return list
	}
	return radixSort(list, room, keyBytes)
}

// radixSort sorts by one byte of the keys after the other, the least
// significant first; each pass keeps the order of what is equal.
func radixSort[K uint32 | uint64](list, room []ranked[K], keyBytes int) []ranked[K] {
	var counts [8][256]int
	for i := range list {
		key := list[i].key
		for b := range keyBytes {
			counts[b][uint8(key>>(8*b))]++
		}
	}
	for b := range keyBytes {
		next := &counts[b]
		if next[uint8(list[0].key>>(8*b))] == len(list) {
			continue // all have the same byte
		}
		sum := 0
		for v, n := range next {
			next[v], sum = sum, sum+n
		}
		for _, r := range list {
			v := uint8(r.key >> (8 * b))
			room[next[v]] = r
			next[v]++
		}
		list, room = room, list
	}
	return list
}

// least moves the first len(heap) of what next yields, n elements in order of
// position, into heap and sorts it.
func least[K uint32 | uint64](heap []ranked[K], n int, next func(pos int) K) {
	for i := range heap {
		heap[i] = ranked[K]{next(i), uint32(i)}
	}
	for i := len(heap)/2 - 1; i >= 0; i-- {
		sink(heap, i)
	}
	for i := len(heap); i < n; i++ {
		if r := (ranked[K]{next(i), uint32(i)}); r.before(heap[0]) {
			heap[0] = r
			sink(heap, 0)
		}
	}
	slices.SortFunc(heap, compareRanked[K])
}

// sink restores the heap, whose first is the last in order, below i.
func sink[K uint32 | uint64](heap []ranked[K], i int) {
	for {
		child := 2*i + 1
		if child >= len(heap) {
			return
		}
		if child+1 < len(heap) && heap[child].before(heap[child+1]) {
			child++
		}
		if !heap[i].before(heap[child]) {
			return
		}
		heap[i], heap[child] = heap[child], heap[i]
		i = child
	}
}
