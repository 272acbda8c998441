package broadcast

// Class is how one operand lies along the whole space of a Plan, kept and
// reduced axes. The first class that fits counts; of one element all operands
// are Contiguous.
type Class uint8

// The classes.
const (
	Contiguous Class = iota // row-major in the plan's order, without gaps
	Scalar                  // one element for all
	Row                     // stride 1 along the innermost kept axis, the same for every index on the others
	Column                  // one element for all of the innermost kept axis, contiguous over the others
	Strided                 // any other
)

// String returns "contiguous", "scalar", "row", "column" or "strided".
func (c Class) String() string {
	return [...]string{"contiguous", "scalar", "row", "column", "strided"}[c]
}

// classify sets Classes from Sizes, Kept and Strides.
func (p *Plan) classify() {
	for o, row := range p.Strides {
		p.Classes[o] = classOf(p.Sizes, row, p.Kept-1)
	}
}

// classOf returns the class of an operand; inner is the innermost kept axis or
// -1. A piece may have axes of size 1, on which strides mean nothing; on inner
// they count, since loops over rows and columns go along that axis.
func classOf(sizes, strides []int, inner int) Class {
	switch {
	case rowMajor(sizes, strides, -1):
		return Contiguous
	case still(sizes, strides, -1):
		return Scalar
	case inner < 0:
		return Strided
	case strides[inner] == 1 && still(sizes, strides, inner):
		return Row
	case strides[inner] == 0 && rowMajor(sizes, strides, inner):
		return Column
	}
	return Strided
}

// rowMajor reports whether the strides, but for the axis skip, are those of a
// row-major tensor.
func rowMajor(sizes, strides []int, skip int) bool {
	want := 1
	for k := len(sizes) - 1; k >= 0; k-- {
		if k == skip || sizes[k] == 1 {
			continue
		}
		if strides[k] != want {
			return false
		}
		want *= sizes[k]
	}
	return true
}

// still reports whether all strides, but for the axis skip, are 0.
func still(sizes, strides []int, skip int) bool {
	for k, s := range strides {
		if s != 0 && k != skip && sizes[k] != 1 {
			return false
		}
	}
	return true
}
