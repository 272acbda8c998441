package cuda

import (
	"errors"
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
		{"no memory from the third allocation on", "cuMemAlloc:3+", device.ErrOutOfMemory, true},
		{"no memory once, which is tried again", "cuMemAlloc:3", nil, true},
		{"no pinned memory", "cuMemAllocHost:1+", device.ErrOutOfMemory, true},
		{"no event", "cuEventCreate:1:1", invalidValue, true},
		{"write refused", "cuMemcpyHtoDAsync:1:1", invalidValue, true},
		{"module refused", "cuModuleLoadData:1:218", status(218), true},
		{"no memory for a module", "cuModuleLoadData:1+:2", device.ErrOutOfMemory, true},
		{"kernel not found", "cuModuleGetFunction:1:500", status(500), true},
		{"launch refused", "cuLaunchKernel:1:701", launchOutOfResources, true},
		{"no memory for a launch", "cuLaunchKernel:1+:2", device.ErrOutOfMemory, true},
		{"read refused", "cuMemcpyDtoHAsync:1:1", invalidValue, true},
		{"failure at a wait", "cuEventSynchronize:1:719", device.ErrLost, false},
		{"kernel fails when it runs", "kernel:1:719", device.ErrLost, false},
		{"kernel leaves its memory", "kernel:1:700", device.ErrLost, false},
		{"device lost at once", "lost:1", device.ErrLost, false},
		{"device lost", "lost:3", device.ErrLost, false},
		{"device lost before the launch", "lost:9:999", device.ErrLost, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := openSim(t, test.faults)
			simulator.Leaks() // of earlier tests
			err := k.attempt(t, d, content)
			require.ErrorIs(t, err, test.want)
			var typed *device.Error
			var oom *device.OutOfMemoryError
			assert.True(t, err == nil || errors.As(err, &typed) || errors.As(err, &oom), "%T", err)
			require.NoError(t, simulator.Set("faults", ""))
			err = k.attempt(t, d, content)
			if test.lives {
				assert.NoError(t, err, "the device goes on")
			} else {
				var lost *device.LostError
				assert.ErrorAs(t, err, &lost)
			}
			assert.NoError(t, d.Close())
			assert.NotContains(t, simulator.Leaks(), "device 1", "but what a dead context takes along")
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

// TestLostDeviceOpensAgain: whoever opens a lost device by name has a new
// context, though nobody closed the old handle.
func TestLostDeviceOpensAgain(t *testing.T) {
	openSim(t, "").Close()
	k := task{kernels.Add, dtype.Float32, broadcast.Shape{500}, 0}
	content := random(k.elem, 500)
	old, err := device.Open("cuda:1")
	require.NoError(t, err)
	require.NoError(t, simulator.Set("faults", "kernel:1:700"))
	require.ErrorIs(t, k.attempt(t, old.(*Device), content), device.ErrLost)
	again, err := device.Open("cuda:1")
	require.NoError(t, err)
	assert.NoError(t, k.attempt(t, again.(*Device), content))
	assert.ErrorIs(t, old.Sync(), device.ErrLost)
	assert.NoError(t, again.Close())
}

// TestSlowQueue: on a stream that lags behind by many operations, memory that
// is freed and lent out again, and the staging memory, still have the right
// bytes at the right time.
func TestSlowQueue(t *testing.T) {
	d := openSim(t, "")
	require.NoError(t, simulator.Set("slow", "1000")) // microseconds before each operation
	t.Cleanup(func() { require.NoError(t, simulator.Set("slow", "0")) })
	var want [][]byte
	var outs []device.Buffer
	for i := range 12 {
		k := task{kernels.Sub, dtype.Float32, broadcast.Shape{3000 + i}, 0}
		x, y := random(k.elem, 3000+i), random(k.elem, 3001+i)[4:]
		want = append(want, k.run(t, cpu.Default(), x, y))
		l, bufs, err := k.launch(t, d, x, y)
		require.NoError(t, err)
		clear(x)
		clear(y) // Write has them
		require.NoError(t, d.Run(l))
		free(bufs[:2]) // the next round's inputs
		outs = append(outs, bufs[2])
	}
	for i, out := range outs {
		got := make([]byte, out.Size())
		require.NoError(t, d.Read(got, out, 0))
		assert.Equal(t, want[i], got, "round %d", i)
	}
	free(outs)
	assert.NoError(t, d.Close())
	assert.NotContains(t, simulator.Leaks(), "device 1")
}
