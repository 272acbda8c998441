package devicetest

import (
	"fmt"
	"slices"

	"github.com/stride0/stride0/broadcast"
)

// form is how the operands of a launch lie: what decides which of a device's
// kernels runs.
type form struct {
	name    string
	space   []int
	reduced broadcast.AxisMask
	in      [3]spec // as many as the operation takes
	out     spec    // its sizes are the kept ones
}

// spec is one operand of a form.
type spec struct {
	sizes []int
	place placement
	lead  int // elements between the guard words and the operand: its alignment
}

func (s spec) operandView() view { return s.place(s.sizes) }

func at(place placement, sizes ...int) spec { return spec{sizes: sizes, place: place} }

// mapForms returns the forms of element-wise launches: flat ones of every
// size about the widths of vectors and blocks, and the broadcast and strided ones.
func mapForms() []form {
	return slices.Concat(flatForms(), offsetForms(), stretchedForms(), stridedForms(), cornerForms())
}

func flatForms() []form {
	sizes := []int{1023, 1024, 1025, 4099}
	for n := range 100 {
		sizes = append(sizes, n)
	}
	var fs []form
	for _, n := range sizes {
		f := sameShape(fmt.Sprintf("flat n=%d", n), dense, n)
		for i := range f.in {
			f.in[i].lead = (n + 3*i) % 8
		}
		f.out.lead = 5 * n % 8
		fs = append(fs, f)
	}
	return fs
}

// offsetForms moves all operands away from alignment together, by the byte
// offset of the operand and by the offset of its layout.
func offsetForms() []form {
	var fs []form
	for k := range 8 {
		f := sameShape(fmt.Sprintf("byte offset %d", k), dense, 67)
		for i := range f.in {
			f.in[i].lead = k
		}
		f.out.lead = k
		fs = append(fs, f, sameShape(fmt.Sprintf("layout offset %d", k), shifted(k), 67))
	}
	return fs
}

// sameShape places every operand alike.
func sameShape(name string, place placement, sizes ...int) form {
	s := spec{sizes: sizes, place: place}
	return form{name: name, space: sizes, in: [3]spec{s, s, s}, out: s}
}

func broadcasting(name string, space []int, in ...spec) form {
	return form{name: name, space: space, in: [3]spec(in), out: at(dense, space...)}
}

// stretchedForms are the ways in which operands of one launch stretch.
func stretchedForms() []form {
	line := []int{37}
	wide, tall := []int{5, 33}, []int{33, 5}
	grid := []int{7, 9}
	full := func(sizes []int) spec { return at(dense, sizes...) }
	return []form{
		broadcasting("scalar first", line, at(dense), full(line), full(line)),
		broadcasting("scalar second", line, full(line), at(dense), full(line)),
		broadcasting("scalar third", line, full(line), full(line), at(dense)),
		broadcasting("scalars only", line, at(dense), at(dense, 1), at(expanded(1), 37)),
		broadcasting("row first", wide, at(dense, 33), full(wide), full(wide)),
		broadcasting("row second", wide, full(wide), at(dense, 33), at(dense, 1, 33)),
		broadcasting("column first", tall, at(dense, 33, 1), full(tall), full(tall)),
		broadcasting("column second", tall, full(tall), at(dense, 33, 1), at(dense, 33, 1)),
		broadcasting("column and row", grid, at(dense, 7, 1), at(dense, 9), full(grid)),
		broadcasting("row and column", grid, at(dense, 1, 9), at(dense, 7, 1), at(dense)),
		broadcasting("expanded row and column", grid, at(expanded(1), 7, 9), at(expanded(2), 7, 9), at(expanded(3), 7, 9)),
		broadcasting("short inner row", []int{300, 3}, at(dense, 300, 3), at(dense, 3), at(dense, 300, 1)),
		broadcasting("long inner row", []int{3, 1100}, at(dense, 3, 1100), at(dense, 1100), at(dense, 3, 1)),
		broadcasting("middle", []int{4, 5, 6}, at(dense, 4, 1, 6), at(dense, 5, 1), full([]int{4, 5, 6})),
		broadcasting("alternating rank 6", []int{2, 2, 2, 2, 2, 2}, at(dense, 2, 2, 2, 2, 1, 2), at(dense, 1, 2, 1, 2, 2, 2), at(dense, 2, 1, 2, 1, 2, 1)),
		broadcasting("alternating rank 8", []int{2, 2, 2, 2, 2, 2, 2, 2}, at(dense, 1, 2, 1, 1, 2, 2, 2, 2), at(dense, 2, 2, 2, 2, 1, 2, 2, 1), at(dense, 2, 1, 2, 1, 2, 1, 2, 1)),
		broadcasting("ones between", []int{2, 3, 1, 1, 1, 2, 2}, at(dense, 2, 1, 1, 1, 1, 2, 2), at(dense, 2, 3, 1, 1, 1, 2, 2), at(dense, 2)),
	}
}

// stridedForms are operands and results that are not row-major.
func stridedForms() []form {
	fs := []form{
		sameShape("every third", stepped, 70),
		sameShape("backwards", reversed, 70),
		sameShape("padded rows", padded, 5, 19),
		sameShape("backwards rows", reversedInner, 5, 19),
		sameShape("all transposed", transposed, 6, 35),
		sameShape("all swirled", swirled, 3, 4, 5, 2),
	}
	for _, p := range []struct {
		name  string
		place placement
	}{{"every third", stepped}, {"backwards", reversed}, {"padded", padded}, {"backwards rows", reversedInner}, {"transposed", transposed}, {"swirled", swirled}} {
		for _, sizes := range [][]int{{41}, {13, 17}, {2, 3, 1, 4, 5}, {2, 3, 2, 1, 3, 2}} {
			for i, who := range []string{"first", "second", "third", "result"} {
				f := sameShape(fmt.Sprintf("%s %s rank %d", p.name, who, len(sizes)), dense, sizes...)
				if i < len(f.in) {
					f.in[i].place = p.place
				} else {
					f.out.place = p.place
				}
				fs = append(fs, f)
			}
		}
	}
	mixed := sameShape("all different", dense, 65, 67)
	mixed.in[0].place, mixed.in[1].place, mixed.in[2].place, mixed.out.place = transposed, reversed, padded, reversedInner
	return append(fs, mixed, windows())
}

// windows reads overlapping windows of one line.
func windows() form {
	f := sameShape("overlapping windows", dense, 9, 7)
	for i := range f.in {
		f.in[i].place = func(sizes []int) view { return view{sizes: sizes, strides: []int{1, 1}} }
	}
	return f
}

// cornerForms are empty shapes, rank 0, ranks up to the greatest, and axes of
// size 1 whose strides mean nothing.
func cornerForms() []form {
	deep := slices.Repeat([]int{1}, broadcast.MaxRank)
	deep[0], deep[13], deep[31] = 2, 3, 4
	stretched := slices.Clone(deep)
	stretched[13] = 1
	return []form{
		sameShape("rank 0", dense),
		sameShape("rank 0 at an offset", shifted(3)),
		sameShape("one element rank 3", oddOnes, 1, 1, 1),
		sameShape("odd strides of ones", oddOnes, 3, 1, 4, 1),
		sameShape("empty inner", dense, 3, 0),
		sameShape("empty outer", dense, 0, 3),
		sameShape("empty swirled", swirled, 3, 0, 2),
		broadcasting("empty from one", []int{0}, at(dense, 1), at(dense, 0), at(dense)),
		broadcasting("empty grid", []int{4, 0}, at(dense, 4, 1), at(dense, 0), at(dense, 1, 1)),
		broadcasting("rank 32", deep, at(dense, deep...), at(dense, stretched...), at(dense, 4)),
	}
}
