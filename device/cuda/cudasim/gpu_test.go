package cudasim

import (
	"os"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// gpu is a device of the simulator with its context current on this thread.
type gpu struct {
	t       testing.TB
	sim     *Sim
	context uint64
	pins    runtime.Pinner
}

// newGPU opens device 0 with settings, given as key and value, which last
// until the test ends. Expected reports are kept off stderr.
func newGPU(t testing.TB, settings ...string) *gpu {
	t.Helper()
	sim := Open(t)
	runtime.LockOSThread()
	g := &gpu{t: t, sim: sim}
	g.set("quiet", "1")
	for i := 0; i < len(settings); i += 2 {
		g.set(settings[i], settings[i+1])
	}
	g.ok("cuInit", 0)
	g.ok("cuDevicePrimaryCtxRetain", &g.context, 0)
	g.ok("cuCtxSetCurrent", g.context)
	t.Cleanup(func() {
		g.set("faults", "")
		g.set("slow", "0")
		g.set("devices", "1")
		g.set("memory", "1073741824")
		g.set("order", "forward")
		g.set("steps", "8589934592")
		g.do("cuDevicePrimaryCtxRelease_v2", 0)
		sim.Leaks()
		sim.Reports()
		g.pins.Unpin()
		runtime.UnlockOSThread()
	})
	return g
}

func (g *gpu) set(key, value string) {
	g.t.Helper()
	require.NoError(g.t, g.sim.Set(key, value))
}

// do calls a function and returns its code. Pointers to Go values are pinned
// until the test ends, which also lets pageable copies be late.
func (g *gpu) do(name string, args ...any) int {
	g.t.Helper()
	var words []uint64
	for _, arg := range args {
		switch v := arg.(type) {
		case int:
			words = append(words, uint64(int64(v)))
		case uint64:
			words = append(words, v)
		case string:
			text := append([]byte(v), 0)
			words = append(words, g.pin(unsafe.Pointer(&text[0])))
		case []byte:
			words = append(words, g.pin(unsafe.Pointer(&v[0])))
		case *uint64:
			words = append(words, g.pin(unsafe.Pointer(v)))
		case *int32:
			words = append(words, g.pin(unsafe.Pointer(v)))
		default:
			g.t.Fatalf("cannot pass a %T", arg)
		}
	}
	return g.sim.call(name, words...)
}

func (g *gpu) pin(p unsafe.Pointer) uint64 {
	g.pins.Pin(p)
	return uint64(uintptr(p))
}

// ok is do of a call that must succeed.
func (g *gpu) ok(name string, args ...any) {
	g.t.Helper()
	require.Zero(g.t, g.do(name, args...), "%s: %s", name, g.sim.Reports())
}

// module loads PTX text from testdata.
func (g *gpu) module(name string) (module uint64) {
	g.t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	require.NoError(g.t, err)
	g.ok("cuModuleLoadData", &module, string(text))
	return module
}

func (g *gpu) function(module uint64, name string) (function uint64) {
	g.t.Helper()
	g.ok("cuModuleGetFunction", &function, module, name)
	return function
}

func (g *gpu) alloc(bytes int) (address uint64) {
	g.t.Helper()
	g.ok("cuMemAlloc_v2", &address, bytes)
	return address
}

// launch starts a kernel on the default stream and returns the code. Arguments
// are uint64 for pointers, uint32 for numbers, []byte for structs.
func (g *gpu) launch(function uint64, grid, block [3]int, shared int, args ...any) int {
	g.t.Helper()
	return g.launchOn(0, function, grid, block, shared, args...)
}

func (g *gpu) launchOn(stream, function uint64, grid, block [3]int, shared int, args ...any) int {
	g.t.Helper()
	pointers := make([]uint64, len(args)+1)
	for i, arg := range args {
		switch v := arg.(type) {
		case uint64:
			pointers[i] = g.pin(unsafe.Pointer(&v))
		case uint32:
			pointers[i] = g.pin(unsafe.Pointer(&v))
		case []byte:
			pointers[i] = g.pin(unsafe.Pointer(&v[0]))
		default:
			g.t.Fatalf("cannot pass a %T", arg)
		}
	}
	return g.do("cuLaunchKernel", function, grid[0], grid[1], grid[2], block[0], block[1], block[2], shared, stream, &pointers[0], 0)
}

// run launches a kernel on n threads and waits for it.
func (g *gpu) run(function uint64, n int, args ...any) {
	g.t.Helper()
	require.Zero(g.t, g.launch(function, [3]int{(n + 63) / 64, 1, 1}, [3]int{64, 1, 1}, 0, args...))
	g.ok("cuCtxSynchronize")
}

// bytesOf is the memory of a slice.
func bytesOf[T any](s []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(*new(T))))
}

// upload puts a slice into new memory of the device.
func upload[T any](g *gpu, values []T) uint64 {
	g.t.Helper()
	b := bytesOf(values)
	address := g.alloc(len(b))
	g.ok("cuMemcpyHtoD_v2", address, b, len(b))
	return address
}

// download copies n values from the device.
func download[T any](g *gpu, address uint64, n int) []T {
	g.t.Helper()
	values := make([]T, n)
	b := bytesOf(values)
	g.ok("cuMemcpyDtoH_v2", b, address, len(b))
	return values
}

// wantFault runs a kernel that must fail with a code and a report that has
// all of the given words, and leaves the context usable again.
func (g *gpu) wantFault(code int, words []string) {
	g.t.Helper()
	require.Equal(g.t, code, g.do("cuCtxSynchronize"))
	require.Equal(g.t, code, g.do("cuMemGetInfo_v2", new(uint64), new(uint64)), "the context stays failed")
	reports := g.sim.Reports()
	for _, word := range words {
		require.Contains(g.t, reports, word)
	}
	require.Equal(g.t, 1, strings.Count(reports, "\n"), reports)
}
