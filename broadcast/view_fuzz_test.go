package broadcast

import (
	"fmt"
	"slices"
	"testing"
)

// model is a view as the list of its elements' places, in row-major order.
type model struct {
	sizes, at []int
}

// pick returns the model of the given sizes whose element at each index is m's
// at the index that from gives.
func (m model) pick(sizes []int, from func(index []int) []int) model {
	v := model{sizes: sizes}
	odometer(sizes, func(index []int) {
		linear := 0
		for i, x := range from(slices.Clone(index)) {
			linear = linear*m.sizes[i] + x
		}
		v.at = append(v.at, m.at[linear])
	})
	return v
}

// strides reports whether a layout of the given sizes can have m's elements.
func (m model) strides(sizes []int) bool {
	if len(m.at) == 0 {
		return true
	}
	o := operand{sizes: sizes, strides: make([]int, len(sizes)), offset: m.at[0]}
	linear := 1
	for i := len(sizes) - 1; i >= 0; i-- {
		if sizes[i] > 1 {
			o.strides[i] = m.at[linear] - m.at[0]
		}
		linear *= sizes[i]
	}
	n, ok := 0, true
	odometer(sizes, func(index []int) {
		ok = ok && o.at(index) == m.at[n]
		n++
	})
	return ok
}

// FuzzViews applies chains of views to a Layout and to its model.
func FuzzViews(f *testing.F) {
	seeds(f, 2000, 60)
	f.Fuzz(func(t *testing.T, data []byte) {
		s := source{data}
		o := s.operand(s.sizes(4, 5, 300), true)
		l := *o.layout(t)
		m := model{sizes: o.sizes}
		odometer(o.sizes, func(index []int) { m.at = append(m.at, o.at(index)) })
		for range 5 {
			var err error
			if l, m, err = moves[s.below(len(moves))](&s, l, m); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(l.Shape(), m.sizes) || !slices.Equal(places(&l), m.at) {
				t.Fatalf("%s at %v, want %v at %v", l.String(), places(&l), m.sizes, m.at)
			}
			checkSpan(t, &l, m)
		}
	})
}

// checkSpan holds what l says of itself against the list of its places.
func checkSpan(t *testing.T, l *Layout, m model) {
	t.Helper()
	contiguous := true
	for i, where := range m.at {
		contiguous = contiguous && where == m.at[0]+i
	}
	if l.Size() != len(m.at) || l.IsContiguous() != contiguous {
		t.Fatalf("%s: size %d, contiguous %v, at %v", l.String(), l.Size(), l.IsContiguous(), m.at)
	}
	lo, hi := l.Span()
	if len(m.at) > 0 && (lo != slices.Min(m.at) || hi != slices.Max(m.at)+1) || len(m.at) == 0 && lo != hi {
		t.Fatalf("%s: spans %d to %d, at %v", l.String(), lo, hi, m.at)
	}
	seen := map[int]bool{}
	for _, where := range m.at {
		seen[where] = true
	}
	if _, shared := l.SharedAxis(); shared != (len(seen) < len(m.at)) {
		t.Fatalf("%s: shared %v, at %v", l.String(), shared, m.at)
	}
}

// moves are the views of the fuzz target: each applies one to a Layout and to
// its model, or leaves both as they are where it cannot.
var moves = []func(s *source, l Layout, m model) (Layout, model, error){
	unsqueezeStep, squeezeStep, indexStep, flipStep, transposeStep, sliceStep, broadcastStep, reshapeStep,
	diagonalStep, windowsStep, padLeftStep,
}

func unsqueezeStep(s *source, l Layout, m model) (Layout, model, error) {
	if len(m.sizes) > 5 {
		return l, m, nil
	}
	at := s.below(len(m.sizes) + 1)
	v, err := l.Unsqueeze(at)
	return v, m.pick(slices.Insert(slices.Clone(m.sizes), at, 1), func(index []int) []int {
		return slices.Delete(index, at, at+1)
	}), err
}

func squeezeStep(_ *source, l Layout, m model) (Layout, model, error) {
	v, err := l.Squeeze()
	sizes := slices.DeleteFunc(slices.Clone(m.sizes), func(n int) bool { return n == 1 })
	return v, model{sizes, m.at}, err
}

func indexStep(s *source, l Layout, m model) (Layout, model, error) {
	if len(m.sizes) == 0 || m.sizes[0] == 0 {
		return l, m, nil
	}
	at := s.below(m.sizes[0])
	v, err := l.Index(0, at-m.sizes[0])
	return v, m.pick(m.sizes[1:], func(index []int) []int { return slices.Insert(index, 0, at) }), err
}

func flipStep(s *source, l Layout, m model) (Layout, model, error) {
	if len(m.sizes) == 0 {
		return l, m, nil
	}
	at := s.below(len(m.sizes))
	v, err := l.Flip(at)
	return v, m.pick(m.sizes, func(index []int) []int {
		index[at] = m.sizes[at] - 1 - index[at]
		return index
	}), err
}

func transposeStep(s *source, l Layout, m model) (Layout, model, error) {
	rank := len(m.sizes)
	if rank < 2 {
		return l, m, nil
	}
	a, b := s.below(rank), s.below(rank)
	v, err := l.Transpose(a, b-rank)
	sizes := slices.Clone(m.sizes)
	sizes[a], sizes[b] = sizes[b], sizes[a]
	return v, m.pick(sizes, func(index []int) []int {
		index[a], index[b] = index[b], index[a]
		return index
	}), err
}

// broadcastStep stretches axes of size 1, to 0 too, and adds one in front.
func broadcastStep(s *source, l Layout, m model) (Layout, model, error) {
	if len(m.sizes) > 5 || len(m.at) > 100 {
		return l, m, nil
	}
	wide := slices.Insert(slices.Clone(m.sizes), 0, 1)
	for i, n := range wide {
		if n == 1 {
			wide[i] = s.below(4)
		}
	}
	v, err := l.BroadcastTo(wide)
	return v, m.pick(wide, func(index []int) []int {
		for i, n := range m.sizes {
			if n == 1 {
				index[i+1] = 0
			}
		}
		return index[1:]
	}), err
}

// sliceStep slices the last axis.
func sliceStep(s *source, l Layout, m model) (Layout, model, error) {
	last := len(m.sizes) - 1
	if last < 0 {
		return l, m, nil
	}
	n := m.sizes[last]
	r := Range{s.below(2*n+4) - n - 2, s.below(2*n+4) - n - 2, []int{1, 2, 3, -1, -2}[s.below(5)]}
	if s.oneIn(3) {
		r.Start = Begin
	}
	if s.oneIn(3) {
		r.Stop = End
	}
	ranges := slices.Repeat([]Range{All}, last+1)
	ranges[last] = r
	v, err := l.Slice(ranges...)
	picked := picks(r, n)
	sizes := slices.Clone(m.sizes)
	sizes[last] = len(picked)
	return v, m.pick(sizes, func(index []int) []int {
		index[last] = picked[index[last]]
		return index
	}), err
}

// picks lists the indices that r picks of n, by walking as a loop does: from
// Start, or the end of the axis that it lies beyond, until Stop.
func picks(r Range, n int) (picked []int) {
	start, stop := r.Start, r.Stop
	if start < 0 && start != Begin {
		start += n
	}
	if stop < 0 {
		stop += n
	}
	if r.Step > 0 {
		for i := max(start, 0); i < n && i < stop; i += r.Step {
			picked = append(picked, i)
		}
		return picked
	}
	if r.Start == Begin {
		start = n - 1
	}
	if r.Stop == End {
		stop = -1
	}
	for i := min(start, n-1); i >= 0 && i > stop; i += r.Step {
		picked = append(picked, i)
	}
	return picked
}

// reshapeStep gives the elements other sizes, made by moving a factor from one
// axis to the next. A view that needs a copy leaves both as they are.
func reshapeStep(s *source, l Layout, m model) (Layout, model, error) {
	sizes := append([]int(nil), m.sizes...)
	for range 2 {
		at := s.below(len(sizes) + 1)
		sizes = slices.Insert(sizes, at, 1)
		for _, factor := range []int{2, 3} {
			if from := s.below(len(sizes)); sizes[from]%factor == 0 && sizes[from] > 0 {
				sizes[from] /= factor
				sizes[at] *= factor
			}
		}
	}
	asked := append([]int(nil), sizes...)
	if !slices.Contains(sizes, 0) && s.oneIn(2) {
		asked[s.below(len(asked))] = -1
	}
	v, ok, err := l.Reshape(asked)
	if possible := m.strides(sizes); err == nil && ok != possible {
		err = fmt.Errorf("%s to %v: a view %v, want %v", l.String(), sizes, ok, possible)
	}
	if !ok || len(sizes) > 6 {
		return l, m, err
	}
	return v, model{sizes, m.at}, err
}
