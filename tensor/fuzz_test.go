package tensor_test

import (
	"slices"
	"testing"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
	"github.com/stride0/stride0/tensor"
)

// oracle is a tensor as this test sees it: elements in row-major order. It
// shares no code with package broadcast.
type oracle struct {
	sizes []int
	data  []int64
}

// at returns the element at an index into a shape that o stretches to.
func (o oracle) at(index []int) int64 {
	pos := 0
	for i, n := range o.sizes {
		j := index[len(index)-len(o.sizes)+i]
		if n == 1 {
			j = 0
		}
		pos = pos*n + j
	}
	return o.data[pos]
}

// stretch returns the shape that two shapes stretch to.
func stretch(a, b []int) ([]int, bool) {
	out := make([]int, max(len(a), len(b)))
	for i := range out {
		out[len(out)-1-i] = 1
		for _, s := range [][]int{a, b} {
			if i >= len(s) {
				continue
			}
			have, n := out[len(out)-1-i], s[len(s)-1-i]
			switch {
			case have == 1:
				out[len(out)-1-i] = n
			case n != 1 && n != have:
				return nil, false
			}
		}
	}
	return out, true
}

// each visits every index of a shape in row-major order.
func each(sizes []int, visit func(index []int)) {
	if slices.Contains(sizes, 0) {
		return
	}
	index := make([]int, len(sizes))
	for {
		visit(index)
		axis := len(sizes) - 1
		for ; axis >= 0; axis-- {
			if index[axis]++; index[axis] < sizes[axis] {
				break
			}
			index[axis] = 0
		}
		if axis < 0 {
			return
		}
	}
}

func (o oracle) binary(p oracle, f func(x, y int64) int64) (oracle, bool) {
	sizes, ok := stretch(o.sizes, p.sizes)
	r := oracle{sizes: sizes}
	if ok {
		each(sizes, func(i []int) { r.data = append(r.data, f(o.at(i), p.at(i))) })
	}
	return r, ok
}

// script reads choices from the fuzzer's bytes; it ends in zeros.
type script []byte

func (s *script) next(n int) int {
	if len(*s) == 0 || n <= 0 {
		return 0
	}
	v := int((*s)[0]) % n
	*s = (*s)[1:]
	return v
}

// operand makes a tensor of up to four axes and takes views of it, in step
// with the oracle.
func (s *script) operand() (*tensor.Tensor, oracle) {
	o := oracle{sizes: make([]int, s.next(5))}
	total := 1
	for i := range o.sizes {
		o.sizes[i] = s.next(5)
		total *= o.sizes[i]
	}
	for i := range total {
		o.data = append(o.data, int64(i+1)) // no two alike, so that a view's tell its cells apart
	}
	x := tensor.New(o.data, o.sizes...)
	if len(o.sizes) == 0 {
		x = tensor.New(o.data).Reshape()
	}
	for range s.next(4) {
		x, o = s.view(x, o)
	}
	return x, o
}

// view takes one view: of a picked axis a permutation to the front, a flip, a
// slice, an index, a diagonal or windows, or a new axis.
func (s *script) view(x *tensor.Tensor, o oracle) (*tensor.Tensor, oracle) {
	rank := len(o.sizes)
	axis := s.next(rank)
	if rank == 0 {
		return x.Unsqueeze(0), oracle{[]int{1}, o.data}
	}
	n := o.sizes[axis]
	switch s.next(7) {
	case 0: // the axis comes first
		order, sizes := []int{axis}, []int{n}
		for i := range rank {
			if i != axis {
				order, sizes = append(order, i), append(sizes, o.sizes[i])
			}
		}
		return x.Permute(order...), o.pick(sizes, func(to, from []int) {
			for i, a := range order {
				from[a] = to[i]
			}
		})
	case 1:
		return x.Flip(axis), o.pick(o.sizes, func(to, from []int) {
			copy(from, to)
			from[axis] = n - 1 - to[axis]
		})
	case 2: // every step-th from start on
		start, step := s.next(n+1), 1+s.next(3)
		ranges := slices.Repeat([]tensor.Range{tensor.All}, axis+1)
		ranges[axis] = tensor.R(start, tensor.End, step)
		sizes := slices.Clone(o.sizes)
		sizes[axis] = (n - start + step - 1) / step
		return x.Slice(ranges...), o.pick(sizes, func(to, from []int) {
			copy(from, to)
			from[axis] = start + to[axis]*step
		})
	case 3:
		if n > 0 {
			at := s.next(n)
			return x.Index(axis, at), o.pick(slices.Delete(slices.Clone(o.sizes), axis, axis+1), func(to, from []int) {
				copy(from, slices.Insert(slices.Clone(to), axis, at))
			})
		}
	case 5:
		if rank > 1 {
			return s.diagonal(x, o, axis)
		}
	case 6:
		if rank < 5 {
			return s.windows(x, o, axis)
		}
	}
	return x.Unsqueeze(axis), oracle{slices.Insert(slices.Clone(o.sizes), axis, 1), o.data}
}

// pick returns the oracle of a view: where says from which index an element comes.
func (o oracle) pick(sizes []int, where func(to, from []int)) oracle {
	r := oracle{sizes: sizes}
	from := make([]int, len(o.sizes))
	each(sizes, func(to []int) {
		where(to, from)
		r.data = append(r.data, o.at(from))
	})
	return r
}

func FuzzBinary(f *testing.F) {
	f.Add([]byte{2, 2, 3, 0, 1, 3, 0})
	f.Add([]byte{2, 1, 3, 1, 0, 0, 2, 4, 1, 1, 1, 1})
	f.Add([]byte{4, 2, 1, 3, 1, 3, 1, 2, 1, 1, 0, 2, 0, 3, 4, 1, 2, 1, 4, 2, 2, 1})
	f.Add([]byte{1, 1, 0, 1, 0, 0})
	f.Add([]byte{3, 3, 4, 4, 2, 1, 5, 1, 3, 0, 6, 2, 0, 0}) // a diagonal, windows of it
	f.Add([]byte{2, 3, 4, 1, 1, 6, 2, 0, 0, 0})             // overlapping windows: no writes
	f.Add([]byte{2, 3, 4, 1, 1, 6, 2, 1, 0, 0})             // adjoining windows
	f.Add([]byte{3, 2, 3, 4, 2, 1, 1, 2, 2, 1, 1, 3, 3, 3, 4, 2, 1, 2, 0})
	f.Fuzz(func(t *testing.T, choices []byte) {
		s := script(choices)
		x, ox := s.operand()
		y, oy := s.operand()
		wantData(t, x, ox.sizes, ox.data...)

		want, ok := ox.binary(oy, func(x, y int64) int64 { return x - 3*y })
		got := x.Sub(y.MulScalar(3))
		if !ok {
			wantError(t, got.Err(), nil, "cannot broadcast")
			return
		}
		wantData(t, got, want.sizes, want.data...)

		// Sums along one axis, and the same result written over an operand.
		if axis := s.next(len(want.sizes)); len(want.sizes) > 0 {
			kept := slices.Clone(want.sizes)
			kept[axis] = 1
			sums := oracle{sizes: kept, data: make([]int64, shapeSize(kept))}
			i := 0
			each(want.sizes, func(index []int) {
				pos := 0
				for a, n := range kept {
					if a != axis {
						pos = pos*n + index[a]
					}
				}
				sums.data[pos] += want.data[i]
				i++
			})
			wantData(t, got.SumKeep(axis), sums.sizes, sums.data...)
		}
		if slices.Equal(ox.sizes, want.sizes) {
			err := tensor.Into(x, kernels.Sub, x, y.MulScalar(3))
			if repeats(ox.data) {
				wantError(t, err, tensor.ErrShared, "axis")
				want = ox
			} else if err != nil {
				t.Fatal(err)
			}
			wantData(t, x, want.sizes, want.data...)
		}
		if got.DType() != dtype.Int64 {
			t.Errorf("dtype %v", got.DType())
		}
	})
}

func shapeSize(sizes []int) int {
	n := 1
	for _, s := range sizes {
		n *= s
	}
	return n
}

// FuzzOverlap writes one view of a vector into another: every pair of views
// must act as if the source had been copied first.
func FuzzOverlap(f *testing.F) {
	f.Add(uint8(0), uint8(1), uint8(1), uint8(1), uint8(9))
	f.Add(uint8(0), uint8(2), uint8(1), uint8(2), uint8(8))
	f.Add(uint8(19), uint8(4), uint8(0), uint8(1), uint8(7))
	f.Fuzz(func(t *testing.T, from, fromStep, to, toStep, n uint8) {
		const size = 64
		view := func(x *tensor.Tensor, start, step, n int) *tensor.Tensor {
			if step < 0 {
				return x.Slice(tensor.R(start, tensor.End, step)).Slice(tensor.R(0, n))
			}
			return x.Slice(tensor.R(start, tensor.End, step)).Slice(tensor.R(0, n))
		}
		a, sa := int(from)%size, int(fromStep)%7-3
		b, sb := int(to)%size, int(toStep)%7-3
		if sa == 0 || sb == 0 {
			return
		}
		x := tensor.Arange(dtype.Int64, 0, size, 1)
		src, dst := view(x, a, sa, int(n)), view(x, b, sb, int(n))
		m := min(src.Size(), dst.Size())
		src, dst = src.Slice(tensor.R(0, m)), dst.Slice(tensor.R(0, m))
		want := data[int64](t, x)
		for i := range m {
			want[b+i*sb] += int64(a + i*sa)
		}
		into(t, dst, kernels.Add, dst, src)
		wantData(t, x, tensor.Shape{size}, want...)
	})
}
