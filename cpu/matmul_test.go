package cpu

import (
	"fmt"
	"math"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
)

// naiveProduct returns element (i, j) of A·B in float64 and the sum of the
// magnitudes of its terms, which an error bound is relative to.
func naiveProduct[T float](m *device.MatMul, a, b []T, i, j int) (sum, size float64) {
	for k := range m.K {
		x, y := a[at(i, k, m.LDA, m.TransA)], b[at(k, j, m.LDB, m.TransB)]
		sum += float64(x) * float64(y)
		size += math.Abs(float64(x) * float64(y))
	}
	return sum, size
}

// at returns where element (i, j) of a matrix lies.
func at(i, j, ld int, transposed bool) int {
	if transposed {
		i, j = j, i
	}
	return i*ld + j
}

// problem returns a product of the given sizes with padded rows.
func problem[T float](m, n, k, pad int, transA, transB bool) (*device.MatMul, []T, []T, []T) {
	p := &device.MatMul{DType: dtype.Float32, M: m, N: n, K: k, TransA: transA, TransB: transB, LDA: k + pad, LDB: n + pad, LDC: n + pad}
	if unsafe.Sizeof(T(0)) == 8 {
		p.DType = dtype.Float64
	}
	ra, rb := m, k
	if transA {
		p.LDA, ra = m+pad, k
	}
	if transB {
		p.LDB, rb = k+pad, n
	}
	values := func(n int) []T {
		v := make([]T, n)
		for i, x := range ramp(n) {
			v[i] = T(x)
			if i%5 == 0 {
				v[i] = 0
			}
		}
		return v
	}
	a, b, c := values(ra*p.LDA), values(rb*p.LDB), make([]T, m*p.LDC)
	for i := range c {
		c[i] = T(math.NaN()) // C is overwritten, not added to
	}
	p.A.Buffer, p.B.Buffer, p.C.Buffer = NewBuffer(bytesOf(a)), NewBuffer(bytesOf(b)), NewBuffer(bytesOf(c))
	return p, a, b, c
}

// eachForm calls f for the four combinations of transposed operands.
func eachForm(f func(transA, transB bool)) {
	for form := range 4 {
		f(form&1 != 0, form&2 != 0)
	}
}

func TestMatMulIsWithinTheBound(t *testing.T) {
	checkProducts[float32](t, 0x1p-24)
	checkProducts[float64](t, 0x1p-53)
}

func checkProducts[T float](t *testing.T, unit float64) {
	for _, s := range [][3]int{{1, 1, 1}, {1, 7, 5}, {7, 1, 5}, {3, 4, 1}, {17, 19, 23}, {64, 65, 33}, {130, 131, 70}} {
		for _, pad := range []int{0, 3} {
			eachForm(func(transA, transB bool) {
				m, a, b, c := problem[T](s[0], s[1], s[2], pad, transA, transB)
				require.NoError(t, Default().MatMul(m))
				for i := range m.M {
					for j := range m.N {
						want, size := naiveProduct(m, a, b, i, j)
						if e := math.Abs(float64(c[i*m.LDC+j]) - want); !(e <= float64(m.K+1)*unit*size) {
							t.Fatalf("%v pad %d trans %v %v: (%d, %d) is off by %g", s, pad, transA, transB, i, j, e)
						}
					}
					for _, v := range c[i*m.LDC+m.N : (i+1)*m.LDC] {
						require.True(t, v != v, "wrote between rows")
					}
				}
			})
		}
	}
}

// TestMatMulKeepsNaN plants a value of B that only zeros of A meet.
func TestMatMulKeepsNaN(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for _, size := range []int{5, 140} {
			eachForm(func(transA, transB bool) {
				m, a, b, c := problem[float32](size, size, size, 1, transA, transB)
				clear(a)
				const column = 3
				b[at(2, column, m.LDB, transB)] = float32(bad)
				require.NoError(t, Default().MatMul(m))
				for i := range m.M {
					for j := range m.N {
						v := c[i*m.LDC+j]
						require.Equal(t, j == column, v != v, "%v size %d trans %v %v: (%d, %d) is %v", bad, size, transA, transB, i, j, v)
					}
				}
			})
		}
	}
}

// TestMatMulDoesNotDependOnWhereOperandsLie moves the operands through all
// alignments of a float32: gonum's dot product adds in another order for each.
func TestMatMulDoesNotDependOnWhereOperandsLie(t *testing.T) {
	for _, nonFinite := range []bool{false, true} {
		eachForm(func(transA, transB bool) {
			var want []uint32
			for shift := range 4 {
				m, a, b, c := problem[float32](9, 11, 37, 0, transA, transB)
				if nonFinite {
					b[1] = float32(math.Inf(1))
				}
				m.A, m.B = shifted(a, shift), shifted(b, (shift+1)%4)
				require.NoError(t, Default().MatMul(m))
				got := make([]uint32, len(c))
				for i, v := range c {
					got[i] = math.Float32bits(v)
				}
				if want == nil {
					want = got
				}
				require.Equal(t, want, got, "trans %v %v, shift %d", transA, transB, shift)
			}
		})
	}
}

// shifted is a copy of v that begins by elements behind an aligned address.
func shifted(v []float32, by int) device.Operand {
	mem := alignedBytes(4 * (len(v) + by))
	copy(mem[4*by:], bytesOf(v))
	return device.Operand{Buffer: NewBuffer(mem), Offset: int64(4 * by)}
}

func TestMatMulHasTheSameBitsOnAnyNumberOfProcessors(t *testing.T) {
	var want []float32
	atProcs(t, func(t *testing.T) {
		m, _, _, c := problem[float32](150, 140, 90, 0, false, true)
		require.NoError(t, Default().MatMul(m))
		if want == nil {
			want = c
		}
		require.Equal(t, want, c)
	})
}

func TestMatMulBroadcastsBatches(t *testing.T) {
	const m, n, k = 9, 8, 7
	atProcs(t, func(t *testing.T) {
		a, b, c := ramp(3*m*k), ramp(40*k*n), make([]float32, 3*40*m*n)
		b[5*k*n] = float32(math.NaN()) // in one matrix of the batch only
		mm := &device.MatMul{DType: dtype.Float32, M: m, N: n, K: k, LDA: k, LDB: n, LDC: n,
			A: device.Operand{Buffer: NewBuffer(bytesOf(a))}, B: device.Operand{Buffer: NewBuffer(bytesOf(b))}, C: device.Operand{Buffer: NewBuffer(bytesOf(c))},
			Batch: []int{3, 40}, BatchA: []int{m * k, 0}, BatchB: []int{0, k * n}, BatchC: []int{40 * m * n, m * n}}
		require.NoError(t, Default().MatMul(mm))
		for i := range 3 {
			for j := range 40 {
				for e := range m * n {
					want, size := naiveProduct(mm, a[i*m*k:], b[j*k*n:], e/n, e%n)
					got := float64(c[(i*40+j)*m*n+e])
					ok := math.Abs(got-want) <= 1e-6*size || want != want && got != got
					require.True(t, ok, "batch (%d, %d) element %d: %v, want %v", i, j, e, got, want)
				}
			}
		}
	})
}

func TestMatMulOfNothing(t *testing.T) {
	m, _, _, c := problem[float32](3, 4, 0, 2, false, false)
	require.NoError(t, Default().MatMul(m))
	for i, v := range c {
		if i%6 < 4 {
			require.Zero(t, v, "no products sum to zero")
		} else {
			require.True(t, v != v, "wrote between rows")
		}
	}
	for _, s := range [][2]int{{0, 4}, {3, 0}} {
		m, _, _, _ := problem[float32](s[0], s[1], 5, 0, false, false)
		require.NoError(t, Default().MatMul(m))
	}
}

func TestMatMulErrors(t *testing.T) {
	for _, c := range []struct {
		name string
		edit func(m *device.MatMul)
		is   error
	}{
		{"no_dtype", func(m *device.MatMul) { m.DType = dtype.Invalid }, device.ErrUnsupported},
		{"freed", func(m *device.MatMul) { m.B.Buffer.Free() }, device.ErrFreed},
		{"beyond_the_buffer", func(m *device.MatMul) { m.A.Offset = 8 }, nil},
		{"batch_beyond_the_buffer", func(m *device.MatMul) {
			m.Batch, m.BatchA, m.BatchB, m.BatchC = []int{2}, []int{0}, []int{0}, []int{20}
		}, nil},
		{"rows_of_c_overlap", func(m *device.MatMul) { m.LDC = 2 }, nil},
	} {
		m, _, _, out := problem[float32](4, 5, 6, 0, false, false)
		c.edit(m)
		err := Default().MatMul(m)
		var e *device.Error
		require.ErrorAs(t, err, &e, c.name)
		if c.is != nil {
			require.ErrorIs(t, err, c.is, c.name)
		}
		for _, v := range out {
			require.True(t, v != v, "%s wrote: %s", c.name, fmt.Sprint(err))
		}
	}
}
