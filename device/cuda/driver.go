package cuda

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/internal/nvrtc"
)

// libraryVariable names the environment variable with the path of another
// library that has the functions of the driver, as a simulator has.
const libraryVariable = "STRIDE0_CUDA_LIBRARY"

// libraries are the names of the driver's library, the first that opens is used.
var libraries = []string{"libcuda.so.1", "libcuda.so"}

func init() { device.Register(&driver{libraries: libraries, compilers: nvrtc.Libraries}) }

// driver finds and opens CUDA devices.
type driver struct {
	libraries []string
	compilers []string // the names of NVRTC

	once sync.Once
	api  *api
	err  error

	compiler   *nvrtc.Compiler // nil: not there
	noCompiler error           // then why
}

// Name returns "cuda".
func (d *driver) Name() string { return "cuda" }

// bind looks for the driver and for NVRTC once, and starts the driver.
func (d *driver) bind() (*api, error) {
	d.once.Do(func() {
		if d.api == nil {
			names := d.libraries
			if path := os.Getenv(libraryVariable); path != "" {
				names = []string{path}
			}
			if d.api, d.err = bind(names); d.err != nil {
				return
			}
			d.compiler, d.noCompiler = nvrtc.Open(d.compilers...)
		}
		d.err = start(d.api)
	})
	return d.api, d.err
}

// start is cuInit, which fails where there is no GPU.
func start(a *api) error {
	switch s := a.init(); s {
	case success:
		return nil
	case noDevice:
		return errors.New("the NVIDIA driver finds no GPU (cuInit: CUDA_ERROR_NO_DEVICE)")
	default:
		return fmt.Errorf("cuInit: %w", s)
	}
}

// List describes the devices. Its error tells why there is none or, when some
// were found, what is wrong with the others.
func (d *driver) List() ([]device.Info, error) {
	found, err := d.find()
	infos := make([]device.Info, len(found))
	for i, f := range found {
		infos[i] = f.info
	}
	return infos, err
}

// Open opens the device at an index of List.
func (d *driver) Open(index int) (device.Device, error) {
	found, err := d.find()
	if index < len(found) {
		return open(d, found[index])
	}
	if err == nil {
		err = fmt.Errorf("there are %d CUDA devices, the last is cuda:%d", len(found), len(found)-1)
	}
	return nil, err
}

// located is a device that can be opened.
type located struct {
	device handle
	info   device.Info
	props  properties
}

// find returns the devices.
func (d *driver) find() ([]located, error) {
	a, err := d.bind()
	if err != nil {
		return nil, unavailable(err)
	}
	n, s := a.deviceGetCount()
	if s != success {
		return nil, unavailable(fmt.Errorf("cuDeviceGetCount: %w", s))
	}
	var found []located
	var failed []error
	for ordinal := range n {
		l, err := d.locate(ordinal, len(found))
		if err != nil {
			failed = append(failed, err)
			continue
		}
		found = append(found, l)
	}
	if err := errors.Join(failed...); err != nil {
		return found, unavailable(err)
	}
	if len(found) == 0 {
		return nil, unavailable(errors.New("the NVIDIA driver has no device"))
	}
	return found, nil
}

// locate describes one of the driver's devices, as cuda:index.
func (d *driver) locate(ordinal, index int) (located, error) {
	var l located
	var s status
	if l.device, s = d.api.deviceGet(ordinal); s != success {
		return l, fmt.Errorf("device %d: cuDeviceGet: %w", ordinal, s)
	}
	if err := l.describe(d.api, index); err != nil {
		return l, fmt.Errorf("device %d: %w", ordinal, err)
	}
	if d.compiler == nil {
		l.info.Notes = append(l.info.Notes, "no compiler ("+d.missingCompiler()+"): single operations run as kernels of this program, others are not supported")
	} else {
		l.info.Driver += ", NVRTC " + d.compiler.Version
	}
	return l, nil
}

// missingCompiler says what was looked for as NVRTC, on one line.
func (d *driver) missingCompiler() string {
	if d.noCompiler == nil {
		return "no NVRTC"
	}
	return strings.ReplaceAll(d.noCompiler.Error(), "\n", " ")
}

func unavailable(err error) error { return fmt.Errorf("%w: %w", device.ErrUnavailable, err) }
