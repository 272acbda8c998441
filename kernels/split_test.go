package kernels_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// A Program in these tests runs over 3 outputs × 5 reduced elements of
// float32. A Full value is 15 patterns, a Reduced one 3, stretched on reading.
const outer, inner = 3, 5

type grid []uint64

func (g grid) at(i int) uint64 {
	switch len(g) {
	case 1:
		return g[0]
	case outer:
		return g[i/inner]
	}
	return g[i]
}

// run interprets a Program over n elements (outer×inner, or outer for a piece
// over the kept axes), naively: Sum adds in order.
func run(t require.TestingT, p *kernels.Program, n int, inputs, scalars []grid) []grid {
	values := make([]grid, len(p.Instrs))
	for v, in := range p.Instrs {
		switch {
		case in.Op == kernels.OpInput:
			values[v] = inputs[in.Slot]
		case in.Op == kernels.OpScalar:
			values[v] = scalars[in.Slot]
		case in.Op.Row().Reduce != nil:
			values[v] = reduceRows(t, in.Op, values[in.Args[0]])
		default:
			values[v] = mapRow(t, p, kernels.Value(v), values, n)
		}
	}
	var outs []grid
	for _, v := range p.Outputs {
		outs = append(outs, values[v])
	}
	return outs
}

func mapRow(t require.TestingT, p *kernels.Program, v kernels.Value, values []grid, n int) grid {
	in := p.Instrs[v]
	if in.Reduced {
		n = outer
	}
	var types []dtype.DType
	for _, a := range p.Arguments(v) {
		types = append(types, p.Instrs[a].Type)
	}
	body, err := kernels.RowBody(in.Op, types, in.Type)
	require.NoError(t, err)
	out := make(grid, n)
	for i := range out {
		var args []uint64
		for _, a := range p.Arguments(v) {
			if n == outer {
				args = append(args, values[a][min(i, len(values[a])-1)])
			} else {
				args = append(args, values[a].at(i))
			}
		}
		out[i] = body.Eval(args)[0]
	}
	return out
}

func reduceRows(t require.TestingT, op kernels.Op, x grid) grid {
	r, err := kernels.ReduceBody(op, dtype.Float32)
	require.NoError(t, err)
	out := make(grid, outer)
	for o := range out {
		state := r.Identity.Eval(nil)
		for i := range inner {
			lifted := r.Lift.Eval([]uint64{x.at(o*inner + i), uint64(i)})
			state = r.Combine.Eval(append(append([]uint64{}, state...), lifted...))
		}
		out[o] = r.Finish.Eval(state)[0]
	}
	return out
}

// runPieces interprets the pieces of a split in order.
func runPieces(t require.TestingT, p *kernels.Program, pieces []kernels.Piece, inputs, scalars []grid) []grid {
	values := map[kernels.Value]grid{}
	for v, in := range p.Instrs {
		if in.Op == kernels.OpInput {
			values[kernels.Value(v)] = inputs[in.Slot]
		}
	}
	for _, piece := range pieces {
		require.True(t, piece.Program.Runnable())
		var ins, nums []grid
		for slot, v := range piece.Inputs {
			if v < 0 { // nothing reads this slot
				ins = append(ins, nil)
				continue
			}
			require.Contains(t, values, v, "input %d is read before it is written", slot)
			ins = append(ins, values[v])
		}
		for _, slot := range piece.Scalars {
			nums = append(nums, scalars[slot])
		}
		n := map[kernels.Space]int{kernels.FullSpace: outer * inner, kernels.KeptSpace: outer, kernels.OneSpace: 1}[piece.Space]
		for _, g := range ins {
			require.LessOrEqual(t, len(g), n, "an input larger than the piece's space")
		}
		for i, out := range run(t, piece.Program, n, ins, nums) {
			values[piece.Outputs[i]] = out
		}
	}
	var outs []grid
	for _, v := range p.Outputs {
		require.Contains(t, values, v)
		outs = append(outs, values[v])
	}
	return outs
}

func float(x float32) uint64 { return uint64(math.Float32bits(x)) }

func TestSplitSoftmaxLike(t *testing.T) {
	b := kernels.NewBuilder()
	x := b.Input(dtype.Float32)
	e := apply(b, kernels.Exp, apply(b, kernels.Sub, x, apply(b, kernels.Max, x)))
	b.Output(apply(b, kernels.Div, e, apply(b, kernels.Sum, e)))
	p, err := b.Program()
	require.NoError(t, err)
	require.False(t, p.Runnable())

	pieces, err := kernels.Split(p, kernels.SplitRunnable)
	require.NoError(t, err)
	require.Len(t, pieces, 3)
	assert.Equal(t, []kernels.Op{kernels.Max}, ops(pieces[0].Program))
	assert.Equal(t, []kernels.Op{kernels.Sub, kernels.Exp, kernels.Sum}, ops(pieces[1].Program))
	assert.Equal(t, []kernels.Op{kernels.Sub, kernels.Exp, kernels.Div}, ops(pieces[2].Program))
}

func TestSplitSingleIsOneOperationAPiece(t *testing.T) {
	b := kernels.NewBuilder()
	b.Output(apply(b, kernels.Sqrt, apply(b, kernels.Mean, apply(b, kernels.Square, b.Input(dtype.Float32)))))
	p, err := b.Program()
	require.NoError(t, err)
	pieces, err := kernels.Split(p, kernels.SplitSingle)
	require.NoError(t, err)
	require.Len(t, pieces, 4)
	for i, want := range []kernels.Op{kernels.Square, kernels.Sum, kernels.Div, kernels.Sqrt} {
		assert.Equal(t, []kernels.Op{want}, ops(pieces[i].Program))
		space := kernels.FullSpace
		if i >= 2 {
			space = kernels.KeptSpace
		}
		assert.Equal(t, space, pieces[i].Space, "%v", want)
	}
}

func TestRunnableProgramIsOnePiece(t *testing.T) {
	b := kernels.NewBuilder()
	b.Input(dtype.Float32) // never used: its slot stays
	b.Output(apply(b, kernels.Mean, b.Input(dtype.Float32)))
	p, err := b.Program()
	require.NoError(t, err)
	pieces, err := kernels.Split(p, kernels.SplitRunnable)
	require.NoError(t, err)
	require.Len(t, pieces, 1)
	assert.Same(t, p, pieces[0].Program)
	assert.Equal(t, kernels.Value(-1), pieces[0].Inputs[0])
	assert.Equal(t, kernels.OpInput, p.Instrs[pieces[0].Inputs[1]].Op)
}

// Whatever the Program, its pieces give the bits of the whole.
func TestSplitKeepsTheBits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := kernels.NewBuilder()
		values := []kernels.Value{b.Input(dtype.Float32), b.Input(dtype.Float32), b.Scalar(dtype.Float32)}
		choose := func() kernels.Value { return values[rapid.IntRange(0, len(values)-1).Draw(t, "value")] }
		reduced := map[kernels.Value]bool{}
		for range rapid.IntRange(1, 9).Draw(t, "instructions") {
			op := rapid.SampledFrom([]kernels.Op{kernels.Add, kernels.Sub, kernels.Mul, kernels.Maximum, kernels.Neg, kernels.Sum, kernels.Max, kernels.Mean}).Draw(t, "op")
			args := make([]kernels.Value, op.Row().Arity)
			below := true
			for i := range args {
				args[i] = choose()
				below = below && (reduced[args[i]] || args[i] == values[2])
			}
			isReduction := op == kernels.Sum || op == kernels.Max || op == kernels.Mean
			if isReduction && below {
				continue // only Full values are reduced
			}
			v := apply(b, op, args...)
			reduced[v] = isReduction || below
			values = append(values, v)
		}
		for range rapid.IntRange(1, 3).Draw(t, "outputs") {
			b.Output(choose())
		}
		p, err := b.Program()
		require.NoError(t, err)

		cell := rapid.Float32Range(-100, 100)
		inputs := []grid{make(grid, outer*inner), make(grid, outer*inner)}
		for _, g := range inputs {
			for i := range g {
				g[i] = float(cell.Draw(t, "x"))
			}
		}
		scalars := []grid{{float(cell.Draw(t, "s"))}, {float(inner)}}
		if p.CountSlot == 0 || len(p.Scalars) < 2 {
			scalars = scalars[:len(p.Scalars)]
		}
		want := run(t, p, outer*inner, inputs, scalars)
		for _, mode := range []kernels.SplitMode{kernels.SplitRunnable, kernels.SplitSingle} {
			pieces, err := kernels.Split(p, mode)
			require.NoError(t, err)
			got := runPieces(t, p, pieces, inputs, scalars)
			for i := range want {
				for j := range max(len(want[i]), len(got[i])) {
					at := func(g grid) uint64 { return g[min(j, len(g)-1)] }
					assert.Equal(t, at(want[i]), at(got[i]), "output %d element %d", i, j)
				}
			}
		}
	})
}
