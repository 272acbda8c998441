package kernels

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stride0/stride0/dtype"
)

// sweepRefs are references of the float32 rows of one operand in C, for a
// double x. That has 29 bits more than the results, so the functions of libm
// are good enough.
var sweepRefs = map[Op]string{
	Exp: "exp(x)", Log: "log(x)", Tanh: "tanh(x)", Sin: "sin(x)", Cos: "cos(x)", Erf: "erf(x)",
	Exp2: "exp2(x)", Expm1: "expm1(x)", Log1p: "log1p(x)", Log2: "log2(x)", Log10: "log10(x)",
	Sigmoid: "1/(1+exp(-x))", Tan: "tan(x)", Erfc: "erfc(x)",
	Sinh: "sinh(x)", Cosh: "cosh(x)", Asinh: "asinh(x)", Acosh: "acosh(x)", Atanh: "atanh(x)",
	Asin: "asin(x)", Acos: "acos(x)", Atan: "atan(x)", Cbrt: "cbrt(x)", Rsqrt: "1/sqrt(x)",
	Gelu:       "0.5*x*erfc(-x*0.70710678118654752)",
	GeluTanh:   "x/(1+exp(-1.5957691216057308*(x+0.044715*x*x*x)))",
	Silu:       "x/(1+exp(-x))",
	Mish:       "x*tanh(log1p(exp(x)))",
	Softplus:   "x>0 ? x+log1p(exp(-x)) : log1p(exp(x))",
	LogSigmoid: "x>0 ? -log1p(exp(-x)) : x-log1p(exp(x))",
	Selu:       "x>0 ? 1.0507009873554805*x : 1.7580993408473766*expm1(x)",
	Softsign:   "x/(1+fabs(x))", HardSigmoid: "x<=-3 ? 0 : x>=3 ? 1 : (x+3)/6", HardSwish: "x<=-3 ? -0.0 : x>=3 ? x : x*(x+3)/6",
}

// TestEveryFloat32 measures rows of one operand on all finite float32 numbers,
// by a C program made of the row's expression. It takes minutes of all cores
// for each, so it runs only for the rows that STRIDE0_SWEEP names: "exp,log",
// or "all". STRIDE0_EVERY=61 takes one number in 61.
func TestEveryFloat32(t *testing.T) {
	rows := os.Getenv("STRIDE0_SWEEP")
	if rows == "" {
		t.Skip("takes minutes for each row; STRIDE0_SWEEP=exp,log or STRIDE0_SWEEP=all asks for it")
	}
	for op, ref := range sweepRefs {
		if rows != "all" && !strings.Contains(","+rows+",", ","+op.String()+",") {
			continue
		}
		t.Run(op.String(), func(t *testing.T) {
			worst := sweep(t, op, ref)
			require.LessOrEqual(t, worst, op.Row().Bound.Float32)
		})
	}
}

// sweep returns the largest error of the row in units in the last place.
func sweep(t *testing.T, op Op, ref string) float64 {
	body, err := RowBody(op, []dtype.DType{dtype.Float32}, dtype.Float32)
	require.NoError(t, err)
	text := &cText{indent: 1}
	d := *OpenCL
	d.Convert = func(to, _ dtype.DType, a string) string { return "(" + openCLTypes[to] + ")" + a }
	outs := text.body(&d, body, "v", "x")
	require.NoError(t, text.err)
	dir := t.TempDir()
	write := func(name, source string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(source), 0o600))
		return path
	}
	row := write("row.c", sweepRow+"void row(const float *xs, float *ys, int n) { for (int i = 0; i < n; i++) ys[i] = one(xs[i]); }\n")
	write("one.h", "static inline float one(float x) {\n"+text.b.String()+"\treturn "+outs[0]+";\n}\n")
	write("ref.h", "static inline double ref1(double x) { return "+ref+"; }\n")
	main := write("main.c", sweepMain)
	quick := write("quick.c", sweepQuick)
	program := filepath.Join(dir, "sweep")
	cc := func(args ...string) {
		out, err := exec.Command("cc", args...).CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	cc("-O3", "-march=native", "-ffp-contract=off", "-c", "-o", row+".o", row)
	cc("-O3", "-march=native", "-ffast-math", "-c", "-o", quick+".o", quick)
	cc("-O2", "-march=native", "-ffp-contract=off", "-pthread", "-o", program, main, row+".o", quick+".o", "-lmvec", "-lm")
	out, err := exec.Command(program, strconv.Itoa(runtime.GOMAXPROCS(0)), cmp.Or(os.Getenv("STRIDE0_EVERY"), "1")).CombinedOutput()
	require.NoError(t, err, "%s", out)
	t.Logf("%s: %s", op, out)
	worst, err := strconv.ParseFloat(strings.Fields(string(out))[0], 64)
	require.NoError(t, err)
	return worst
}

// sweepRow are the words of OpenCL C that expressions are spelt with, in C.
const sweepRow = `
#include <string.h>
typedef unsigned char uchar; typedef unsigned int uint; typedef unsigned long ulong;
static inline float as_float(uint u) { float f; memcpy(&f, &u, 4); return f; }
static inline uint bits_of(float f) { uint u; memcpy(&u, &f, 4); return u; }
#define as_uint(a) _Generic((a), float: bits_of, default: same_bits)(a)
#define as_int(a) ((int)as_uint(a))
#define as_long(a) ((long)(a))
#define as_ulong(a) ((ulong)(a))
static inline uint same_bits(uint u) { return u; }
#define sqrt(a) __builtin_sqrtf(a)
#define fma(a, b, c) __builtin_fmaf(a, b, c)
#include "one.h"
`

// sweepQuick is the reference by functions on vectors, of a few units in the
// last place of a double; where it does not round to the row's result, main asks
// the better one.
const sweepQuick = `
#include <math.h>
#include "ref.h"
void quick(const float *xs, double *ys, int n) { for (int i = 0; i < n; i++) ys[i] = ref1((double)xs[i]); }
`

// sweepMain prints the largest error, 0.5 at least, and where it is; it is 1e9 where one is
// NaN or a zero has another sign.
const sweepMain = `
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "ref.h"
enum { block = 4096 };
void row(const float *xs, float *ys, int n);
void quick(const float *xs, double *ys, int n);
static double worst = 0.5; // what the nearest number may be off
static float at;
static uint32_t next, step;
static long measured;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static double error(float got, double want) {
	if (isnan(got) || isnan(want)) return isnan(got) && isnan(want) ? 0 : 1e9;
	if (got == 0 && (float)want == 0 && signbit(got) != signbit(want)) return 1e9;
	double g = isinf(got) ? copysign(0x1p128, got) : got;
	if (fabs(want) > 0x1p128) want = copysign(0x1p128, want);
	int e;
	frexp(want, &e);
	e = want == 0 || e < -125 ? -149 : (e > 128 ? 128 : e) - 24;
	return ldexp(fabs(g - want), -e);
}

static void *work(void *unused) {
	float xs[block], ys[block];
	double rs[block];
	for (;;) {
		pthread_mutex_lock(&lock);
		uint32_t first = next++;
		pthread_mutex_unlock(&lock);
		if (first * (uint64_t)block * step >> 32) return NULL;
		for (int i = 0; i < block; i++) {
			uint32_t u = (first * (uint64_t)block + i) * step;
			memcpy(&xs[i], &u, 4);
			if (!isfinite(xs[i])) xs[i] = 0;
		}
		row(xs, ys, block);
		quick(xs, rs, block);
		double top = 0;
		float place = 0;
		for (int i = 0; i < block; i++) {
			float near = (float)rs[i];
			if (!memcmp(&near, &ys[i], 4)) continue; // the nearest
			double e = error(ys[i], ref1(xs[i]));
			if (e > top) top = e, place = xs[i];
		}
		pthread_mutex_lock(&lock);
		measured += block;
		if (top > worst) worst = top, at = place;
		pthread_mutex_unlock(&lock);
	}
}

int main(int argc, char **argv) {
	pthread_t threads[64];
	step = atoi(argv[2]);
	int n = atoi(argv[1]) < 64 ? atoi(argv[1]) : 64;
	for (int i = 0; i < n; i++) pthread_create(&threads[i], NULL, work, NULL);
	for (int i = 0; i < n; i++) pthread_join(threads[i], NULL);
	printf("%.4f ULP at %a, of %ld numbers\n", worst, at, measured);
}
`
