package kernels

import (
	"fmt"
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stride0/stride0/dtype"
)

// TestCastAllPairs compares every pair of types with big arithmetic.
func TestCastAllPairs(t *testing.T) {
	for from := dtype.Bool; int(from) < dtype.Count; from++ {
		for to := dtype.Bool; int(to) < dtype.Count; to++ {
			t.Run(from.String()+"/"+to.String(), func(t *testing.T) {
				body, err := RowBody(Cast, []dtype.DType{from}, to)
				require.NoError(t, err)
				samples := specials(from)
				if from.IsFloat() {
					samples = append(samples, exponents(from, 3)...)
					samples = append(samples, around(from, 3, 0x1p7, 0x1p8, 0x1p15, 0x1p24, 0x1p31, 0x1p32, 0x1p63, 0x1p64, 128.5, 255.5, 0x1p-14, 0x1p-24, 0x1p-25, 65520, 0x1p-126, 0x1p-133, 1+0x1p-11, 1+0x1p-8)...)
				}
				for _, x := range samples {
					if got, want := body.Eval([]uint64{x})[0], refCast(from, to, x); !sameValue(to, got, want) {
						t.Fatalf("%#x becomes %#x, want %#x", x, got, want)
					}
				}
			})
		}
	}
}

// refCast is the conversion in big integers and floats.
func refCast(from, to dtype.DType, x uint64) uint64 {
	if from.IsFloat() {
		return refCastFloat(to, floatOf(from, x))
	}
	i := new(big.Int).SetUint64(x)
	if from.Kind() == dtype.IntKind {
		i.SetInt64(signed(from, x))
	}
	switch to {
	case dtype.Bool:
		return truth(i.Sign() != 0)
	case dtype.Float16, dtype.BFloat16:
		n := dtype.UintNumber(x)
		if from.Kind() == dtype.IntKind {
			n = dtype.IntNumber(i.Int64())
		}
		bits, _ := n.Bits(to)
		return bits
	case dtype.Float32:
		f, _ := new(big.Float).SetInt(i).Float32()
		return uint64(math.Float32bits(f))
	case dtype.Float64:
		f, _ := new(big.Float).SetInt(i).Float64()
		return math.Float64bits(f)
	}
	_, mask := limits(map[int]dtype.DType{1: dtype.Uint8, 2: dtype.Uint16, 4: dtype.Uint32, 8: dtype.Uint64}[to.Size()])
	return i.And(i, mask).Uint64()
}

func refCastFloat(to dtype.DType, v float64) uint64 {
	switch {
	case to == dtype.Bool:
		return truth(v != 0)
	case to.IsHalf():
		return patternOfFloat(to, v)
	case to == dtype.Float64:
		return math.Float64bits(v)
	case to == dtype.Float32 && (math.IsNaN(v) || math.IsInf(v, 0)):
		return uint64(math.Float32bits(float32(v)))
	case to == dtype.Float32:
		f, _ := big.NewFloat(v).Float32()
		return uint64(math.Float32bits(f))
	case math.IsNaN(v):
		return 0
	}
	lo, hi := limits(to)
	i, _ := big.NewFloat(max(min(v, 0x1p70), -0x1p70)).Int(nil)
	if i.Cmp(lo) < 0 {
		i = lo
	}
	if i.Cmp(hi) > 0 {
		i = hi
	}
	if to.Kind() == dtype.UintKind {
		return i.Uint64()
	}
	return wrap(to, uint64(i.Int64()))
}

// sameValue compares patterns, any NaN being equal to any other.
func sameValue(d dtype.DType, a, b uint64) bool {
	if d.IsFloat() && floatOf(d, a) != floatOf(d, a) {
		return floatOf(d, b) != floatOf(d, b)
	}
	return a == b
}

func ExampleBody_Eval() {
	body, err := RowBody(Cast, []dtype.DType{dtype.Float32}, dtype.Uint8)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, x := range []float32{2.9, -1, 300} {
		fmt.Print(body.Eval([]uint64{uint64(math.Float32bits(x))})[0], " ")
	}
	// Output: 2 0 255
}
