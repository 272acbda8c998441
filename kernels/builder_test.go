package kernels_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// ops lists the operations of a Program in order, leaves left out.
func ops(p *kernels.Program) []kernels.Op {
	var list []kernels.Op
	for _, in := range p.Instrs {
		if in.NArg > 0 {
			list = append(list, in.Op)
		}
	}
	return list
}

func must(t *testing.T) func(kernels.Value, error) kernels.Value {
	return func(v kernels.Value, err error) kernels.Value {
		t.Helper()
		require.NoError(t, err)
		return v
	}
}

func TestApplyConvertsArguments(t *testing.T) {
	b := kernels.NewBuilder()
	b.Output(must(t)(b.Apply(kernels.Add, kernels.Attr{}, b.Input(dtype.Int32), b.Input(dtype.Float64))))
	p, err := b.Program()
	require.NoError(t, err)
	assert.Equal(t, []kernels.Op{kernels.Cast, kernels.Add}, ops(p))
	assert.Equal(t, dtype.Float64, p.Instrs[p.Outputs[0]].Type)
	assert.True(t, p.Runnable())
}

func TestMeanExpandsToSumAndDiv(t *testing.T) {
	for d, want := range map[dtype.DType][]kernels.Op{
		dtype.Float32: {kernels.Sum, kernels.Div},
		dtype.Int64:   {kernels.Sum, kernels.Cast, kernels.Div},
		dtype.Uint8:   {kernels.Cast, kernels.Sum, kernels.Cast, kernels.Div},
		dtype.Float16: {kernels.Cast, kernels.Sum, kernels.Div, kernels.Cast},
	} {
		b := kernels.NewBuilder()
		b.Output(must(t)(b.Apply(kernels.Mean, kernels.Attr{}, b.Input(d))))
		p, err := b.Program()
		require.NoError(t, err)
		assert.Equal(t, want, ops(p), "%v", d)
		assert.Equal(t, []dtype.DType{dtype.Float32}, p.Scalars)
		assert.Equal(t, 0, p.CountSlot)
		assert.Equal(t, 1, p.Reduces)
		assert.True(t, p.Runnable())
	}
}

// TestHalvesComputeInFloat32 looks at the Programs of rows on halves: the row
// itself meets float32 only, and its result is rounded once.
func TestHalvesComputeInFloat32(t *testing.T) {
	h := dtype.BFloat16
	for name, tt := range map[string]struct {
		op   kernels.Op
		attr kernels.Attr
		in   []dtype.DType
		want []kernels.Op
		to   dtype.DType
	}{
		"arithmetic":         {kernels.Add, kernels.Attr{}, []dtype.DType{h, h}, []kernels.Op{kernels.Cast, kernels.Cast, kernels.Add, kernels.Cast}, h},
		"comparison":         {kernels.Lt, kernels.Attr{}, []dtype.DType{h, h}, []kernels.Op{kernels.Cast, kernels.Cast, kernels.Lt}, dtype.Bool},
		"selection moves":    {kernels.Where, kernels.Attr{}, []dtype.DType{dtype.Bool, h, h}, []kernels.Op{kernels.Where}, h},
		"both halves":        {kernels.Mul, kernels.Attr{}, []dtype.DType{dtype.Float16, h}, []kernels.Op{kernels.Cast, kernels.Cast, kernels.Mul}, dtype.Float32},
		"cast to itself":     {kernels.Cast, kernels.Attr{DType: h}, []dtype.DType{h}, []kernels.Op{kernels.Copy}, h},
		"cast between":       {kernels.Cast, kernels.Attr{DType: h}, []dtype.DType{dtype.Float16}, []kernels.Op{kernels.Cast}, h},
		"position":           {kernels.ArgMax, kernels.Attr{}, []dtype.DType{h}, []kernels.Op{kernels.Cast, kernels.ArgMax}, dtype.Int64},
		"a narrow maximum":   {kernels.Max, kernels.Attr{}, []dtype.DType{dtype.Int8}, []kernels.Op{kernels.Cast, kernels.Max, kernels.Cast}, dtype.Int8},
		"a maximum of bools": {kernels.Max, kernels.Attr{}, []dtype.DType{dtype.Bool}, []kernels.Op{kernels.Cast, kernels.Max, kernels.Cast}, dtype.Bool},
	} {
		b := kernels.NewBuilder()
		in := make([]kernels.Value, len(tt.in))
		for i, d := range tt.in {
			in[i] = b.Input(d)
		}
		b.Output(must(t)(b.Apply(tt.op, tt.attr, in...)))
		p, err := b.Program()
		require.NoError(t, err, name)
		assert.Equal(t, tt.want, ops(p), name)
		assert.Equal(t, tt.to, p.TypeOf(p.Outputs[0]), name)
	}
}

func TestLeafAsOutputIsCopied(t *testing.T) {
	b := kernels.NewBuilder()
	b.Output(b.Scalar(dtype.Float32))
	p, err := b.Program()
	require.NoError(t, err)
	assert.Equal(t, []kernels.Op{kernels.Copy}, ops(p))
}

func TestUnneededInstructionsAreDropped(t *testing.T) {
	b := kernels.NewBuilder()
	x := b.Input(dtype.Float32)
	must(t)(b.Apply(kernels.Exp, kernels.Attr{}, x))
	must(t)(b.Apply(kernels.Sum, kernels.Attr{}, x))
	b.Output(must(t)(b.Apply(kernels.Neg, kernels.Attr{}, x)))
	p, err := b.Program()
	require.NoError(t, err)
	assert.Equal(t, []kernels.Op{kernels.Neg}, ops(p))
	assert.Equal(t, 0, p.Reduces)
	assert.Equal(t, kernels.Value(-1), p.Reduce)
}

func TestBuilderErrors(t *testing.T) {
	for name, build := range map[string]func(b *kernels.Builder){
		"no outputs":         func(b *kernels.Builder) { b.Input(dtype.Float32) },
		"value from nowhere": func(b *kernels.Builder) { b.Output(7) },
		"reduction of a reduced value": func(b *kernels.Builder) {
			s, _ := b.Apply(kernels.Sum, kernels.Attr{}, b.Input(dtype.Float32))
			s, _ = b.Apply(kernels.Max, kernels.Attr{}, s)
			b.Output(s)
		},
		"bool minus bool": func(b *kernels.Builder) {
			x := b.Input(dtype.Bool)
			b.Output(x)
			_, _ = b.Apply(kernels.Sub, kernels.Attr{}, x, x)
		},
		"two types of count": func(b *kernels.Builder) {
			b.Output(b.Count(dtype.Float32))
			b.Output(b.Count(dtype.Float64))
		},
	} {
		b := kernels.NewBuilder()
		build(b)
		_, err := b.Program()
		assert.Error(t, err, name)
	}
}

// A key tells apart every difference that changes what a kernel does.
func TestKeysDiffer(t *testing.T) {
	programs := map[string]func(b *kernels.Builder, x, y kernels.Value) kernels.Value{
		"add":         func(b *kernels.Builder, x, y kernels.Value) kernels.Value { return apply(b, kernels.Add, x, y) },
		"sub":         func(b *kernels.Builder, x, y kernels.Value) kernels.Value { return apply(b, kernels.Sub, x, y) },
		"sub swapped": func(b *kernels.Builder, x, y kernels.Value) kernels.Value { return apply(b, kernels.Sub, y, x) },
		"x twice":     func(b *kernels.Builder, x, y kernels.Value) kernels.Value { return apply(b, kernels.Sub, x, x) },
		"with a scalar": func(b *kernels.Builder, x, y kernels.Value) kernels.Value {
			return apply(b, kernels.Sub, x, b.Scalar(dtype.Float32))
		},
		"index 0": func(b *kernels.Builder, x, y kernels.Value) kernels.Value {
			return apply(b, kernels.Sub, x, b.Index(0))
		},
		"index 1": func(b *kernels.Builder, x, y kernels.Value) kernels.Value {
			return apply(b, kernels.Sub, x, b.Index(1))
		},
		"sum":        func(b *kernels.Builder, x, y kernels.Value) kernels.Value { return apply(b, kernels.Sum, x) },
		"max":        func(b *kernels.Builder, x, y kernels.Value) kernels.Value { return apply(b, kernels.Max, x) },
		"cast":       func(b *kernels.Builder, x, y kernels.Value) kernels.Value { return b.Cast(x, dtype.Int32) },
		"cast wider": func(b *kernels.Builder, x, y kernels.Value) kernels.Value { return b.Cast(x, dtype.Int64) },
	}
	seen := map[string]string{}
	for name, f := range programs {
		build := func() *kernels.Program {
			b := kernels.NewBuilder()
			b.Output(f(b, b.Input(dtype.Float32), b.Input(dtype.Float32)))
			p, err := b.Program()
			require.NoError(t, err, name)
			return p
		}
		key := build().Key()
		assert.Equal(t, key, build().Key(), "%s twice", name)
		assert.NotContains(t, seen, key, "%s and %s", name, seen[key])
		seen[key] = name
	}
}

func apply(b *kernels.Builder, op kernels.Op, args ...kernels.Value) kernels.Value {
	v, _ := b.Apply(op, kernels.Attr{}, args...)
	return v
}

func TestSingleIsCached(t *testing.T) {
	sig, err := kernels.Resolve(kernels.Add, kernels.Attr{}, []kernels.Arg{of(dtype.Int32), weak(0.5)})
	require.NoError(t, err)
	build := func(result dtype.DType) *kernels.Program {
		p, err := kernels.Single(kernels.Add, sig, result,
			kernels.Leaf{Kind: kernels.OpInput, DType: dtype.Int32}, kernels.Leaf{Kind: kernels.OpScalar, DType: dtype.Float32})
		require.NoError(t, err)
		return p
	}
	assert.Same(t, build(dtype.Float32), build(dtype.Float32))
	assert.Equal(t, []kernels.Op{kernels.Cast, kernels.Add}, ops(build(dtype.Float32)))
	assert.Equal(t, []kernels.Op{kernels.Cast, kernels.Add, kernels.Cast}, ops(build(dtype.Float64)))
}
