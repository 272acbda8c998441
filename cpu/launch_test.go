package cpu

import (
	"math"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// view is a tensor for tests: a layout of elements in a buffer.
type view struct {
	buf    *Buffer
	layout broadcast.Layout
}

// bytesOf returns the memory of a slice.
func bytesOf[T any](v []T) []byte {
	var zero T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(v))), len(v)*int(unsafe.Sizeof(zero)))
}

// over returns a view of v with the given sizes, strides and offset.
func over[T any](t testing.TB, v []T, sizes broadcast.Shape, strides []int, offset int) view {
	t.Helper()
	l, err := broadcast.NewLayout(sizes, strides, offset)
	require.NoError(t, err)
	return view{NewBuffer(bytesOf(v)), l}
}

// rowMajor returns a view of all of v.
func rowMajor[T any](v []T, sizes ...int) view {
	return view{NewBuffer(bytesOf(v)), broadcast.RowMajor(sizes)}
}

// run launches a Program over a space.
func run(t *testing.T, p *kernels.Program, space broadcast.Shape, reduced broadcast.AxisMask, in []view, out []view, scalars ...uint64) {
	t.Helper()
	require.NoError(t, Default().Run(launch(p, space, reduced, in, out, scalars...)))
}

func launch(p *kernels.Program, space broadcast.Shape, reduced broadcast.AxisMask, in []view, out []view, scalars ...uint64) *device.Launch {
	l := &device.Launch{Program: p, Plan: new(broadcast.Plan), Scalars: scalars, Label: "test"}
	var layouts []*broadcast.Layout
	for i := range in {
		layouts = append(layouts, &in[i].layout)
		l.Inputs = append(l.Inputs, device.Operand{Buffer: in[i].buf})
	}
	for i := range out {
		layouts = append(layouts, &out[i].layout)
		l.Outputs = append(l.Outputs, device.Operand{Buffer: out[i].buf})
	}
	l.Plan.Build(space, reduced, indexedBy(p), len(out), layouts...)
	return l
}

func indexedBy(p *kernels.Program) (m broadcast.AxisMask) {
	for _, in := range p.Instrs {
		if in.Op == kernels.OpIndex {
			m |= 1 << in.Slot
		}
	}
	return m
}

// program builds a Program from a function of its builder.
func program(t *testing.T, build func(b *kernels.Builder) []kernels.Value) *kernels.Program {
	t.Helper()
	b := kernels.NewBuilder()
	for _, v := range build(b) {
		b.Output(v)
	}
	p, err := b.Program()
	require.NoError(t, err)
	return p
}

// must applies a row in a builder.
func must(b *kernels.Builder, op kernels.Op, args ...kernels.Value) kernels.Value {
	v, err := b.Apply(op, kernels.Attr{}, args...)
	if err != nil {
		panic(err)
	}
	return v
}

// reduction returns the Program of one reduction of elements of type d.
func reduction(t *testing.T, op kernels.Op, d dtype.DType) *kernels.Program {
	return program(t, func(b *kernels.Builder) []kernels.Value {
		return []kernels.Value{must(b, op, b.Input(d))}
	})
}

func binary(t *testing.T, op kernels.Op, d dtype.DType) *kernels.Program {
	return program(t, func(b *kernels.Builder) []kernels.Value {
		return []kernels.Value{must(b, op, b.Input(d), b.Input(d))}
	})
}

// ramp returns n different float32 whose sums round.
func ramp(n int) []float32 {
	v := make([]float32, n)
	for i := range v {
		v[i] = float32(math.Sin(float64(i)) * math.Exp(float64(i%37)/5))
	}
	return v
}
