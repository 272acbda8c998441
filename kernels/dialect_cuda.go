package kernels

import (
	"fmt"

	"github.com/stride0/stride0/dtype"
)

// CUDA is CUDA C as NVRTC compiles it without any header, with --fmad=false.
// Integer overflow, shifts and conversions are spelt so that nothing is
// undefined in C++; arithmetic that C++ leaves to options of the compiler has
// the intrinsics that round to nearest even (CUDA Math API, "Single Precision
// Intrinsics").
var CUDA = &Dialect{
	Name:  "cuda",
	Types: cudaTypes,
	Int:   "int", Uint: "unsigned int", Long: "long long", Ulong: "unsigned long long",
	Header:   func(bool) string { return "" },
	Kernel:   `extern "C" __global__ void`,
	Rolled:   "#pragma unroll 1",
	Shared:   "__shared__",
	Sync:     "__syncthreads();",
	GlobalID: [3]string{cudaID("x"), cudaID("y"), cudaID("z")},
	LocalID:  [3]string{"threadIdx.x", "threadIdx.y", "threadIdx.z"},
	MulHi:    func(a, b string) string { return "__umulhi(" + a + ", " + b + ")" },
	Const:    cudaConst,
	Bits:     cudaBits,
	// A cast to a float rounds to nearest even (CUDA C++ Programming Guide,
	// "Floating-Point Standard").
	Convert: func(to, _ dtype.DType, a string) string { return "(" + cudaTypes[to] + ")" + a },
	Div: func(d dtype.DType, a, b string) string {
		return cudaRounded(d, "__fdiv_rn", "__ddiv_rn") + "(" + a + ", " + b + ")"
	},
	Sqrt: func(d dtype.DType, a string) string {
		return cudaRounded(d, "__fsqrt_rn", "__dsqrt_rn") + "(" + a + ")"
	},
	Fma: func(d dtype.DType, a, b, c string) string {
		return cudaRounded(d, "__fmaf_rn", "__fma_rn") + "(" + a + ", " + b + ", " + c + ")"
	},
}

var cudaTypes = [dtype.Count]string{
	dtype.Bool: "unsigned char", dtype.Uint8: "unsigned char", dtype.Uint16: "unsigned short", dtype.Uint32: "unsigned int", dtype.Uint64: "unsigned long long",
	dtype.Int8: "signed char", dtype.Int16: "short", dtype.Int32: "int", dtype.Int64: "long long",
	dtype.Float16: "unsigned short", dtype.BFloat16: "unsigned short", dtype.Float32: "float", dtype.Float64: "double",
}

func cudaID(axis string) string {
	return "blockIdx." + axis + " * blockDim." + axis + " + threadIdx." + axis
}

// cudaRounded chooses between the names of an intrinsic.
func cudaRounded(d dtype.DType, single, double string) string {
	if d == dtype.Float64 {
		return double
	}
	return single
}

// cudaConst spells a constant by its bit pattern.
func cudaConst(d dtype.DType, pattern uint64) string {
	switch d {
	case dtype.Float32:
		return fmt.Sprintf("__uint_as_float(0x%08xu)", pattern)
	case dtype.Float64:
		return fmt.Sprintf("__longlong_as_double(0x%016xll)", pattern)
	case dtype.Int32:
		return fmt.Sprintf("(int)0x%08xu", pattern)
	case dtype.Int64:
		return fmt.Sprintf("(long long)0x%016xull", pattern)
	case dtype.Uint32:
		return fmt.Sprintf("0x%08xu", pattern)
	case dtype.Uint64:
		return fmt.Sprintf("0x%016xull", pattern)
	}
	return fmt.Sprintf("(%s)%d", cudaTypes[d], pattern)
}

// cudaBits keeps the bits of a. Between integers, and halves, which are
// integers here, a cast does.
func cudaBits(to, from dtype.DType, a string) string {
	cast := "(" + cudaTypes[to] + ")"
	switch {
	case to == dtype.Float32:
		return "__uint_as_float((unsigned int)" + a + ")"
	case to == dtype.Float64:
		return "__longlong_as_double((long long)" + a + ")"
	case from == dtype.Float32:
		return cast + "__float_as_uint(" + a + ")"
	case from == dtype.Float64:
		return cast + "__double_as_longlong(" + a + ")"
	}
	return cast + a
}
