package kernels

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/stride0/stride0/dtype"
)

// TestOpenCLText holds one kernel of each sort against its text.
func TestOpenCLText(t *testing.T) {
	p, l := elementwise(t, Add)
	f, err := FormNamed(l, "rs")
	require.NoError(t, err)
	got, err := Spell(OpenCL, p, l, f, 0)
	require.NoError(t, err)
	assert.Equal(t, `typedef int off;

typedef struct {
	long base[3];
	uint items[1];
} geometry;

kernel void add_float32_rs(global const float *in0, global const float *in1, global float *out0, const geometry g) {
	#pragma OPENCL FP_CONTRACT OFF
	const uint i = (uint)get_global_id(0);
	if (i >= g.items[0]) return;
	const float x0 = in0[g.base[0] + i];
	const float x1 = in1[g.base[1]];
	const float m2 = x0 + x1;
	out0[g.base[2] + i] = m2;
}
`, got)

	f, err = FormNamed(l, "r4")
	require.NoError(t, err)
	f.Wide = true
	got, err = Spell(OpenCL, p, l, f, 0)
	require.NoError(t, err)
	assert.Contains(t, got, "typedef long off;")
	assert.Contains(t, got, `	const uint qk2 = (mul_hi(z, g.mul[0]) + z) >> g.shift[0];
	const uint k2 = z - qk2 * g.size[0];
	const uint k3 = qk2;
`)

	p, l = elementwise(t, Mean)
	f, err = FormNamed(l, "lead")
	require.NoError(t, err)
	got, err = Spell(OpenCL, p, l, f, FromStates)
	require.NoError(t, err)
	assert.Contains(t, got, "kernel void sum_div_float32_lead_last(global float *out0, global float *scratch, const float scalar0, const geometry g) {")
	assert.Contains(t, got, "const float y2 = s0 / scalar0;")
}

// spelling is a primitive and what a dialect makes of it.
type spelling struct {
	name string
	args []dtype.DType
	emit func(e *Emit, x []V) V
	want string
}

// checkSpellings compares what a dialect makes of primitives on a, b and c.
func checkSpellings(t *testing.T, d *Dialect, tests []spelling) {
	t.Helper()
	for _, test := range tests {
		e := NewEmit()
		x := make([]V, len(test.args))
		for i, typ := range test.args {
			x[i] = e.Arg(i, typ)
		}
		body, err := e.Body(test.emit(e, x))
		require.NoError(t, err, test.name)
		var text cText
		outs := text.body(d, body, "v", "a", "b", "c")
		require.NoError(t, text.err, test.name)
		assert.Equal(t, "const "+test.want+"\n", strings.ReplaceAll(text.b.String(), outs[0], "v"), test.name)
	}
}

// TestPrimitivesInC: the spelling of each primitive where types matter.
func TestPrimitivesInC(t *testing.T) {
	const f32, f64, i32, i64, u8, u16, u32, b = dtype.Float32, dtype.Float64, dtype.Int32, dtype.Int64, dtype.Uint8, dtype.Uint16, dtype.Uint32, dtype.Bool
	checkSpellings(t, OpenCL, []spelling{
		{"signed sums wrap", []dtype.DType{i32, i32}, func(e *Emit, x []V) V { return e.Add(x[0], x[1]) }, "int v = (int)((uint)a + (uint)b);"},
		{"long products wrap", []dtype.DType{i64, i64}, func(e *Emit, x []V) V { return e.Mul(x[0], x[1]) }, "long v = (long)((ulong)a * (ulong)b);"},
		{"bytes are cut back", []dtype.DType{u8, u8}, func(e *Emit, x []V) V { return e.Sub(x[0], x[1]) }, "uchar v = (uchar)(a - b);"},
		{"no product overflows an int", []dtype.DType{u16, u16}, func(e *Emit, x []V) V { return e.Mul(x[0], x[1]) }, "ushort v = (ushort)((uint)a * (uint)b);"},
		{"signed left shift", []dtype.DType{i32}, func(e *Emit, x []V) V { return e.Shl(x[0], 3) }, "int v = (int)((uint)a << 3);"},
		{"arithmetic right shift", []dtype.DType{i32}, func(e *Emit, x []V) V { return e.Shr(x[0], 3) }, "int v = (int)(a >> 3);"},
		{"not of a bool", []dtype.DType{b}, func(e *Emit, x []V) V { return e.Not(x[0]) }, "uchar v = !a;"},
		{"not of bits", []dtype.DType{u32}, func(e *Emit, x []V) V { return e.Not(x[0]) }, "uint v = (uint)~a;"},
		{"round to float32", []dtype.DType{i64}, func(e *Emit, x []V) V { return e.Convert(f32, x[0]) }, "float v = convert_float_rte(a);"},
		{"truncate", []dtype.DType{f64}, func(e *Emit, x []V) V { return e.Convert(i32, x[0]) }, "int v = (int)a;"},
		{"bits of a float", []dtype.DType{f32}, func(e *Emit, x []V) V { return e.Cast(u32, x[0]) }, "uint v = as_uint(a);"},
		{"fused", []dtype.DType{f32, f32, f32}, func(e *Emit, x []V) V { return e.Fma(x[0], x[1], x[2]) }, "float v = fma(a, b, c);"},
		{"select", []dtype.DType{b, f32, f32}, func(e *Emit, x []V) V { return e.Select(x[0], x[1], x[2]) }, "float v = a ? b : c;"},
		{"a constant's bits", []dtype.DType{f32}, func(e *Emit, x []V) V { return e.Mul(x[0], e.Const(f32, 0.1)) }, "float v = a * as_float(0x3dcccccdu);"},
		{"the least int", []dtype.DType{i32}, func(e *Emit, x []V) V { return e.Xor(x[0], e.Bits(i32, 1<<31)) }, "int v = a ^ as_int(0x80000000u);"},
	})
}

func TestNoSpelling(t *testing.T) {
	for name, b := range map[string]Body{
		"no name for argument": {Nodes: []Node{{Prim: PrimArg, Type: dtype.Float64, Bits: 9}}, Outs: []V{0}},
	} {
		var text cText
		text.body(OpenCL, b, "v", "a")
		assert.ErrorContains(t, text.err, name)
	}
}

// Names that the text defines, and those it uses.
var (
	defined = regexp.MustCompile(`(?:\*|\b(?:float|double|char|short|int|long|uchar|ushort|uint|ulong|off|geometry)\s+)([a-z]\w*)|, ([a-z]\w*) =`)
	word    = regexp.MustCompile(`(\.|->)?\b[a-zA-Z_]\w*(\()?`)
)

// everyKernel calls f with the text of every row at every dtype, in every form
// for float32 and with STRIDE0_FULL, else in one of four.
func everyKernel(t *testing.T, f func(name, text string)) {
	for _, op := range Ops() {
		for _, d := range dtype.All() {
			row := op.Row()
			args, leaves := make([]Arg, row.Arity), make([]Leaf, row.Arity)
			for i := range args {
				args[i].DType, leaves[i] = d, Leaf{Kind: OpInput, DType: d}
			}
			switch row.Rule {
			case RuleArange, RuleRandom:
				args[0].DType, leaves[0] = dtype.Int64, Leaf{Kind: OpIndex, DType: dtype.Int64}
			case RuleWhere:
				args[0].DType, leaves[0].DType = dtype.Bool, dtype.Bool
			case RuleMask:
				args[1].DType, leaves[1].DType = dtype.Bool, dtype.Bool
			}
			if row.Rule == RuleRandom {
				args[1].DType, leaves[1] = dtype.Uint64, Leaf{Kind: OpScalar, DType: dtype.Uint64}
			}
			sig, err := Resolve(op, Attr{DType: d}, args)
			if err != nil {
				continue
			}
			p, err := Single(op, sig, sig.Result, leaves...)
			require.NoError(t, err)
			if !p.Runnable() {
				continue
			}
			l, err := Lower(p)
			require.NoError(t, err)
			for i, form := range []string{"flat", "rs", "nd3", "r6", "rows", "block", "lead"} {
				if os.Getenv("STRIDE0_FULL") != "1" && d != dtype.Float32 && (int(op)+int(d)+i)%4 != 0 {
					continue
				}
				if chosen, err := FormNamed(l, form); err == nil {
					text, err := Spell(OpenCL, p, l, chosen, l.Stages()...)
					require.NoError(t, err)
					f(KernelName(p, chosen, 0), text)
				}
			}
		}
	}
}

// TestEveryKernelIsWellFormed: braces match, every name is defined before it
// is used, and nothing is divided by anything but a float's division.
func TestEveryKernelIsWellFormed(t *testing.T) {
	known := map[string]bool{}
	for _, w := range strings.Fields("kernel void global const local typedef struct geometry off float double char short int long uchar ushort uint ulong " +
		"if return for pragma OPENCL FP_CONTRACT OFF EXTENSION cl_khr_fp64 enable unroll CLK_LOCAL_MEM_FENCE ul u") {
		known[w] = true
	}
	kernels := 0
	everyKernel(t, func(name, text string) {
		kernels++
		assert.Equal(t, strings.Count(text, "{"), strings.Count(text, "}"), name)
		assert.NotContains(t, text, "%", name)
		assert.Contains(t, text, "FP_CONTRACT OFF", name)
		seen := map[string]bool{"g": true}
		for _, line := range strings.Split(text, "\n") {
			for _, m := range defined.FindAllStringSubmatch(line, -1) {
				seen[m[1]+m[2]] = true
			}
			for _, m := range word.FindAllStringSubmatch(line, -1) {
				if w := strings.TrimSuffix(m[0], "("); m[1] == "" && m[2] == "" && !known[w] && !seen[w] {
					t.Errorf("%s: %s is not defined in %q", name, w, line)
				}
			}
		}
	})
	assert.Greater(t, kernels, 400)
}
