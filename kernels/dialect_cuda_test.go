package kernels

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/stride0/stride0/dtype"
)

// TestCUDAText holds one kernel against its text.
func TestCUDAText(t *testing.T) {
	p, l := elementwise(t, Div)
	f, err := FormNamed(l, "rs")
	require.NoError(t, err)
	got, err := Spell(CUDA, p, l, f, 0)
	require.NoError(t, err)
	assert.Equal(t, `typedef int off;

typedef struct {
	long long base[3];
	unsigned int items[1];
} geometry;

extern "C" __global__ void div_float32_rs(const float *in0, const float *in1, float *out0, const geometry g) {
	const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= g.items[0]) return;
	const float x0 = in0[g.base[0] + i];
	const float x1 = in1[g.base[1]];
	const float m2 = __fdiv_rn(x0, x1);
	out0[g.base[2] + i] = m2;
}
`, got)
}

// TestPrimitivesInCUDA: the spellings that differ from OpenCL's by more than
// the names of types.
func TestPrimitivesInCUDA(t *testing.T) {
	const f32, f64, i32, i64, u32 = dtype.Float32, dtype.Float64, dtype.Int32, dtype.Int64, dtype.Uint32
	checkSpellings(t, CUDA, []spelling{
		{"signed sums wrap", []dtype.DType{i32, i32}, func(e *Emit, x []V) V { return e.Add(x[0], x[1]) }, "int v = (int)((unsigned int)a + (unsigned int)b);"},
		{"long products wrap", []dtype.DType{i64, i64}, func(e *Emit, x []V) V { return e.Mul(x[0], x[1]) }, "long long v = (long long)((unsigned long long)a * (unsigned long long)b);"},
		{"round to float32", []dtype.DType{i64}, func(e *Emit, x []V) V { return e.Convert(f32, x[0]) }, "float v = (float)a;"},
		{"bits of a float", []dtype.DType{f32}, func(e *Emit, x []V) V { return e.Cast(u32, x[0]) }, "unsigned int v = (unsigned int)__float_as_uint(a);"},
		{"a double of bits", []dtype.DType{i64}, func(e *Emit, x []V) V { return e.Cast(f64, x[0]) }, "double v = __longlong_as_double((long long)a);"},
		{"fused", []dtype.DType{f32, f32, f32}, func(e *Emit, x []V) V { return e.Fma(x[0], x[1], x[2]) }, "float v = __fmaf_rn(a, b, c);"},
		{"fused in float64", []dtype.DType{f64, f64, f64}, func(e *Emit, x []V) V { return e.Fma(x[0], x[1], x[2]) }, "double v = __fma_rn(a, b, c);"},
		{"root", []dtype.DType{f64}, func(e *Emit, x []V) V { return e.Sqrt(x[0]) }, "double v = __dsqrt_rn(a);"},
		{"a constant's bits", []dtype.DType{f32}, func(e *Emit, x []V) V { return e.Mul(x[0], e.Const(f32, 0.1)) }, "float v = a * __uint_as_float(0x3dcccccdu);"},
		{"the least int", []dtype.DType{i32}, func(e *Emit, x []V) V { return e.Xor(x[0], e.Bits(i32, 1<<31)) }, "int v = a ^ (int)0x80000000u;"},
	})
}

// TestCommonForms: rounding a form up always ends at one of the forms made ahead.
func TestCommonForms(t *testing.T) {
	_, l := elementwise(t, Add)
	_, reduce := elementwise(t, Sum)
	made := map[Form]bool{}
	for _, f := range append(CommonForms(l), CommonForms(reduce)...) {
		assert.False(t, made[f], "%v twice", f)
		made[f] = true
	}
	for kept := int8(0); kept <= 12; kept++ {
		for reduced := int8(0); reduced <= 12; reduced++ {
			for _, f := range []Form{
				{Kind: FlatForm}, {Kind: FlatForm, Scalars: 1}, {Kind: FlatForm, Scalars: 2}, {Kind: FlatForm, Scalars: 4},
				{Kind: GridForm, Kept: kept}, {Kind: BlockForm, Kept: kept, Reduced: reduced},
				{Kind: LeadForm, Kept: kept, Reduced: reduced, Wide: true}, {Kind: RowsForm, Kept: kept, Reduced: reduced, Unit: true},
			} {
				c := f.Common()
				assert.True(t, made[c], "%v becomes %v", f, c)
				assert.GreaterOrEqual(t, c.Kept, f.Kept)
				assert.GreaterOrEqual(t, c.Reduced, f.Reduced)
			}
		}
	}
}
