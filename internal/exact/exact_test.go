package exact_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stride0/stride0/internal/exact"
)

// patterns are float32 that stress rounding: zeros, ones, the ends of the
// normal and subnormal ranges, long runs of ones, infinities and NaN.
var patterns = []uint32{
	0, 1, 2, 3, 0x007fffff, 0x00800000, 0x00800001, 0x00ffffff, 0x01000000, 0x1a000000, 0x1affffff,
	0x33800000, 0x33ffffff, 0x34000000, 0x34000001, 0x3f000000, 0x3f7fffff, 0x3f800000, 0x3f800001,
	0x3fffffff, 0x40000000, 0x4b000000, 0x4b7fffff, 0x4b800000, 0x5f000000, 0x7e800000, 0x7f000000,
	0x7f7ffffe, 0x7f7fffff, 0x7f800000, 0x7fc00000,
}

// wantFMA is a*b + c in big arithmetic, or by float64 where an operand is not
// finite, which decides infinities and NaN alike.
func wantFMA(a, b, c float32) float32 {
	fast := float64(a)*float64(b) + float64(c)
	if math.IsNaN(fast) || math.IsInf(fast, 0) || fast == 0 {
		return float32(fast)
	}
	sum := new(big.Float).SetPrec(2000)
	sum.Mul(big.NewFloat(float64(a)), big.NewFloat(float64(b)))
	sum.Add(sum, new(big.Float).SetFloat64(float64(c)))
	f, _ := sum.Float32()
	return f
}

func checkFMA(t *testing.T, a, b, c float32) {
	t.Helper()
	got, want := exact.FMA32(a, b, c), wantFMA(a, b, c)
	if math.Float32bits(got) != math.Float32bits(want) && !(got != got && want != want) {
		t.Fatalf("FMA32(%x, %x, %x) = %x, want %x", a, b, c, got, want)
	}
}

func TestFMA32Patterns(t *testing.T) {
	var xs []float32
	for _, p := range patterns {
		xs = append(xs, math.Float32frombits(p), math.Float32frombits(p|1<<31))
	}
	for _, a := range xs {
		for _, b := range xs {
			for _, c := range xs {
				checkFMA(t, a, b, c)
			}
		}
	}
}

// TestFMA32Midpoints takes addends far below the product, which decide on
// which side of a midpoint the sum lies, or none at all.
func TestFMA32Midpoints(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 100_000 {
		a := math.Float32frombits(rng.Uint32()&0x007fffff | uint32(rng.IntN(200)+20)<<23)
		b := math.Float32frombits(0x3f800000 | 1<<rng.IntN(23)) // few bits: products on midpoints
		if rng.IntN(2) == 0 {
			a = math.Float32frombits(math.Float32bits(a) &^ 0xfff)
		}
		c := float32(math.Ldexp(float64(a)*float64(rng.IntN(5)-2), -rng.IntN(90)))
		checkFMA(t, a, b, c)
	}
}

// TestFMA32Subnormal takes results whose last place is above the last place
// of a normal float32 of that exponent.
func TestFMA32Subnormal(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 100_000 {
		a := math.Float32frombits(rng.Uint32()&0x807fffff | uint32(rng.IntN(60)+10)<<23)
		b := math.Float32frombits(rng.Uint32()&0x807fffff | uint32(rng.IntN(60)+10)<<23)
		c := math.Float32frombits(rng.Uint32() & 0x81ffffff >> rng.IntN(25))
		checkFMA(t, a, b, c)
	}
}

func FuzzFMA32(f *testing.F) {
	f.Add(uint32(0x3f800001), uint32(0x3f800001), uint32(0x80000001))
	f.Fuzz(func(t *testing.T, a, b, c uint32) {
		checkFMA(t, math.Float32frombits(a), math.Float32frombits(b), math.Float32frombits(c))
	})
}

func TestFloat32FromInteger(t *testing.T) {
	xs := []uint64{87249655955456, 0, 1, 1<<24 + 1, 1<<24 + 3, 1<<53 - 1, 1 << 53, 1<<53 + 1, 1<<63 - 1, 1 << 63, 1<<63 + 1, math.MaxUint64}
	for shift := 1; shift < 40; shift++ { // round each midpoint between two float32
		for _, m := range []uint64{1 << 23, 1<<23 + 1, 1<<24 - 2, 1<<24 - 1} {
			mid := m<<shift + 1<<(shift-1)
			xs = append(xs, mid-1, mid, mid+1)
		}
	}
	for _, x := range xs {
		if want, _ := new(big.Float).SetUint64(x).Float32(); exact.Float32FromUint64(x) != want {
			t.Errorf("uint64 %d: %v, want %v", x, exact.Float32FromUint64(x), want)
		}
		for _, i := range []int64{int64(x), -int64(x)} {
			if want, _ := new(big.Float).SetInt64(i).Float32(); exact.Float32FromInt64(i) != want {
				t.Errorf("int64 %d: %v, want %v", i, exact.Float32FromInt64(i), want)
			}
		}
	}
}

func ExampleFMA32() {
	x := float32(1 + 0x1p-12)
	fmt.Println(exact.FMA32(x, x, -1), float32(x*x)-1) // the product loses its last bit
	// Output: 0.00048834085 0.00048828125
}

func BenchmarkFMA32(b *testing.B) {
	var y float32
	for b.Loop() {
		y = exact.FMA32(y, 0.3, 0.7)
	}
}
