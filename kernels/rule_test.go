package kernels_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

func of(d dtype.DType) kernels.Arg { return kernels.Arg{DType: d} }

func weak[T dtype.Element](v T) kernels.Arg { return kernels.Arg{Weak: dtype.NumberOf(v)} }

func TestResolve(t *testing.T) {
	const (
		b, u8, i32, i64, f32, f64 = dtype.Bool, dtype.Uint8, dtype.Int32, dtype.Int64, dtype.Float32, dtype.Float64
	)
	tests := []struct {
		name   string
		op     kernels.Op
		attr   kernels.Attr
		args   []kernels.Arg
		want   []dtype.DType // of the arguments
		result dtype.DType
	}{
		{"same", kernels.Add, kernels.Attr{}, []kernels.Arg{of(f32), of(f32)}, []dtype.DType{f32, f32}, f32},
		{"integers widen", kernels.Add, kernels.Attr{}, []kernels.Arg{of(u8), of(i64)}, []dtype.DType{i64, i64}, i64},
		{"float wins over wider integer", kernels.Mul, kernels.Attr{}, []kernels.Arg{of(i64), of(f32)}, []dtype.DType{f32, f32}, f32},
		{"weak float keeps float32", kernels.Mul, kernels.Attr{}, []kernels.Arg{of(f32), weak(0.5)}, []dtype.DType{f32, f32}, f32},
		{"weak float lifts integers", kernels.Add, kernels.Attr{}, []kernels.Arg{of(i64), weak(0.5)}, []dtype.DType{f32, f32}, f32},
		{"weak integer keeps uint8", kernels.Add, kernels.Attr{}, []kernels.Arg{of(u8), weak(1)}, []dtype.DType{u8, u8}, u8},
		{"weak integer lifts bool", kernels.Add, kernels.Attr{}, []kernels.Arg{weak(1), of(b)}, []dtype.DType{i64, i64}, i64},
		{"weak only: integers", kernels.Add, kernels.Attr{}, []kernels.Arg{weak(1), weak(2)}, []dtype.DType{i64, i64}, i64},
		{"weak only: above int64", kernels.Add, kernels.Attr{}, []kernels.Arg{weak(1), weak(uint64(1 << 63))}, []dtype.DType{dtype.Uint64, dtype.Uint64}, dtype.Uint64},
		{"weak only: a float", kernels.Add, kernels.Attr{}, []kernels.Arg{weak(1), weak(2.5)}, []dtype.DType{f64, f64}, f64},
		{"true division of integers", kernels.Div, kernels.Attr{}, []kernels.Arg{of(i64), of(i64)}, []dtype.DType{f32, f32}, f32},
		{"true division of float64", kernels.Div, kernels.Attr{}, []kernels.Arg{of(i64), of(f64)}, []dtype.DType{f64, f64}, f64},
		{"exp of bool", kernels.Exp, kernels.Attr{}, []kernels.Arg{of(b)}, []dtype.DType{f32}, f32},
		{"comparison", kernels.Lt, kernels.Attr{}, []kernels.Arg{of(u8), of(i32)}, []dtype.DType{i32, i32}, b},
		{"comparison with an integer in range", kernels.Lt, kernels.Attr{}, []kernels.Arg{of(u8), weak(7)}, []dtype.DType{u8, u8}, b},
		{"comparison with an integer out of range", kernels.Ge, kernels.Attr{}, []kernels.Arg{of(u8), weak(-1)}, []dtype.DType{f32, f32}, b},
		{"where promotes its values only", kernels.Where, kernels.Attr{}, []kernels.Arg{of(b), of(i32), of(f64)}, []dtype.DType{b, f64, f64}, f64},
		{"where of weak integers", kernels.Where, kernels.Attr{}, []kernels.Arg{of(b), weak(1), weak(0)}, []dtype.DType{b, i64, i64}, i64},
		{"where of weak floats", kernels.Where, kernels.Attr{}, []kernels.Arg{of(b), weak(1), weak(0.5)}, []dtype.DType{b, f32, f32}, f32},
		{"cast", kernels.Cast, kernels.Attr{DType: u8}, []kernels.Arg{of(f64)}, []dtype.DType{f64}, u8},
		{"copy", kernels.Copy, kernels.Attr{}, []kernels.Arg{of(u8)}, []dtype.DType{u8}, u8},
		{"sum of uint8", kernels.Sum, kernels.Attr{}, []kernels.Arg{of(u8)}, []dtype.DType{u8}, dtype.Uint64},
		{"sum of bool", kernels.Sum, kernels.Attr{}, []kernels.Arg{of(b)}, []dtype.DType{b}, i64},
		{"product of bool", kernels.Prod, kernels.Attr{}, []kernels.Arg{of(b)}, []dtype.DType{b}, i64},
		{"sum of float32", kernels.Sum, kernels.Attr{}, []kernels.Arg{of(f32)}, []dtype.DType{f32}, f32},
		{"mean of integers", kernels.Mean, kernels.Attr{}, []kernels.Arg{of(i32)}, []dtype.DType{i32}, f32},
		{"max keeps", kernels.Max, kernels.Attr{}, []kernels.Arg{of(u8)}, []dtype.DType{u8}, u8},
		{"any", kernels.Any, kernels.Attr{}, []kernels.Arg{of(f32)}, []dtype.DType{f32}, b},
		{"count of not 0", kernels.CountNonzero, kernels.Attr{}, []kernels.Arg{of(i64)}, []dtype.DType{i64}, i64},
		{"variance of integers", kernels.Var, kernels.Attr{}, []kernels.Arg{of(i64), weak(1.0)}, []dtype.DType{f32, f32}, f32},
		{"argmax", kernels.ArgMax, kernels.Attr{}, []kernels.Arg{of(f64)}, []dtype.DType{f64}, i64},
		{"arange", kernels.Arange, kernels.Attr{DType: f32}, []kernels.Arg{of(i64), weak(0), weak(0.5)}, []dtype.DType{i64, f32, f32}, f32},
		{"random", kernels.Random, kernels.Attr{DType: f64}, []kernels.Arg{of(i64), weak(3)}, []dtype.DType{i64, dtype.Uint64}, f64},
	}
	for _, tt := range tests {
		sig, err := kernels.Resolve(tt.op, tt.attr, tt.args)
		require.NoError(t, err, tt.name)
		assert.Equal(t, tt.want, sig.Args[:len(tt.args)], tt.name)
		assert.Equal(t, tt.result, sig.Result, tt.name)
	}
}

func TestResolveErrorsSayWhatToDo(t *testing.T) {
	tests := []struct {
		name string
		op   kernels.Op
		attr kernels.Attr
		args []kernels.Arg
		text string
	}{
		{"uint8 + 300", kernels.Add, kernels.Attr{}, []kernels.Arg{of(dtype.Uint8), weak(300)}, "300 is outside the range of uint8"},
		{"sub of bool", kernels.Sub, kernels.Attr{}, []kernels.Arg{of(dtype.Bool), of(dtype.Bool)}, "sub is not defined for bool; cast to integer or float first"},
		{"condition of floats", kernels.Where, kernels.Attr{}, []kernels.Arg{of(dtype.Float32), of(dtype.Float32), of(dtype.Float32)}, "the condition is float32, not bool; compare it first, for example with Ne(tensor.Scalar(0))"},
		{"condition of a number", kernels.Where, kernels.Attr{}, []kernels.Arg{weak(2), of(dtype.Float32), of(dtype.Float32)}, "the condition is the integer 2, not bool"},
		{"not of bool", kernels.Neg, kernels.Attr{}, []kernels.Arg{of(dtype.Bool)}, "neg is not defined for bool; not is LogicalNot; for numbers cast to integer or float first"},
		{"cast without a dtype", kernels.Cast, kernels.Attr{}, []kernels.Arg{of(dtype.Float32)}, "a cast needs a dtype"},
		{"random integers", kernels.Random, kernels.Attr{DType: dtype.Int32}, []kernels.Arg{of(dtype.Int64), weak(1)}, "random is not defined for int32"},
		{"operand missing", kernels.Add, kernels.Attr{}, []kernels.Arg{of(dtype.Float32)}, "add does not take these operands"},
		{"no operation", kernels.Op(0), kernels.Attr{}, nil, "does not take these operands"},
	}
	for _, tt := range tests {
		_, err := kernels.Resolve(tt.op, tt.attr, tt.args)
		var e *dtype.Error
		require.ErrorAs(t, err, &e, tt.name)
		assert.Contains(t, err.Error(), tt.text, tt.name)
	}
}

func TestCompareBeyondTheRange(t *testing.T) {
	for _, tt := range []struct {
		n    dtype.Number
		want float64
	}{{dtype.IntNumber(-1), math.Inf(-1)}, {dtype.IntNumber(256), math.Inf(1)}, {dtype.UintNumber(1 << 63), math.Inf(1)}} {
		for at := range 2 {
			args := []kernels.Arg{of(dtype.Uint8), of(dtype.Uint8)}
			args[at] = kernels.Arg{Weak: tt.n}
			sig, err := kernels.Resolve(kernels.Eq, kernels.Attr{}, args)
			require.NoError(t, err)
			assert.Equal(t, dtype.FloatNumber(tt.want), sig.Weak[at])
		}
	}
}
