package devicetest

import (
	"time"

	"github.com/stride0/stride0/device"
)

// RegisterLagging makes device.Open("lagging") a lagging CPU, with waits of up
// to 20 microseconds. It is for tests that import package cpu.
func RegisterLagging() { device.Register(lagDriver{}) }

// lagDriver opens the CPU, lagging.
type lagDriver struct{}

// Name returns "lagging".
func (lagDriver) Name() string { return "lagging" }

// List describes the one device there is: the CPU.
func (lagDriver) List() ([]device.Info, error) {
	inner, err := device.Open("cpu")
	if err != nil {
		return nil, err
	}
	info := inner.Info()
	info.Name = "lagging"
	return []device.Info{info}, nil
}

// Open returns a lagging device on the process's CPU.
func (lagDriver) Open(int) (device.Device, error) {
	inner, err := device.Open("cpu")
	if err != nil {
		return nil, err
	}
	return Lagging(inner, LagOptions{Delay: 20 * time.Microsecond}), nil
}
