package broadcast

import (
	"fmt"
	"slices"
	"testing"
)

// visit walks the pieces of p and counts how often they come to each element,
// which must be where p has it, and at its position among the reduced ones.
func visit(t testing.TB, p *Plan, pieces []Piece) []int {
	t.Helper()
	counts := make([]int, p.Outer*p.Inner)
	for _, piece := range pieces {
		q := piece.Plan
		at := make([]int, len(q.Sizes))
		odometer(q.Sizes, func(index []int) {
			linear, reduced, local := 0, 0, 0
			for k, i := range index {
				at[k] = piece.Base[k] + i
				linear = linear*p.Sizes[k] + at[k]
				if k >= p.Kept {
					reduced = reduced*p.Sizes[k] + at[k]
					local = local*q.Sizes[k] + i
				}
			}
			if reduced != piece.ReducedBase+local {
				t.Fatalf("reduced element %d is number %d of a piece from %d on", reduced, local, piece.ReducedBase)
			}
			for o := range p.Strides {
				want, got := p.Offsets[o], q.Offsets[o]
				for k := range at {
					want += at[k] * p.Strides[o][k]
					got += index[k] * q.Strides[o][k]
				}
				if got != want {
					t.Fatalf("operand %d at %v lies at %d in a piece, at %d in the plan", o, at, got, want)
				}
			}
			counts[linear]++
		})
	}
	return counts
}

// checkPieces holds the pieces of p against p itself.
func checkPieces(t testing.TB, p *Plan, limit int) []Piece {
	t.Helper()
	pieces := p.Pieces(limit)
	for linear, n := range visit(t, p, pieces) {
		if n != 1 {
			t.Fatalf("element %d is visited %d times; plan %+v", linear, n, *p)
		}
	}
	for _, piece := range pieces {
		q := piece.Plan
		if piece.ReducedBase%1024 != 0 {
			t.Errorf("a piece starts at the reduced element %d", piece.ReducedBase)
		}
		if piece.Wide == q.Fits(limit) {
			t.Errorf("wide %v, fits %v: %+v", piece.Wide, q.Fits(limit), *q)
		}
		if !piece.Wide && observedReach(q) >= limit {
			t.Errorf("the piece %+v reaches %d, limit %d", *q, observedReach(q), limit)
		}
		if q.Kept != p.Kept || q.Outputs != p.Outputs || !slices.Equal(q.Logical, p.Logical) ||
			q.Outer != product(q.Sizes[:q.Kept]) || q.Inner != product(q.Sizes[q.Kept:]) {
			t.Errorf("the piece %+v does not match %+v", *q, *p)
		}
		for o, class := range q.Classes {
			if shown := observedClass(q, o); class != shown && class != Strided && q.Outer*q.Inner > 1 {
				t.Errorf("class %v of operand %d, want %v: %+v", class, o, shown, *q)
			}
		}
	}
	return pieces
}

// observedReach returns the number of elements of p, or the greatest distance
// between two elements of an operand if that is more.
func observedReach(p *Plan) int {
	reach := 0
	for o := range p.Strides {
		low, high := 0, 0
		n := 0
		odometer(p.Sizes, func(index []int) {
			n++
			moved := 0
			for k, i := range index {
				moved += i * p.Strides[o][k]
			}
			low, high = min(low, moved), max(high, moved)
		})
		reach = max(reach, n, high-low)
	}
	return reach
}

func TestPieces(t *testing.T) {
	full := rowMajorOperand
	for _, c := range []struct {
		name string
		launch
		limit int
		want  []string // Base and Sizes of each piece
	}{
		{"fits", launch{[]int{9}, 0, 0, 1, []operand{full(9), full(9)}}, 10, []string{"[0] [9]"}},
		{"reaches the limit", launch{[]int{10}, 0, 0, 1, []operand{full(10), full(10)}}, 10, []string{"[0] [5]", "[5] [5]"}},
		{"odd", launch{[]int{21}, 0, 0, 1, []operand{full(21)}}, 10, []string{"[0] [6]", "[6] [6]", "[12] [6]", "[18] [3]"}},
		{"one element of rank 0", launch{nil, 0, 0, 1, []operand{full()}}, 2, []string{"[] []"}},
		{"no results", launch{[]int{0, 100}, 0, 0, 1, []operand{full(0, 100)}}, 10, nil},
		{"the outermost axis first", launch{[]int{4, 6}, 0, 0, 1, []operand{full(4, 6), full(6), full(4, 6)}}, 13,
			[]string{"[0 0] [2 6]", "[2 0] [2 6]"}},
		{"inner axis when the outer is used up", launch{[]int{2, 12}, 0, 0, 1, []operand{full(2, 12), full(12), full(2, 12)}}, 8,
			[]string{"[0 0] [1 6]", "[0 6] [1 6]", "[1 0] [1 6]", "[1 6] [1 6]"}},
		{"outer product with few reads", launch{[]int{4, 4}, 0, 0, 1, []operand{full(4, 1), full(4), full(4, 4)}}, 9,
			[]string{"[0 0] [2 4]", "[2 0] [2 4]"}},
		{"few elements far apart", launch{[]int{4}, 0, 0, 1, []operand{view(0, []int{4}, []int{100}), full(4)}}, 300,
			[]string{"[0] [2]", "[2] [2]"}},
		{"the axis that reaches far, not the outermost", launch{[]int{6, 4}, 0, 0, 1, []operand{view(0, []int{6, 4}, []int{1, 50}), full(6, 4)}}, 100,
			[]string{"[0 0] [6 2]", "[0 2] [6 2]"}},
		{"a large reversed input", launch{[]int{4}, 0, 0, 1, []operand{view(300, []int{4}, []int{-100}), full(4)}}, 300,
			[]string{"[0] [2]", "[2] [2]"}},
		{"kept axes before reduced ones", launch{[]int{4, 3000}, mask(1), 0, 1, []operand{full(4, 3000), full(4, 1)}}, 7000,
			[]string{"[0 0] [2 3000]", "[2 0] [2 3000]"}},
		{"reduced axis at multiples of 1,024", launch{[]int{3000}, mask(0), 0, 1, []operand{full(3000), full(1)}}, 2100,
			[]string{"[0] [2048]", "[2048] [952]"}},
		{"a block of 1,024 stays whole", launch{[]int{3000}, mask(0), 0, 1, []operand{full(3000), full(1)}}, 1025,
			[]string{"[0] [1024]", "[1024] [1024]", "[2048] [952]"}},
		{"a block above the limit is wide", launch{[]int{3000}, mask(0), 0, 1, []operand{full(3000), full(1)}}, 1024,
			[]string{"[0] [3000] wide"}},
		{"whole rows of reduced elements", launch{[]int{5, 512}, mask(0, 1), 0, 1, []operand{view(0, []int{5, 512}, []int{600, 1}), full(1, 1)}}, 2000,
			[]string{"[0 0] [2 512]", "[2 0] [2 512]", "[4 0] [1 512]"}},
		{"rows that end inside a block are wide", launch{[]int{3, 1500}, mask(0, 1), 0, 1, []operand{view(0, []int{3, 1500}, []int{1600, 1}), full(1, 1)}}, 2000,
			[]string{"[0 0] [3 1500] wide"}},
		{"within rows of whole blocks", launch{[]int{2, 2048}, mask(0, 1), 0, 1, []operand{view(0, []int{2, 2048}, []int{2100, 1}), full(1, 1)}}, 1500,
			[]string{"[0 0] [1 1024]", "[0 1024] [1 1024]", "[1 0] [1 1024]", "[1 1024] [1 1024]"}},
		{"limit of one element", launch{[]int{3}, 0, 0, 1, []operand{full(3)}}, 1, []string{"[0] [3] wide"}},
		{"nothing to reduce", launch{[]int{40, 0}, mask(1), 0, 1, []operand{full(40, 0), full(40, 1)}}, 40,
			[]string{"[0 0] [20 0]", "[20 0] [20 0]"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, piece := range checkPieces(t, c.plan(t), c.limit) {
				line := fmt.Sprint(piece.Base, piece.Plan.Sizes)
				if piece.Wide {
					line += " wide"
				}
				got = append(got, line)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("pieces %q, want %q", got, c.want)
			}
		})
	}
}

// A piece of a fused axis need not lie like the whole.
func TestPieceClasses(t *testing.T) {
	run := launch{[]int{2, 12}, 0, 0, 1, []operand{rowMajorOperand(2, 12), rowMajorOperand(12), rowMajorOperand(2, 1), rowMajorOperand(2, 12)}}
	p := run.plan(t)
	if want := []Class{Contiguous, Row, Column, Contiguous}; !slices.Equal(p.Classes, want) {
		t.Fatalf("classes %v, want %v", p.Classes, want)
	}
	for _, piece := range checkPieces(t, p, 8) {
		if want := []Class{Contiguous, Contiguous, Scalar, Contiguous}; !slices.Equal(piece.Plan.Classes, want) {
			t.Errorf("classes of a piece %v, want %v", piece.Plan.Classes, want)
		}
	}
}

func TestPiecesOfRealSize(t *testing.T) {
	if half < 1<<32 {
		t.Skip("an int of 32 bits addresses no launch of that size")
	}
	large := 1 << 16 // as a variable: the constant product would not fit an int of 32 bits
	a, b := RowMajor(Shape{large, 1}), RowMajor(Shape{1, large/2 + 1})
	space := Shape{large, large/2 + 1}
	out := RowMajor(space)
	var p Plan
	p.Build(space, 0, 0, 1, &a, &b, &out)
	pieces := p.Pieces(IndexLimit)
	if len(pieces) != 2 || pieces[1].Base[0] != large/2 || pieces[1].Plan.Offsets[2] != large/2*(large/2+1) {
		t.Errorf("pieces %+v", pieces)
	}

	rows := RowMajor(Shape{3, large * large})
	sums := RowMajor(Shape{3, 1})
	p.Build(rows.Shape(), mask(1), 0, 1, &rows, &sums)
	pieces = p.Pieces(IndexLimit)
	if len(pieces) != 12 || pieces[1].ReducedBase != large*large/4 || pieces[1].Wide {
		t.Errorf("%d pieces, the second from the reduced element %d on", len(pieces), pieces[1].ReducedBase)
	}
}

func FuzzPieces(f *testing.F) {
	seeds(f, 300, 80)
	f.Fuzz(func(t *testing.T, data []byte) {
		s := source{data}
		limit := 2 + s.below(100)
		most := 500
		if s.oneIn(4) { // large enough for several blocks of reduced elements
			limit, most = 1025+s.below(250)*10, 5000
		}
		c := s.launch(4, 4, most)
		if most > 500 && len(c.space) > 0 {
			c = s.deep(c)
		}
		checkPieces(t, c.plan(t), limit)
	})
}

// deep returns a launch like c but with a long last axis, which is reduced.
func (s *source) deep(c launch) launch {
	last := len(c.space) - 1
	for i := range c.space[:last] {
		c.space[i] = min(c.space[i], 2)
	}
	c.space[last] = []int{2048, 1500, 1024, 512}[s.below(4)]
	c.reduced |= 1 << last
	c.operands = []operand{s.operand(s.stretchable(c.space), false)}
	results := append([]int(nil), c.space...)
	for i := range results {
		if c.reduced>>i&1 != 0 {
			results[i] = 1
		}
	}
	c.operands = append(c.operands, s.operand(results, true))
	c.outputs = 1
	return c
}
