package cuda

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"

	"github.com/stride0/stride0/internal/nvrtc"
)

// fake is a CUDA driver in which memory holds bytes, kernels do nothing, and
// any call can be made to fail. It knows everything that is not given back.
type fake struct {
	devices []map[int]int // per device: its attributes
	log     string        // of the driver's compiler, when it fails
	version int           // of the driver
	pinned  int64         // bytes of pinned memory

	mu       sync.Mutex
	calls    []string               // names, in order
	fail     func(f failing) status // what a call returns before it does anything; nil: success
	live     map[handle]string      // what each handle is
	bytes    map[address][]byte     // the contents of memory
	launches []fakeLaunch           // in order
	sources  []string               // that NVRTC compiled
	next     handle
	dropped  []string // what a context took along when it ended
}

// failing is a call that may be made to fail.
type failing struct {
	name string
	nth  int // of all calls, from 0
	same int // of those with this name, from 0
}

// fakeLaunch is the grid of a kernel.
type fakeLaunch struct{ grid, block [3]int }

// goodDevice is a GPU that can do everything.
func goodDevice() map[int]int {
	return map[int]int{attrMaxThreads: 1024, attrMaxBlockX: 1024, attrMaxBlockX + 1: 1024, attrMaxBlockX + 2: 64,
		attrComputeMajor: 7, attrComputeMinor: 5}
}

func newFake(devices ...map[int]int) *fake {
	if devices == nil {
		devices = []map[int]int{goodDevice()}
	}
	return &fake{devices: devices, version: 12_020, log: "line 1: no", live: map[handle]string{}, bytes: map[address][]byte{}, next: 0x1000}
}

// driver returns a driver over the fake, with NVRTC.
func (f *fake) driver() *driver {
	return &driver{api: f.api(), compilers: []*nvrtc.Compiler{f.compiler()}}
}

// open opens the fake's first device.
func (f *fake) open(t *testing.T) *Device {
	t.Helper()
	dev, err := f.driver().Open(0)
	if err != nil {
		t.Fatal(err)
	}
	return dev.(*Device)
}

// called notes a call and returns what it must return.
func (f *fake) called(name string) status {
	f.mu.Lock()
	defer f.mu.Unlock()
	same := f.count(name)
	f.calls = append(f.calls, name)
	if f.fail == nil {
		return success
	}
	return f.fail(failing{name, len(f.calls) - 1, same})
}

// count returns how often a function was called.
func (f *fake) count(name string) (n int) {
	for _, c := range f.calls {
		if c == name {
			n++
		}
	}
	return n
}

// use is a call with things that must be live.
func (f *fake) use(name string, uses map[handle]string) status {
	s := f.called(name)
	f.mu.Lock()
	defer f.mu.Unlock()
	for h, kind := range uses {
		if f.live[h] != kind {
			panic(fmt.Sprintf("%s with %#x, which is %q and not a %s", name, h, f.live[h], kind))
		}
	}
	return s
}

// create returns a new handle in a context, unless the call fails.
func (f *fake) create(name, kind string) func(ctx handle) (handle, status) {
	return func(ctx handle) (handle, status) {
		if s := f.use(name, map[handle]string{ctx: "context"}); s != success {
			return 0, s
		}
		return f.add(kind), success
	}
}

func (f *fake) add(kind string) handle {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.next += 1 << 12
	f.live[f.next] = kind
	return f.next
}

// release ends a handle, whether or not the call is said to fail.
func (f *fake) release(name, kind string) func(ctx, h handle) status {
	return func(ctx, h handle) status {
		s := f.use(name, map[handle]string{ctx: "context", h: kind})
		f.mu.Lock()
		defer f.mu.Unlock()
		delete(f.live, h)
		return s
	}
}

// on is a call with one object in a context.
func (f *fake) on(name, kind string) func(ctx, h handle) status {
	return func(ctx, h handle) status { return f.use(name, map[handle]string{ctx: "context", h: kind}) }
}

// leaked lists what is not given back, also what went with a context.
func (f *fake) leaked() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	out := slices.Clone(f.dropped)
	for h, kind := range f.live {
		out = append(out, fmt.Sprintf("%s %#x", kind, h))
	}
	for p := range f.bytes {
		out = append(out, fmt.Sprintf("memory %#x", p))
	}
	if f.pinned != 0 {
		out = append(out, fmt.Sprintf("%d pinned bytes", f.pinned))
	}
	return out
}

// api returns the fake as the package sees it.
func (f *fake) api() *api {
	a := &api{
		init:              func() status { return f.called("cuInit") },
		streamCreate:      f.create("cuStreamCreate", "stream"),
		streamDestroy:     f.release("cuStreamDestroy", "stream"),
		streamSynchronize: f.on("cuStreamSynchronize", "stream"),
		eventCreate:       f.create("cuEventCreate", "event"),
		eventDestroy:      f.release("cuEventDestroy", "event"),
		eventSynchronize:  f.on("cuEventSynchronize", "event"),
		moduleUnload:      f.release("cuModuleUnload", "module"),
	}
	a.eventRecord = func(ctx, event, stream handle) status {
		return f.use("cuEventRecord", map[handle]string{ctx: "context", event: "event", stream: "stream"})
	}
	f.queries(a)
	f.memory(a)
	f.copies(a)
	f.modules(a)
	return a
}

func (f *fake) queries(a *api) {
	a.driverGetVersion = func() (int, status) { return f.version, f.called("cuDriverGetVersion") }
	a.deviceGetCount = func() (int, status) { return len(f.devices), f.called("cuDeviceGetCount") }
	a.deviceGet = func(ordinal int) (handle, status) { return handle(ordinal), f.called("cuDeviceGet") }
	a.deviceGetName = func(handle) (string, status) { return "Chip", f.called("cuDeviceGetName") }
	a.deviceGetAttr = func(d handle, key int) (int, status) { return f.devices[d][key], f.called("cuDeviceGetAttribute") }
	a.deviceTotalMem = func(handle) (int64, status) { return 1 << 22, f.called("cuDeviceTotalMem") }
	a.primaryCtxRetain = func(handle) (handle, status) {
		if s := f.called("cuDevicePrimaryCtxRetain"); s != success {
			return 0, s
		}
		return f.add("context"), success
	}
	a.primaryCtxRelease = func(handle) status {
		s := f.called("cuDevicePrimaryCtxRelease")
		f.mu.Lock()
		defer f.mu.Unlock()
		for h, kind := range f.live {
			if kind != "context" {
				f.dropped = append(f.dropped, kind)
			}
			delete(f.live, h)
		}
		f.dropped = append(f.dropped, slices.Repeat([]string{"memory"}, len(f.bytes))...)
		clear(f.bytes)
		return s
	}
}

func (f *fake) memory(a *api) {
	in := func(name string, ctx handle) status { return f.use(name, map[handle]string{ctx: "context"}) }
	a.memGetInfo = func(ctx handle) (int64, int64, status) { return 1 << 21, 1 << 22, in("cuMemGetInfo", ctx) }
	a.memAlloc = func(ctx handle, size int64) (address, status) {
		if size == 0 {
			panic("cuMemAlloc of 0 bytes")
		}
		if s := in("cuMemAlloc", ctx); s != success {
			return 0, s
		}
		f.mu.Lock()
		defer f.mu.Unlock()
		f.next += 1 << 12
		p := address(f.next) << 20
		f.bytes[p] = make([]byte, size)
		return p, success
	}
	a.memFree = func(ctx handle, p address) status {
		s := in("cuMemFree", ctx)
		f.mu.Lock()
		defer f.mu.Unlock()
		if f.bytes[p] == nil {
			panic(fmt.Sprintf("cuMemFree of %#x", p))
		}
		delete(f.bytes, p)
		return s
	}
	a.memAllocHost = func(ctx handle, size int) ([]byte, status) {
		if s := in("cuMemAllocHost", ctx); s != success {
			return nil, s
		}
		f.pinned += int64(size)
		return make([]byte, size), success
	}
	a.memFreeHost = func(ctx handle, pinned []byte) status {
		f.pinned -= int64(len(pinned))
		return in("cuMemFreeHost", ctx)
	}
}

// at returns n bytes of memory.
func (f *fake) at(p address, n int) []byte {
	for base, b := range maps.All(f.bytes) {
		if p >= base && p+address(n) <= base+address(len(b)) {
			return b[p-base:][:n]
		}
	}
	panic(fmt.Sprintf("%d bytes at %#x are nobody's", n, p))
}

func (f *fake) copies(a *api) {
	move := func(name string, ctx, stream handle, do func()) status {
		s := f.use(name, map[handle]string{ctx: "context", stream: "stream"})
		if s == success {
			f.mu.Lock()
			defer f.mu.Unlock()
			do()
		}
		return s
	}
	a.memcpyHtoD = func(ctx handle, dst address, src []byte, stream handle) status {
		return move("cuMemcpyHtoDAsync", ctx, stream, func() { copy(f.at(dst, len(src)), src) })
	}
	a.memcpyDtoH = func(ctx handle, dst []byte, src address, stream handle) status {
		return move("cuMemcpyDtoHAsync", ctx, stream, func() { copy(dst, f.at(src, len(dst))) })
	}
	a.memcpyDtoD = func(ctx handle, dst, src address, n int64, stream handle) status {
		return move("cuMemcpyDtoDAsync", ctx, stream, func() { copy(f.at(dst, int(n)), f.at(src, int(n))) })
	}
}

func (f *fake) modules(a *api) {
	load := f.create("cuModuleLoadDataEx", "module")
	a.moduleLoadData = func(ctx handle, image []byte) (handle, string, status) {
		m, s := load(ctx)
		if s != success {
			return 0, f.log, s
		}
		return m, "", s
	}
	a.moduleGetFunction = func(ctx, m handle, _ string) (handle, status) {
		s := f.use("cuModuleGetFunction", map[handle]string{ctx: "context", m: "module"})
		return m + 1, s // a function is part of its module
	}
	function := func(fn handle) {
		if f.live[fn-1] != "module" {
			panic("a function of no module")
		}
	}
	a.funcGetAttribute = func(ctx, fn handle, _ int) (int, status) {
		function(fn)
		return 256, f.use("cuFuncGetAttribute", map[handle]string{ctx: "context"})
	}
	a.launchKernel = func(ctx, fn handle, grid, block [3]int, stream handle, args [][]byte) status {
		function(fn)
		for i := range grid {
			if grid[i] <= 0 || block[i] <= 0 || i > 0 && grid[i] > 65535 {
				panic(fmt.Sprintf("cuLaunchKernel of %v blocks of %v", grid, block))
			}
		}
		s := f.use("cuLaunchKernel", map[handle]string{ctx: "context", stream: "stream"})
		f.launches = append(f.launches, fakeLaunch{grid, block})
		return s
	}
}

// compiler returns an NVRTC that compiles anything unless it is made to fail.
func (f *fake) compiler() *nvrtc.Compiler {
	c, err := nvrtc.New(11, 8, []int{52, 70, 75, 90})
	if err != nil {
		panic(err)
	}
	c.Build = func(source string, _ []string, kind nvrtc.Image) ([]byte, string, int) {
		if s := f.called("nvrtcCompileProgram"); s != success {
			return nil, "no such function", 6
		}
		f.sources = append(f.sources, source)
		return fmt.Appendf(nil, "image %d", kind), "", 0
	}
	return c
}
