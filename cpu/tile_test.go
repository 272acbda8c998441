package cpu

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// tileDTypes has a type of each width, and those that rows mix with others.
var tileDTypes = []dtype.DType{dtype.Bool, dtype.Int8, dtype.Uint16, dtype.Float32, dtype.Int32, dtype.Float64}

// tileSpaces are iteration spaces with rows long enough to be tiled and ends
// that are no multiple of a tile.
var tileSpaces = []broadcast.Shape{
	{2, 128}, {33, 129}, {300, 131}, {70, 1031}, {9, 2050}, {5, 3, 200}, {3, 70, 141}, {40, 5, 130}, {17, 9, 16}, {12, 40, 33},
	{2, 3, 5, 137}, {6, 2, 20, 65}, {3, 2, 2, 7, 130},
}

// permutedOf returns an operand of a space whose axes lie in memory in a random
// order, some of them stretched, reversed or with gaps.
func permutedOf(t *testing.T, r *rand.Rand, d dtype.DType, space broadcast.Shape, stretched bool) (view, *placed) {
	t.Helper()
	p := randomPlace(r, d.Size(), space, stretched)
	for i := 0; i+d.Size() <= len(p.mem); i += d.Size() {
		if d == dtype.Bool {
			p.mem[i] &= 1
		}
	}
	l, err := broadcast.NewLayout(space, p.strides, p.first/d.Size())
	require.NoError(t, err)
	return view{NewBuffer(p.mem), l}, p
}

// rowMajorPlace returns an operand in row-major order with guard bytes round it.
func rowMajorPlace(t *testing.T, d dtype.DType, space broadcast.Shape) (view, *placed) {
	t.Helper()
	p := &placed{mem: bytes.Repeat([]byte{guard & 0xff}, (space.Size()+16)*d.Size()), strides: make([]int, len(space)), first: 8 * d.Size()}
	span := 1
	for k := len(space) - 1; k >= 0; k-- {
		p.strides[k] = span
		span *= space[k]
	}
	l, err := broadcast.NewLayout(space, p.strides, 8)
	require.NoError(t, err)
	return view{NewBuffer(p.mem), l}, p
}

// contiguousOf returns the elements of a placed operand in row-major order.
func contiguousOf(p *placed, elem int, space broadcast.Shape) view {
	var flat []byte
	eachPoint(space, func(at []int) { flat = append(flat, p.mem[p.byteOf(elem, at):][:elem]...) })
	return view{NewBuffer(flat), broadcast.RowMajor(space)}
}

// TestTiledHasTheBitsOfContiguous: what a Program computes from operands in any
// order of axes is what it computes from contiguous copies of them.
func TestTiledHasTheBitsOfContiguous(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	tiled := 0
	for round := range 8 {
		for _, space := range tileSpaces {
			d := tileDTypes[r.IntN(len(tileDTypes))]
			p, in := tileProgram(t, round, d)
			out := p.TypeOf(p.Outputs[0])
			views, flat := make([]view, len(in)), make([]view, len(in))
			places := make([]*placed, len(in))
			for i, e := range in {
				views[i], places[i] = permutedOf(t, r, e, space, true)
				flat[i] = contiguousOf(places[i], e.Size(), space)
			}
			dst, place := permutedOf(t, r, out, space, false)
			if round%2 == 0 { // rows of the result as they mostly are
				dst, place = rowMajorPlace(t, out, space)
			}
			want := slices.Clone(place.mem)
			result := view{NewBuffer(make([]byte, space.Size()*out.Size())), broadcast.RowMajor(space)}
			run(t, p, space, 0, flat, []view{result})
			i := 0
			eachPoint(space, func(at []int) {
				copy(want[place.byteOf(out.Size(), at):][:out.Size()], result.buf.data[i*out.Size():])
				i++
			})
			before := make([][]byte, len(in))
			for i := range in {
				before[i] = slices.Clone(places[i].mem)
			}
			procs := runtime.GOMAXPROCS(1 + 6*r.IntN(2))
			run(t, p, space, 0, views, []view{dst})
			runtime.GOMAXPROCS(procs)
			tiled += tiledLaunch(t, p, space, views, dst)
			name := fmt.Sprintf("round %d, %v, %v to %v", round, space, in, out)
			if !bytes.Equal(place.mem, want) {
				t.Fatalf("%s: wrong, or wrote outside; strides %v to %v", name, places[0].strides, place.strides)
			}
			for i := range in {
				require.True(t, bytes.Equal(before[i], places[i].mem), "%s: operand %d changed", name, i)
			}
		}
	}
	require.Greater(t, tiled, 30, "launches that were tiled")
}

// tileProgram returns one of a few programs on type d and the types of its inputs.
func tileProgram(t *testing.T, which int, d dtype.DType) (*kernels.Program, []dtype.DType) {
	in := []dtype.DType{d}
	p := program(t, func(b *kernels.Builder) []kernels.Value {
		x := b.Input(d)
		switch which % 4 {
		case 0:
			return []kernels.Value{must(b, kernels.Copy, x)}
		case 1:
			in = append(in, d)
			return []kernels.Value{must(b, kernels.Add, x, b.Input(d))}
		case 2:
			in = []dtype.DType{d, dtype.Bool, d}
			return []kernels.Value{must(b, kernels.Where, b.Input(dtype.Bool), x, b.Input(d))}
		}
		in = append(in, d)
		y := b.Input(d)
		return []kernels.Value{must(b, kernels.Ge, must(b, kernels.Mul, x, y), must(b, kernels.Add, y, x))}
	})
	return p, in
}

// tiledLaunch returns 1 if the launch is cut into tiles.
func tiledLaunch(t *testing.T, p *kernels.Program, space broadcast.Shape, in []view, out view) int {
	t.Helper()
	j := new(job)
	require.NoError(t, j.prepare(launch(p, space, 0, in, []view{out})))
	defer j.done()
	if j.planRows() || !j.cutTiles() {
		return 0
	}
	require.LessOrEqual(t, j.cut.step*j.cut.inner, blockLen)
	require.LessOrEqual(t, j.tile.bytes, 2*tileBytes)
	return 1
}

// TestTiledInPlace: an operand that is the result itself is read before it is
// written, and the other one is transposed.
func TestTiledInPlace(t *testing.T) {
	const n = 300
	p := program(t, func(b *kernels.Builder) []kernels.Value {
		x, y := b.Input(dtype.Float32), b.Input(dtype.Float32)
		sum, diff := must(b, kernels.Add, x, y), must(b, kernels.Sub, x, y)
		return []kernels.Value{sum, must(b, kernels.Mul, diff, diff)}
	})
	shape := broadcast.Shape{n, n}
	x, y := ramp(n*n), ramp(n*n + 3)[3:]
	wantX, wantY := make([]float32, n*n), make([]float32, n*n)
	for i := range n {
		for j := range n {
			a, b := x[i*n+j], y[j*n+i]
			d := float32(a - b)
			wantX[i*n+j], wantY[j*n+i] = a+b, d*d
		}
	}
	vx, vy := rowMajor(x, n, n), over(t, y, shape, []int{1, n}, 0)
	require.Equal(t, 1, tiledLaunch(t, binary(t, kernels.Add, dtype.Float32), shape, []view{vx, vy}, vx))
	run(t, p, shape, 0, []view{vx, vy}, []view{vx, vy})
	require.Equal(t, wantX, x)
	require.Equal(t, wantY, y)
}

// TestTileIndex: an index along the axis of the tiles and along the rows.
func TestTileIndex(t *testing.T) {
	const rows, cols = 130, 257
	shape := broadcast.Shape{rows, cols}
	x := make([]int64, rows*cols)
	for i := range x {
		x[i] = int64(1000 * i)
	}
	for axis := range shape {
		p := program(t, func(b *kernels.Builder) []kernels.Value {
			return []kernels.Value{must(b, kernels.Add, b.Input(dtype.Int64), b.Index(axis))}
		})
		out := make([]int64, rows*cols)
		in := over(t, x, shape, []int{1, rows}, 0)
		require.Equal(t, 1, tiledLaunch(t, p, shape, []view{in}, rowMajor(out, rows, cols)))
		run(t, p, shape, 0, []view{in}, []view{rowMajor(out, rows, cols)})
		for i := range rows {
			for j := range cols {
				if want := int64(1000*(j*rows+i) + []int{i, j}[axis]); out[i*cols+j] != want {
					t.Fatalf("axis %d: element (%d, %d) is %d, want %d", axis, i, j, out[i*cols+j], want)
				}
			}
		}
	}
}
