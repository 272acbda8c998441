package opencl

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/stride0/stride0/device"
)

// libraries are the names of OpenCL's loader, the first that opens is used.
var libraries = []string{"libOpenCL.so.1", "libOpenCL.so"}

func init() { device.Register(&driver{libraries: libraries}) }

// driver finds and opens OpenCL devices.
type driver struct {
	libraries []string

	once sync.Once
	api  *api
	err  error
}

// Name returns "opencl".
func (d *driver) Name() string { return "opencl" }

// bind looks for OpenCL once.
func (d *driver) bind() (*api, error) {
	d.once.Do(func() {
		if d.api == nil {
			d.api, d.err = bind(d.libraries)
		}
	})
	return d.api, d.err
}

// List describes the devices of all platforms, platform by platform. Its error
// tells why there is none or, when some were found, which platforms failed.
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
		err = fmt.Errorf("there are %d OpenCL devices, the last is opencl:%d", len(found), len(found)-1)
	}
	return nil, err
}

// located is a device that can be opened.
type located struct {
	platform, device handle
	info             device.Info
	props            properties
}

// find returns the devices of all platforms.
func (d *driver) find() ([]located, error) {
	a, err := d.bind()
	if err != nil {
		return nil, unavailable(err)
	}
	platforms, s := list(a.getPlatformIDs)
	if s == platformNotFound || s == success && len(platforms) == 0 {
		return nil, unavailable(errors.New("the OpenCL loader found no driver; install your GPU vendor's, or PoCL (Debian: pocl-opencl-icd)"))
	}
	if s != success {
		return nil, unavailable(fmt.Errorf("clGetPlatformIDs: %w", s))
	}
	var found []located
	var failed []error
	for _, p := range platforms {
		if found, err = onPlatform(a, p, found); err != nil {
			failed = append(failed, err)
		}
	}
	if err := errors.Join(failed...); err != nil {
		return found, unavailable(err)
	}
	if len(found) == 0 {
		return nil, unavailable(errors.New("no OpenCL platform has a device"))
	}
	return found, nil
}

// onPlatform appends the devices of one platform.
func onPlatform(a *api, platform handle, found []located) ([]located, error) {
	name := text(func(out []byte) (int, status) { return a.getPlatformInfo(platform, platformName, out) })
	ids, s := list(func(out []handle) (int, status) { return a.getDeviceIDs(platform, deviceTypeAll, out) })
	if s == deviceNotFound {
		return found, fmt.Errorf("platform %s has no device", name)
	}
	if s != success {
		return found, fmt.Errorf("platform %s: clGetDeviceIDs: %w", name, s)
	}
	var failed []error
	for _, id := range ids {
		l := located{platform: platform, device: id}
		if err := l.describe(a, name, len(found)); err != nil {
			failed = append(failed, fmt.Errorf("platform %s: %w", name, err))
			continue
		}
		found = append(found, l)
	}
	return found, errors.Join(failed...)
}

func unavailable(err error) error { return fmt.Errorf("%w: %w", device.ErrUnavailable, err) }

// list calls a function that fills a slice twice: for the length, then for the
// handles.
func list(get func([]handle) (int, status)) ([]handle, status) {
	n, s := get(nil)
	if s != success || n == 0 {
		return nil, s
	}
	out := make([]handle, n)
	m, s := get(out)
	return out[:min(n, m)], s
}

// text returns a string that OpenCL tells, "unknown" when it does not.
func text(get func([]byte) (int, status)) string {
	if t, s := textOf(get); s == success && t != "" {
		return t
	}
	return "unknown"
}

func textOf(get func([]byte) (int, status)) (string, status) {
	n, s := get(nil)
	if s != success || n == 0 {
		return "", s
	}
	out := make([]byte, n)
	if _, s = get(out); s != success {
		return "", s
	}
	return strings.TrimSpace(strings.TrimRight(string(out), "\x00")), success
}

// number returns a number of at most 64 bits that OpenCL tells. Narrower ones
// leave the rest 0, on little-endian machines.
func number(get func([]byte) (int, status)) (uint64, status) {
	var out [8]byte
	_, s := get(out[:])
	return binary.LittleEndian.Uint64(out[:]), s
}
