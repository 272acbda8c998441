package cpu

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// plane is memory for a plane of elements: rows of a pitch, behind some guard
// bytes and before others.
type plane struct {
	mem   []byte
	first int // byte of element (0, 0)
	pitch int // bytes
}

func newPlane(r *rand.Rand, elem, rows, cols, gap, offset int) plane {
	p := plane{first: 64 + offset*elem, pitch: (cols + gap) * elem}
	p.mem = make([]byte, p.first+max(rows, 1)*p.pitch+64)
	for i := range p.mem {
		p.mem[i] = byte(r.Uint32())
	}
	return p
}

// at returns the bytes of element (i, j).
func (p plane) at(elem, i, j int) []byte {
	from := p.first + i*p.pitch + j*elem
	return p.mem[from : from+elem]
}

func (p plane) start() unsafe.Pointer { return unsafe.Pointer(&p.mem[p.first]) }

var transposesByWidth = map[int]func(rows, cols int, dst unsafe.Pointer, pitch int, src unsafe.Pointer, step int){
	1: transpose[uint8], 2: transpose[uint16], 4: transpose[uint32], 8: transpose[uint64],
}

func TestTransposeOfEverySize(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for elem, run := range transposesByWidth {
		for rows := range 41 {
			for cols := rows % 2; cols < 41; cols += 1 + rows%2 {
				off := (rows + 3*cols) % 8
				dst := newPlane(r, elem, rows, cols, rows%3, off)
				src := newPlane(r, elem, cols, rows, cols%3, (off+5)%8)
				want, before := slices.Clone(dst.mem), slices.Clone(src.mem)
				for i := range rows {
					for j := range cols {
						copy(plane{want, dst.first, dst.pitch}.at(elem, i, j), src.at(elem, j, i))
					}
				}
				run(rows, cols, dst.start(), dst.pitch, src.start(), src.pitch)
				if !bytes.Equal(dst.mem, want) {
					t.Fatalf("%d bytes, (%d, %d): wrong, or wrote outside", elem, rows, cols)
				}
				require.True(t, bytes.Equal(before, src.mem), "the source changed")
			}
		}
	}
}

// TestTransposeInPieces: more than a loop may read and write at once.
func TestTransposeInPieces(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	for elem, run := range transposesByWidth {
		rows, cols := 67, longBytes/(60*elem)+3
		dst, src := newPlane(r, elem, rows, cols, 1, 0), newPlane(r, elem, cols, rows, 2, 0)
		run(rows, cols, dst.start(), dst.pitch, src.start(), src.pitch)
		for i := range rows {
			for j := range cols {
				if !bytes.Equal(dst.at(elem, i, j), src.at(elem, j, i)) {
					t.Fatalf("%d bytes: element (%d, %d)", elem, i, j)
				}
			}
		}
	}
}

// TestMoveOverEveryOrderOfAxes moves between permuted, stepped and reversed
// places and compares with one element after another.
func TestMoveOverEveryOrderOfAxes(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		elem := 1 << r.IntN(4)
		rank := 1 + r.IntN(4)
		sizes := make([]int, rank)
		for k := range sizes {
			sizes[k] = 1 + r.IntN([]int{4, 12, 40}[r.IntN(3)])
		}
		dst, src := randomPlace(r, elem, sizes, false), randomPlace(r, elem, sizes, true)
		want, before := slices.Clone(dst.mem), slices.Clone(src.mem)
		eachPoint(sizes, func(at []int) {
			copy(want[dst.byteOf(elem, at):][:elem], src.mem[src.byteOf(elem, at):])
		})
		var m move
		m.reset()
		for k, n := range sizes {
			m.add(n, dst.strides[k], src.strides[k])
		}
		m.run(elem, unsafe.Pointer(&dst.mem[dst.first]), unsafe.Pointer(&src.mem[src.first]))
		if !bytes.Equal(dst.mem, want) {
			t.Fatalf("%d bytes, sizes %v from %v to %v: wrong, or wrote outside", elem, sizes, src.strides, dst.strides)
		}
		require.True(t, bytes.Equal(before, src.mem), "the source changed")
	}
}

// placed is memory with guard bytes round a strided place.
type placed struct {
	mem     []byte
	strides []int // elements
	first   int   // byte of the point of all zeros
}

// byteOf returns where the element at a point starts.
func (p *placed) byteOf(elem int, at []int) int {
	off := 0
	for k, i := range at {
		off += i * p.strides[k]
	}
	return p.first + off*elem
}

// randomPlace returns a place in which no two points share an element unless
// stretched allows it: axes in any order, some with gaps, some reversed.
func randomPlace(r *rand.Rand, elem int, sizes []int, stretched bool) *placed {
	p := &placed{strides: make([]int, len(sizes))}
	span, origin := 1, 0
	for _, k := range r.Perm(len(sizes)) {
		if stretched && r.IntN(8) == 0 {
			continue
		}
		step := span
		if r.IntN(3) == 0 {
			step *= 1 + r.IntN(5)
		}
		span = step * sizes[k]
		if p.strides[k] = step; r.IntN(4) == 0 {
			p.strides[k], origin = -step, origin+(sizes[k]-1)*step
		}
	}
	const guardElements = 8
	p.first = (guardElements + r.IntN(8) + origin) * elem
	p.mem = make([]byte, (span+3*guardElements)*elem)
	for i := range p.mem {
		p.mem[i] = byte(r.Uint32())
	}
	return p
}

// eachPoint calls f for every point of a space.
func eachPoint(sizes []int, f func(at []int)) {
	at := make([]int, len(sizes))
	for {
		f(at)
		k := len(sizes) - 1
		for ; k >= 0; k-- {
			if at[k]++; at[k] < sizes[k] {
				break
			}
			at[k] = 0
		}
		if k < 0 {
			return
		}
	}
}

func BenchmarkTranspose(b *testing.B) {
	r := rand.New(rand.NewPCG(5, 6))
	const rows, cols = 64, 256
	for _, elem := range []int{1, 2, 4, 8} {
		src, dst := newPlane(r, elem, cols, rows, 16, 0), newPlane(r, elem, rows, cols, 64/elem, 0)
		for name, run := range map[string]func(rows, cols int, dst unsafe.Pointer, pitch int, src unsafe.Pointer, step int){
			"transposed": transposesByWidth[elem],
			"naive": func(rows, cols int, dst unsafe.Pointer, pitch int, src unsafe.Pointer, step int) {
				for i := range rows {
					for j := range cols {
						to, from := unsafe.Add(dst, i*pitch+j*elem), unsafe.Add(src, j*step+i*elem)
						copy(unsafe.Slice((*byte)(to), elem), unsafe.Slice((*byte)(from), elem))
					}
				}
			},
		} {
			b.Run(fmt.Sprintf("%d_bits/%s/n=%d", 8*elem, name, rows*cols), func(b *testing.B) {
				b.SetBytes(int64(2 * rows * cols * elem))
				for b.Loop() {
					run(rows, cols, dst.start(), dst.pitch, src.start(), src.pitch)
				}
			})
		}
	}
}
