package cpu

import (
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
)

// Float32 is summed in float64: every result is the exact sum, rounded, to
// within half a unit in the last place and a little.
func TestScanOfFloat32Bound(t *testing.T) {
	const n = 200_000
	rng := rand.New(rand.NewPCG(3, 4))
	in, out := make([]float32, n), make([]float32, n)
	for i := range in {
		in[i] = float32(rng.NormFloat64()) + 0.1
	}
	s := &device.Scan{Op: device.ScanSum, DType: dtype.Float32, N: n, In: strode(in, 1), Out: strode(out, 1)}
	if err := Default().Scan(s); err != nil {
		t.Fatal(err)
	}
	sum, carry, magnitude := 0.0, 0.0, 0.0 // with the rounding errors of the additions, exactly (Knuth's TwoSum)
	for i, v := range in {
		x := float64(v)
		next := sum + x
		part := next - sum
		carry += (sum - (next - part)) + (x - part)
		sum, magnitude = next, magnitude+math.Abs(x)
		bound := math.Abs(sum)*0x1p-24 + float64(i+1)*0x1p-53*magnitude + 0x1p-149
		if off := math.Abs(float64(out[i]) - (sum + carry)); off > bound {
			t.Fatalf("element %d is %v, off by %g, bound %g", i, out[i], off, bound)
		}
	}
}

func TestScanDoesNotDependOnGOMAXPROCS(t *testing.T) {
	const rows, n = 300, 1000
	in := make([]float64, rows*n)
	rng := rand.New(rand.NewPCG(5, 6))
	for i := range in {
		in[i] = rng.NormFloat64()
	}
	for name, strides := range map[string][2]int{"along rows": {n, 1}, "along columns": {1, rows}} {
		var first []float64
		for _, procs := range []int{1, 2, 7} {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
			out := make([]float64, rows*n)
			s := &device.Scan{Op: device.ScanSum, DType: dtype.Float64, Lines: []int{rows}, N: n,
				In: strode(in, strides[0], strides[1]), Out: strode(out, strides[0], strides[1])}
			if err := Default().Scan(s); err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = out
			}
			if !slices.Equal(first, out) {
				t.Errorf("%s: GOMAXPROCS %d gives other bits", name, procs)
			}
		}
	}
}

func TestScanRefuses(t *testing.T) {
	scan := func(op device.ScanOp, d dtype.DType, n int) error {
		return Default().Scan(&device.Scan{Op: op, DType: d, N: n, In: strode(make([]uint64, 4), 1), Out: strode(make([]uint64, 4), 1)})
	}
	for _, d := range []dtype.DType{dtype.Bool, dtype.Float16, dtype.BFloat16, dtype.Invalid} {
		if err := scan(device.ScanSum, d, 4); !errors.Is(err, device.ErrUnsupported) {
			t.Errorf("running sum of %v: %v", d, err)
		}
	}
	if err := scan(device.ScanMax+1, dtype.Int64, 4); !errors.Is(err, device.ErrUnsupported) {
		t.Errorf("an unknown operation: %v", err)
	}
	if err := scan(device.ScanSum, dtype.Int64, 5); err == nil {
		t.Error("beyond the buffer: no error")
	}
	if err := scan(device.ScanSum, dtype.Int64, 4); err != nil {
		t.Error(err)
	}
}

// Every way to sort gives the same order: by comparison, by radix, by heap.
func TestSortsAgree(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, n := range []int{0, 1, 2, 3, 31, radixFrom - 1, radixFrom, radixFrom + 1, 3000} {
		for _, spread := range []uint64{1, 3, 200, 1 << 40, math.MaxUint64} {
			list := make([]ranked[uint64], n)
			for i := range list {
				list[i] = ranked[uint64]{rng.Uint64N(spread), uint32(i)}
			}
			want := slices.Clone(list)
			slices.SortStableFunc(want, func(a, b ranked[uint64]) int {
				return compareRanked(ranked[uint64]{key: a.key}, ranked[uint64]{key: b.key})
			})
			room := make([]ranked[uint64], n)
			if got := sortRanked(slices.Clone(list), room, 8); !slices.Equal(got, want) {
				t.Errorf("n=%d, keys below %d: sortRanked", n, spread)
			}
			if n > 0 {
				if got := radixSort(slices.Clone(list), room, 8); !slices.Equal(got, want) {
					t.Errorf("n=%d, keys below %d: radixSort", n, spread)
				}
			}
			for _, k := range []int{1, 2, 7, n / 2, n} {
				if k = min(k, n); k == 0 {
					continue
				}
				heap := make([]ranked[uint64], k)
				least(heap, n, func(pos int) uint64 { return list[pos].key })
				if !slices.Equal(heap, want[:k]) {
					t.Errorf("n=%d, keys below %d: the least %d", n, spread, k)
				}
			}
		}
	}
}

func TestSortRefuses(t *testing.T) {
	sort := func(n, k int, d dtype.DType) error {
		return Default().Sort(&device.Sort{DType: d, N: n, K: k, In: strode(make([]float32, 9), 1), Values: strode(make([]float32, 9), 1)})
	}
	if err := sort(9, 9, dtype.Float32); err != nil {
		t.Error(err)
	}
	for name, err := range map[string]error{"beyond the input": sort(10, 2, dtype.Float32), "more than there are": sort(3, 4, dtype.Float32),
		"negative": sort(3, -1, dtype.Float32), "no dtype": sort(3, 3, dtype.Invalid)} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// Working memory counts against the limit, and nothing is written without it.
func TestSortOutOfMemory(t *testing.T) {
	d := Default()
	defer d.SetLimit(0)
	const n = 1 << 20
	in, out := make([]float32, n), slices.Repeat([]float32{7}, n)
	d.pool.Trim()
	if err := d.SetLimit(d.pool.Live() + n); err != nil {
		t.Fatal(err)
	}
	err := d.Sort(&device.Sort{DType: dtype.Float32, N: n, K: n, In: strode(in, 1), Values: strode(out, 1)})
	if !errors.Is(err, device.ErrOutOfMemory) || out[0] != 7 || out[n-1] != 7 {
		t.Errorf("got %v, first and last %v %v", err, out[0], out[n-1])
	}
}
