package device

import "github.com/stride0/stride0/dtype"

// Gatherer is the ability to read and to write elements at positions that a
// tensor of integers names.
//
// A position out of range never touches memory: Gather writes 0 in its place,
// Scatter leaves that element out, and the rest is done as if it were not
// there. The *IndexError (which is ErrIndex) comes from the call itself where
// the device works at once, else once from the next Sync or Read.
type Gatherer interface {
	// Gather sets Values[p] = Table[place of p] for every p of x.Sizes.
	Gather(x *Indexed) error

	// Scatter merges Values[p] into Table[place of p], for every p of x.Sizes
	// in row-major order: where several p have one place, in that order.
	Scatter(x *Indexed, how Merge) error
}

// Indexed is a walk over a space of points p, each with an element of Values
// and a place in Table, in elements:
//
//	place of p = sum of p[k]*Table.Strides[k] + sum of i[j]*Jumps[j]
//	i[j]       = Index element at sum of p[k]*Index.Strides[k] + j*Step
//
// An index i[j] below 0 counts from the end: it stands for i[j] + Limits[j].
// Strides of axes of size 1 mean nothing. Points that differ in a coordinate
// along which Table moves have different places. The operand that is written
// overlaps no other, and its points share no cell but by equal indices.
type Indexed struct {
	DType      dtype.DType // of Values and Table
	IndexDType dtype.DType // Int32 or Int64
	Sizes      []int       // of the space, outermost first

	Values, Table, Index Strided

	Step   int   // elements of Index between the indices of one point
	Limits []int // per index of a point: its range is -Limit to Limit-1
	Jumps  []int // per index of a point: elements of Table that it moves by

	// For the error: which axes of the space those of the index tensor are,
	// whether it has one more, along which the indices of one point stand, and
	// the axis of the indexed tensor behind each of them.
	IndexAxis, IndexRank int
	Tuples               bool
	Axes                 []int

	Label string // the operation: "gather"
	At    string // where the program asked for it, "main.go:12"; may be empty
}

// Strided is an operand with the distance in elements from one point of a
// space to the next along each of its axes; the point of all zeros lies at
// Offset bytes.
type Strided struct {
	Operand
	Strides []int
}

// Merge says what Scatter makes of the element that is there and the one that
// comes.
type Merge uint8

// The merges. On bools Add is or, Mul is and; Min and Max order -0 before +0,
// and NaN wins both. Arithmetic on integers wraps; halves are ErrUnsupported
// (package tensor scatters them in float32), save for Replace.
const (
	MergeReplace Merge = iota // what comes last in row-major order stays
	MergeAdd
	MergeMul
	MergeMin
	MergeMax
)

// String returns "replace", "add", "mul", "min" or "max".
func (m Merge) String() string {
	if m > MergeMax {
		return "invalid"
	}
	return [...]string{"replace", "add", "mul", "min", "max"}[m]
}
