package cpu

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// operandLayouts are ways in which an operand of shape (rows, cols) can lie.
var operandLayouts = []struct {
	name string
	make func(rows, cols int) (strides []int, offset, size int)
}{
	{"contiguous", func(r, c int) ([]int, int, int) { return []int{c, 1}, 0, r * c }},
	{"scalar", func(r, c int) ([]int, int, int) { return []int{0, 0}, 2, 3 }},
	{"row", func(r, c int) ([]int, int, int) { return []int{0, 1}, 0, c }},
	{"column", func(r, c int) ([]int, int, int) { return []int{1, 0}, 0, r }},
	{"transposed", func(r, c int) ([]int, int, int) { return []int{1, r}, 0, r * c }},
	{"reversed", func(r, c int) ([]int, int, int) { return []int{-c, -1}, r*c - 1, r * c }},
	{"stepped", func(r, c int) ([]int, int, int) { return []int{4 * c, 2}, 1, 4*r*c + 2 }},
	{"padded_rows", func(r, c int) ([]int, int, int) { return []int{c + 3, 1}, 0, r * (c + 3) }},
}

// element returns element (i, j) of memory laid out by strides and offset.
func element(v []float32, strides []int, offset, i, j int) float32 {
	return v[offset+i*strides[0]+j*strides[1]]
}

func TestSubOverEveryPairOfLayouts(t *testing.T) {
	p := binary(t, kernels.Sub, dtype.Float32)
	shapes := [][2]int{{1, 1}, {1, 5}, {7, 1}, {3, 5}, {5, 127}, {9, 128}, {2, 1023}, {3, 1025}, {700, 3}, {2, 2049}, {130, 300}}
	for _, s := range shapes {
		for _, la := range operandLayouts {
			for _, lb := range operandLayouts {
				checkSub(t, p, s[0], s[1], la.name, lb.name, la.make, lb.make)
			}
		}
	}
}

func checkSub(t *testing.T, p *kernels.Program, rows, cols int, an, bn string, la, lb func(int, int) ([]int, int, int)) {
	t.Helper()
	sa, oa, na := la(rows, cols)
	sb, ob, nb := lb(rows, cols)
	a, b := ramp(na), ramp(nb + 1)[1:]
	shape := broadcast.Shape{rows, cols}
	for _, lo := range operandLayouts {
		if lo.name == "scalar" || lo.name == "row" || lo.name == "column" {
			continue // no output is stretched
		}
		so, oo, no := lo.make(rows, cols)
		out := make([]float32, no)
		for i := range out {
			out[i] = -77
		}
		run(t, p, shape, 0, []view{over(t, a, shape, sa, oa), over(t, b, shape, sb, ob)}, []view{over(t, out, shape, so, oo)})
		for i := range rows {
			for j := range cols {
				want := element(a, sa, oa, i, j) - element(b, sb, ob, i, j)
				if got := element(out, so, oo, i, j); got != want {
					t.Fatalf("(%d, %d) %s - %s to %s: element (%d, %d) is %v, want %v", rows, cols, an, bn, lo.name, i, j, got, want)
				}
				out[oo+i*so[0]+j*so[1]] = -77
			}
		}
		if i := slices.IndexFunc(out, func(v float32) bool { return v != -77 }); i >= 0 {
			t.Fatalf("(%d, %d) %s - %s to %s wrote at %d", rows, cols, an, bn, lo.name, i)
		}
	}
}

func TestSubHasTheSameBitsOnAnyNumberOfProcessors(t *testing.T) {
	p := binary(t, kernels.Sub, dtype.Float32)
	const rows, cols = 401, 1003
	a, b := ramp(rows*cols), ramp(cols)
	atProcs(t, func(t *testing.T) {
		out := make([]float32, rows*cols)
		run(t, p, broadcast.Shape{rows, cols}, 0, []view{rowMajor(a, rows, cols), rowMajor(b, cols)}, []view{rowMajor(out, rows, cols)})
		for i := range out {
			if want := a[i] - b[i%cols]; out[i] != want {
				t.Fatalf("element %d is %v, want %v", i, out[i], want)
			}
		}
	})
}

// TestChainInPlace runs several rows with two outputs, both of which are
// inputs: neither may be written before everything was read.
func TestChainInPlace(t *testing.T) {
	p := program(t, func(b *kernels.Builder) []kernels.Value {
		x, y := b.Input(dtype.Float32), b.Input(dtype.Float32)
		sum, diff := must(b, kernels.Add, x, y), must(b, kernels.Sub, x, y)
		return []kernels.Value{sum, must(b, kernels.Mul, diff, diff)}
	})
	for _, n := range []int{1, 99, 1023, 1024, 1025, 5000} {
		x, y := ramp(n), ramp(n + 3)[3:]
		wantX, wantY := make([]float32, n), make([]float32, n)
		for i := range x {
			d := float32(x[i] - y[i])
			wantX[i], wantY[i] = x[i]+y[i], d*d
		}
		vx, vy := rowMajor(x, n), rowMajor(y, n)
		run(t, p, broadcast.Shape{n}, 0, []view{vx, vy}, []view{vx, vy})
		require.Equal(t, wantX, x, n)
		require.Equal(t, wantY, y, n)
	}
}

func TestWhereSpreadsScalars(t *testing.T) {
	p := program(t, func(b *kernels.Builder) []kernels.Value {
		return []kernels.Value{must(b, kernels.Where, b.Input(dtype.Bool), b.Input(dtype.Float32), b.Scalar(dtype.Float32))}
	})
	const n = 3000
	mask, x, out := make([]bool, n), ramp(n), make([]float32, n)
	for i := range mask {
		mask[i] = i%3 == 0
	}
	run(t, p, broadcast.Shape{n}, 0, []view{rowMajor(mask, n), rowMajor(x, n)}, []view{rowMajor(out, n)}, uint64(math.Float32bits(-2)))
	for i := range out {
		want := float32(-2)
		if mask[i] {
			want = x[i]
		}
		require.Equal(t, want, out[i], i)
	}
}

func TestIndexAlongEveryAxis(t *testing.T) {
	shape := broadcast.Shape{5, 3, 40}
	for axis := range shape {
		p := program(t, func(b *kernels.Builder) []kernels.Value {
			return []kernels.Value{must(b, kernels.Add, b.Index(axis), b.Scalar(dtype.Int64))}
		})
		out := make([]int64, shape.Size())
		run(t, p, shape, 0, nil, []view{rowMajor(out, shape...)}, 100)
		for i := range out {
			index := [3]int{i / 120, i / 40 % 3, i % 40}
			require.Equal(t, int64(100+index[axis]), out[i], "axis %d, element %d", axis, i)
		}
	}
}

func TestFillFromScalarsAlone(t *testing.T) {
	p := program(t, func(b *kernels.Builder) []kernels.Value {
		return []kernels.Value{must(b, kernels.Neg, b.Scalar(dtype.Int32))}
	})
	for _, n := range []int{1, 63, 64, 65, 5000, 100000} {
		out := make([]int32, n+1)
		run(t, p, broadcast.Shape{n}, 0, nil, []view{rowMajor(out[:n], n)}, 42)
		for i, v := range out[:n] {
			require.Equal(t, int32(-42), v, i)
		}
		require.Zero(t, out[n])
	}
}

func TestEverySizeToBlockBoundaries(t *testing.T) {
	p := binary(t, kernels.Add, dtype.Float64)
	sizes := []int{1022, 1023, 1024, 1025, 2047, 2048, 2049, 32767, 32768, 32769, 70000}
	for n := range 100 {
		sizes = append(sizes, n)
	}
	for _, n := range sizes {
		a, b, out := make([]float64, n), make([]float64, n), make([]float64, n+2)
		for i := range a {
			a[i], b[i] = float64(i), float64(3*i)
		}
		l := rowMajor(out, n)
		l.layout = broadcast.RowMajor(broadcast.Shape{n})
		dst := view{NewBuffer(bytesOf(out)[8:]), l.layout}
		run(t, p, broadcast.Shape{n}, 0, []view{rowMajor(a, n), rowMajor(b, n)}, []view{dst})
		for i := range n {
			require.Equal(t, float64(4*i), out[i+1], fmt.Sprint(n, " ", i))
		}
		require.Zero(t, out[0]+out[n+1])
	}
}

// TestBoxesFitTheirSlots: a value that is not in place in an operand is written
// to a slot, which holds blockLen elements. A longer one would silently run
// into the next slot, so the cut is checked itself and not only the results.
func TestBoxesFitTheirSlots(t *testing.T) {
	const n = 40 * blockLen
	unary := func(b *kernels.Builder) []kernels.Value {
		return []kernels.Value{must(b, kernels.Neg, b.Input(dtype.Int64))}
	}
	line, in := broadcast.Shape{n}, make([]int64, n)
	for _, c := range []struct {
		name  string
		build func(b *kernels.Builder) []kernels.Value
		space broadcast.Shape
		in    view
		out   view
		long  bool
	}{
		{"all_in_place", unary, line, rowMajor(in, n), rowMajor(make([]int64, n), n), true},
		{"index_beside_an_unused_input", func(b *kernels.Builder) []kernels.Value {
			b.Input(dtype.Int64)
			return []kernels.Value{must(b, kernels.Neg, b.Index(0))}
		}, line, rowMajor(in, n), rowMajor(make([]int64, n), n), false},
		{"stepped_input", unary, line, over(t, make([]int64, 2*n), line, []int{2}, 0), rowMajor(make([]int64, n), n), false},
		{"row_stretched_along_the_innermost_axis", unary, broadcast.Shape{3, n},
			over(t, in, broadcast.Shape{3, n}, []int{0, 1}, 0), over(t, make([]int64, 3*n), broadcast.Shape{3, n}, []int{1, 3}, 0), false},
	} {
		j := new(job)
		require.NoError(t, j.prepare(launch(program(t, c.build), c.space, 0, []view{c.in}, []view{c.out})), c.name)
		j.cutMap()
		require.Equal(t, c.long, j.cut.step*j.cut.inner > blockLen, c.name)
		j.done()
	}
}
