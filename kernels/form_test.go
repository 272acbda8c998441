package kernels

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/dtype"
)

// elementwise returns op on float32 inputs, lowered.
func elementwise(t *testing.T, op Op) (*Program, *Lowered) {
	t.Helper()
	b := NewBuilder()
	args := make([]Value, op.Row().Arity)
	for i := range args {
		args[i] = b.Input(dtype.Float32)
	}
	v, err := b.Apply(op, Attr{}, args...)
	require.NoError(t, err)
	b.Output(v)
	return lowered(t, b)
}

func lowered(t *testing.T, b *Builder) (*Program, *Lowered) {
	t.Helper()
	p, err := b.Program()
	require.NoError(t, err)
	l, err := Lower(p)
	require.NoError(t, err)
	return p, l
}

// planOf plans row-major operands of the given shapes, the output last.
func planOf(space broadcast.Shape, reduced, indexed broadcast.AxisMask, shapes ...broadcast.Shape) *broadcast.Plan {
	layouts := make([]*broadcast.Layout, len(shapes))
	for i, s := range shapes {
		l := broadcast.RowMajor(s)
		layouts[i] = &l
	}
	p := new(broadcast.Plan)
	p.Build(space, reduced, indexed, 1, layouts...)
	return p
}

type shape = broadcast.Shape

func TestChooseFormOfElements(t *testing.T) {
	p, l := elementwise(t, Add)
	tests := []struct {
		name   string
		a, b   shape
		form   string
		kernel string
	}{
		{"one element", shape{1}, shape{}, "flat", "add_float32_flat"},
		{"contiguous", shape{3, 4}, shape{3, 4}, "flat", "add_float32_flat"},
		{"left scalar", shape{}, shape{3, 4}, "ls", "add_float32_ls"},
		{"right scalar", shape{3, 4}, shape{1, 1}, "rs", "add_float32_rs"},
		{"row", shape{3, 4}, shape{4}, "nd3", "add_float32_nd3"},
		{"column and row", shape{3, 1}, shape{4}, "nd3", "add_float32_nd3"},
		{"rank 4", shape{2, 1, 3, 1}, shape{2, 1, 4}, "r4", "add_float32_r4"},
		{"rank 5 runs as 6", shape{2, 1, 3, 1, 2}, shape{2, 1, 4, 1}, "r6", "add_float32_r6"},
	}
	for _, test := range tests {
		space, err := broadcast.Shapes(test.a, test.b)
		require.NoError(t, err)
		f, err := ChooseForm(l, planOf(space, 0, 0, test.a, test.b, space), true)
		require.NoError(t, err)
		assert.Equal(t, test.form, f.String(), test.name)
		assert.Equal(t, test.kernel, KernelName(p, f, 0), test.name)
	}
	space := shape{5}
	f, err := ChooseForm(l, planOf(space, 0, 0, shape{}, shape{1}, space), true)
	require.NoError(t, err)
	assert.Equal(t, GridForm, f.Kind, "two scalars are not worth a kernel")
}

func TestChooseFormOfReductions(t *testing.T) {
	p, l := elementwise(t, Sum)
	tests := []struct {
		name    string
		space   shape
		reduced broadcast.AxisMask
		cpu     bool
		form    string
		unit    bool
	}{
		{"rows on a CPU", shape{5, 300}, 0b10, true, "rows", true},
		{"columns on a CPU", shape{300, 5}, 0b01, true, "rows", false},
		{"rows on a GPU", shape{5, 300}, 0b10, false, "block", false},
		{"everything on a GPU", shape{300}, 1, false, "block", false},
		{"columns on a GPU", shape{300, 100}, 0b01, false, "lead", false},
		{"few columns on a GPU", shape{300, 5}, 0b01, false, "block", false},
		{"several axes", shape{2, 3, 4, 5}, 0b1010, true, "rows", false},
	}
	for _, test := range tests {
		out := test.space.Clone()
		for i := range out {
			if test.reduced.Has(i) {
				out[i] = 1
			}
		}
		f, err := ChooseForm(l, planOf(test.space, test.reduced, 0, test.space, out), test.cpu)
		require.NoError(t, err)
		assert.Equal(t, test.form, f.String(), test.name)
		assert.Equal(t, test.unit, f.Unit, test.name)
		assert.Equal(t, "sum_float32_"+test.form+"_part", KernelName(p, f, ToStates), test.name)
	}
}

func TestKernelNames(t *testing.T) {
	b := NewBuilder()
	x := b.Input(dtype.Int32)
	for range 3 {
		x, _ = b.Apply(Neg, Attr{}, x)
	}
	x, _ = b.Apply(Abs, Attr{}, x)
	x = b.Cast(x, dtype.Float64)
	b.Output(x)
	p, _ := lowered(t, b)
	assert.Equal(t, "neg_neg_neg_abs_and1_int32_float64_flat", KernelName(p, Form{}, 0))

	p, _ = elementwise(t, Mean)
	assert.Equal(t, "sum_div_float32_block_last", KernelName(p, Form{Kind: BlockForm}, FromStates))
}

// TestDivisor divides by multiplication everywhere it may go wrong.
func TestDivisor(t *testing.T) {
	check := func(n, d uint32) {
		mul, shift := Divisor(d)
		high := uint32(uint64(n) * uint64(mul) >> 32)
		if got := (high + n) >> shift; got != n/d {
			t.Fatalf("%d / %d = %d, want %d", n, d, got, n/d)
		}
	}
	ds := []uint32{1, 2, 3, 5, 7, 10, 641, math.MaxInt32}
	for k := uint32(0); k < 31; k++ {
		ds = append(ds, 1<<k, 1<<k+1, max(1, uint32(1)<<k-1))
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		ds = append(ds, 1+rng.Uint32()>>(1+rng.IntN(31)))
	}
	for _, d := range ds {
		d = min(d, math.MaxInt32)
		for _, n := range []uint32{0, 1, d - 1, d, min(d+1, math.MaxInt32), math.MaxInt32, math.MaxInt32 - 1, math.MaxInt32 / d * d, math.MaxInt32/d*d - 1, rng.Uint32() >> 1} {
			check(n, d)
		}
	}
}

func TestFormNamed(t *testing.T) {
	_, add := elementwise(t, Add)
	_, sum := elementwise(t, Sum)
	for _, name := range []string{"flat", "ls", "rs", "nd3", "r4", "r12"} {
		f, err := FormNamed(add, name)
		require.NoError(t, err)
		assert.Equal(t, name, f.String())
	}
	for _, name := range []string{"rows", "block", "lead"} {
		f, err := FormNamed(sum, name)
		require.NoError(t, err)
		assert.Equal(t, name, f.String())
	}
	_, err := FormNamed(add, "rows")
	assert.ErrorContains(t, err, "there are flat, ls, rs")
	_, err = FormNamed(sum, "flat")
	assert.ErrorContains(t, err, "there are rows, block and lead")
}
