package opencl

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"sync"
	"testing"
)

// fake is an OpenCL in which buffers hold bytes, kernels do nothing, and any
// call can be made to fail. It knows every handle that is not released.
type fake struct {
	platforms []fakePlatform
	log       string // of failed builds

	mu       sync.Mutex
	calls    []string               // names, in order
	fail     func(f failing) status // what a call returns before it does anything; nil: success
	live     map[handle]string      // what each handle is
	bytes    map[handle][]byte      // the contents of buffers
	args     map[handle]map[int]int // per kernel: sizes of the arguments set
	launches []fakeLaunch           // in order
	next     handle
	refuse   uint32 // the question of clGetDeviceInfo that is CL_INVALID_VALUE; 0: none
}

// failing is a call that may be made to fail.
type failing struct {
	name string
	nth  int // of all calls, from 0
	same int // of those with this name, from 0
}

// fakeLaunch is the grid of a kernel.
type fakeLaunch struct{ global, local [3]int }

type fakePlatform struct {
	status  status // of clGetDeviceIDs
	devices []map[uint32]uint64
}

// goodDevice is a GPU that can do everything.
func goodDevice() map[uint32]uint64 {
	return map[uint32]uint64{deviceType: deviceTypeGPU, deviceMaxWorkGroupSize: 256, deviceMaxMemAllocSize: 1 << 20,
		deviceMaxParameterSize: 1024, deviceSingleFPConfig: fpDenorm | fpInfNaN | fpRoundToNearest | fpFMA | fpCorrectDivideSqr,
		deviceDoubleFPConfig: 63, deviceMaxWorkItemSizes: packSides(256, 256, 64), deviceExtensions: 1, deviceGlobalMemSize: 1 << 22, deviceEndianLittle: 1, deviceAvailable: 1, deviceCompiler: 1}
}

// packSides is the number under which a fake device keeps the sides of a group.
func packSides(x, y, z uint64) uint64 { return x | y<<16 | z<<32 }

func newFake(platforms ...fakePlatform) *fake {
	if platforms == nil {
		platforms = []fakePlatform{{devices: []map[uint32]uint64{goodDevice()}}}
	}
	return &fake{platforms: platforms, log: "line 1: no", live: map[handle]string{}, bytes: map[handle][]byte{},
		args: map[handle]map[int]int{}, next: 0x1000}
}

// driver returns a driver over the fake.
func (f *fake) driver() *driver { return &driver{api: f.api()} }

// called notes a call and returns what it must return.
func (f *fake) called(name string) status {
	f.mu.Lock()
	defer f.mu.Unlock()
	same := 0
	for _, c := range f.calls {
		if c == name {
			same++
		}
	}
	f.calls = append(f.calls, name)
	if f.fail == nil {
		return success
	}
	return f.fail(failing{name, len(f.calls) - 1, same})
}

// create returns a new handle, unless the call fails.
func (f *fake) create(name, kind string) (handle, status) {
	if s := f.called(name); s != success {
		return 0, s
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.next += 16
	f.live[f.next] = kind
	return f.next, success
}

// release ends a handle, whether or not the call is said to fail.
func (f *fake) release(name, kind string) func(handle) status {
	return func(h handle) status {
		s := f.called(name)
		f.mu.Lock()
		defer f.mu.Unlock()
		if f.live[h] != kind {
			panic(fmt.Sprintf("%s of %#x, which is %q", name, h, f.live[h]))
		}
		delete(f.live, h)
		delete(f.bytes, h)
		return s
	}
}

// use is a call on a handle that must be live.
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

// leaked lists what is not released.
func (f *fake) leaked() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var out []string
	for h, kind := range f.live {
		out = append(out, fmt.Sprintf("%s %#x", kind, h))
	}
	return out
}

// api returns the fake as the package sees it.
func (f *fake) api() *api {
	a := &api{
		releaseContext:      f.release("clReleaseContext", "context"),
		releaseCommandQueue: f.release("clReleaseCommandQueue", "queue"),
		releaseMemObject:    f.release("clReleaseMemObject", "buffer"),
		releaseProgram:      f.release("clReleaseProgram", "program"),
		releaseKernel:       f.release("clReleaseKernel", "kernel"),
		flush:               func(q handle) status { return f.use("clFlush", map[handle]string{q: "queue"}) },
		finish:              func(q handle) status { return f.use("clFinish", map[handle]string{q: "queue"}) },
	}
	f.queries(a)
	f.objects(a)
	f.commands(a)
	return a
}

func (f *fake) queries(a *api) {
	fill := func(out []handle, ids []handle) (int, status) { copy(out, ids); return len(ids), success }
	a.getPlatformIDs = func(out []handle) (int, status) {
		if s := f.called("clGetPlatformIDs"); s != success {
			return 0, s
		}
		var ids []handle
		for i := range f.platforms {
			ids = append(ids, handle(i+1))
		}
		return fill(out, ids)
	}
	a.getDeviceIDs = func(p handle, _ uint64, out []handle) (int, status) {
		if s := f.called("clGetDeviceIDs"); s != success {
			return 0, s
		}
		platform := f.platforms[p-1]
		var ids []handle
		for i := range platform.devices {
			ids = append(ids, p<<8|handle(i))
		}
		n, _ := fill(out, ids)
		return n, platform.status
	}
	a.getPlatformInfo = func(p handle, _ uint32, out []byte) (int, status) {
		return answer(f.called("clGetPlatformInfo"), out, fmt.Sprintf("Platform %d\x00", p))
	}
	a.getDeviceInfo = func(d handle, key uint32, out []byte) (int, status) {
		s := f.called("clGetDeviceInfo")
		about := f.platforms[d>>8-1].devices[d&0xff]
		if key == f.refuse {
			s = invalidValue
		}
		switch key {
		case deviceName:
			return answer(s, out, "Chip\x00")
		case deviceExtensions:
			text := "cl_khr_byte_addressable_store"
			if about[key] != 0 {
				text += " cl_khr_fp64"
			}
			return answer(s, out, text+"\x00")
		case deviceMaxWorkItemSizes:
			var sides []byte
			for i := range 3 {
				side := binary.LittleEndian.AppendUint64(nil, about[key]>>(16*i)&0xffff)
				sides = append(sides, side[:strconv.IntSize/8]...)
			}
			return answer(s, out, string(sides))
		case driverVersion:
			return answer(s, out, "1.0\x00")
		case deviceVersion:
			version := about[key]
			if version == 0 {
				version = 12
			}
			return answer(s, out, fmt.Sprintf("OpenCL %d.%d fake\x00", version/10, version%10))
		}
		return answer(s, out, string(binary.LittleEndian.AppendUint64(nil, about[key])))
	}
	a.getProgramBuildInfo = func(_, _ handle, _ uint32, out []byte) (int, status) {
		return answer(f.called("clGetProgramBuildInfo"), out, f.log+"\x00")
	}
	a.getKernelWorkGroupInfo = func(_, _ handle, _ uint32, out []byte) (int, status) {
		return answer(f.called("clGetKernelWorkGroupInfo"), out, "\x00\x01\x00\x00\x00\x00\x00\x00") // 256
	}
}

func answer(s status, out []byte, text string) (int, status) {
	if s != success {
		return 0, s
	}
	copy(out, text)
	return len(text), success
}

func (f *fake) objects(a *api) {
	a.createContext = func(_, _ handle) (handle, status) { return f.create("clCreateContext", "context") }
	a.createCommandQueue = func(_, _ handle) (handle, status) { return f.create("clCreateCommandQueue", "queue") }
	a.createBuffer = func(_ handle, size int64) (handle, status) {
		if size == 0 {
			panic("clCreateBuffer of 0 bytes")
		}
		h, s := f.create("clCreateBuffer", "buffer")
		if s == success {
			f.mu.Lock()
			f.bytes[h] = make([]byte, size)
			f.mu.Unlock()
		}
		return h, s
	}
	a.createProgramWithSource = func(handle, string) (handle, status) { return f.create("clCreateProgramWithSource", "program") }
	a.buildProgram = func(p, _ handle, _ string) status {
		return f.use("clBuildProgram", map[handle]string{p: "program"})
	}
	a.createKernel = func(p handle, _ string) (handle, status) { return f.create("clCreateKernel", "kernel") }
	a.setKernelArg = func(k handle, index int, value []byte) status {
		s := f.use("clSetKernelArg", map[handle]string{k: "kernel"})
		f.mu.Lock()
		defer f.mu.Unlock()
		if f.args[k] == nil {
			f.args[k] = map[int]int{}
		}
		f.args[k][index] = len(value)
		return s
	}
}

func (f *fake) commands(a *api) {
	a.enqueueNDRangeKernel = func(q, k handle, global, local [3]int) status {
		for i := range global {
			if global[i] == 0 || global[i]%local[i] != 0 {
				panic(fmt.Sprintf("clEnqueueNDRangeKernel over %v in groups of %v", global, local))
			}
		}
		f.mu.Lock()
		f.launches = append(f.launches, fakeLaunch{global, local})
		f.mu.Unlock()
		return f.use("clEnqueueNDRangeKernel", map[handle]string{q: "queue", k: "kernel"})
	}
	a.enqueueReadBuffer = func(q, m handle, off int64, dst []byte) status {
		s := f.use("clEnqueueReadBuffer", map[handle]string{q: "queue", m: "buffer"})
		if s == success {
			copy(dst, f.bytes[m][off:])
		}
		return s
	}
	a.enqueueWriteBuffer = func(q, m handle, off int64, src []byte) status {
		s := f.use("clEnqueueWriteBuffer", map[handle]string{q: "queue", m: "buffer"})
		if s == success {
			copy(f.bytes[m][off:], src)
		}
		return s
	}
	a.enqueueCopyBuffer = func(q, src, dst handle, soff, doff, n int64) status {
		s := f.use("clEnqueueCopyBuffer", map[handle]string{q: "queue", src: "buffer", dst: "buffer"})
		if s == success {
			copy(f.bytes[dst][doff:], f.bytes[src][soff:soff+n])
		}
		return s
	}
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
