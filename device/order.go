package device

import "github.com/stride0/stride0/dtype"

// Scanner is the ability to compute running sums and their like.
type Scanner interface {
	Scan(s *Scan) error
}

// Scan fills lines of Out with what a line of In gives so far:
//
//	Out[i] = In[0] op ... op In[i], or op In[i-1] when Exclusive
//
// from the identity of op on, in that order. The result is within the bound
// that the device states, and the same on every call for the same contents
// and layout. To run backwards, give negative strides. In and Out are disjoint
// or exactly equal. Floats take part as Float32 and Float64, integers in
// their own type, where they wrap; bools in minima and maxima. Others are
// ErrUnsupported.
type Scan struct {
	Op        ScanOp
	DType     dtype.DType
	Exclusive bool
	Lines     []int   // sizes of the axes over lines
	N         int     // elements of a line
	In, Out   Strided // strides along Lines, then along the line
	Label     string
}

// ScanOp is what a Scan does with elements.
type ScanOp uint8

// The operations of a Scan. Minima and maxima order -0 before +0, and NaN
// stays from where it first stood; their identity is the other end of the
// type's range, an infinity where it has one.
const (
	ScanSum ScanOp = iota
	ScanProd
	ScanMin
	ScanMax
)

// String returns "sum", "prod", "min" or "max".
func (op ScanOp) String() string {
	if op > ScanMax {
		return "invalid"
	}
	return [...]string{"sum", "prod", "min", "max"}[op]
}

// Sorter is the ability to order the elements of lines.
type Sorter interface {
	Sort(s *Sort) error
}

// Sort puts the first K elements of each line of In in order: their values
// into Values and where they stood, as Int64, into Positions; a nil Buffer
// leaves either out. The order is ascending or Descending; NaN comes last in
// both, -0 and +0 are equal, and equal elements stay in the order in which
// they stood. Every dtype can be sorted. No operand overlaps another.
type Sort struct {
	DType             dtype.DType
	Descending        bool
	Lines             []int   // sizes of the axes over lines
	N                 int     // elements of a line
	K                 int     // elements wanted of each, at most N
	In                Strided // strides along Lines, then along the line
	Values, Positions Strided // likewise
	Label             string
}
