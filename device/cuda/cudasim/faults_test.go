package cudasim

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The codes of CUresult in these tests.
const (
	invalidValue     = 1
	outOfMemory      = 2
	invalidContext   = 201
	noBinary         = 209
	invalidPTX       = 218
	unsupportedPTX   = 222
	invalidHandle    = 400
	notFound         = 500
	notReady         = 600
	illegalAddress   = 700
	outOfResources   = 701
	launchTimeout    = 702
	contextDestroyed = 709
	misaligned       = 716
	launchFailed     = 719
)

// Every planted mistake of a kernel ends in the right code and a report that
// names kernel, instruction, thread and memory.
func TestKernelFaults(t *testing.T) {
	tests := []struct {
		kernel string
		grid   int
		block  int
		args   func(g *gpu) []any
		code   int
		words  []string
	}{
		{"store_past_end", 3, 32, func(g *gpu) []any { return []any{g.alloc(4 * 95), uint32(7)} }, illegalAddress,
			[]string{"st.global.u32", "block (2, 0, 0), thread (31, 0, 0)", "write of 4 bytes", "0 bytes past the end", "of 380 bytes"}},
		{"load_before_start", 1, 32, func(g *gpu) []any { return []any{g.alloc(128), g.alloc(128)} }, illegalAddress,
			[]string{"thread (0, 0, 0)", "read of 4 bytes"}},
		{"store_past_end", 1, 1, func(*gpu) []any { return []any{uint64(0), uint32(1)} }, illegalAddress, []string{"a null pointer"}},
		{"misaligned", 1, 1, func(g *gpu) []any { return []any{g.alloc(64)} }, misaligned, []string{"misaligned write of 4 bytes"}},
		{"shared_past_end", 1, 32, func(g *gpu) []any { return []any{g.alloc(128), uint32(1)} }, illegalAddress,
			[]string{"thread (31, 0, 0)", "128 bytes from the start of shared variable", "of 128 bytes"}},
		{"dynamic_past_end", 1, 32, func(g *gpu) []any { return []any{g.alloc(128)} }, illegalAddress, []string{"shared variable s of 64 bytes"}},
		{"local_past_end", 1, 32, func(g *gpu) []any { return []any{g.alloc(128), uint32(5)} }, illegalAddress, []string{"local memory"}},
		{"missing_barrier", 1, 64, func(g *gpu) []any { return []any{g.alloc(256), g.alloc(256)} }, launchFailed,
			[]string{"data race: ", "of _ZZ15missing_barrierE1s[", "by thread number", "no barrier between"}},
		{"barrier_once", 1, 64, func(g *gpu) []any { return []any{g.alloc(256), g.alloc(256)} }, launchFailed, []string{"data race", "barrier_once"}},
		{"all_write_one", 1, 2, func(g *gpu) []any { return []any{g.alloc(256)} }, launchFailed, []string{"data race: write of", "after a write by thread number 0"}},
		{"divergent_barrier", 1, 32, func(g *gpu) []any { return []any{g.alloc(256)} }, launchFailed, []string{"wait at different barriers"}},
		{"endless", 1, 32, func(g *gpu) []any { return []any{upload(g, []int32{0})} }, launchTimeout, []string{"too many steps"}},
		{"traps", 1, 1, func(*gpu) []any { return nil }, launchFailed, []string{"trap"}},
		{"absent_lane", 1, 16, func(g *gpu) []any { return []any{g.alloc(256)} }, launchFailed, []string{"lane 20"}},
	}
	for _, test := range tests {
		t.Run(test.kernel, func(t *testing.T) {
			g := newGPU(t, "steps", "100000")
			f := g.function(g.module("faulty.ptx"), test.kernel)
			shared := 0
			if test.kernel == "dynamic_past_end" {
				shared = 64
			}
			require.Zero(t, g.launch(f, [3]int{test.grid, 1, 1}, [3]int{test.block, 1, 1}, shared, test.args(g)...))
			g.wantFault(test.code, append(test.words, "kernel "+test.kernel+", line "))
		})
	}
}

// The same kernels do no harm where their mistake does not show.
func TestKernelsWithoutFault(t *testing.T) {
	g := newGPU(t)
	m := g.module("faulty.ptx")
	require.Zero(t, g.launch(g.function(m, "store_past_end"), [3]int{3, 1, 1}, [3]int{32, 1, 1}, 0, g.alloc(4*96), uint32(7)))
	require.Zero(t, g.launch(g.function(m, "shared_past_end"), [3]int{1, 1, 1}, [3]int{32, 1, 1}, 0, g.alloc(128), uint32(0)))
	require.Zero(t, g.launch(g.function(m, "dynamic_past_end"), [3]int{1, 1, 1}, [3]int{32, 1, 1}, 128, g.alloc(128)))
	require.Zero(t, g.launch(g.function(m, "local_past_end"), [3]int{1, 1, 1}, [3]int{32, 1, 1}, 0, g.alloc(128), uint32(4)))
	require.Zero(t, g.launch(g.function(m, "all_write_one"), [3]int{9, 1, 1}, [3]int{1, 1, 1}, 0, g.alloc(128)))
	require.Zero(t, g.launch(g.function(m, "endless"), [3]int{1, 1, 1}, [3]int{32, 1, 1}, 0, upload(g, []int32{1})))
	g.ok("cuCtxSynchronize")
	require.Empty(t, g.sim.Reports())
}

func TestUseAfterFree(t *testing.T) {
	g := newGPU(t)
	f := g.function(g.module("faulty.ptx"), "store_past_end")
	p := g.alloc(4 * 32)
	g.ok("cuMemFree_v2", p)
	require.Equal(t, invalidValue, g.do("cuMemFree_v2", p), "twice")
	require.Zero(t, g.launch(f, [3]int{1, 1, 1}, [3]int{32, 1, 1}, 0, p, uint32(1)))
	g.wantFault(illegalAddress, []string{"which is freed", "of 128 bytes"})
}

// Memory of one device is not that of another.
func TestOtherDevice(t *testing.T) {
	g := newGPU(t, "devices", "2")
	var n, first int32
	g.ok("cuDeviceGetCount", &n)
	require.EqualValues(t, 2, n)
	require.Equal(t, 101, g.do("cuDeviceGet", &first, 2))
	p := g.alloc(128)
	var other uint64
	g.ok("cuDevicePrimaryCtxRetain", &other, 1)
	defer g.do("cuDevicePrimaryCtxRelease_v2", 1)
	g.ok("cuCtxSetCurrent", other)
	require.Equal(t, invalidValue, g.do("cuMemFree_v2", p))
	f := g.function(g.module("faulty.ptx"), "store_past_end")
	require.Zero(t, g.launch(f, [3]int{1, 1, 1}, [3]int{32, 1, 1}, 0, p, uint32(1)))
	g.wantFault(illegalAddress, []string{"of device 0, not of 1"})
	g.ok("cuCtxSetCurrent", g.context)
	g.ok("cuCtxSynchronize") // device 0 is well
}

func TestInjectedFaults(t *testing.T) {
	t.Run("out_of_memory_once", func(t *testing.T) {
		g := newGPU(t, "faults", "cuMemAlloc:3")
		var p uint64
		for _, want := range []int{0, 0, outOfMemory, 0} {
			require.Equal(t, want, g.do("cuMemAlloc_v2", &p, 64))
		}
	})
	t.Run("out_of_memory_onwards", func(t *testing.T) {
		g := newGPU(t, "faults", "cuMemAlloc:2+")
		var p uint64
		for _, want := range []int{0, outOfMemory, outOfMemory} {
			require.Equal(t, want, g.do("cuMemAlloc_v2", &p, 64))
		}
	})
	t.Run("launch_now", func(t *testing.T) {
		g := newGPU(t)
		f := g.function(g.module("faulty.ptx"), "store_past_end")
		p := g.alloc(128)
		g.set("faults", "cuLaunchKernel:1")
		one := [3]int{1, 1, 1}
		require.Equal(t, outOfResources, g.launch(f, one, [3]int{32, 1, 1}, 0, p, uint32(1)))
		require.Zero(t, g.launch(f, one, [3]int{32, 1, 1}, 0, p, uint32(1)), "the device is well")
		g.ok("cuCtxSynchronize")
	})
	t.Run("kernel_told_at_sync", func(t *testing.T) {
		g := newGPU(t, "slow", "20000")
		f := g.function(g.module("faulty.ptx"), "store_past_end")
		p := g.alloc(128)
		g.set("faults", "kernel:1")
		require.Zero(t, g.launch(f, [3]int{1, 1, 1}, [3]int{32, 1, 1}, 0, p, uint32(1)))
		require.Equal(t, launchFailed, g.do("cuCtxSynchronize"))
		require.Equal(t, launchFailed, g.do("cuMemFree_v2", p), "and ever after")
		require.Empty(t, g.sim.Reports(), "an injected fault is no finding")
	})
	t.Run("lost_until_a_new_context", func(t *testing.T) {
		g := newGPU(t, "faults", "lost:2:999")
		p := g.alloc(64)
		require.Equal(t, 999, g.do("cuMemFree_v2", p))
		require.Equal(t, 999, g.do("cuCtxSynchronize"))
		g.ok("cuDevicePrimaryCtxRelease_v2", 0)
		require.Equal(t, contextDestroyed, g.do("cuCtxSynchronize"))
		require.Empty(t, g.sim.Leaks(), "a lost device lets nothing be freed")
		g.ok("cuDevicePrimaryCtxRetain", &g.context, 0)
		g.ok("cuCtxSynchronize")
		g.alloc(64)
	})
	t.Run("bad_setting", func(t *testing.T) {
		g := newGPU(t)
		require.Error(t, g.sim.Set("faults", "cuMemAlloc"))
		require.Error(t, g.sim.Set("devices", "many"))
		require.Error(t, g.sim.Set("colour", "red"))
	})
}
