package cudasim

import (
	"cmp"
	"math"
	"math/bits"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// samples are numbers at the edges of every width, and some between.
var samples = []int64{0, 1, -1, 2, 3, -3, 7, 16, 63, 64, 100, 127, 128, 255, 256, -128, -129, 32767, 32768, -32768, 65535, 65536, 99999,
	math.MaxInt32, math.MaxInt32 + 1, math.MinInt32, math.MaxUint32, math.MaxUint32 + 1, 1<<53 + 1, math.MaxInt64, math.MinInt64, 0x123456789ABCDEF}

type integer interface {
	int8 | uint8 | int16 | uint16 | int32 | uint32 | int64 | uint64
}

// pairs returns all pairs of samples in a type.
func pairs[T integer]() (a, b []T) {
	for _, x := range samples {
		for _, y := range samples {
			a, b = append(a, T(x)), append(b, T(y))
		}
	}
	return a, b
}

func one[T integer](b bool) T {
	if b {
		return 1
	}
	return 0
}

// integerResults is what kernel integers_T computes.
func integerResults[T integer](a, b T) []T {
	var quotient, remainder T
	minusOne := ^T(0)
	if b != 0 && b != minusOne {
		quotient, remainder = a/b, a%b
	}
	width := 64 - bits.LeadingZeros64(uint64(minusOne)&(1<<63-1)) // 63 for a type of 64 bits, or a signed one
	if minusOne < 0 {
		for width = 7; T(1)<<width > 0; width += 8 {
		}
		width++
	} else if width == 63 {
		width = 64
	}
	s := uint64(b) & uint64(width-1)
	return []T{a + b, a - b, a * b, quotient, remainder, a & b, a | b, a ^ b, ^a, -a, min(a, b), max(a, b), a << s, a >> s,
		one[T](a < b), one[T](a <= b), one[T](a == b), one[T](a != b && a > 3)}
}

// checkPairs runs a kernel of two operands and holds its results against want.
func checkPairs[T comparable](t *testing.T, g *gpu, kernel string, a, b []T, want func(a, b T) []T) {
	t.Helper()
	n, results := len(a), len(want(a[0], b[0]))
	out := g.alloc(len(bytesOf(a)) * results)
	g.run(g.function(g.module("compute.ptx"), kernel), n, upload(g, a), upload(g, b), out, uint32(n))
	got := download[T](g, out, n*results)
	for i := range a {
		for k, w := range want(a[i], b[i]) {
			if got := got[k*n+i]; got != w && (got == got || w == w) {
				t.Fatalf("%s: result %d of %v, %v is %v, want %v", kernel, k, a[i], b[i], got, w)
			}
		}
	}
}

func testIntegers[T integer](t *testing.T, g *gpu, kernel string) {
	a, b := pairs[T]()
	checkPairs(t, g, kernel, a, b, integerResults[T])
}

func TestIntegers(t *testing.T) {
	g := newGPU(t)
	testIntegers[int8](t, g, "integers_i8")
	testIntegers[uint8](t, g, "integers_u8")
	testIntegers[int16](t, g, "integers_i16")
	testIntegers[uint16](t, g, "integers_u16")
	testIntegers[int32](t, g, "integers_i32")
	testIntegers[uint32](t, g, "integers_u32")
	testIntegers[int64](t, g, "integers_i64")
	testIntegers[uint64](t, g, "integers_u64")
}

func TestBits(t *testing.T) {
	g := newGPU(t)
	a, b := pairs[uint32]()
	checkPairs(t, g, "bits", a, b, func(a, b uint32) []uint32 {
		ab := uint64(a)<<32 | uint64(b)
		ffs := uint32(bits.TrailingZeros32(a)+1) % 33
		square, _ := bits.Mul64(ab, ab)
		hi, _ := bits.Mul32(a, b)
		return []uint32{uint32(bits.OnesCount32(a)), uint32(bits.LeadingZeros32(a)), bits.Reverse32(a), ffs,
			uint32(bits.OnesCount64(ab)), uint32(bits.LeadingZeros64(ab)), hi, uint32(int64(int32(a)) * int64(int32(b)) >> 32),
			uint32(square >> 32), a>>24 | b<<8, b<<7 | a>>25, uint32((uint64(b)<<32 | uint64(a)) >> (b & 31)), a >> 5 & 0x7ff, bits.RotateLeft32(a, 13)}
	})
}

// numbers are floats at the edges.
var numbers = []float64{0, math.Copysign(0, -1), 1, -1, 0.5, -0.5, 1.5, 2.5, -2.5, 3, 1e10, -1e10, 1.0 / 3, 0x1p-126, 0x1p-149, -0x1.8p-127, 0x1p-1074,
	math.MaxFloat32, math.MaxFloat64, math.Inf(1), math.Inf(-1), math.NaN(), 255.5, -128.7, 65535.9, 0x1p31, -0x1p31, 0x1p63, -0x1p63, 0x1p64, 16777217}

// smaller is the lesser, -0 before +0, and a number before a NaN.
func smaller(a, b float64) float64 {
	if math.IsNaN(a) {
		return b
	}
	if math.IsNaN(b) {
		return a
	}
	return math.Min(a, b)
}

// floatResults is what kernel floats_T computes; float32 operations are right
// when computed in float64 and rounded, except fma, which gets its own.
func floatResults[T float32 | float64](fma func(a, b, c T) T) func(a, b T) []T {
	return func(a, b T) []T {
		x, y := float64(a), float64(b)
		is := func(c bool) T { return T(one[uint8](c)) }
		return []T{a + b, a - b, T(a * b), a / b, T(math.Sqrt(x)), fma(a, b, a), T(a*b) + a, T(math.Floor(x)), T(math.Ceil(x)), T(math.Trunc(x)),
			T(math.RoundToEven(x)), T(smaller(x, y)), T(-smaller(-x, -y)), T(math.Abs(x)), -a, T(math.Copysign(x, y)),
			is(a < b), is(a <= b), is(a == b), is(a != b), is(!(a < b)), is(a != a)}
	}
}

func TestFloats(t *testing.T) {
	g := newGPU(t)
	var a, b []float64
	var c, d []float32
	for _, x := range numbers {
		for _, y := range numbers {
			a, b, c, d = append(a, x), append(b, y), append(c, float32(x)), append(d, float32(y))
		}
	}
	checkPairs(t, g, "floats_float64", a, b, floatResults(math.FMA))
	// The product of two float32 is exact in float64; where the sum is not,
	// rounding it to odd keeps the second rounding right (Boldo, Melquiond 2008).
	checkPairs(t, g, "floats_float32", c, d, floatResults(func(a, b, c float32) float32 {
		p, z := float64(a)*float64(b), float64(c)
		s := p + z
		back := s - p
		if e := (p - (s - back)) + (z - back); e != 0 && !math.IsNaN(e) && !math.IsInf(s, 0) && math.Float64bits(s)&1 == 0 {
			s = math.Float64frombits(math.Float64bits(s) + uint64(cmp.Compare(e, 0)*cmp.Compare(s, 0)))
		}
		return float32(s)
	}))
}

// A NaN has the bits a GPU gives it, and a zero its sign.
func TestBitsOfFloats(t *testing.T) {
	g := newGPU(t)
	a := []float32{float32(math.Inf(1)), 0, float32(math.Copysign(0, -1)), -1}
	b := []float32{float32(math.Inf(1)), float32(math.Copysign(0, -1)), 0, -1}
	out := g.alloc(4 * 4 * 22)
	g.run(g.function(g.module("compute.ptx"), "floats_float32"), 4, upload(g, a), upload(g, b), out, uint32(4))
	got := download[uint32](g, out, 4*22)
	assert.Equal(t, uint32(0x7fffffff), got[1*4+0], "Inf - Inf")
	assert.Equal(t, uint32(0x7fffffff), got[4*4+3], "Sqrt(-1)")
	assert.Equal(t, []uint32{0x80000000, 0x80000000}, got[11*4+1:11*4+3], "min of zeros")
	assert.Equal(t, []uint32{0, 0}, got[12*4+1:12*4+3], "max of zeros")
}

// saturated is what PTX makes of a float: the nearest integer of the type.
func saturated(x, low, high float64, nan int64) int64 {
	switch {
	case x != x:
		return nan
	case x <= low:
		return int64(low)
	case x >= high && high >= 0x1p64:
		return -1
	case x >= high:
		return int64(uint64(high) - 1)
	}
	if x >= 0x1p63 {
		return int64(uint64(x))
	}
	return int64(x)
}

func TestToIntegers(t *testing.T) {
	g := newGPU(t)
	n := len(numbers)
	out := g.alloc(8 * 8 * n)
	g.run(g.function(g.module("compute.ptx"), "to_integers"), n, upload(g, numbers), out, uint32(n))
	got := download[int64](g, out, 8*n)
	for i, x := range numbers {
		f := float64(float32(x))
		want := []int64{saturated(x, -0x1p63, 0x1p63, math.MinInt64), saturated(x, 0, 0x1p64, math.MinInt64), saturated(x, -0x1p31, 0x1p31, 0), saturated(x, 0, 0x1p32, 0),
			saturated(f, -0x1p63, 0x1p63, math.MinInt64), saturated(f, 0, 0x1p64, math.MinInt64), saturated(f, -0x1p31, 0x1p31, 0), saturated(f, 0, 0x1p32, 0)}
		for k, w := range want {
			if k == 2 || k == 3 { // a NaN of float64 gives the top bit also in 32 bits
				if x != x {
					w = int64(math.MinInt32)
				}
				if x != x && k == 3 {
					w = 1 << 31
				}
			}
			assert.Equal(t, w, got[k*n+i], "result %d of %v", k, x)
		}
	}
}

func TestToFloats(t *testing.T) {
	g := newGPU(t)
	n := len(samples)
	out := g.alloc(8 * 9 * n)
	g.run(g.function(g.module("compute.ptx"), "to_floats"), n, upload(g, samples), out, uint32(n))
	got := download[float64](g, out, 9*n)
	for i, x := range samples {
		for k, w := range []float64{float64(x), float64(uint64(x)), float64(float32(x)), float64(float32(uint64(x))), float64(float32(int32(x))),
			float64(float32(uint32(x))), float64(int16(x)), float64(uint8(x)), float64(float32(float64(x)))} {
			assert.Equal(t, w, got[k*n+i], "result %d of %d", k, x)
		}
	}
}

// All float16 numbers are read right; halfway cases, subnormals and overflow
// are written right.
func TestHalves(t *testing.T) {
	g := newGPU(t)
	const n = 1 << 16
	half, wide := make([]uint16, n), make([]float32, n)
	for i := range half {
		half[i] = uint16(i)
	}
	write := map[float32]uint16{0: 0, 1: 0x3c00, -2: 0xc000, 65504: 0x7bff, 65519.996: 0x7bff, 65520: 0x7c00, -1e9: 0xfc00, 0x1p-24: 1, 0x1p-25: 0,
		0x1.000002p-25: 1, 0x1.8p-24: 2, 0x1.ff8p-15: 0x3ff, 0x1.ffcp-15: 0x400, 0x1p-14: 0x400, 1 + 0x1p-11: 0x3c00, 1 + 0x3p-11: 0x3c02, 1 + 0x1.1p-11: 0x3c01, 2047.5 / 1024: 0x4000}
	var from []float32
	for x := range write {
		wide[len(from)] = x
		from = append(from, x)
	}
	wideOut, narrow := g.alloc(4*n), g.alloc(2*n)
	g.run(g.function(g.module("compute.ptx"), "halves"), n, upload(g, half), wideOut, upload(g, wide), narrow, uint32(n))
	gotWide, gotNarrow := download[float32](g, wideOut, n), download[uint16](g, narrow, n)
	for i, x := range from {
		assert.Equal(t, write[x], gotNarrow[i], "%v", x)
	}
	for i, x := range gotWide {
		e, m := i>>10&31, i&1023
		w := math.Ldexp(float64(m), -24)
		switch {
		case e == 31 && m > 0:
			require.NotEqual(t, x, x, "%#x", i)
			continue
		case e == 31:
			w = math.Inf(1)
		case e > 0:
			w = math.Ldexp(float64(1024+m), e-25)
		}
		require.Equal(t, float32(math.Copysign(w, float64(1-i>>15*2))), x, "%#x", i)
	}
}
