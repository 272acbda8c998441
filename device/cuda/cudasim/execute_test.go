package cudasim

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A function is called by some threads of a warp, each with a loop of its own length.
func TestCalls(t *testing.T) {
	g := newGPU(t)
	a, b, want := make([]int64, 100), make([]int64, 100), make([]int64, 100)
	gcd := func(x, y int64) int64 {
		for y != 0 {
			x, y = y, x%y
		}
		return x
	}
	for i := range a {
		a[i], b[i] = int64(i)<<33*6, int64(i)*9-300
		want[i] = gcd(a[i], b[i]) + gcd(3*b[i], 6)
	}
	out := g.alloc(800)
	g.run(g.function(g.module("compute.ptx"), "calls"), 100, upload(g, a), upload(g, b), out, uint32(100))
	assert.Equal(t, want, download[int64](g, out, 100))
}

// Constants, local memory and a struct by value.
func TestSpaces(t *testing.T) {
	g := newGPU(t)
	const n = 77
	in, want := make([]int32, n), make([]float64, n)
	for i := range in {
		in[i] = int32(i*i - 50)
	}
	table := []float64{1.5, 2.5, -3, 1e300, 0x1p-1074}
	step := []int32{1, -2, 5}
	for i := range want {
		k := int(in[i] & 7)
		want[i] = table[i%5] + float64(in[(i+k)%n]*step[k%3]) + 9
	}
	var meta []byte
	for _, v := range []int32{n, 7, 8, 9, 1, -2, 5} {
		meta = binary.LittleEndian.AppendUint32(meta, uint32(v))
	}
	out := g.alloc(8 * n)
	g.run(g.function(g.module("compute.ptx"), "spaces"), n, upload(g, in), out, meta)
	assert.Equal(t, want, download[float64](g, out, n))
}

func TestVectors(t *testing.T) {
	g := newGPU(t)
	out := g.alloc(32)
	g.run(g.function(g.module("compute.ptx"), "vectors"), 2, upload(g, []float32{1, 2, 3, 4, 5, 6, 7, 8}), out, uint32(2))
	assert.Equal(t, []float32{4, 3, 2, 2, 8, 7, 6, 6}, download[float32](g, out, 8))
}

func TestBranches(t *testing.T) {
	g := newGPU(t)
	const n = 200
	in, want := make([]int32, n), make([]int32, n)
	for i := range in {
		in[i] = int32(i + 1)
		for x := in[i]; x != 1 && want[i] < 1000; want[i]++ {
			if x&1 == 0 {
				x >>= 1
				continue
			}
			if x = 3*x + 1; x%5 == 0 {
				want[i] += 100
			}
		}
	}
	out := g.alloc(4 * n)
	g.run(g.function(g.module("compute.ptx"), "branches"), n, upload(g, in), out, uint32(n))
	assert.Equal(t, want, download[int32](g, out, n))
}

func TestCoordinates(t *testing.T) {
	for _, order := range []string{"forward", "reverse"} {
		g := newGPU(t, "order", order)
		grid, block := [3]int{3, 2, 4}, [3]int{5, 3, 7}
		n := 3 * 2 * 4 * 5 * 3 * 7
		out := g.alloc(4 * n)
		require.Zero(t, g.launch(g.function(g.module("compute.ptx"), "coordinates"), grid, block, 0, out))
		got := download[uint32](g, out, n)
		i := 0
		for b := range 24 {
			for th := range 105 {
				want := th%5 | th/5%3<<4 | th/15<<8 | b%3<<12 | b/3%2<<16 | b/6<<20
				require.EqualValues(t, want, got[i])
				i++
			}
		}
	}
}

// Shared memory, barriers, dynamic shared memory, shuffles and atomics.
func TestReduce(t *testing.T) {
	g := newGPU(t)
	const n, blocks = 10_000, 7
	in := make([]int32, n)
	sums := make([]int32, blocks+4)
	for i := range in {
		in[i] = int32(i*7919%1000 - 300)
		sums[i/256%blocks] += in[i]
		sums[blocks] += in[i]
	}
	for _, s := range sums[:blocks] {
		sums[blocks+1] = max(sums[blocks+1], s)
	}
	sums[blocks+2], sums[blocks+3] = 7, 9
	out := upload(g, make([]int32, blocks+4))
	f := g.function(g.module("compute.ptx"), "reduce")
	require.Zero(t, g.launch(f, [3]int{blocks, 1, 1}, [3]int{256, 1, 1}, 1024, upload(g, in), out, uint32(n)))
	g.ok("cuCtxSynchronize")
	assert.Equal(t, sums, download[int32](g, out, blocks+4))
	assert.Empty(t, g.sim.Reports())
}

func TestWarps(t *testing.T) {
	g := newGPU(t)
	const n = 64
	in := make([]int32, n)
	v := make([]uint32, n)
	for i := range in {
		in[i] = int32(i)
		if v[i] = uint32(i); i&1 == 1 {
			v[i] *= 3
		}
	}
	out := g.alloc(4 * 8 * n)
	g.run(g.function(g.module("compute.ptx"), "warps"), n, upload(g, in), out, uint32(n))
	got := download[uint32](g, out, 8*n)
	for i := range n {
		warp, lane := i&^31, i&31
		var ballot, some uint32
		for l := range 32 {
			if v[warp+l] > 50 {
				ballot |= 1 << l
			}
			if v[warp+l] == 17 {
				some = 1
			}
		}
		want := []uint32{v[max(i-1, warp)], v[i], v[i&^7+5], v[i&^3|(i^3)&3], ballot, some, 1, v[warp+3]}
		if lane < 30 {
			want[1] = v[i+2]
		}
		if lane >= 16 {
			want[7] = v[warp+20]
		}
		for k, w := range want {
			require.Equal(t, w, got[k*n+i], "result %d of thread %d", k, i)
		}
	}
}

// __syncwarp orders the threads of a warp.
func TestWarpMemory(t *testing.T) {
	g := newGPU(t)
	in, want := make([]int32, 64), make([]int32, 64)
	for i := range in {
		in[i], want[i^1] = int32(i), int32(i)
	}
	out := g.alloc(256)
	require.Zero(t, g.launch(g.function(g.module("compute.ptx"), "warp_memory"), [3]int{1, 1, 1}, [3]int{64, 1, 1}, 0, upload(g, in), out))
	assert.Equal(t, want, download[int32](g, out, 64))
}
