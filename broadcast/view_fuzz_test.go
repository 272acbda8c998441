package broadcast

import (
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
		for i, x := range from(index) {
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
			l, m = step(t, &s, l, m)
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

// step applies one random view to both.
func step(t *testing.T, s *source, l Layout, m model) (Layout, model) {
	var v Layout
	var err error
	rank := len(m.sizes)
	sizes := append([]int(nil), m.sizes...)
	switch kind := s.below(8); {
	case kind == 0 && rank < 6:
		at := s.below(rank + 1)
		v, err = l.Unsqueeze(at)
		m = m.pick(slices.Insert(sizes, at, 1), func(index []int) []int {
			return append(append([]int{}, index[:at]...), index[at+1:]...)
		})
	case kind == 1:
		v, err = l.Squeeze()
		m.sizes = slices.DeleteFunc(sizes, func(n int) bool { return n == 1 })
	case kind == 2 && rank > 0 && m.sizes[0] > 0:
		at := s.below(m.sizes[0])
		v, err = l.Index(0, at-m.sizes[0])
		m = m.pick(sizes[1:], func(index []int) []int { return append([]int{at}, index...) })
	case kind == 3 && rank > 0:
		at := s.below(rank)
		v, err = l.Flip(at)
		m = m.pick(sizes, func(index []int) []int {
			index = append([]int{}, index...)
			index[at] = sizes[at] - 1 - index[at]
			return index
		})
	case kind == 4 && rank > 1:
		a, b := s.below(rank), s.below(rank)
		v, err = l.Transpose(a, b-rank)
		sizes[a], sizes[b] = sizes[b], sizes[a]
		m = m.pick(sizes, func(index []int) []int {
			index = append([]int{}, index...)
			index[a], index[b] = index[b], index[a]
			return index
		})
	case kind == 5 && rank > 0:
		v, m, err = sliceStep(s, &l, m)
	case kind == 6:
		return reshapeStep(t, s, l, m)
	case kind == 7 && rank < 6 && len(m.at) < 100:
		wide := append([]int{1 + s.below(2)}, sizes...)
		for i, n := range wide {
			if n == 1 {
				wide[i] = s.below(4)
			}
		}
		v, err = l.BroadcastTo(wide)
		m = m.pick(wide, func(index []int) []int {
			index = append([]int{}, index[1:]...)
			for i, n := range m.sizes {
				if n == 1 {
					index[i] = 0
				}
			}
			return index
		})
	default:
		return l, m
	}
	if err != nil {
		t.Fatal(err)
	}
	return v, m
}

// sliceStep slices the last axis. The model walks the range as a loop does.
func sliceStep(s *source, l *Layout, m model) (Layout, model, error) {
	last := len(m.sizes) - 1
	n := m.sizes[last]
	r := Range{s.below(2*n+4) - n - 2, s.below(2*n+4) - n - 2, []int{1, 2, 3, -1, -2}[s.below(5)]}
	start, stop := r.Start, r.Stop
	if start < 0 {
		start += n
	}
	if stop < 0 {
		stop += n
	}
	if s.oneIn(3) {
		r.Start, start = Begin, 0
		if r.Step < 0 {
			start = n - 1
		}
	}
	if s.oneIn(3) {
		r.Stop, stop = End, n
		if r.Step < 0 {
			stop = -1
		}
	}
	// Clipped, as NumPy does: a start beyond the axis begins at its end.
	if r.Step > 0 {
		start = max(start, 0)
	} else {
		start = min(start, n-1)
	}
	var picked []int
	for i := start; i >= 0 && i < n && (r.Step > 0 && i < stop || r.Step < 0 && i > stop); i += r.Step {
		picked = append(picked, i)
	}
	ranges := make([]Range, last+1)
	for i := range ranges {
		ranges[i] = All
	}
	ranges[last] = r
	v, err := l.Slice(ranges...)
	sizes := append([]int(nil), m.sizes...)
	sizes[last] = len(picked)
	return v, m.pick(sizes, func(index []int) []int {
		index = append([]int{}, index...)
		index[last] = picked[index[last]]
		return index
	}), err
}

// reshapeStep gives the elements other sizes, made by moving a factor from one
// axis to the next. A view that needs a copy leaves both as they are.
func reshapeStep(t *testing.T, s *source, l Layout, m model) (Layout, model) {
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
	if err != nil {
		t.Fatal(err)
	}
	if possible := m.strides(sizes); ok != possible {
		t.Fatalf("%s to %v: a view %v, want %v", l.String(), sizes, ok, possible)
	}
	if !ok || len(sizes) > 6 {
		return l, m
	}
	return v, model{sizes, m.at}
}
