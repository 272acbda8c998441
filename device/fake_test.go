package device

import (
	"fmt"
	"sync/atomic"
	"testing"
)

// fakeDevice is a device that only opens, closes and gets lost.
type fakeDevice struct {
	Base
	info   Info
	closes int
}

func (d *fakeDevice) Info() Info                                     { return d.info }
func (d *fakeDevice) Alloc(int64) (Buffer, error)                    { return nil, ErrUnsupported }
func (d *fakeDevice) Run(*Launch) error                              { return ErrUnsupported }
func (d *fakeDevice) Write(Buffer, int64, []byte) error              { return ErrUnsupported }
func (d *fakeDevice) Read([]byte, Buffer, int64) error               { return ErrUnsupported }
func (d *fakeDevice) Copy(Buffer, int64, Buffer, int64, int64) error { return ErrUnsupported }
func (d *fakeDevice) Sync() error                                    { return d.Down() }

func (d *fakeDevice) Close() error {
	d.closes++
	d.SetClosed(d.info.Name)
	return nil
}

// baseless hides everything of a device but the contract.
type baseless struct{ Device }

// fakeDriver has the devices of infos. open, if set, replaces how they open.
type fakeDriver struct {
	name  string
	infos []Info
	err   error
	open  func(index int) (Device, error)

	lists, opens atomic.Int64
}

func (d *fakeDriver) Name() string { return d.name }

func (d *fakeDriver) List() ([]Info, error) {
	d.lists.Add(1)
	return d.infos, d.err
}

func (d *fakeDriver) Open(index int) (Device, error) {
	d.opens.Add(1)
	if d.open != nil {
		return d.open(index)
	}
	if index >= len(d.infos) {
		return nil, &Error{Device: d.name, Call: "Open", Err: fmt.Errorf("%w: it has %d devices", ErrUnavailable, len(d.infos))}
	}
	return &fakeDevice{info: d.infos[index]}, nil
}

// newDriver returns a driver with one device per kind.
func newDriver(name string, kinds ...Kind) *fakeDriver {
	d := &fakeDriver{name: name}
	for i, k := range kinds {
		d.infos = append(d.infos, Info{Name: fmt.Sprintf("%s:%d", name, i), Kind: k})
	}
	return d
}

// register empties the registry for one test and registers drivers.
func register(t *testing.T, drivers ...Driver) {
	t.Helper()
	registry.mu.Lock()
	savedDrivers, savedHandles := registry.drivers, registry.handles
	registry.drivers, registry.handles = nil, nil
	registry.mu.Unlock()
	t.Cleanup(func() {
		registry.mu.Lock()
		registry.drivers, registry.handles = savedDrivers, savedHandles
		registry.mu.Unlock()
	})
	for _, d := range drivers {
		Register(d)
	}
}
