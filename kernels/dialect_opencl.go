package kernels

import (
	"fmt"

	"github.com/stride0/stride0/dtype"
)

// OpenCL is OpenCL C 1.2 on a device that divides and takes roots of float32
// correctly rounded, when built with -cl-fp32-correctly-rounded-divide-sqrt.
var OpenCL = openCL()

// OpenCLSoft is OpenCL for devices without correctly rounded float32 division
// and square root: it computes both with integers.
var OpenCLSoft = openCLSoft()

var openCLTypes = [dtype.Count]string{
	dtype.Bool: "uchar", dtype.Uint8: "uchar", dtype.Uint16: "ushort", dtype.Uint32: "uint", dtype.Uint64: "ulong",
	dtype.Int8: "char", dtype.Int16: "short", dtype.Int32: "int", dtype.Int64: "long",
	dtype.Float16: "ushort", dtype.BFloat16: "ushort", dtype.Float32: "float", dtype.Float64: "double",
}

func openCL() *Dialect {
	return &Dialect{
		Name:  "opencl",
		Types: openCLTypes,
		Int:   "int", Uint: "uint", Long: "long", Ulong: "ulong",
		Header:   openCLHeader,
		Kernel:   "kernel void",
		Begin:    "#pragma OPENCL FP_CONTRACT OFF",
		Rolled:   "#pragma unroll 1",
		Global:   "global",
		Shared:   "local",
		Sync:     "barrier(CLK_LOCAL_MEM_FENCE);",
		GlobalID: [3]string{"(uint)get_global_id(0)", "(uint)get_global_id(1)", "(uint)get_global_id(2)"},
		LocalID:  [3]string{"(uint)get_local_id(0)", "(uint)get_local_id(1)", "(uint)get_local_id(2)"},
		MulHi:    func(a, b string) string { return "mul_hi(" + a + ", " + b + ")" },
		Const:    openCLConst,
		Bits:     openCLBits,
		Convert: func(to, _ dtype.DType, a string) string {
			return "convert_" + openCLTypes[to] + "_rte(" + a + ")"
		},
		Div:  func(_ dtype.DType, a, b string) string { return a + " / " + b },
		Sqrt: func(_ dtype.DType, a string) string { return "sqrt(" + a + ")" },
		Fma:  func(_ dtype.DType, a, b, c string) string { return "fma(" + a + ", " + b + ", " + c + ")" },
	}
}

func openCLHeader(float64Used bool) string {
	if float64Used {
		return "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n\n"
	}
	return ""
}

// openCLConst spells a constant by its bit pattern.
func openCLConst(d dtype.DType, pattern uint64) string {
	switch d {
	case dtype.Float32:
		return fmt.Sprintf("as_float(0x%08xu)", pattern)
	case dtype.Float64:
		return fmt.Sprintf("as_double(0x%016xul)", pattern)
	case dtype.Int32:
		return fmt.Sprintf("as_int(0x%08xu)", pattern)
	case dtype.Int64:
		return fmt.Sprintf("as_long(0x%016xul)", pattern)
	case dtype.Uint32:
		return fmt.Sprintf("0x%08xu", pattern)
	case dtype.Uint64:
		return fmt.Sprintf("0x%016xul", pattern)
	}
	return fmt.Sprintf("(%s)%d", openCLTypes[d], pattern)
}

func openCLBits(to, _ dtype.DType, a string) string {
	return "as_" + openCLTypes[to] + "(" + a + ")"
}

func openCLSoft() *Dialect {
	d := openCL()
	d.Header = func(float64Used bool) string { return openCLHeader(float64Used) + softDivide }
	d.Div = func(t dtype.DType, a, b string) string {
		if t == dtype.Float32 {
			return "s0_div(" + a + ", " + b + ")"
		}
		return a + " / " + b
	}
	d.Sqrt = func(t dtype.DType, a string) string {
		if t == dtype.Float32 {
			return "s0_sqrt(" + a + ")"
		}
		return "sqrt(" + a + ")"
	}
	return d
}

// softDivide divides and takes roots exactly, on the significands as integers.
//
// A finite nonzero float is m·2^(e-150) with 2²³ <= m < 2²⁴ once subnormals
// are shifted up (s0_split), and s0_round rounds q·2^(e-150) for any q > 0.
// s0_div forms the quotient of m·2²⁷ and n, which has 27 or 28 bits, and ORs
// whether there is a remainder into its lowest bit: then s0_round, which keeps
// 24 bits or fewer, sees on which side of a midpoint the quotient lies.
// s0_sqrt takes the integer root of m·2²⁶ or m·2²⁷, whichever has an even
// exponent: 25 or 26 bits, and a further one for the remainder. The root it
// starts from is a few units off at most (sqrt has 3 ulp, section 7.4 of the
// OpenCL C specification) and is then corrected.
const softDivide = `uint s0_split(uint u, int *e) {
	*e = (int)(u >> 23 & 0xffu);
	uint m = u & 0x7fffffu;
	if (*e == 0) {
		const int up = (int)clz(m) - 8;
		*e = 1 - up;
		return m << up;
	}
	return m | 0x800000u;
}

float s0_round(uint sign, ulong q, int e) {
	int drop = 64 - 24 - (int)clz(q);
	if (e + drop < 1) drop = 1 - e;
	if (drop > 40) drop = 40;
	uint m = (uint)(q >> drop);
	const ulong rest = q & ((1ul << drop) - 1ul), half_ = 1ul << (drop - 1);
	m += rest > half_ || (rest == half_ && (m & 1u));
	int top = e + drop;
	if (m >> 24) { m >>= 1; top++; }
	if (top > 254) return as_float(sign | 0x7f800000u);
	return as_float(sign | (m >> 23 ? (uint)top << 23 | (m & 0x7fffffu) : m));
}

float s0_div(float a, float b) {
	const uint x = as_uint(a) & 0x7fffffffu, y = as_uint(b) & 0x7fffffffu;
	const uint sign = (as_uint(a) ^ as_uint(b)) & 0x80000000u;
	if (x > 0x7f800000u || y > 0x7f800000u || (x == y && (x == 0u || x == 0x7f800000u))) return as_float(0x7fc00000u);
	if (x == 0x7f800000u || y == 0u) return as_float(sign | 0x7f800000u);
	if (x == 0u || y == 0x7f800000u) return as_float(sign);
	int ea, eb;
	const ulong m = (ulong)s0_split(x, &ea) << 27;
	const ulong n = s0_split(y, &eb);
	const ulong q = m / n;
	return s0_round(sign, q | (q * n != m), ea - eb + 150 - 27);
}

float s0_sqrt(float a) {
	const uint u = as_uint(a);
	if ((u & 0x7fffffffu) == 0u || u == 0x7f800000u) return a;
	if (u > 0x7f800000u) return as_float(0x7fc00000u);
	int e;
	ulong m = (ulong)s0_split(u, &e) << 26;
	m <<= e & 1;
	ulong r = (ulong)sqrt((float)m);
	while (r * r > m) r--;
	while ((r + 1ul) * (r + 1ul) <= m) r++;
	return s0_round(0u, r << 1 | (r * r != m), (e - (e & 1)) / 2 + 61);
}

`
