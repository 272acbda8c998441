package cpu

import (
	"bytes"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// eachStreamer calls f for the streamer of every usable instruction set.
func eachStreamer(t *testing.T, f func(t *testing.T, s streamer)) {
	for _, set := range vectorSets {
		if set.usable && set.past.copy != nil {
			t.Run(set.name, func(t *testing.T) { f(t, set.past) })
		}
	}
}

func TestStreamCopiesWhatItIsToldAndNoMore(t *testing.T) {
	eachStreamer(t, func(t *testing.T, s streamer) {
		src, dst := alignedBytes(1024), alignedBytes(1024)
		r := rand.New(rand.NewPCG(1, 2))
		for i := range src {
			src[i] = byte(r.Uint32())
		}
		want := make([]byte, len(dst))
		for n := range 300 {
			for to := range 70 {
				from := (3*to + n) % 40
				for i := range dst {
					dst[i], want[i] = 0xa5, 0xa5
				}
				copy(want[64+to:], src[from:from+n])
				s.copy(n, &[4]unsafe.Pointer{unsafe.Pointer(&dst[64+to]), unsafe.Pointer(&src[from])})
				s.fence(0, nil)
				if !bytes.Equal(dst, want) {
					t.Fatalf("%d bytes from offset %d to %d", n, from, to)
				}
			}
		}
	})
}

// allPast has every launch write past the cache while t runs, as far as the
// instruction set in use can.
func allPast(t *testing.T) {
	was := streamBytes
	streamBytes = func() int64 { return -1 }
	t.Cleanup(func() { streamBytes = was })
}

// TestLaunchesPastTheCache repeats tests of launches whose results usually are
// too small for it.
func TestLaunchesPastTheCache(t *testing.T) {
	allPast(t)
	for name, test := range map[string]func(*testing.T){
		"layouts": TestSubOverEveryPairOfLayouts, "processors": TestSubHasTheSameBitsOnAnyNumberOfProcessors, "rows": TestRowsOfEveryKind,
		"chain": TestChainInPlace, "where": TestWhereSpreadsScalars, "index": TestIndexAlongEveryAxis, "fill": TestFillFromScalarsAlone,
		"sizes": TestEverySizeToBlockBoundaries, "halves": TestRowsOfHalvesAreTheirSteps, "rows_in_place": TestRowsInPlace,
	} {
		t.Run(name, test)
	}
}

func TestWhatIsWrittenPastTheCache(t *testing.T) {
	if past.copy == nil {
		t.Skip("no instruction set with such stores is in use")
	}
	was := streamBytes
	defer func() { streamBytes = was }()
	const n = 6000
	x, y, out := rowMajor(ramp(n), n), rowMajor(ramp(n), n), rowMajor(make([]float32, n), n)
	row := over(t, ramp(60), broadcast.Shape{100, 60}, []int{0, 1}, 0)
	for _, c := range []struct {
		name  string
		space broadcast.Shape
		in    []view
		out   view
		limit int64
		want  bool
	}{
		{"larger_than_the_limit", broadcast.Shape{n}, []view{x, y}, out, 12*n - 1, true},
		{"of_the_limit", broadcast.Shape{n}, []view{x, y}, out, 12 * n, false},
		{"in_place_left", broadcast.Shape{n}, []view{out, y}, out, 0, false},
		{"in_place_right", broadcast.Shape{n}, []view{x, out}, out, 0, false},
		{"a_row_counts_once", broadcast.Shape{100, 60}, []view{rowMajor(ramp(n), 100, 60), row}, rowMajor(make([]float32, n), 100, 60), 8*n + 240, false},
	} {
		streamBytes = func() int64 { return c.limit }
		j := new(job)
		require.NoError(t, j.prepare(launch(binary(t, kernels.Add, dtype.Float32), c.space, 0, c.in, []view{c.out})), c.name)
		require.Equal(t, c.want, j.streams(), c.name)
		j.done()
	}
}

func TestLastCache(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.MkdirAll(filepath.Join(folder, name), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(folder, name, "size"), []byte(text), 0o644))
	}
	require.Equal(t, int64(defaultCache), lastCache(folder), "an empty folder")
	write("index0", "about right")
	require.Equal(t, int64(defaultCache), lastCache(folder), "no number")
	write("index1", "32K\n")
	write("index3", "98304K\n")
	write("index2", "512K\n")
	require.Equal(t, int64(96<<20), lastCache(folder))
	write("index4", "134217728\n")
	require.Equal(t, int64(128<<20), lastCache(folder), "in bytes")
	require.Positive(t, streamBytes())
}

func TestStreamLimit(t *testing.T) {
	for _, c := range []struct {
		name       string
		cache      int64
		processors int
		want       int64
	}{
		{"a_cache_of_eight", 32 << 20, 8, 24 << 20},
		{"a_cache_of_one", 32 << 20, 1, 24 << 20},
		{"two_of_a_hosts_many", 300 << 20, 2, 48 << 20},
		{"all_of_the_host", 300 << 20, 60, 225 << 20},
		{"an_odd_size", 10 << 20, 2, 7864320},
	} {
		require.Equal(t, c.want, streamLimit(c.cache, c.processors), c.name)
	}
}

// TestRowsOfHalvesAreTheirSteps compares the loops of half rows with the casts
// and the float32 row that they stand for, on launches: with operands that are
// contiguous, rows, columns and numbers.
func TestRowsOfHalvesAreTheirSteps(t *testing.T) {
	for _, d := range []dtype.DType{dtype.Float16, dtype.BFloat16} {
		for _, op := range []kernels.Op{kernels.Add, kernels.Sub, kernels.Maximum} {
			p := binary(t, op, d)
			without := *compile(p).(*steps)
			require.Positive(t, without.half.n, "%v of %v is a row of halves", op, d)
			for _, s := range [][2]int{{1, 1}, {1, 1000}, {7, 33}, {300, 3}, {40, 129}, {3, 2050}} {
				for _, l := range operandLayouts[:5] {
					checkHalves(t, p, s[0], s[1], d, l.name, l.make)
				}
			}
		}
	}
}

func checkHalves(t *testing.T, p *kernels.Program, rows, cols int, d dtype.DType, name string, layout func(int, int) ([]int, int, int)) {
	t.Helper()
	r := rand.New(rand.NewPCG(uint64(rows), uint64(cols)))
	strides, offset, size := layout(rows, cols)
	x, y := make([]uint16, rows*cols), make([]uint16, size)
	for _, v := range [][]uint16{x, y} {
		for i := range v {
			v[i] = uint16(anyPattern(r, d))
		}
	}
	shape := broadcast.Shape{rows, cols}
	vx, vy := rowMajor(x, rows, cols), over(t, y, shape, strides, offset)
	var results [2][]uint16
	saved := halfLoops
	for k := range results {
		results[k] = make([]uint16, rows*cols)
		run(t, p, shape, 0, []view{vx, vy}, []view{rowMajor(results[k], rows, cols)})
		clear(halfLoops[:])
	}
	halfLoops = saved
	require.True(t, slices.Equal(results[0], results[1]), "(%d, %d) and %s of %v", rows, cols, name, d)
}

// TestReductionAfterAChainPastTheCache: workers are used again, and a reduction
// has no loops that store past the cache.
func TestReductionAfterAChainPastTheCache(t *testing.T) {
	allPast(t)
	p := program(t, func(b *kernels.Builder) []kernels.Value {
		x, y := b.Input(dtype.Float32), b.Input(dtype.Float32)
		return []kernels.Value{must(b, kernels.Mul, must(b, kernels.Add, x, y), x)}
	})
	squares := program(t, func(b *kernels.Builder) []kernels.Value {
		return []kernels.Value{must(b, kernels.Sum, must(b, kernels.Square, b.Input(dtype.Float32)))}
	})
	const n = 3000
	x, y, out := ramp(n), ramp(n + 3)[3:], make([]float32, n)
	for range 4 {
		run(t, p, broadcast.Shape{n}, 0, []view{rowMajor(x, n), rowMajor(y, n)}, []view{rowMajor(out, n)})
		for i := range out {
			require.Equal(t, float32(x[i]+y[i])*x[i], out[i], i)
		}
		sum, square := make([]float32, 1), make([]float32, n)
		for i, v := range x {
			square[i] = v * v
		}
		run(t, squares, broadcast.Shape{n}, 1, []view{rowMajor(x, n)}, []view{rowMajor(sum)})
		require.Equal(t, canonicalSum(square), sum[0])
	}
}

// TestMisalignedResultPastTheCache: where elements lie across cache lines, no
// line can be stored as a whole.
func TestMisalignedResultPastTheCache(t *testing.T) {
	if runtime.GOARCH != "amd64" && runtime.GOARCH != "386" {
		t.Skip("other processors may refuse such elements altogether")
	}
	if raceEnabled {
		t.Skip("the race detector has unsafe conversions checked")
	}
	allPast(t)
	const n = 500
	x, y, out := ramp(n), ramp(n + 3)[3:], make([]byte, 4*n+8)
	l := launch(binary(t, kernels.Add, dtype.Float32), broadcast.Shape{n}, 0, []view{rowMajor(x, n), rowMajor(y, n)}, []view{rowMajor(out, n)})
	l.Outputs[0].Offset = 2
	require.NoError(t, Default().Run(l))
	for i := range n {
		got := math.Float32frombits(uint32(pattern(out[2+4*i:], 4)))
		require.Equal(t, x[i]+y[i], got, i)
	}
}
