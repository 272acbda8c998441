package cuda

import (
	"errors"
	"fmt"
	"os"
	"sync"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/internal/nvrtc"
)

// libraryVariable names the environment variable with the path of another
// library that has the functions of the driver, as a simulator has.
const libraryVariable = "STRIDE0_CUDA_LIBRARY"

// libraries are the names of the driver's library, the first that opens is
// used. The last one is where Windows puts it for Linux programs (WSL 2), which
// the loader of a container may not have been told.
var libraries = []string{"libcuda.so.1", "libcuda.so", "/usr/lib/wsl/lib/libcuda.so.1"}

func init() { device.Register(&driver{libraries: libraries, nvrtc: nvrtc.Libraries}) }

// driver finds and opens CUDA devices.
type driver struct {
	libraries []string
	nvrtc     []string // the names of the compiler's

	once sync.Once
	api  *api
	err  error

	compilers  []*nvrtc.Compiler // that are there
	noCompiler error             // why there is none
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
			d.compilers, d.noCompiler = nvrtc.OpenAll(d.nvrtc...)
		}
		d.err = start(d.api)
	})
	return d.api, d.err
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
		return open(d.api, found[index])
	}
	if err == nil {
		err = fmt.Errorf("there are %d CUDA devices, the last is cuda:%d", len(found), len(found)-1)
	}
	return nil, err
}

// located is a device that can be opened.
type located struct {
	device   handle
	info     device.Info
	props    properties
	compiler *nvrtc.Compiler // nil: there is none for it
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
	d.equip(&l)
	return l, nil
}

func unavailable(err error) error { return fmt.Errorf("%w: %w", device.ErrUnavailable, err) }
