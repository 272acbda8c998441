package cpu

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// rowShapes are spaces and right operands of the kinds that a rowJob cuts in
// different ways: long and short rows, patterns, numbers for each row.
var rowShapes = []struct {
	name       string
	space, rhs broadcast.Shape
	rows       bool // a rowJob
}{
	{"flat", broadcast.Shape{5001}, broadcast.Shape{5001}, true},
	{"one", broadcast.Shape{1}, broadcast.Shape{1}, true},
	{"row_of_three", broadcast.Shape{5000, 3}, broadcast.Shape{3}, true},
	{"row_of_one_repeats", broadcast.Shape{5000, 1}, broadcast.Shape{1}, true},
	{"row_of_127", broadcast.Shape{97, 127}, broadcast.Shape{127}, true},
	{"row_of_128", broadcast.Shape{97, 128}, broadcast.Shape{128}, true},
	{"long_row", broadcast.Shape{3, 70001}, broadcast.Shape{70001}, true},
	{"column", broadcast.Shape{61, 300}, broadcast.Shape{61, 1}, true},
	{"column_of_rows_of_24", broadcast.Shape{61, 24}, broadcast.Shape{61, 1}, true},
	{"column_of_rows_of_23", broadcast.Shape{61, 23}, broadcast.Shape{61, 1}, false},
	{"channel", broadcast.Shape{2, 31, 200}, broadcast.Shape{31, 1}, true},
	{"two_short_axes", broadcast.Shape{400, 4, 5}, broadcast.Shape{4, 5}, true},
	{"short_axis_in_a_short_one", broadcast.Shape{400, 4, 5}, broadcast.Shape{4, 1}, true},
	{"number", broadcast.Shape{77, 99}, broadcast.Shape{}, true},
}

func TestRowsOfEveryKind(t *testing.T) {
	for _, d := range []dtype.DType{dtype.Int8, dtype.Int16, dtype.Float32, dtype.Float64} {
		p := binary(t, kernels.Sub, d)
		for _, s := range rowShapes {
			for _, swap := range []bool{false, true} {
				checkRows(t, p, d, s.name, s.space, s.rhs, s.rows, swap)
			}
		}
	}
}

// checkRows compares a launch with the Go loop of the row on single elements.
func checkRows(t *testing.T, p *kernels.Program, d dtype.DType, name string, space, rhs broadcast.Shape, rows, swap bool) {
	t.Helper()
	r := rand.New(rand.NewPCG(3, uint64(d)))
	n := space.Size()
	x, y, out := newVector(d, n).fill(r), newVector(d, rhs.Size()).fill(r), newVector(d, n)
	in := []view{x.view(space), y.view(rhs)}
	if swap {
		in[0], in[1] = in[1], in[0]
	}
	l := launch(p, space, 0, in, []view{out.view(space)})
	j := new(job)
	require.NoError(t, j.prepare(l))
	require.Equal(t, rows, j.planRows(), "%s: a rowJob", name)
	j.cutMap()
	require.LessOrEqual(t, j.cut.step*j.cut.inner*3*d.Size(), longBytes, "%s: a loop in assembly cannot be stopped", name)
	j.done()
	require.NoError(t, Default().Run(l))
	require.True(t, out.intact(), "%s wrote outside", name)

	at, full, want := broadcastIndex(space, rhs), newVector(d, n), newVector(d, n)
	for i := range n {
		full.set(i, y.get(at(i)))
	}
	args := [4]unsafe.Pointer{want.p(), x.p(), full.p()}
	if swap {
		args[1], args[2] = args[2], args[1]
	}
	goLoop(kernels.Sub, d, d).flat(n, &args)
	for i := range n {
		if !samePattern(d, want.get(i), out.get(i)) {
			t.Fatalf("%s of %v swapped %v: element %d is %x, want %x", name, d, swap, i, out.get(i), want.get(i))
		}
	}
}

// goLoop returns the Go loops of a row.
func goLoop(op kernels.Op, from, to dtype.DType) mapLoops {
	l := mapTable[op][from][to]
	if was, ok := goLoops[l]; ok {
		return was
	}
	return *l
}

// view returns v as a row-major operand.
func (v *vector) view(shape broadcast.Shape) view {
	size := v.dtype.Size()
	all := bytesOf(v.mem)
	return view{NewBuffer(all[8 : 8+v.n*size : 8+v.n*size]), broadcast.RowMajor(shape)}
}

// broadcastIndex returns which element of an operand of the given shape meets
// element i of the space.
func broadcastIndex(space, shape broadcast.Shape) func(i int) int {
	return func(i int) int {
		at, step := 0, 1
		for k := 1; k <= len(shape); k++ {
			index := i % space[len(space)-k]
			i /= space[len(space)-k]
			if size := shape[len(shape)-k]; size > 1 {
				at += index * step
				step *= size
			}
		}
		return at
	}
}

func TestRowsInPlace(t *testing.T) {
	p := binary(t, kernels.Sub, dtype.Float32)
	for _, s := range rowShapes {
		x, y := ramp(s.space.Size()), ramp(s.rhs.Size() + 7)[7:]
		want := make([]float32, len(x))
		at := broadcastIndex(s.space, s.rhs)
		for i := range x {
			want[i] = x[i] - y[at(i)]
		}
		v := rowMajor(x, s.space...)
		run(t, p, s.space, 0, []view{v, rowMajor(y, s.rhs...)}, []view{v})
		require.Equal(t, want, x, s.name)
	}
}

// TestWhereOfPatterns has three operands, of which a loop takes none as one
// element.
func TestWhereOfPatterns(t *testing.T) {
	p := program(t, func(b *kernels.Builder) []kernels.Value {
		return []kernels.Value{must(b, kernels.Where, b.Input(dtype.Bool), b.Input(dtype.Float32), b.Scalar(dtype.Float32))}
	})
	space := broadcast.Shape{900, 5}
	mask, x, out := []bool{true, false, true, true, false}, ramp(4500), make([]float32, 4500)
	run(t, p, space, 0, []view{rowMajor(mask, 5), rowMajor(x, 900, 5)}, []view{rowMajor(out, 900, 5)}, 0x40000000)
	for i := range out {
		want := float32(2)
		if mask[i%5] {
			want = x[i]
		}
		require.Equal(t, want, out[i], i)
	}
}

// TestEvenCutsNoBoxLonger holds even against what it promises.
func TestEvenCutsNoBoxLonger(t *testing.T) {
	for size := shortAxis; size < 5000; size += 7 {
		for _, unit := range []int{1, 8, 64} {
			j := &job{sizes: []int{3, size}, kept: 2}
			c := j.cutKept(1024, shortAxis)
			old := c
			c.even(size, unit)
			last := size - (c.parts-1)*c.step
			require.True(t, c.step <= old.step && 0 < last && last <= c.step && c.boxes == 3*c.parts, "%d: %+v from %+v", size, c, old)
		}
	}
}
