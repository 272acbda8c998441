package dtype_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/stride0/stride0/dtype"
)

// half is one of the types of 16 bits, with the functions under test.
type half struct {
	name     string
	round    func(x float64) uint16
	value    func(p uint16) float64
	infinity uint16 // the pattern
}

var halves = []half{
	{"float16", func(x float64) uint16 { return uint16(dtype.NewF16(x)) },
		func(p uint16) float64 { return float64(dtype.F16(p).Float32()) }, 0x7c00},
	{"bfloat16", func(x float64) uint16 { return uint16(dtype.NewBF16(x)) },
		func(p uint16) float64 { return float64(dtype.BF16(p).Float32()) }, 0x7f80},
}

// TestHalfRoundTrip passes every pattern through its value.
func TestHalfRoundTrip(t *testing.T) {
	for _, h := range halves {
		for p := range 1 << 16 {
			p := uint16(p)
			x := h.value(p)
			if p&0x7fff > h.infinity {
				require.True(t, math.IsNaN(x), "%s %#04x", h.name, p)
				require.Greater(t, h.round(x)&0x7fff, h.infinity, "%s %#04x: a NaN stays one", h.name, p)
				continue
			}
			require.Equal(t, p, h.round(x), "%s %#04x is %v", h.name, p, x)
		}
	}
}

// TestHalfRounding looks at the midpoint of every two neighbours, and beside
// it: between these three nothing can change the result.
func TestHalfRounding(t *testing.T) {
	for _, h := range halves {
		for p := range h.infinity {
			low, high := h.value(p), h.value(p+1)
			if p+1 == h.infinity {
				high = 2*low - h.value(p-1)
			}
			middle := (low + high) / 2
			require.Less(t, low, middle, "%s: the values ascend at %#04x", h.name, p)
			require.Equal(t, p+p&1, h.round(middle), "%s: the tie above %v", h.name, low)
			require.Equal(t, p, h.round(math.Nextafter(middle, 0)), "%s: below the tie above %v", h.name, low)
			require.Equal(t, p+1, h.round(math.Nextafter(middle, 1e300)), "%s: above the tie above %v", h.name, low)
			require.Equal(t, (p+p&1)|0x8000, h.round(-middle), "%s: the tie below %v", h.name, -low)
		}
	}
}

func TestHalfKnownValues(t *testing.T) {
	for _, tt := range []struct {
		name   string
		x      float64
		h, b   uint16
		hs, bs string
	}{
		{"one", 1, 0x3c00, 0x3f80, "1", "1"},
		{"-0", math.Copysign(0, -1), 0x8000, 0x8000, "-0", "-0"},
		{"0.1", 0.1, 0x2e66, 0x3dcd, "0.1", "0.1"},
		{"the greatest float16", 65504, 0x7bff, 0x4780, "65500", "65500"},
		{"just below float16's infinity", 65519, 0x7bff, 0x4780, "65500", "65500"},
		{"float16's infinity", 65520, 0x7c00, 0x4780, "+Inf", "65500"},
		{"the least float16", 0x1p-24, 0x0001, 0x3380, "6e-08", "5.96e-08"},
		{"half the least float16 is a tie to 0", 0x1p-25, 0x0000, 0x3300, "0", "2.98e-08"},
		{"rounded once, not through float32", 1 + 0x1p-11 + 0x1p-40, 0x3c01, 0x3f80, "1.001", "1"},
		{"257 ties down in bfloat16", 257, 0x5c04, 0x4380, "257", "256"},
		{"259 ties up in bfloat16", 259, 0x5c0c, 0x4382, "259", "260"},
		{"a bfloat16 subnormal", 9.18e-41, 0, 0x0001, "0", "9e-41"},
		{"below bfloat16's infinity", 3.3961775e38 * (1 - 1e-6), 0x7c00, 0x7f7f, "+Inf", "3.39e+38"},
		{"bfloat16's infinity", 3.3961776e38, 0x7c00, 0x7f80, "+Inf", "+Inf"},
		{"a float64 beyond both", 1e300, 0x7c00, 0x7f80, "+Inf", "+Inf"},
		{"-Inf", math.Inf(-1), 0xfc00, 0xff80, "-Inf", "-Inf"},
	} {
		assert.Equal(t, tt.h, uint16(dtype.NewF16(tt.x)), tt.name)
		assert.Equal(t, tt.b, uint16(dtype.NewBF16(tt.x)), tt.name)
		assert.Equal(t, tt.hs, dtype.NewF16(tt.x).String(), tt.name)
		assert.Equal(t, tt.bs, dtype.NewBF16(tt.x).String(), tt.name)
	}
	assert.Equal(t, "NaN", dtype.NewF16(math.NaN()).String())
}

// TestHalfStringsRoundTrip reads every text back.
func TestHalfStringsRoundTrip(t *testing.T) {
	for _, h := range halves {
		for p := range h.infinity {
			text := dtype.F16(p).String()
			if h.name == "bfloat16" {
				text = dtype.BF16(p).String()
			}
			x, _, err := big.ParseFloat(text, 10, 200, big.ToNearestEven)
			require.NoError(t, err)
			f, _ := x.Float64()
			require.Equal(t, p, h.round(f), "%s %s", h.name, text)
		}
	}
}

// TestHalfFromIntegers rounds integers once: 2^62 + 2^54 + 1 is just above a
// tie of bfloat16 that float64 would land on.
func TestHalfFromIntegers(t *testing.T) {
	for _, v := range []int64{1<<62 + 1<<54 + 1, 1<<62 + 1<<54, 1<<62 + 1<<54 - 1, 1<<62 + 3<<54 + 1, 1<<62 + 3<<54 - 1, math.MaxInt64, 65519, 65520, 1 << 53} {
		for _, n := range []int64{v, -v} {
			exact := new(big.Float).SetInt64(n)
			for _, tt := range []struct {
				d dtype.DType
				h half
			}{{dtype.Float16, halves[0]}, {dtype.BFloat16, halves[1]}} {
				got, err := dtype.IntNumber(n).Bits(tt.d)
				require.NoError(t, err)
				assert.Equal(t, nearest(tt.h, exact), uint16(got), "%d as %v", n, tt.d)
			}
		}
	}
	got, err := dtype.UintNumber(math.MaxUint64).Bits(dtype.BFloat16)
	require.NoError(t, err)
	assert.Equal(t, uint64(0x5f80), got)
}

// nearest searches for the pattern nearest to x, the even one of two.
func nearest(h half, x *big.Float) uint16 {
	sign, a := uint16(0), new(big.Float).Abs(x)
	if x.Signbit() {
		sign = 0x8000
	}
	best, off := uint16(0), new(big.Float).SetInf(false)
	for p := range h.infinity + 1 {
		v := h.value(p)
		if p == h.infinity {
			v = 2*h.value(p-1) - h.value(p-2)
		}
		d := new(big.Float).SetPrec(200).Sub(big.NewFloat(v), a)
		if c := d.Abs(d).Cmp(off); c < 0 || c == 0 && p&1 == 0 {
			best, off = p, d
		}
	}
	return sign | best
}
