package cuda

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/cpu"
	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// openSim opens the simulator's device that no other test uses, with faults to
// come: what kills a context kills it for all who share it.
func openSim(t *testing.T, faults string) *Device {
	t.Helper()
	needDevice(t)
	if simulator == nil {
		t.Skip("faults cannot be injected into a GPU")
	}
	drv := &driver{libraries: []string{simulator.Path()}}
	dev, err := drv.Open(1)
	require.NoError(t, err)
	require.NoError(t, simulator.Set("faults", faults))
	t.Cleanup(func() { require.NoError(t, simulator.Set("faults", "")) })
	return dev.(*Device)
}

// TestSimulatedFaults: each fault becomes the error of its sort, and the device
// goes on where the driver would.
func TestSimulatedFaults(t *testing.T) {
	k := task{kernels.Add, dtype.Float32, broadcast.Shape{500}, 0}
	content := random(k.elem, 500)
	for _, test := range []struct {
		name, faults string
		want         error
		lives        bool // the device goes on afterwards
	}{
		{"no memory", "cuMemAlloc:1+", device.ErrOutOfMemory, true},
		{"no pinned memory", "cuMemAllocHost:1+", device.ErrOutOfMemory, true},
		{"launch refused", "cuLaunchKernel:1:701", launchOutOfResources, true},
		{"kernel fails when it runs", "kernel:1:719", device.ErrLost, false},
		{"device lost", "lost:3", device.ErrLost, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := openSim(t, test.faults)
			simulator.Leaks() // of earlier tests
			err := k.attempt(t, d, content)
			require.ErrorIs(t, err, test.want)
			require.NoError(t, simulator.Set("faults", ""))
			err = k.attempt(t, d, content)
			if test.lives {
				assert.NoError(t, err, "the device goes on")
			} else {
				var lost *device.LostError
				assert.ErrorAs(t, err, &lost)
			}
			assert.NoError(t, d.Close())
			if test.lives { // a dead context keeps what it holds until it ends
				assert.NotContains(t, simulator.Leaks(), "device 1")
			}
			again := openSim(t, "")
			assert.NoError(t, k.attempt(t, again, content), "the driver allows a new handle")
			assert.NoError(t, again.Close())
		})
	}
}

// attempt runs the task and returns the first error, or nil if the result is
// the CPU's.
func (k task) attempt(t *testing.T, d *Device, content []byte) error {
	t.Helper()
	l, bufs, err := k.launch(t, d, content, content)
	defer free(bufs)
	if err != nil {
		return err
	}
	if err := d.Run(l); err != nil {
		return err
	}
	got := make([]byte, l.Outputs[0].Buffer.Size())
	if err := d.Read(got, l.Outputs[0].Buffer, 0); err != nil {
		return err
	}
	assert.Equal(t, k.run(t, cpu.Default(), content, content), got)
	return nil
}
