package cpu

import (
	"math/bits"
	"unsafe"
)

// moveLoops move elements of 1, 2, 4 and 8 bytes, whatever they mean.
type moveLoops struct {
	transposes [4]transposeLoop
	picks      [4][6]pickLoop // at the place step + 1
}

// moves are the loops in assembly of the instruction set in use; those that it
// lacks are the zero value.
var moves moveLoops

// widthIndex returns the place of elements of elem bytes in moveLoops.
func widthIndex(elem int) int { return bits.TrailingZeros8(uint8(elem)) }

// transposeLoop makes element (i, j) of dst, whose rows are pitch bytes apart,
// element (j, i) of src, whose rows are step bytes apart. It works in tiles of
// rows x cols elements and takes multiples of them.
type transposeLoop struct {
	run        func(rows, cols int, dst unsafe.Pointer, pitch int, src unsafe.Pointer, step int)
	rows, cols int
}

// shortSide is the number of rows or columns below which a plane is moved one
// line after another, along the longer side.
const shortSide = 8

// transpose is transposeLoop.run for any number of rows and columns. What is
// left of a tile at an end is done by a tile that overlaps the last whole one
// and writes the same elements again, so dst and src must not overlap.
func transpose[T word](rows, cols int, dst unsafe.Pointer, pitch int, src unsafe.Pointer, step int) {
	var zero T
	elem := int(unsafe.Sizeof(zero))
	l := &moves.transposes[widthIndex(elem)]
	if l.run == nil || rows < l.rows || cols < l.cols {
		transposeStrips[T](rows, cols, dst, pitch, src, step)
		return
	}
	tile := func(i, j, rows, cols int) {
		l.run(rows, cols, unsafe.Add(dst, i*pitch+j*elem), pitch, unsafe.Add(src, j*step+i*elem), step)
	}
	r, c := rows-rows%l.rows, cols-cols%l.cols
	piece := max(l.cols, longBytes/(2*r*elem)/l.cols*l.cols) // what is read is written too
	for j := 0; j < c; j += piece {
		tile(0, j, r, min(piece, c-j))
	}
	if c < cols {
		tile(0, cols-l.cols, r, l.cols)
	}
	if r < rows {
		tile(rows-l.rows, 0, l.rows, c)
		if c < cols {
			tile(rows-l.rows, cols-l.cols, l.rows, l.cols)
		}
	}
}

// transposeStrips is transpose in Go: a few columns at a time, so that the cache
// lines they are read from stay in the cache until all of their elements are.
func transposeStrips[T word](rows, cols int, dst unsafe.Pointer, pitch int, src unsafe.Pointer, step int) {
	const strip = 16
	var zero T
	elem := int(unsafe.Sizeof(zero))
	for j := 0; j < cols; j += strip {
		n := min(strip, cols-j)
		for i := range rows {
			d, at := unsafe.Slice((*T)(unsafe.Add(dst, i*pitch+j*elem)), n), j*step+i*elem
			for k := range d {
				d[k] = *(*T)(unsafe.Add(src, at))
				at += step
			}
		}
	}
}
