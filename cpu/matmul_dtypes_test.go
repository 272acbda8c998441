package cpu

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
)

// sizesOfProducts stress the edges of tiles and of the steps of four.
var sizesOfProducts = [][3]int{{1, 1, 1}, {1, 7, 5}, {7, 1, 3}, {3, 5, 4}, {16, 9, 8}, {17, 19, 23}, {5, 1030, 6}, {33, 3, 130}, {300, 70, 9}}

// exactProduct multiplies random cells of a dtype in every form and compares
// with sum, the product of one element. C must be overwritten, and only that.
func exactProduct[T cell](t *testing.T, d dtype.DType, random func(*rand.Rand) T, sum func(a, b []T) T) {
	t.Helper()
	for _, s := range sizesOfProducts {
		for _, pad := range []int{0, 3} {
			eachForm(func(transA, transB bool) {
				rng := rand.New(rand.NewPCG(uint64(s[0]), uint64(pad)))
				m, _, _, _ := problem[float64](s[0], s[1], s[2], pad, transA, transB)
				m.DType = d
				fill := func(o *device.Operand) []T {
					v := make([]T, len(o.Buffer.(*Buffer).data)/8)
					for i := range v {
						v[i] = random(rng)
					}
					o.Buffer = NewBuffer(bytesOf(v))
					return v
				}
				a, b, c := fill(&m.A), fill(&m.B), fill(&m.C)
				before := append([]T(nil), c...)
				require.NoError(t, Default().MatMul(m))
				x, y := make([]T, m.K), make([]T, m.K)
				for i := range m.M {
					for j := range m.N {
						for k := range m.K {
							x[k], y[k] = a[at(i, k, m.LDA, transA)], b[at(k, j, m.LDB, transB)]
						}
						require.Equal(t, sum(x, y), c[i*m.LDC+j], "%v %v pad %d trans %v %v: (%d, %d)", d, s, pad, transA, transB, i, j)
					}
					require.Equal(t, before[i*m.LDC+m.N:(i+1)*m.LDC], c[i*m.LDC+m.N:(i+1)*m.LDC], "wrote between rows")
				}
			})
		}
	}
}

func wrapping[T integer](t *testing.T, types ...dtype.DType) {
	for _, d := range types {
		exactProduct(t, d, func(r *rand.Rand) T { return T(r.Uint64()) }, func(a, b []T) (sum T) {
			for k := range a {
				sum += a[k] * b[k]
			}
			return sum
		})
	}
}

func TestIntegerProductsWrap(t *testing.T) {
	wrapping[uint8](t, dtype.Uint8, dtype.Int8)
	wrapping[uint16](t, dtype.Uint16, dtype.Int16)
	wrapping[uint32](t, dtype.Uint32, dtype.Int32)
	wrapping[uint64](t, dtype.Uint64, dtype.Int64)
}

func TestBoolProductsAreOrOfAnd(t *testing.T) {
	exactProduct(t, dtype.Bool, func(r *rand.Rand) uint8 { return uint8(r.IntN(4) / 3) }, func(a, b []uint8) (sum uint8) {
		for k := range a {
			sum |= a[k] & b[k]
		}
		return sum
	})
}

// The elements are small integers over 4, whose sums float32 holds: so that the
// only rounding is the last one.
func TestHalfProductsRoundOnce(t *testing.T) {
	numbers := func(round func(float64) uint16) func(r *rand.Rand) uint16 {
		return func(r *rand.Rand) uint16 { return round(float64(r.IntN(255)-127) / 4) }
	}
	of := func(round func(float64) uint16, value func(uint16) float32) func(a, b []uint16) uint16 {
		return func(a, b []uint16) uint16 {
			sum := 0.0
			for k := range a {
				sum += float64(value(a[k])) * float64(value(b[k]))
			}
			return round(sum)
		}
	}
	f16 := func(x float64) uint16 { return uint16(dtype.NewF16(x)) }
	bf16 := func(x float64) uint16 { return uint16(dtype.NewBF16(x)) }
	exactProduct(t, dtype.Float16, numbers(f16), of(f16, func(h uint16) float32 { return dtype.F16(h).Float32() }))
	exactProduct(t, dtype.BFloat16, numbers(bf16), of(bf16, func(h uint16) float32 { return dtype.BF16(h).Float32() }))
}

// All 65,536 halves become float32 and come back; so do the numbers next to
// the middle between two of them, and other float32.
func TestHalfConversions(t *testing.T) {
	numbers := []float32{float32(math.NaN()), math.Float32frombits(0x7f800001)} // a NaN with a low fraction stays one
	halves := make([]uint16, 1<<16)
	for i := range halves {
		halves[i] = uint16(i)
	}
	for _, d := range []dtype.DType{dtype.Float16, dtype.BFloat16} {
		wide := make([]float32, len(halves))
		halfType(d).widen(wide, halves)
		for i, got := range wide {
			want := float32(d.FloatOf(uint64(i)))
			require.True(t, got == want && math.Signbit(float64(got)) == math.Signbit(float64(want)) || got != got && want != want,
				"%v %#x is %v, want %v", d, i, got, want)
			for _, low := range []uint32{0, 1, 0xfff, 0x1000, 0x1001, 0x1fff, 0x7fff, 0x8000, 0x8001, 0xffff} {
				numbers = append(numbers, math.Float32frombits(math.Float32bits(got)|low))
			}
		}
	}
	for i := uint32(0); i < 1<<32-16411; i += 16411 {
		numbers = append(numbers, math.Float32frombits(i))
	}
	for _, d := range []dtype.DType{dtype.Float16, dtype.BFloat16} {
		narrow := make([]uint16, len(numbers))
		halfType(d).narrow(narrow, numbers)
		for i, got := range narrow {
			if x := float64(numbers[i]); x != x {
				require.True(t, math.IsNaN(d.FloatOf(uint64(got))), "%v of NaN is %#x", d, got)
			} else {
				require.Equal(t, d.PatternOf(x), uint64(got), "%v of %v", d, x)
			}
		}
	}
}

func TestHalvesKeepNaN(t *testing.T) {
	for _, d := range []dtype.DType{dtype.Float16, dtype.BFloat16} {
		infinite := uint16(dtype.NewBF16(math.Inf(1)))
		if d == dtype.Float16 {
			infinite = uint16(dtype.NewF16(math.Inf(1)))
		}
		a, b, c := []uint16{0, 0}, []uint16{infinite, 0x3c00}, []uint16{0}
		m := &device.MatMul{DType: d, M: 1, N: 1, K: 2, LDA: 2, LDB: 1, LDC: 1}
		m.A.Buffer, m.B.Buffer, m.C.Buffer = NewBuffer(bytesOf(a)), NewBuffer(bytesOf(b)), NewBuffer(bytesOf(c))
		require.NoError(t, Default().MatMul(m))
		require.True(t, c[0]&0x7fff > infinite, "%v: 0·Inf is %#x", d, c[0])
	}
}

// Many small products and few large ones are shared among goroutines by
// different rules.
func TestProductsOfAnyDTypeBroadcastBatches(t *testing.T) {
	atProcs(t, func(t *testing.T) {
		for _, n := range []int{3, 70} {
			a, b, c := make([]int32, 30*n*n), make([]int32, n*n), make([]int32, 30*n*n)
			for i := range a {
				a[i] = int32(uint32(i)*2654435761 + 7)
			}
			for i := range b {
				b[i] = int32(i * 40503)
			}
			m := &device.MatMul{DType: dtype.Int32, M: n, N: n, K: n, LDA: n, LDB: n, LDC: n, Batch: []int{30}, BatchA: []int{n * n}, BatchB: []int{0}, BatchC: []int{n * n}}
			m.A.Buffer, m.B.Buffer, m.C.Buffer = NewBuffer(bytesOf(a)), NewBuffer(bytesOf(b)), NewBuffer(bytesOf(c))
			require.NoError(t, Default().MatMul(m))
			for i, got := range c {
				var want int32
				for k := range n {
					want += a[i/n*n+k] * b[k*n+i%n]
				}
				require.Equal(t, want, got, "element %d of %d matrices of %d", i, 30, n)
			}
		}
	})
}

// Short rows by columns do not go through BLAS: sizes around the border, with
// NaN and Inf.
func TestShortDots(t *testing.T) {
	for _, k := range []int{1, 2, 31, 32, 33} {
		const count = 300
		a, b, c := ramp(count*k), ramp(count*k), make([]float32, count)
		a[0], b[0] = 0, float32(math.Inf(1))
		m := &device.MatMul{DType: dtype.Float32, M: 1, N: 1, K: k, LDA: k, LDB: k, LDC: 1, TransB: true,
			Batch: []int{count}, BatchA: []int{k}, BatchB: []int{k}, BatchC: []int{1}}
		m.A.Buffer, m.B.Buffer, m.C.Buffer = NewBuffer(bytesOf(a)), NewBuffer(bytesOf(b)), NewBuffer(bytesOf(c))
		require.NoError(t, Default().MatMul(m))
		require.True(t, c[0] != c[0], "0·Inf is %v", c[0])
		for i := 1; i < count; i++ {
			want, size := naiveProduct(m, a[i*k:], b[i*k:], 0, 0)
			require.LessOrEqual(t, math.Abs(float64(c[i])-want), float64(k+1)*0x1p-24*size, "K = %d, %d", k, i)
		}
	}
}
