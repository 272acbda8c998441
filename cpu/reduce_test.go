package cpu

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// canonicalSum adds as SEMANTICS.md words it, with none of the driver's ideas.
func canonicalSum(x []float32) float32 {
	for {
		var next []float32
		for from := 0; from == 0 || from < len(x); from += 1024 {
			block := x[from:min(from+1024, len(x))]
			var lanes [32]float32
			for i, v := range block {
				lanes[i%32] = float32(lanes[i%32] + v)
			}
			for h := 16; h > 0; h /= 2 {
				for l := range h {
					lanes[l] = float32(lanes[l] + lanes[l+h])
				}
			}
			next = append(next, lanes[0])
		}
		if len(next) == 1 {
			return next[0]
		}
		x = next
	}
}

func TestSumOfEverySizeIsCanonical(t *testing.T) {
	p := reduction(t, kernels.Sum, dtype.Float32)
	all := ramp(5001)
	out := make([]float32, 1)
	for n := 0; n <= 5000; n++ {
		run(t, p, broadcast.Shape{n}, 1, []view{rowMajor(all[:n], n)}, []view{rowMajor(out, 1)})
		if want := canonicalSum(all[:n]); math.Float32bits(want) != math.Float32bits(out[0]) {
			t.Fatalf("sum of %d elements is %v, want %v", n, out[0], want)
		}
	}
}

func TestSumAcrossLevels(t *testing.T) {
	if testing.Short() {
		t.Skip("4 MiB sums")
	}
	p := reduction(t, kernels.Sum, dtype.Float32)
	all := ramp(1<<20 + 2048)
	out := make([]float32, 1)
	atProcs(t, func(t *testing.T) {
		for _, n := range []int{1<<20 - 1024, 1<<20 - 1, 1 << 20, 1<<20 + 1, 1<<20 + 1025} {
			run(t, p, broadcast.Shape{n}, 1, []view{rowMajor(all[:n], n)}, []view{rowMajor(out, 1)})
			require.Equal(t, math.Float32bits(canonicalSum(all[:n])), math.Float32bits(out[0]), n)
		}
	})
}

// atProcs runs f with GOMAXPROCS 1, 2 and 7.
func atProcs(t *testing.T, f func(t *testing.T)) {
	for _, n := range []int{1, 2, 7} {
		t.Run(fmt.Sprintf("procs=%d", n), func(t *testing.T) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(n))
			f(t)
		})
	}
}

// storages are ways to hold a logical tensor: an order of axes in memory,
// outermost first as a rotation, a step, and a direction.
var storages = []struct {
	name         string
	rotate, step int
	back         bool
}{
	{"row_major", 0, 1, false},
	{"rotated_axes", 1, 1, false},
	{"every_third", 0, 3, false},
	{"backwards", 0, 1, true},
	{"rotated_every_second_backwards", 1, 2, true},
}

// stored lays the elements of x (row-major, of the given shape) out in memory.
func stored(t *testing.T, x []float32, shape broadcast.Shape, rotate, step int, back bool) view {
	t.Helper()
	strides, size := make([]int, len(shape)), 1
	for i := range shape {
		k := (len(shape) - 1 - i + rotate) % len(shape)
		strides[k] = size * step
		size *= shape[k]
	}
	offset := 0
	if back {
		for k := range strides {
			offset += (shape[k] - 1) * strides[k]
			strides[k] = -strides[k]
		}
	}
	mem := make([]float32, size*step)
	for i, v := range x {
		at, rest := offset, i
		for k := len(shape) - 1; k >= 0; k-- {
			at += rest % shape[k] * strides[k]
			rest /= shape[k]
		}
		mem[at] = v
	}
	return over(t, mem, shape, strides, offset)
}

// sequences returns, for each output of reducing the masked axes, the logical
// sequence of reduced elements.
func sequences(x []float32, shape broadcast.Shape, reduced broadcast.AxisMask) [][]float32 {
	outs := 1
	for k, n := range shape {
		if !reduced.Has(k) {
			outs *= n
		}
	}
	seqs := make([][]float32, outs)
	for i, v := range x {
		out, rest, scale := 0, i, 1
		for k := len(shape) - 1; k >= 0; k-- {
			if !reduced.Has(k) {
				out += rest % shape[k] * scale
				scale *= shape[k]
			}
			rest /= shape[k]
		}
		seqs[out] = append(seqs[out], v)
	}
	return seqs
}

var reduceCases = []struct {
	name    string
	shape   broadcast.Shape
	reduced broadcast.AxisMask
}{
	{"one_element", broadcast.Shape{1, 1}, 3},
	{"all_of_a_small_matrix", broadcast.Shape{5, 7}, 3},
	{"rows_within_a_block", broadcast.Shape{6, 1000}, 2},
	{"rows_over_a_block", broadcast.Shape{20, 1100}, 2},
	{"many_tiny_rows", broadcast.Shape{3000, 4}, 2},
	{"tiny_rows_just_below_block_form", broadcast.Shape{50, 47}, 2},
	{"tiny_rows_just_above", broadcast.Shape{50, 48}, 2},
	{"more_tiny_rows_than_a_box", broadcast.Shape{2500, 2}, 2},
	{"tiny_rows_of_three", broadcast.Shape{1000, 3}, 2},
	{"rows_of_as_many_as_lanes", broadcast.Shape{70, 32}, 2},
	{"rows_of_one_less_than_lanes", broadcast.Shape{70, 31}, 2},
	{"rows_of_one_more_than_lanes", broadcast.Shape{70, 33}, 2},
	{"tiny_axes_apart", broadcast.Shape{3, 150, 4}, 5},
	{"tiny_axis_inside_two", broadcast.Shape{40, 7, 5}, 4},
	{"tiny_axis_in_the_middle_of_short_rows", broadcast.Shape{40, 6, 5}, 2},
	{"leading_axis_of_wide_rows", broadcast.Shape{70, 1500}, 1},
	{"leading_axis_exactly_four_rows_a_lane", broadcast.Shape{128, 40}, 1},
	{"leading_axis_over_a_block", broadcast.Shape{1100, 40}, 1},
	{"leading_axis_of_three_columns", broadcast.Shape{5000, 3}, 1},
	{"leading_axis_of_two_columns_not_all_lanes", broadcast.Shape{29, 2}, 1},
	{"middle_axis_of_three_columns", broadcast.Shape{7, 170, 3}, 2},
	{"middle_axis_of_many_outputs_of_31_columns", broadcast.Shape{20, 1100, 31}, 2},
	{"middle_axis", broadcast.Shape{5, 33, 40}, 2},
	{"outer_and_inner_axis", broadcast.Shape{9, 40, 31}, 5},
	{"two_leading_axes_over_a_block", broadcast.Shape{30, 41, 33}, 3},
	{"two_inner_axes_over_a_block", broadcast.Shape{3, 41, 33}, 6},
	{"few_long_rows_split_inside", broadcast.Shape{2, 70001}, 2},
	{"few_long_columns_split_inside", broadcast.Shape{70001, 2}, 1},
	{"one_strip_of_long_columns_split_inside", broadcast.Shape{4099, 33}, 1},
}

func TestSumHasTheSameBitsInEveryLayout(t *testing.T) {
	p := reduction(t, kernels.Sum, dtype.Float32)
	atProcs(t, func(t *testing.T) {
		for _, c := range reduceCases {
			x := ramp(c.shape.Size())
			var want []uint32
			for _, seq := range sequences(x, c.shape, c.reduced) {
				want = append(want, math.Float32bits(canonicalSum(seq)))
			}
			for _, s := range storages {
				out := make([]float32, len(want)+2)
				run(t, p, c.shape, c.reduced, []view{stored(t, x, c.shape, s.rotate, s.step, s.back)}, []view{keptView(t, out, c.shape, c.reduced)})
				got := make([]uint32, len(want))
				for i := range got {
					got[i] = math.Float32bits(out[i+1])
				}
				require.Equal(t, want, got, "%s, %s", c.name, s.name)
				require.Zero(t, out[0]+out[len(out)-1], "%s, %s wrote outside", c.name, s.name)
			}
		}
	})
}

// keptView is the output of a reduction, from element 1 of v on: shape with
// size 1 on the reduced axes.
func keptView(t *testing.T, v []float32, shape broadcast.Shape, reduced broadcast.AxisMask) view {
	kept := slices.Clone(shape)
	for k := range kept {
		if reduced.Has(k) {
			kept[k] = 1
		}
	}
	l := broadcast.RowMajor(kept)
	strides := make([]int, len(kept))
	for k := range strides {
		strides[k] = l.Stride(k)
	}
	return over(t, v, kept, strides, 1)
}

// TestReduceWithWorkAround computes 1 + sum((x-m)²) with a mean for each row:
// rows before the reduction, after it, and a broadcast operand.
func TestReduceWithWorkAround(t *testing.T) {
	p := program(t, func(b *kernels.Builder) []kernels.Value {
		x, m, one := b.Input(dtype.Float32), b.Input(dtype.Float32), b.Scalar(dtype.Float32)
		sum := must(b, kernels.Sum, must(b, kernels.Square, must(b, kernels.Sub, x, m)))
		return []kernels.Value{must(b, kernels.Add, one, sum), must(b, kernels.Neg, sum)}
	})
	for _, shape := range []broadcast.Shape{{3, 4}, {40, 2100}, {2100, 40}, {3000, 5}} {
		for _, reduced := range []broadcast.AxisMask{1, 2, 3} {
			x, m := ramp(shape.Size()), ramp(shape[0])
			diff := make([]float32, len(x))
			for i := range x {
				d := float32(x[i] - m[i/shape[1]])
				diff[i] = float32(d * d)
			}
			seqs := sequences(diff, shape, reduced)
			plus, minus := make([]float32, len(seqs)+2), make([]float32, len(seqs)+2)
			run(t, p, shape, reduced, []view{rowMajor(x, shape...), rowMajor(m, shape[0], 1)},
				[]view{keptView(t, plus, shape, reduced), keptView(t, minus, shape, reduced)}, uint64(math.Float32bits(1)))
			for i, seq := range seqs {
				sum := canonicalSum(seq)
				require.Equal(t, [2]float32{1 + sum, -sum}, [2]float32{plus[i+1], minus[i+1]}, "%v over %b, output %d", shape, reduced, i)
			}
		}
	}
}

func TestReduceOfAStretchedOperand(t *testing.T) {
	p := reduction(t, kernels.Sum, dtype.Float32)
	for _, n := range []int{1, 31, 40, 1024, 3000} {
		out := make([]float32, 1)
		run(t, p, broadcast.Shape{n}, 1, []view{over(t, []float32{0.1}, broadcast.Shape{n}, []int{0}, 0)}, []view{rowMajor(out, 1)})
		require.Equal(t, canonicalSum(slices.Repeat([]float32{0.1}, n)), out[0], n)
	}
}

func TestArgMaxTakesTheFirst(t *testing.T) {
	p := reduction(t, kernels.ArgMax, dtype.Float32)
	nan := float32(math.NaN())
	for _, n := range []int{3, 100, 5000} {
		for _, c := range []struct {
			name string
			set  map[int]float32
			want int
		}{
			{"tie", map[int]float32{n - 1: 9, n / 2: 9}, n / 2},
			{"zeros_tie", map[int]float32{}, 0},
			{"first_nan", map[int]float32{0: 9, n / 2: nan, n - 1: nan}, n / 2},
		} {
			x := make([]float32, 2*n)
			for i, v := range c.set {
				x[i], x[n+i] = v, v
			}
			x[n-1] += float32(math.Copysign(0, -1))
			out := make([]int64, 2)
			for _, s := range storages {
				run(t, p, broadcast.Shape{2, n}, 2, []view{stored(t, x, broadcast.Shape{2, n}, s.rotate, s.step, s.back)}, []view{rowMajor(out, 2, 1)})
				require.Equal(t, []int64{int64(c.want), int64(c.want)}, out, "%s of %d, %s", c.name, n, s.name)
			}
		}
	}
}

func TestReduceOfNothing(t *testing.T) {
	p := reduction(t, kernels.Sum, dtype.Float32)
	out := []float32{7, 7, 7}
	run(t, p, broadcast.Shape{3, 0}, 2, []view{rowMajor([]float32{}, 3, 0)}, []view{rowMajor(out, 3, 1)})
	require.Equal(t, []float32{0, 0, 0}, out)
	run(t, p, broadcast.Shape{0, 5}, 2, []view{rowMajor([]float32{}, 0, 5)}, []view{rowMajor([]float32{}, 0, 1)})
}
