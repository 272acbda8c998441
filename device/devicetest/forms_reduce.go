package devicetest

import (
	"fmt"

	"github.com/stride0/stride0/broadcast"
)

// reduceForms returns the forms of reductions: rows, leading and inner axes
// about the sizes of the canonical tree's lanes and blocks, any mix of axes of
// any layout, and the corners.
func reduceForms() []form {
	var fs []form
	for _, n := range []int{1, 2, 7, 31, 32, 33, 63, 64, 65, 100, 1023, 1024, 1025, 2049} {
		fs = append(fs,
			reducing(fmt.Sprintf("rows n=%d", n), dense, 0b10, 3, n),
			reducing(fmt.Sprintf("leading n=%d", n), dense, 0b01, n, 3),
			reducing(fmt.Sprintf("all n=%d", n), dense, 0b1, n))
	}
	for _, cols := range []int{1, 4, 5, 8, 9, 16, 17, 33, 65} {
		fs = append(fs, reducing(fmt.Sprintf("leading columns=%d", cols), dense, 0b01, 40, cols))
	}
	for _, p := range []struct {
		name  string
		place placement
	}{{"dense", dense}, {"every third", stepped}, {"backwards", reversed}, {"padded", padded}, {"backwards rows", reversedInner}, {"transposed", transposed}, {"swirled", swirled}} {
		fs = append(fs,
			reducing(p.name+" inner", p.place, 0b10, 5, 37),
			reducing(p.name+" leading", p.place, 0b01, 37, 5),
			reducing(p.name+" all", p.place, 0b11, 35, 37),
			reducing(p.name+" middle", p.place, 0b010, 3, 35, 4),
			reducing(p.name+" outer and inner", p.place, 0b101, 5, 3, 9),
			reducing(p.name+" several of rank 4", p.place, 0b1010, 3, 4, 5, 6),
			reducing(p.name+" alternating rank 6", p.place, 0b010101, 2, 3, 2, 2, 3, 2))
	}
	return append(fs, reduceCorners()...)
}

// reducing reduces the axes of mask of one operand.
func reducing(name string, place placement, mask broadcast.AxisMask, sizes ...int) form {
	kept := append([]int(nil), sizes...)
	for i := range kept {
		if mask>>i&1 == 1 {
			kept[i] = 1
		}
	}
	s := spec{sizes: sizes, place: place}
	return form{name: name, space: sizes, reduced: mask, in: [3]spec{s, s, s}, out: at(dense, kept...)}
}

func reduceCorners() []form {
	out := reducing("transposed result", dense, 0b010, 4, 33, 5)
	out.out.place = transposed
	gaps := reducing("result with gaps", dense, 0b001, 33, 4, 5)
	gaps.out.place = reversedInner
	stretched := reducing("stretched along the reduced axis", dense, 0b10, 4, 33)
	stretched.in[0] = at(dense, 4, 1)
	same := reducing("stretched along the kept axis", dense, 0b10, 4, 33)
	same.in[0] = at(dense, 33)
	return []form{out, gaps, stretched, same,
		reducing("stretched and not, both reduced", expanded(0b01), 0b11, 5, 9),
		reducing("nothing", dense, 0, 4, 5),
		reducing("ones", oddOnes, 0b101, 1, 4, 1),
		reducing("rank 0", dense, 0),
		reducing("no results", dense, 0b10, 0, 5),
		reducing("no results of many", dense, 0b01, 2000, 0),
		reducing("no elements", dense, 0b10, 5, 0),
		reducing("no elements at all", dense, 0b111, 2, 0, 3),
	}
}

// reducesNothing reports whether the form has results of no elements: for
// those only reductions with an identity are defined.
func (f form) reducesNothing() bool {
	n := 1
	for i, s := range f.space {
		if f.reduced>>i&1 == 1 {
			n *= s
		}
	}
	return n == 0
}
