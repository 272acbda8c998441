package cuda

import (
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/internal/lru"
	"github.com/stride0/stride0/internal/nvrtc"
	"github.com/stride0/stride0/kernels"
)

// The numbers of things kept. A build is about 100 KB in the driver.
const (
	maxLowered = 4096
	maxBuilds  = 1024
)

// programs are a device's compiled kernels, the least recently used dropped.
type programs struct {
	d       *Device
	lowered *lru.Cache[string, *kernels.Lowered] // by Program.Key
	builds  *lru.Cache[buildKey, *build]
	binary  atomic.Bool // the driver is older than NVRTC and takes no PTX of it
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

// lower returns the Program flattened to primitives.
func (p *programs) lower(prog *kernels.Program) (*kernels.Lowered, error) {
	e, err := p.lowered.Acquire(prog.Key(), func() (*kernels.Lowered, error) { return kernels.Lower(prog) })
	if err != nil {
		return nil, err
	}
	defer e.Release()
	return e.Value(), nil
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

// compile makes the kernels of some stages: of the PTX in this program where
// it has that source, else with NVRTC.
func (p *programs) compile(prog *kernels.Program, l *kernels.Lowered, f kernels.Form, stages []kernels.Stage) (*build, error) {
	source, err := kernels.Spell(p.d.dialect, prog, l, f, stages...)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", device.ErrUnsupported, err)
	}
	b := &build{d: p.d}
	err = p.load(b, source, kernels.KernelGroup(prog), kernels.KernelName(prog, f, stages[0]))
	for i := 0; err == nil && i < len(stages); i++ {
		b.kernels[stages[i]], err = p.kernel(b, kernels.KernelName(prog, f, stages[i]))
	}
	if err != nil {
		b.release()
		return nil, err
	}
	return b, nil
}

// load makes the module of a build, known by the name of its first kernel: of
// the archive, else of NVRTC's PTX, else of its machine code, which a driver
// takes though it is older than NVRTC.
func (p *programs) load(b *build, source, group, name string) error {
	ptx, err := embedded(group, source)
	if err != nil {
		return &device.Error{Device: p.d.info.Name, Call: "reading ptx.zip", Err: err}
	}
	if ptx != nil {
		s, err := p.module(b, ptx, name)
		if s != ptxTooNew || p.d.compiler == nil {
			return err
		}
	}
	if p.d.compiler == nil {
		return fmt.Errorf("%w: kernel %s is not among those of this program; install NVRTC (libnvrtc.so of CUDA 11.2 or later) to have it compiled", device.ErrUnsupported, name)
	}
	kinds := []nvrtc.Image{nvrtc.PTX, nvrtc.Cubin}
	if p.binary.Load() {
		kinds = kinds[1:]
	}
	for _, kind := range kinds {
		image, err := p.translate(source, name, kind)
		if err != nil {
			return err
		}
		s, err := p.module(b, image, name)
		if s != ptxTooNew || kind == nvrtc.Cubin {
			return err
		}
		p.binary.Store(true)
	}
	return nil
}

// translate compiles a source with NVRTC.
func (p *programs) translate(source, name string, kind nvrtc.Image) ([]byte, error) {
	c, own := p.d.compiler, p.d.props.capability
	target := c.Target(own)
	if kind == nvrtc.Cubin && target/10 != own/10 { // machine code is of one major capability
		return nil, fmt.Errorf("%w: NVRTC %s is newer than the driver and makes no machine code for compute capability %s; update the driver",
			device.ErrUnsupported, c.Version, capability(own))
	}
	out, _, err := c.Compile(source, target, kind)
	if err == nil {
		return out, nil
	}
	code := 0
	if e := (*nvrtc.Error)(nil); errors.As(err, &e) {
		code = e.Code
	}
	return nil, &device.Error{Device: p.d.info.Name, Call: "nvrtcCompileProgram of " + name, Code: code, Err: err}
}

// module loads PTX or machine code. Where memory is too little, it is tried
// again with the pool's surplus given back.
func (p *programs) module(b *build, image []byte, name string) (status, error) {
	m, log, s := p.d.api.moduleLoadData(p.d.ctx, image)
	if s.exhausted() && p.d.pool.Trim() > 0 {
		m, log, s = p.d.api.moduleLoadData(p.d.ctx, image)
	}
	switch {
	case s == success:
		b.module = m
		return s, nil
	case s.fatal():
		return s, p.d.lose("cuModuleLoadDataEx", s)
	case s.exhausted() || log == "":
		return s, callError(p.d.info.Name, "cuModuleLoadDataEx of "+name, s)
	}
	return s, &device.Error{Device: p.d.info.Name, Call: "cuModuleLoadDataEx of " + name, Code: int(s),
		Err: fmt.Errorf("%w; the driver's compiler says: %s", s, log)}
}

// kernel returns a kernel of a build.
func (p *programs) kernel(b *build, name string) (k kernel, err error) {
	a, d := p.d.api, p.d
	var s status
	if k.function, s = a.moduleGetFunction(d.ctx, b.module, name); s != success {
		return k, d.check("cuModuleGetFunction of "+name, s)
	}
	n, s := a.funcGetAttribute(d.ctx, k.function, funcMaxThreads)
	if s != success {
		return k, d.check("cuFuncGetAttribute of "+name, s)
	}
	k.maxThreads = min(n, d.props.maxThreads)
	return k, nil
}

// build is a module with its kernels, by Stage.
type build struct {
	d       *Device
	module  handle
	kernels [4]kernel
}

// kernel is one entry of a build.
type kernel struct {
	function   handle // 0: not in this build
	maxThreads int    // in a block, which may be fewer than the device's
}

// release unloads the module once the stream no longer needs it.
func (b *build) release() {
	if b.module != 0 {
		b.d.api.streamSynchronize(b.d.ctx, b.d.stream) // a failure is told by the next call that enters
		b.d.api.moduleUnload(b.d.ctx, b.module)
	}
}
