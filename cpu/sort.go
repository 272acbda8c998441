package cpu

import (
	"fmt"
	"math"
	"slices"
	"unsafe"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
)

// Sort orders lines, each on one goroutine: a radix sort of long ones, a heap
// of K where few of many are wanted.
//
// Errors: *device.OutOfMemoryError for the working memory, 2 words an element;
// *device.Error for ErrUnsupported (lines of 2^32 elements and more),
// ErrFreed, an operand that reaches beyond its buffer.
func (d *Device) Sort(s *device.Sort) error {
	j := &sortJob{sort: s, order: orderingOf(s.DType, s.Descending)}
	if int64(s.N) > math.MaxUint32 || s.DType.Size() == 0 || s.K < 0 || s.K > s.N {
		return refusal("Sort", fmt.Errorf("%w: %d of a line of %d %v", device.ErrUnsupported, s.K, s.N, s.DType))
	}
	defer func() { release(j.in, j.values, j.positions) }()
	if err := j.take(); err != nil {
		return err
	}
	lines := 1
	for _, n := range s.Lines {
		lines *= n
	}
	if lines == 0 || s.K == 0 {
		return nil
	}
	return j.run(d, lines)
}

// sortJob is a Sort made ready.
type sortJob struct {
	sort                  *device.Sort
	order                 ordering
	in, values, positions spot
	heaped                bool // K elements are kept while the line passes by
	room                  []byte
	perWorker             int // bytes of room
}

// take acquires the operands.
func (j *sortJob) take() error {
	s := j.sort
	line := func(n int) []int { return append(slices.Clone(s.Lines), n) }
	var err error
	if j.in, err = takeSpot("Sort", s.In.Operand, s.DType.Size(), line(s.N), s.In.Strides); err != nil {
		return err
	}
	if s.Values.Buffer != nil {
		if j.values, err = takeSpot("Sort", s.Values.Operand, s.DType.Size(), line(s.K), s.Values.Strides); err != nil {
			return err
		}
	}
	if s.Positions.Buffer != nil {
		j.positions, err = takeSpot("Sort", s.Positions.Operand, dtype.Int64.Size(), line(s.K), s.Positions.Strides)
	}
	return err
}

// heapPays is how many times more elements there must be than are wanted for
// a heap of those to be faster than sorting all.
const heapPays = 8

// smallRoom is the number of bytes up to which working memory comes from the
// Go heap.
const smallRoom = 64 << 10

// run sorts the lines.
func (j *sortJob) run(d *Device, lines int) error {
	s := j.sort
	cost := 8 * addition * int64(s.N)
	each := int(unsafe.Sizeof(ranked[uint32]{}))
	if s.DType.Size() == 8 {
		each = int(unsafe.Sizeof(ranked[uint64]{}))
	}
	j.heaped = s.K <= s.N/heapPays
	n := s.K
	if !j.heaped {
		n = 2 * s.N
	}
	j.perWorker = (n*each + 63) / 64 * 64
	workers := workersFor(lines, cost)
	need := workers * j.perWorker
	if need <= smallRoom {
		j.room = alignedBytes(need)
	} else {
		room, err := d.Alloc(int64(need))
		if err != nil {
			return err
		}
		defer room.Free()
		j.room = room.(*Buffer).data
	}
	share(workers, lines, cost, func(worker, lo, hi int) {
		mem := j.room[worker*j.perWorker:][:j.perWorker]
		for l := lo; l < hi; l++ {
			j.line(l, mem)
		}
	})
	return nil
}

// line sorts line number l.
func (j *sortJob) line(l int, mem []byte) {
	s := j.sort
	in, values, positions := 0, 0, 0 // offsets of the line, in elements
	for k := len(s.Lines) - 1; k >= 0; k-- {
		at := l % s.Lines[k]
		l /= s.Lines[k]
		in += at * s.In.Strides[k]
		if j.values.buf != nil {
			values += at * s.Values.Strides[k]
		}
		if j.positions.buf != nil {
			positions += at * s.Positions.Strides[k]
		}
	}
	switch s.DType.Size() {
	case 1:
		sortLine[uint8, uint32](j, mem, in, values, positions)
	case 2:
		sortLine[uint16, uint32](j, mem, in, values, positions)
	case 4:
		sortLine[uint32, uint32](j, mem, in, values, positions)
	default:
		sortLine[uint64, uint64](j, mem, in, values, positions)
	}
}

// sortLine sorts the line at these offsets. E is an element, K its key.
func sortLine[E word, K uint32 | uint64](j *sortJob, mem []byte, in, values, positions int) {
	s := j.sort
	var zero E
	elem := int(unsafe.Sizeof(zero))
	step := s.In.Strides[len(s.Lines)] * elem
	src := unsafe.Add(j.in.base, in*elem)
	keyAt := func(pos int) K { return K(j.order.key(uint64(*(*E)(unsafe.Add(src, pos*step))))) }
	room := unsafe.Slice((*ranked[K])(unsafe.Pointer(unsafe.SliceData(mem))), len(mem)/int(unsafe.Sizeof(ranked[K]{})))
	var list []ranked[K]
	if j.heaped {
		list = room[:s.K]
		least(list, s.N, keyAt)
	} else {
		list = room[:s.N]
		for i := range list {
			list[i] = ranked[K]{keyAt(i), uint32(i)}
		}
		list = sortRanked(list, room[s.N:][:s.N], elem)[:s.K]
	}
	if j.values.buf != nil {
		to, toStep := values*elem, s.Values.Strides[len(s.Lines)]*elem
		for _, r := range list {
			*(*E)(unsafe.Add(j.values.base, to)) = *(*E)(unsafe.Add(src, int(r.pos)*step))
			to += toStep
		}
	}
	if j.positions.buf != nil {
		to, toStep := positions*8, s.Positions.Strides[len(s.Lines)]*8
		for _, r := range list {
			*(*int64)(unsafe.Add(j.positions.base, to)) = int64(r.pos)
			to += toStep
		}
	}
}
