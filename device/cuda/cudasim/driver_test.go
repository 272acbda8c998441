package cudasim

import (
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// ptr is the address of a slice's first byte.
func ptr(b []byte) unsafe.Pointer { return unsafe.Pointer(&b[0]) }

// pinned allocates pinned host memory and returns it as Go sees it.
func (g *gpu) pinned(n int) (address uint64, memory []byte) {
	g.t.Helper()
	var p unsafe.Pointer
	g.ok("cuMemAllocHost_v2", (*uint64)(unsafe.Pointer(&p)), n)
	return uint64(uintptr(p)), unsafe.Slice((*byte)(p), n)
}

// A launch returns before the kernel has run, and so does a copy of pinned memory.
func TestAsynchronous(t *testing.T) {
	g := newGPU(t)
	f := g.function(g.module("faulty.ptx"), "store_past_end")
	p := upload(g, make([]int32, 32))
	to, memory := g.pinned(128)
	var stream, event uint64
	g.ok("cuStreamCreate", &stream, 1)
	g.ok("cuEventCreate", &event, 2)
	g.set("slow", "50000")
	start := time.Now()
	require.Zero(t, g.launchOn(stream, f, [3]int{1, 1, 1}, [3]int{32, 1, 1}, 0, p, uint32(9)))
	g.ok("cuMemcpyDtoHAsync_v2", to, p, 128, stream)
	g.ok("cuEventRecord", event, stream)
	require.Less(t, time.Since(start), 50*time.Millisecond)
	require.Equal(t, notReady, g.do("cuStreamQuery", stream))
	require.Equal(t, notReady, g.do("cuEventQuery", event))
	assert.Equal(t, byte(0xA5), memory[0], "not copied yet")
	g.ok("cuEventSynchronize", event)
	require.GreaterOrEqual(t, time.Since(start), 100*time.Millisecond)
	assert.Equal(t, byte(9), memory[0])
	g.ok("cuStreamQuery", stream)
	g.ok("cuEventQuery", event)

	// The default stream does not wait for a stream that asked it not to.
	require.Zero(t, g.launchOn(stream, f, [3]int{1, 1, 1}, [3]int{32, 1, 1}, 0, p, uint32(7)))
	require.Zero(t, g.launchOn(stream, f, [3]int{1, 1, 1}, [3]int{32, 1, 1}, 0, p, uint32(8)))
	got := download[int32](g, p, 1)
	assert.NotEqual(t, int32(8), got[0])
	g.ok("cuStreamSynchronize", stream)
	assert.Equal(t, int32(8), download[int32](g, p, 1)[0])
	g.ok("cuMemFreeHost", to)
	require.Equal(t, invalidValue, g.do("cuMemFreeHost", to))
}

// Streams wait for each other's events, and blocking ones for the default stream.
func TestStreamsInOrder(t *testing.T) {
	g := newGPU(t)
	f := g.function(g.module("faulty.ptx"), "store_past_end")
	p := g.alloc(128)
	launch := func(stream uint64, v uint32) {
		require.Zero(t, g.launchOn(stream, f, [3]int{1, 1, 1}, [3]int{32, 1, 1}, 0, p, v))
	}
	var a, b, c, event uint64
	g.ok("cuStreamCreate", &a, 1)
	g.ok("cuStreamCreate", &b, 1)
	g.ok("cuStreamCreate", &c, 0)
	g.ok("cuEventCreate", &event, 0)
	g.set("slow", "10000")
	launch(a, 1)
	launch(a, 2)
	g.ok("cuEventRecord", event, a)
	g.ok("cuStreamWaitEvent", b, event, 0)
	launch(b, 3)
	g.ok("cuStreamSynchronize", b)
	g.set("slow", "0")
	assert.Equal(t, int32(3), download[int32](g, p, 1)[0])
	g.set("slow", "10000")
	launch(c, 4)
	launch(0, 5)
	launch(c, 6)
	g.ok("cuCtxSynchronize")
	assert.Equal(t, int32(6), download[int32](g, p, 1)[0])
	g.ok("cuStreamDestroy_v2", a)
	require.Equal(t, invalidHandle, g.do("cuStreamDestroy_v2", a))
	require.Equal(t, invalidHandle, g.do("cuStreamSynchronize", a))
	g.ok("cuEventDestroy_v2", event)
	require.Equal(t, invalidHandle, g.do("cuEventRecord", event, b))
}

func TestCopiesAndFills(t *testing.T) {
	g := newGPU(t)
	p, q := g.alloc(64), g.alloc(64)
	g.ok("cuMemsetD32Async", p, 0x01020304, 16, 0)
	g.ok("cuMemsetD8Async", p+4, 7, 2, 0)
	g.ok("cuMemcpyDtoDAsync_v2", q+8, p, 16, 0)
	assert.Equal(t, []uint32{0xA5A5A5A5, 0xA5A5A5A5, 0x01020304, 0x01020707, 0x01020304, 0x01020304, 0xA5A5A5A5}, download[uint32](g, q, 7))
	host := make([]byte, 65)
	require.Equal(t, invalidValue, g.do("cuMemcpyHtoD_v2", p, host, 65))
	require.Equal(t, invalidValue, g.do("cuMemcpyDtoH_v2", host, p+1, 64))
	require.Equal(t, invalidValue, g.do("cuMemcpyDtoDAsync_v2", p, q+32, 33, 0))
	require.Equal(t, invalidHandle, g.do("cuMemsetD8Async", p, 1, 1, 12345))
	g.ok("cuCtxSynchronize")
}

func TestMemoryIsLimited(t *testing.T) {
	g := newGPU(t, "memory", "1000")
	var p, free, total uint64
	require.Equal(t, outOfMemory, g.do("cuMemAlloc_v2", &p, 1001))
	require.Equal(t, invalidValue, g.do("cuMemAlloc_v2", &p, 0))
	p = g.alloc(900)
	require.Equal(t, outOfMemory, g.do("cuMemAlloc_v2", new(uint64), 101))
	g.ok("cuMemGetInfo_v2", &free, &total)
	assert.Equal(t, []uint64{100, 1000}, []uint64{free, total})
	g.ok("cuMemFree_v2", p)
	g.alloc(1000)
}

func TestLaunchLimits(t *testing.T) {
	g := newGPU(t)
	m := g.module("extra.ptx")
	var f uint64
	require.Equal(t, notFound, g.do("cuModuleGetFunction", &f, m, "none"))
	f = g.function(m, "deep")
	p := g.alloc(4)
	one := [3]int{1, 1, 1}
	require.Zero(t, g.launch(f, one, [3]int{64, 1, 1}, 0, p))
	for name, code := range map[string]int{
		"more_than_maxntid": g.launch(f, one, [3]int{65, 1, 1}, 0, p),
		"empty_grid":        g.launch(f, [3]int{0, 1, 1}, one, 0, p),
		"high_grid":         g.launch(f, [3]int{1, 65536, 1}, one, 0, p),
		"deep_block":        g.launch(f, one, [3]int{1, 1, 65}, 0, p),
		"shared_memory":     g.launch(f, one, one, 49153, p),
	} {
		assert.Equal(t, invalidValue, code, name)
	}
	require.Equal(t, invalidHandle, g.launch(f+8, one, one, 0, p))
	require.Equal(t, invalidHandle, g.launchOn(12345, f, one, one, 0, p))
	var most int32
	g.ok("cuFuncGetAttribute", &most, 0, f)
	assert.EqualValues(t, 64, most)
	g.ok("cuModuleUnload", m)
	require.Equal(t, invalidHandle, g.launch(f, one, one, 0, p), "its module is gone")
	require.Equal(t, invalidHandle, g.do("cuModuleUnload", m))
}

// Calls from a thread without a context say so, as the driver does.
func TestContexts(t *testing.T) {
	g := newGPU(t)
	g.ok("cuCtxSetCurrent", 0)
	require.Equal(t, invalidContext, g.do("cuMemAlloc_v2", new(uint64), 4))
	require.Equal(t, invalidContext, g.do("cuCtxSetCurrent", 12345))
	g.ok("cuCtxSetCurrent", g.context)
	g.ok("cuCtxSynchronize")
	var again uint64
	g.ok("cuDevicePrimaryCtxRetain", &again, 0)
	assert.Equal(t, g.context, again)
	g.ok("cuDevicePrimaryCtxRelease_v2", 0)
	g.ok("cuCtxSynchronize")
}

func TestLeaks(t *testing.T) {
	g := newGPU(t)
	g.alloc(100)
	g.pinned(50)
	var stream uint64
	g.ok("cuStreamCreate", &stream, 1)
	g.module("extra.ptx")
	want := "device 0: device memory: allocation N of 100 bytes\ndevice 0: pinned memory of 50 bytes\ndevice 0: a stream\ndevice 0: a module\n"
	leaks := g.sim.Leaks()
	before, rest, _ := strings.Cut(leaks, "allocation ")
	_, after, _ := strings.Cut(rest, " ")
	assert.Equal(t, want+"device 0: the primary context\n", before+"allocation N "+after)
	g.ok("cuDevicePrimaryCtxRelease_v2", 0)
	assert.Equal(t, strings.Count(want, "\n"), strings.Count(g.sim.Leaks(), "\n"), "told once more, when they are lost")
	assert.Empty(t, g.sim.Leaks())
	g.ok("cuDevicePrimaryCtxRetain", &g.context, 0)
}
