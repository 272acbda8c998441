package tensor_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stride0/stride0/cpu"
	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/device/devicetest"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

// indexing is one operation at indices with what it must give, from plain
// loops over the operands' elements.
type indexing struct {
	name   string
	do     func() *tensor.Tensor
	sizes  []int
	data   []int64
	beyond bool // an index is out of range
}

// rowMajorAt returns the place in row-major order of an index.
func rowMajorAt(sizes, index []int) int {
	pos := 0
	for i, n := range sizes {
		pos = pos*n + index[i]
	}
	return pos
}

// reach returns index i of an axis of n; false out of range, which it notes.
func (x *indexing) reach(i int64, n int) (int, bool) {
	if i < 0 {
		i += int64(n)
	}
	ok := i >= 0 && i < int64(n)
	x.beyond = x.beyond || !ok
	return int(i), ok
}

// indices makes a tensor of indices into an axis of n, by chance int32, a view,
// or with one out of range.
func (s *script) indices(n int, sizes ...int) (*tensor.Tensor, oracle) {
	o := oracle{sizes: sizes, data: make([]int64, shapeSize(sizes))}
	for i := range o.data {
		o.data[i] = int64(s.next(2*n) - n)
	}
	if len(o.data) > 0 && s.next(5) == 4 {
		o.data[s.next(len(o.data))] = int64([]int{n, -n - 1, 1 << 30}[s.next(3)])
	}
	x := tensor.New(o.data).Reshape(sizes...)
	if len(sizes) > 1 && s.next(2) == 1 {
		x = x.Transpose().Clone().Transpose()
	}
	if s.next(2) == 1 {
		x = x.Cast(dtype.Int32)
	}
	return x, o
}

// pickIndexing draws an operation on x, whose elements are those of o.
func (s *script) pickIndexing(x *tensor.Tensor, o oracle, to func(*tensor.Tensor) *tensor.Tensor) *indexing {
	if len(o.sizes) == 0 {
		x, o.sizes = x.Unsqueeze(0), []int{1}
	}
	x = to(x)
	axis := s.next(len(o.sizes))
	switch s.next(6) {
	case 0:
		return s.gathers(x, o, axis, to)
	case 1:
		return s.gatherElements(x, o, axis, to)
	case 2:
		return s.gatherND(x, o, to)
	case 3:
		return s.scatterElements(x, o, axis, to)
	case 4:
		return s.indexAdd(x, o, axis, to)
	}
	return s.scatterND(x, o, to)
}

type onDevice = func(*tensor.Tensor) *tensor.Tensor

func (s *script) gathers(x *tensor.Tensor, o oracle, axis int, to onDevice) *indexing {
	var more []int
	for range s.next(3) {
		more = append(more, s.next(4))
	}
	index, oi := s.indices(o.sizes[axis], more...)
	r := &indexing{name: "Gather", do: func() *tensor.Tensor { return x.Gather(axis, to(index)) }}
	r.sizes = slices.Concat(o.sizes[:axis], more, o.sizes[axis+1:])
	each(r.sizes, func(p []int) {
		from := slices.Concat(p[:axis], []int{0}, p[axis+len(more):])
		var ok bool
		if from[axis], ok = r.reach(oi.at(p[axis:axis+len(more)]), o.sizes[axis]); ok {
			r.data = append(r.data, o.at(from))
		}
	})
	return r
}

// beside draws sizes of an index into an axis that are nowhere else longer.
func (s *script) beside(sizes []int, axis int) []int {
	out := slices.Clone(sizes)
	for a, n := range sizes {
		if a == axis {
			out[a] = s.next(5)
		} else if n > 0 && s.next(3) == 0 {
			out[a] = s.next(n)
		}
	}
	return out
}

func (s *script) gatherElements(x *tensor.Tensor, o oracle, axis int, to onDevice) *indexing {
	sizes := s.beside(o.sizes, axis)
	index, oi := s.indices(o.sizes[axis], sizes...)
	r := &indexing{name: "GatherElements", do: func() *tensor.Tensor { return x.GatherElements(axis, to(index)) }, sizes: sizes}
	each(sizes, func(p []int) {
		from := slices.Clone(p)
		var ok bool
		if from[axis], ok = r.reach(oi.at(p), o.sizes[axis]); ok {
			r.data = append(r.data, o.at(from))
		}
	})
	return r
}

// tuples draws tuples of indices into the first k axes of sizes.
func (s *script) tuples(sizes []int) (x *tensor.Tensor, o oracle, k int, outer []int) {
	k = s.next(len(sizes) + 1)
	for range s.next(3) {
		outer = append(outer, s.next(4))
	}
	least := 99
	for _, n := range sizes[:k] {
		least = min(least, n)
	}
	x, o = s.indices(least, append(slices.Clone(outer), k)...)
	return x, o, k, outer
}

// slot returns where the tuple at p of an index points.
func (x *indexing) slot(oi oracle, k int, p, sizes []int) (at []int, ok bool) {
	ok = true
	for j := range k {
		i, in := x.reach(oi.at(append(slices.Clone(p), j)), sizes[j])
		at, ok = append(at, i), ok && in
	}
	return at, ok
}

func (s *script) gatherND(x *tensor.Tensor, o oracle, to onDevice) *indexing {
	index, oi, k, outer := s.tuples(o.sizes)
	r := &indexing{name: "GatherND", do: func() *tensor.Tensor { return x.GatherND(to(index)) }}
	r.sizes = slices.Concat(outer, o.sizes[k:])
	each(r.sizes, func(p []int) {
		if at, ok := r.slot(oi, k, p[:len(outer)], o.sizes); ok {
			r.data = append(r.data, o.at(append(at, p[len(outer):]...)))
		}
	})
	return r
}

// update makes updates for sizes, by chance one element that is stretched.
func (s *script) update(sizes []int) (*tensor.Tensor, oracle) {
	if s.next(4) == 0 {
		return tensor.New([]int64{3}), oracle{sizes: []int{1}, data: []int64{3}}
	}
	o := oracle{sizes: sizes}
	for i := range shapeSize(sizes) {
		o.data = append(o.data, int64(i%7-3))
	}
	return tensor.New(o.data).Reshape(sizes...), o
}

var mergeRules = []func(a, b int64) int64{
	tensor.MergeReplace: func(_, b int64) int64 { return b },
	tensor.MergeAdd:     func(a, b int64) int64 { return a + b },
	tensor.MergeMul:     func(a, b int64) int64 { return a * b },
	tensor.MergeMin:     func(a, b int64) int64 { return min(a, b) },
	tensor.MergeMax:     func(a, b int64) int64 { return max(a, b) },
}

func (s *script) scatterElements(x *tensor.Tensor, o oracle, axis int, to onDevice) *indexing {
	sizes := s.beside(o.sizes, axis)
	index, oi := s.indices(o.sizes[axis], sizes...)
	u, ou := s.update(sizes)
	how := tensor.Merge(s.next(len(mergeRules)))
	r := &indexing{name: "ScatterElements " + how.String(), do: func() *tensor.Tensor { return x.ScatterElements(axis, to(index), to(u), how) },
		sizes: o.sizes, data: slices.Clone(o.data)}
	each(sizes, func(p []int) {
		at := slices.Clone(p)
		var ok bool
		if at[axis], ok = r.reach(oi.at(p), o.sizes[axis]); ok {
			cell := &r.data[rowMajorAt(o.sizes, at)]
			*cell = mergeRules[how](*cell, ou.at(p))
		}
	})
	return r
}

func (s *script) indexAdd(x *tensor.Tensor, o oracle, axis int, to onDevice) *indexing {
	sizes := slices.Clone(o.sizes)
	sizes[axis] = s.next(5)
	index, oi := s.indices(o.sizes[axis], sizes[axis])
	u, ou := s.update(sizes)
	r := &indexing{name: "IndexAdd", do: func() *tensor.Tensor { return x.IndexAdd(axis, to(index), to(u)) }, sizes: o.sizes, data: slices.Clone(o.data)}
	each(sizes, func(p []int) {
		at := slices.Clone(p)
		var ok bool
		if at[axis], ok = r.reach(oi.data[p[axis]], o.sizes[axis]); ok {
			r.data[rowMajorAt(o.sizes, at)] += ou.at(p)
		}
	})
	return r
}

func (s *script) scatterND(x *tensor.Tensor, o oracle, to onDevice) *indexing {
	index, oi, k, outer := s.tuples(o.sizes)
	sizes := slices.Concat(outer, o.sizes[k:])
	u, ou := s.update(sizes)
	if len(sizes) == 0 {
		u, ou = tensor.New([]int64{5}).Reshape(), oracle{data: []int64{5}}
	}
	how := tensor.Merge(s.next(len(mergeRules)))
	r := &indexing{name: "ScatterND " + how.String(), do: func() *tensor.Tensor { return x.ScatterND(to(index), to(u), how) },
		sizes: o.sizes, data: slices.Clone(o.data)}
	each(sizes, func(p []int) {
		if at, ok := r.slot(oi, k, p[:len(outer)], o.sizes); ok {
			cell := &r.data[rowMajorAt(o.sizes, append(at, p[len(outer):]...))]
			*cell = mergeRules[how](*cell, ou.at(p))
		}
	})
	return r
}

// check runs the operation on dev. Where that works late, a bad index is
// reported when it is done.
func (x *indexing) check(t *testing.T, dev device.Device) {
	t.Helper()
	got := x.do()
	err := got.Err()
	if err == nil && x.beyond {
		err = dev.Sync()
	}
	switch {
	case x.beyond && !errors.Is(err, device.ErrIndex):
		t.Fatalf("%s: %v, want ErrIndex", x.name, err)
	case !x.beyond && err != nil:
		t.Fatalf("%s: %v", x.name, err)
	case !x.beyond:
		wantData(t, got, x.sizes, x.data...)
	}
	if t.Failed() {
		t.Fatal(x.name)
	}
}

func FuzzIndex(f *testing.F) {
	f.Add([]byte{2, 2, 3, 0, 1, 0, 1, 2, 1, 3, 0})
	f.Add([]byte{3, 2, 3, 4, 2, 1, 1, 2, 2, 1, 1, 3, 3, 3, 4, 2, 1, 2, 0})
	f.Add([]byte{2, 4, 4, 1, 0, 1, 2, 4, 2, 2, 3, 3, 1, 0, 2, 2, 2, 1})
	f.Fuzz(func(t *testing.T, choices []byte) {
		s := script(choices)
		x, o := s.operand()
		s.pickIndexing(x, o, func(x *tensor.Tensor) *tensor.Tensor { return x }).check(t, cpu.Default())
	})
}

// indexDevices are devices on which operations at indices are tried: at once,
// late, and through the host.
func indexDevices(t *testing.T) map[string]device.Device {
	indirect := lagging(t, devicetest.LagOptions{Seed: 3, DropAbilities: true})
	device.AllowHost(indirect)
	return map[string]device.Device{"cpu": cpu.Default(), "late": lagging(t, devicetest.LagOptions{Seed: 2}), "through the host": indirect}
}

// to returns a function that moves tensors, as transposed views, so that
// strides matter there too.
func to(dev device.Device) onDevice {
	return func(x *tensor.Tensor) *tensor.Tensor { return x.Transpose().To(dev).Transpose() }
}

func TestIndexOperationsOnRandomViews(t *testing.T) {
	for name, dev := range indexDevices(t) {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(9, 10))
			n := 3000
			if dev != device.Device(cpu.Default()) {
				n = 300
			}
			for range n {
				choices := make([]byte, 90)
				for i := range choices {
					choices[i] = byte(rng.UintN(256))
				}
				s := script(choices)
				x, o := s.operand()
				s.pickIndexing(x, o, to(dev)).check(t, dev)
			}
		})
	}
}
