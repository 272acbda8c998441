package opencl

import (
	"fmt"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/internal/lru"
	"github.com/stride0/stride0/kernels"
)

// The numbers of things kept. A build is about 100 KB in a driver.
const (
	maxLowered = 4096
	maxBuilds  = 1024
)

// programs are a device's compiled kernels, the least recently used dropped.
type programs struct {
	d       *Device
	lowered *lru.Cache[string, *kernels.Lowered] // by Program.Key
	builds  *lru.Cache[buildKey, *build]
}

// buildKey is everything that decides a build's source on one device.
type buildKey struct {
	program string // Program.Key
	form    kernels.Form
	states  bool // the stages that read or write states, else stage 0
}

// heldBuild is a build in use.
type heldBuild = *lru.Entry[buildKey, *build]

func newPrograms(d *Device) *programs {
	return &programs{d: d, lowered: lru.New[string](maxLowered, func(*kernels.Lowered) {}), builds: newBuilds(maxBuilds)}
}

func newBuilds(limit int) *lru.Cache[buildKey, *build] {
	return lru.New[buildKey](limit, (*build).release)
}

// release gives up everything.
func (p *programs) release() { p.builds.Clear() }

// lower returns the Program flattened to primitives, if the device can run it.
func (p *programs) lower(prog *kernels.Program) (*kernels.Lowered, error) {
	e, err := p.lowered.Acquire(prog.Key(), func() (*kernels.Lowered, error) { return kernels.Lower(prog) })
	if err != nil {
		return nil, err
	}
	defer e.Release()
	l := e.Value()
	if !p.d.props.float64 && l.UsesFloat64(prog) {
		return nil, fmt.Errorf("%w: it has no float64; cast to float32", device.ErrUnsupported)
	}
	return l, nil
}

// acquire returns the build with the kernel of a stage. The stages of a long
// reduction come together: a compiler takes little longer for all of them than
// for the first.
func (p *programs) acquire(prog *kernels.Program, l *kernels.Lowered, f kernels.Form, s kernels.Stage) (heldBuild, error) {
	key := buildKey{prog.Key(), f, s != 0}
	return p.builds.Acquire(key, func() (*build, error) {
		if key.states {
			return p.compile(prog, l, f, l.Stages()[1:])
		}
		return p.compile(prog, l, f, []kernels.Stage{0})
	})
}

// compile builds the kernels of some stages. The build log is in the error.
func (p *programs) compile(prog *kernels.Program, l *kernels.Lowered, f kernels.Form, stages []kernels.Stage) (*build, error) {
	source, err := kernels.Spell(p.d.dialect, prog, l, f, stages...)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", device.ErrUnsupported, err)
	}
	b := &build{a: p.d.api}
	err = p.create(b, source, kernels.KernelName(prog, f, stages[0]))
	for i := 0; err == nil && i < len(stages); i++ {
		b.kernels[stages[i]], err = p.kernel(b, kernels.KernelName(prog, f, stages[i]))
	}
	if err != nil {
		b.release()
		return nil, err
	}
	return b, nil
}

// create compiles the source of a build, known by the name of its first kernel.
// What it made stays in b, also after an error.
func (p *programs) create(b *build, source, name string) error {
	a, d := p.d.api, p.d
	var s status
	if b.program, s = a.createProgramWithSource(d.context, source); s != success {
		return callError(d.info.Name, "clCreateProgramWithSource", s)
	}
	if s := a.buildProgram(b.program, d.id, d.options()); s != success {
		log := text(func(out []byte) (int, status) { return a.getProgramBuildInfo(b.program, d.id, programBuildLog, out) })
		return &device.Error{Device: d.info.Name, Call: "clBuildProgram of " + name, Code: int(s),
			Err: fmt.Errorf("%w; the compiler says: %s", s, log)}
	}
	return nil
}

// kernel returns a kernel of a build. Its handle is set, also after an error,
// if there is something to release.
func (p *programs) kernel(b *build, name string) (k kernel, err error) {
	a, d := p.d.api, p.d
	var s status
	if k.handle, s = a.createKernel(b.program, name); s != success {
		return k, callError(d.info.Name, "clCreateKernel of "+name, s)
	}
	size, s := number(func(out []byte) (int, status) {
		return a.getKernelWorkGroupInfo(k.handle, d.id, kernelWorkGroupSize, out)
	})
	if s != success {
		return k, callError(d.info.Name, "clGetKernelWorkGroupInfo of "+name, s)
	}
	k.maxGroup = min(int(size), d.props.maxGroup)
	return k, nil
}

// options returns the compiler's. Nothing that trades accuracy is among them.
func (d *Device) options() string {
	if d.props.exactDivide {
		return "-cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt"
	}
	return "-cl-std=CL1.2"
}

// build is a compiled source with its kernels, by Stage.
type build struct {
	a       *api
	program handle
	kernels [4]kernel
}

// kernel is one entry of a build. Setting its arguments and enqueuing it must
// not be interrupted by another goroutine doing the same: Device.launch.
type kernel struct {
	handle   handle // 0: not in this build
	maxGroup int    // work-items in a group, which may be fewer than the device's
}

func (b *build) release() {
	for _, k := range b.kernels {
		if k.handle != 0 {
			b.a.releaseKernel(k.handle)
		}
	}
	if b.program != 0 {
		b.a.releaseProgram(b.program)
	}
}
