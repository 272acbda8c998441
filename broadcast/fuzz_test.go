package broadcast

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// seeds adds reproducible random inputs, so that plain go test sweeps too.
func seeds(f *testing.F, n, length int) {
	random := rand.New(rand.NewPCG(1, 2))
	for range n {
		data := make([]byte, length)
		for i := range data {
			data[i] = byte(random.Uint32())
		}
		f.Add(data)
	}
}

func FuzzRule(f *testing.F) {
	seeds(f, 500, 40)
	f.Fuzz(func(t *testing.T, data []byte) {
		s := source{data}
		shapes := s.shapes()
		want, ok := naiveRule(shapes)
		for range shapes {
			got, err := Shapes(shapes...)
			if ok != (err == nil) || ok && !slices.Equal(got, want) {
				t.Fatalf("%v broadcast to %v, %v, want %v, %v", shapes, got, err, want, ok)
			}
			shapes = append(shapes[1:], shapes[0])
		}
		for _, shape := range shapes {
			if l := RowMajor(shape); ok {
				checkBroadcastTo(t, &l, want)
			}
		}
	})
}

// naiveRule collects, for each axis from the right, the sizes other than 1.
func naiveRule(shapes []Shape) (shape []int, ok bool) {
	for fromRight := 1; ; fromRight++ {
		sizes, found := map[int]bool{}, false
		for _, s := range shapes {
			if fromRight <= len(s) {
				found = true
				if n := s[len(s)-fromRight]; n != 1 {
					sizes[n] = true
				}
			}
		}
		if !found {
			return shape, true
		}
		if len(sizes) > 1 {
			return nil, false
		}
		n := 1
		for only := range sizes {
			n = only
		}
		shape = append([]int{n}, shape...)
	}
}

// checkBroadcastTo holds the view of l stretched to shape against the naive
// place of each element, and SumTo against the axes that move.
func checkBroadcastTo(t *testing.T, l *Layout, shape []int) {
	t.Helper()
	v, err := l.BroadcastTo(shape)
	if err != nil {
		t.Fatalf("%v to %v: %v", l.Shape(), shape, err)
	}
	o := rowMajorOperand(l.Shape()...)
	var want []int
	odometer(shape, func(index []int) { want = append(want, o.at(index)) })
	if !slices.Equal(places(&v), want) {
		t.Fatalf("%v to %v lies at %v, want %v", l.Shape(), shape, places(&v), want)
	}
	set, err := SumTo(shape, l.Shape())
	if err != nil {
		t.Fatal(err)
	}
	for i, n := range shape {
		if stretched := n != 1 && (i < len(shape)-l.Rank() || l.Dim(i-len(shape)+l.Rank()) == 1); set.Has(i) != stretched {
			t.Fatalf("SumTo(%v, %v) = %b", shape, l.Shape(), set)
		}
	}
}

func FuzzPlan(f *testing.F) {
	seeds(f, 2000, 80)
	f.Fuzz(func(t *testing.T, data []byte) {
		s := source{data}
		c := s.launch(5, 4, 500)
		checkPlan(t, c, c.plan(t))
	})
}
