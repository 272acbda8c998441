package cuda

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// scenario uses everything a device does once and returns the errors of all
// steps. It goes on after an error, frees what it has and closes the device.
func scenario(t *testing.T, f *fake) (errs []error, closed error) {
	t.Helper()
	note := func(err error) {
		if err != nil {
			errs = append(errs, err)
		}
	}
	opened, err := f.driver().Open(0)
	note(err)
	if err != nil {
		return errs, nil
	}
	dev := opened.(*Device)
	content := make([]byte, 4*3000)
	for _, k := range []task{
		{kernels.Add, dtype.Float32, broadcast.Shape{3000}, 0},
		{kernels.Sum, dtype.Float32, broadcast.Shape{3000}, 1},
	} {
		l, bufs, err := k.launch(t, dev, content, content)
		note(err)
		if err == nil {
			note(dev.Run(l))
			out := l.Outputs[0].Buffer
			note(dev.Copy(out, 0, l.Inputs[0].Buffer, 0, 4))
			note(dev.Read(make([]byte, 4), out, 0))
		}
		free(bufs)
	}
	note(dev.Sync())
	dev.Trim()
	return errs, dev.Close()
}

// silent are the calls that give something back or whose failure only makes a
// message poorer.
var silent = map[string]bool{"cuDeviceGetName": true, "cuMemGetInfo": true, "cuDevicePrimaryCtxRelease": true,
	"cuMemFree": true, "cuMemFreeHost": true, "cuStreamDestroy": true, "cuEventDestroy": true, "cuModuleUnload": true}

// TestEveryCallFails makes each call of the scenario fail in turn, with each
// sort of status: an error of the right type comes out of something, nothing
// leaks, and the device closes.
func TestEveryCallFails(t *testing.T) {
	clean := newFake()
	errs, err := scenario(t, clean)
	require.Empty(t, errs)
	require.NoError(t, err)
	require.Empty(t, clean.leaked())
	read := false // whether the bytes have been read: later waits are for nobody
	waiting := map[int]bool{}
	for i, name := range clean.calls {
		waiting[i] = name == "cuStreamSynchronize" && read
		read = read || name == "cuStreamSynchronize"
	}
	for i, name := range clean.calls {
		for _, code := range []status{outOfMemory, launchFailed, invalidValue} {
			t.Run(fmt.Sprintf("%d %s %d", i, name, code), func(t *testing.T) {
				f := newFake()
				f.fail = func(c failing) status {
					if c.nth == i {
						return code
					}
					return success
				}
				errs, err := scenario(t, f)
				assert.NoError(t, err, "Close")
				assert.Empty(t, f.leaked())
				if len(errs) == 0 {
					assert.True(t, silent[name] || code.exhausted() || waiting[i], "the failure vanished")
					return
				}
				checkTyped(t, errs, name, code)
			})
		}
	}
}

// checkTyped checks the first error of a scenario, in which only one call failed.
func checkTyped(t *testing.T, errs []error, name string, code status) {
	t.Helper()
	var one *device.Error
	var lost *device.LostError
	var oom *device.OutOfMemoryError
	err := errs[0]
	switch {
	case errors.As(err, &lost):
		assert.ErrorIs(t, err, device.ErrLost)
		assert.ErrorIs(t, err, code)
		for _, later := range errs[1:] {
			assert.ErrorIs(t, later, device.ErrLost, "once lost, always lost")
		}
	case errors.As(err, &oom):
		assert.ErrorIs(t, err, device.ErrOutOfMemory)
		assert.True(t, code.exhausted())
	case errors.Is(err, device.ErrUnavailable): // from List
		assert.ErrorIs(t, err, code)
	case name == "nvrtcCompileProgram":
		assert.ErrorContains(t, err, "NVRTC_ERROR_COMPILATION; the compiler says: no such function")
	default:
		if assert.ErrorAs(t, err, &one) {
			assert.Equal(t, int(code), one.Code)
			assert.Contains(t, one.Call, name)
			assert.ErrorIs(t, err, code)
		}
	}
	if code.fatal() && enters(name) {
		assert.NotNil(t, lost, "a dead context is a lost device: %v", err)
	}
}

// enters reports whether a call is made on an open device, so that a dead
// context shows in it.
func enters(name string) bool {
	switch name {
	case "cuMemAlloc", "cuMemAllocHost", "cuEventCreate", "cuEventRecord", "cuEventSynchronize", "cuStreamSynchronize",
		"cuMemcpyHtoDAsync", "cuMemcpyDtoHAsync", "cuMemcpyDtoDAsync", "cuModuleLoadDataEx", "cuModuleGetFunction", "cuFuncGetAttribute", "cuLaunchKernel":
		return true
	}
	return false
}

// failNth makes the n-th call of a function fail once.
func failNth(name string, n int, code status) func(failing) status {
	return func(c failing) status {
		if c.name == name && c.same == n {
			return code
		}
		return success
	}
}

// failAll makes all calls of a function fail.
func failAll(name string, code status) func(failing) status {
	return func(c failing) status {
		if c.name == name {
			return code
		}
		return success
	}
}

func TestOutOfMemory(t *testing.T) {
	f := newFake()
	d := f.open(t)
	var oom *device.OutOfMemoryError
	b, err := d.Alloc(1000)
	require.NoError(t, err)
	b.Free()                          // now pooled
	f.fail = func(c failing) status { // no memory until the pool gives its own back
		if c.name == "cuMemAlloc" && len(f.bytes) > 0 {
			return outOfMemory
		}
		return success
	}
	big, err := d.Alloc(500_000)
	require.NoError(t, err)
	_, err = d.Alloc(500_000)
	require.ErrorAs(t, err, &oom)
	assert.ErrorIs(t, err, device.ErrOutOfMemory)
	assert.LessOrEqual(t, oom.Free, int64(1<<21), "what the device has left")
	big.Free()
	assert.NoError(t, d.Sync(), "the device lives on")
	assert.NoError(t, d.Close())
	assert.Empty(t, f.leaked())
}

func TestLaunchTriedAgainWithoutThePoolsSurplus(t *testing.T) {
	f := newFake()
	d := f.open(t)
	surplus, err := d.Alloc(1 << 19)
	require.NoError(t, err)
	surplus.Free()
	l, bufs, err := task{kernels.Add, dtype.Float32, broadcast.Shape{8}, 0}.launch(t, d)
	require.NoError(t, err)
	defer free(bufs)
	f.fail = failNth("cuLaunchKernel", 0, outOfMemory)
	require.NoError(t, d.Run(l))
	assert.Zero(t, d.PoolStats().Pooled)
	f.fail = failAll("cuLaunchKernel", outOfMemory)
	err = d.Run(l)
	assert.ErrorIs(t, err, device.ErrOutOfMemory)
	assert.NotErrorIs(t, err, device.ErrLost, "nothing was enqueued")
	f.fail = failAll("cuLaunchKernel", launchOutOfResources)
	err = d.Run(l)
	assert.ErrorContains(t, err, "cuda:0: cuLaunchKernel: code 701: CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES")
	f.fail = nil
	assert.NoError(t, d.Run(l), "the device lives on")
}

// A launch of several kernels that fails after the first has written already.
func TestHalfEnqueuedIsLost(t *testing.T) {
	f := newFake()
	d := f.open(t)
	l, bufs, err := task{kernels.Sum, dtype.Float32, broadcast.Shape{5000}, 1}.launch(t, d)
	require.NoError(t, err)
	f.fail = failNth("cuLaunchKernel", 1, invalidValue)
	err = d.Run(l)
	var lost *device.LostError
	require.ErrorAs(t, err, &lost)
	assert.Equal(t, []string{"sum"}, lost.Ops)
	assert.Contains(t, err.Error(), "cuLaunchKernel: code 1: CUDA_ERROR_INVALID_VALUE")
	_, err = d.Alloc(8)
	assert.ErrorIs(t, err, device.ErrLost)
	require.NoError(t, d.Close(), "a lost device closes with live buffers")
	before := len(f.calls)
	free(bufs)
	assert.Equal(t, before, len(f.calls), "memory went with its context")
	assert.Equal(t, []string{"memory", "memory", "memory"}, f.leaked())
	assert.ErrorIs(t, d.Down(), device.ErrLost)
}

func TestFaultNamesTheSuspects(t *testing.T) {
	f := newFake()
	d := f.open(t)
	add, bufs, err := task{kernels.Add, dtype.Float32, broadcast.Shape{8}, 0}.launch(t, d)
	require.NoError(t, err)
	neg, more, err := task{kernels.Neg, dtype.Float32, broadcast.Shape{8}, 0}.launch(t, d)
	require.NoError(t, err)
	defer free(append(bufs, more...))
	require.NoError(t, d.Run(neg))
	require.NoError(t, d.Sync())
	require.NoError(t, d.Write(neg.Inputs[0].Buffer, 0, make([]byte, 4)))
	require.NoError(t, d.Run(add))
	require.NoError(t, d.Run(add))
	require.NoError(t, d.Run(neg))
	f.fail = failNth("cuEventSynchronize", 1, illegalAddress)
	err = d.Read(make([]byte, 4), neg.Outputs[0].Buffer, 0)
	var lost *device.LostError
	require.ErrorAs(t, err, &lost)
	assert.Equal(t, []string{"write", "add", "add", "neg"}, lost.Ops, "what Sync saw done is not among them")
	assert.ErrorIs(t, err, illegalAddress)
}

func TestSyncModeNamesTheOne(t *testing.T) {
	t.Setenv("STRIDE0_SYNC", "1")
	f := newFake()
	d := f.open(t)
	add, bufs, err := task{kernels.Add, dtype.Float32, broadcast.Shape{8}, 0}.launch(t, d)
	require.NoError(t, err)
	defer free(bufs)
	require.NoError(t, d.Run(add))
	f.fail = failNth("cuStreamSynchronize", f.count("cuStreamSynchronize"), launchFailed)
	neg, more, err := task{kernels.Neg, dtype.Float32, broadcast.Shape{8}, 0}.launch(t, d)
	require.NoError(t, err)
	defer free(more)
	err = d.Run(neg)
	var lost *device.LostError
	require.ErrorAs(t, err, &lost)
	assert.Equal(t, []string{"neg"}, lost.Ops)
}
