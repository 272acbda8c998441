package kernels

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/stride0/stride0/dtype"
)

func f32Bits(x float32) uint64 { return uint64(math.Float32bits(x)) }

// TestEvalPrimitives takes each primitive where its definition bites. The
// arguments are those of one or two types; the result is a pattern.
func TestEvalPrimitives(t *testing.T) {
	const (
		u8, u32, i32, i64, u64, f32, f64 = dtype.Uint8, dtype.Uint32, dtype.Int32, dtype.Int64, dtype.Uint64, dtype.Float32, dtype.Float64
	)
	nan := f32Bits(float32(math.NaN()))
	minus1 := wrap(i32, ^uint64(0))
	unary := func(f func(e *Emit, x V) V) func(e *Emit, x []V) V { return on1V(f) }
	to := func(d dtype.DType) func(e *Emit, x []V) V {
		return func(e *Emit, x []V) V { return e.Convert(d, x[0]) }
	}
	for _, c := range []struct {
		name string
		d    dtype.DType
		f    func(e *Emit, x []V) V
		args []uint64
		want uint64
	}{
		{"add wraps at 8 bits", u8, on2V((*Emit).Add), []uint64{250, 10}, 4},
		{"sub wraps at 32 bits", i32, on2V((*Emit).Sub), []uint64{1 << 31, 1}, 1<<31 - 1},
		{"mul wraps at 64 bits", i64, on2V((*Emit).Mul), []uint64{1 << 40, 1<<40 + 1}, 1 << 40},
		{"float add rounds once", f32, on2V((*Emit).Add), []uint64{f32Bits(1), f32Bits(0x1p-24)}, f32Bits(1)},
		{"div of zeros", f32, on2V((*Emit).Div), []uint64{f32Bits(1), f32Bits(0)}, f32Bits(float32(math.Inf(1)))},
		{"sqrt of a subnormal", f32, unary((*Emit).Sqrt), []uint64{1}, f32Bits(0x1.6a09e6p-75)},
		{"fma keeps the low bits", f32, func(e *Emit, x []V) V { return e.Fma(x[0], x[0], x[1]) },
			[]uint64{f32Bits(1 + 0x1p-12), f32Bits(-1 - 0x1p-11)}, f32Bits(0x1p-24)},
		{"fma of float64", f64, func(e *Emit, x []V) V { return e.Fma(x[0], x[0], x[1]) },
			[]uint64{math.Float64bits(1 + 0x1p-30), math.Float64bits(-1 - 0x1p-29)}, math.Float64bits(0x1p-60)},
		{"lt is signed", i32, on2V((*Emit).Lt), []uint64{minus1, 0}, 1},
		{"lt is unsigned", u32, on2V((*Emit).Lt), []uint64{minus1, 0}, 0},
		{"le of NaN", f32, on2V((*Emit).Le), []uint64{nan, nan}, 0},
		{"le of zeros", f32, on2V((*Emit).Le), []uint64{0, 1 << 31}, 1},
		{"eq of zeros", f32, on2V((*Emit).Eq), []uint64{0, 1 << 31}, 1},
		{"ne of NaN", f32, on2V((*Emit).Ne), []uint64{nan, nan}, 1},
		{"not of a bool", dtype.Bool, unary((*Emit).Not), []uint64{1}, 0},
		{"not of 8 bits", u8, unary((*Emit).Not), []uint64{0x0f}, 0xf0},
		{"shr of a signed", i32, func(e *Emit, x []V) V { return e.Shr(x[0], 31) }, []uint64{1 << 31}, 0xffffffff},
		{"shr of an unsigned", u32, func(e *Emit, x []V) V { return e.Shr(x[0], 31) }, []uint64{1 << 31}, 1},
		{"shl drops", u8, func(e *Emit, x []V) V { return e.Shl(x[0], 4) }, []uint64{0xff}, 0xf0},
		{"neg of zero", f32, unary((*Emit).Neg), []uint64{0}, 1 << 31},
		{"neg of NaN", f32, unary((*Emit).Neg), []uint64{nan}, nan | 1<<31},
		{"abs of -0", f64, unary((*Emit).Abs), []uint64{1 << 63}, 0},
		{"convert extends the sign", i32, to(i64), []uint64{minus1}, math.MaxUint64},
		{"convert extends with zeros", u32, to(i64), []uint64{minus1}, 0xffffffff},
		{"convert wraps", i64, to(u8), []uint64{0x1ff}, 0xff},
		{"convert truncates", f32, to(i32), []uint64{f32Bits(-2.75)}, wrap(i32, ^uint64(1))},
		{"convert to the top of uint64", f64, to(u64), []uint64{math.Float64bits(0x1p63)}, 1 << 63},
		{"convert rounds an int64 once", i64, to(f32), []uint64{1<<54 + 1<<30 + 1}, f32Bits(0x1.000002p54)},
		{"convert rounds a uint64 once", u64, to(f32), []uint64{1<<63 + 1<<39 + 1}, f32Bits(0x1.000002p63)},
		{"convert of true", dtype.Bool, to(f64), []uint64{1}, math.Float64bits(1)},
		{"bit cast", f32, func(e *Emit, x []V) V { return e.Cast(u32, x[0]) }, []uint64{f32Bits(1)}, 0x3f800000},
		{"select", i32, func(e *Emit, x []V) V { return e.Select(e.Lt(x[0], x[1]), x[0], x[1]) }, []uint64{3, 2}, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := NewEmit()
			x := make([]V, len(c.args))
			for i := range x {
				x[i] = e.Arg(i, c.d)
			}
			b, err := e.Body(c.f(e, x))
			require.NoError(t, err)
			assert.Equal(t, c.want, b.Eval(c.args)[0])
		})
	}
}

func TestEvalYieldsAllOutputs(t *testing.T) {
	e := NewEmit()
	x, y := e.Arg(0, dtype.Int64), e.Arg(1, dtype.Int64)
	b, err := e.Body(e.Sub(x, y), x, e.Add(x, y))
	require.NoError(t, err)
	assert.Equal(t, []uint64{4, 7, 10}, b.Eval([]uint64{7, 3}))
}

func TestEmitRefusesMisuse(t *testing.T) {
	for name, f := range map[string]func(e *Emit, i, x V) V{
		"mixed types":         func(e *Emit, i, x V) V { return e.Add(i, x) },
		"division of ints":    func(e *Emit, i, _ V) V { return e.Div(i, i) },
		"bits of a float":     func(e *Emit, _, x V) V { return e.And(x, x) },
		"neg of an int":       func(e *Emit, i, _ V) V { return e.Neg(i) },
		"abs of an int":       func(e *Emit, i, _ V) V { return e.Abs(i) },
		"wide shift":          func(e *Emit, i, _ V) V { return e.Shl(i, 32) },
		"cast of other size":  func(e *Emit, i, _ V) V { return e.Cast(dtype.Float64, i) },
		"convert to bool":     func(e *Emit, i, _ V) V { return e.Convert(dtype.Bool, i) },
		"select by an int":    func(e *Emit, i, x V) V { return e.Select(i, x, x) },
		"lt of bools":         func(e *Emit, i, x V) V { m := e.Eq(i, i); return e.Lt(m, m) },
		"fractional constant": func(e *Emit, i, _ V) V { return e.Add(i, e.Const(dtype.Int32, 1.5)) },
	} {
		e := NewEmit()
		_, err := e.Body(f(e, e.Arg(0, dtype.Int32), e.Arg(1, dtype.Float32)))
		assert.Error(t, err, name)
	}
}
