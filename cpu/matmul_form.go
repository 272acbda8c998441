package cpu

import (
	"math"
	"sync"
	"unsafe"
)

// scratch is memory for copies of matrices.
type scratch struct{ left, right, result []byte }

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// done gives the scratch back, unless it has grown too large to keep.
func (s *scratch) done() {
	if len(s.left)+len(s.right)+len(s.result) <= maxScratch {
		scratches.Put(s)
	}
}

// room returns n aligned elements of mem, which grows if need be.
func room[T cell](mem *[]byte, n int) []T {
	var zero T
	if bytes := n * int(unsafe.Sizeof(zero)); len(*mem) < bytes {
		*mem = alignedBytes(bytes)
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(*mem))), n)
}

// rowAlignment is the alignment, in bytes, of rows that a dot product adds up
// from their first element on.
const rowAlignment = 16

// alignedRow returns the number of elements of an aligned row of n.
func alignedRow[T cell](n int) int {
	var zero T
	per := rowAlignment / int(unsafe.Sizeof(zero))
	return (n + per - 1) / per * per
}

// aligned reports whether gonum adds up the rows of the matrix at off from
// their first element on: its float64 dot product always does.
func (x *matrices[T]) aligned(off int) bool {
	var zero T
	if unsafe.Sizeof(zero) == 8 {
		return true
	}
	p := uintptr(unsafe.Pointer(&x.all[off]))
	return p%rowAlignment == 0 && (x.rows == 1 || x.ld == alignedRow[T](x.ld))
}

// copied returns a copy of the matrix at off with aligned rows, and its
// leading dimension.
func copied[T cell](mem *[]byte, x *matrices[T], off int) ([]T, int) {
	ld := alignedRow[T](x.cols)
	dst := room[T](mem, x.rows*ld)
	for r := range x.rows {
		copy(dst[r*ld:][:x.cols], x.all[off+r*x.ld:])
	}
	return dst, ld
}

// transposed returns the transpose of the matrix at off with aligned rows, and
// its leading dimension.
func transposed[T cell](mem *[]byte, x *matrices[T], off int) ([]T, int) {
	ld := alignedRow[T](x.rows)
	dst := room[T](mem, x.cols*ld)
	for r := range x.rows {
		for c, v := range x.all[off+r*x.ld:][:x.cols] {
			dst[c*ld+r] = v
		}
	}
	return dst, ld
}

// finite reports whether the matrix at off holds neither NaN nor ±Inf.
func (x *matrices[T]) finite(off int) bool {
	for r := range x.rows {
		if !finiteRow(x.all[off+r*x.ld:][:x.cols]) {
			return false
		}
	}
	return true
}

// finiteRow looks at bit patterns: without its sign, no finite one is above
// that of the greatest number, and the maximum needs no branch.
func finiteRow[T cell](row []T) bool {
	switch row := any(row).(type) {
	case []float32:
		var most uint32
		for _, v := range row {
			most = max(most, math.Float32bits(v)<<1)
		}
		return most < math.Float32bits(float32(math.Inf(1)))<<1
	case []float64:
		var most uint64
		for _, v := range row {
			most = max(most, math.Float64bits(v)<<1)
		}
		return most < math.Float64bits(math.Inf(1))<<1
	}
	return false
}
