package opencl

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
	return errs, dev.Close()
}

// TestEveryCallFails makes each call of the scenario fail in turn, with each
// sort of status: an error of the right type comes out of something, nothing
// leaks, and the device closes.
func TestEveryCallFails(t *testing.T) {
	clean := newFake()
	errs, err := scenario(t, clean)
	require.Empty(t, errs)
	require.NoError(t, err)
	require.Empty(t, clean.leaked())
	silent := map[string]bool{"clGetPlatformInfo": true, "clReleaseContext": true, "clReleaseCommandQueue": true,
		"clReleaseMemObject": true, "clReleaseProgram": true, "clReleaseKernel": true, "clGetProgramBuildInfo": true}
	closing := 0 // the call with which Close waits, for nobody
	for i, name := range clean.calls {
		if name == "clFinish" {
			closing = i
		}
	}
	for i, name := range clean.calls {
		for _, code := range []status{memAllocationFailure, outOfResources, invalidCommandQueue, -30} {
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
					assert.True(t, silent[name] || code.exhausted() || i == closing || isText(name, i), "the failure vanished")
					return
				}
				checkTyped(t, errs, name, code)
			})
		}
	}
}

// isText reports whether the call asks for a string, without which a device
// is just "unknown", or for a float64 that a device may not have.
func isText(name string, i int) bool {
	if name != "clGetDeviceInfo" {
		return false
	}
	f := newFake()
	f.fail = func(c failing) status {
		if c.nth == i {
			return -30
		}
		return success
	}
	infos, err := f.driver().List()
	return err == nil && len(infos) == 1 && (!infos[0].Float64 || infos[0].Model == "unknown" || infos[0].Driver != "Platform 1, OpenCL 1.2 fake, driver 1.0")
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
		for _, later := range errs[1:] {
			assert.ErrorIs(t, later, device.ErrLost, "once lost, always lost")
		}
	case errors.As(err, &oom):
		assert.ErrorIs(t, err, device.ErrOutOfMemory)
		assert.True(t, code.exhausted())
	case errors.Is(err, device.ErrUnavailable): // from List
		assert.ErrorIs(t, err, code)
	default:
		if assert.ErrorAs(t, err, &one) {
			assert.Equal(t, int(code), one.Code)
			assert.Contains(t, one.Call, name)
			assert.ErrorIs(t, err, code)
		}
	}
	if code == invalidCommandQueue && usesQueue(name) {
		assert.NotNil(t, lost, "a dead queue is a lost device: %v", err)
	}
}

// usesQueue reports whether a dead queue shows in this call.
func usesQueue(name string) bool {
	switch name {
	case "clEnqueueNDRangeKernel", "clEnqueueReadBuffer", "clEnqueueWriteBuffer", "clEnqueueCopyBuffer", "clFlush", "clFinish", "clCreateBuffer":
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

func TestBuildErrorShowsTheLog(t *testing.T) {
	f := newFake()
	d := f.open(t)
	f.fail = failNth("clBuildProgram", 0, buildProgramFailure)
	k := task{kernels.Add, dtype.Float32, broadcast.Shape{8}, 0}
	l, bufs, err := k.launch(t, d)
	require.NoError(t, err)
	defer free(bufs)
	err = d.Run(l)
	var e *device.Error
	require.ErrorAs(t, err, &e)
	assert.Equal(t, -11, e.Code)
	assert.Equal(t, "opencl:0: clBuildProgram of add_float32_flat: code -11: CL_BUILD_PROGRAM_FAILURE; the compiler says: line 1: no", err.Error())
	require.NoError(t, d.Run(l), "the next launch builds again")
}

func TestOutOfMemory(t *testing.T) {
	f := newFake()
	d := f.open(t)
	_, err := d.Alloc(1<<20 + 1)
	var oom *device.OutOfMemoryError
	require.ErrorAs(t, err, &oom, "above the largest buffer")
	assert.Equal(t, int64(1<<20+1), oom.Need)
	assert.Equal(t, int64(1<<20), oom.Limit)

	b, err := d.Alloc(1000)
	require.NoError(t, err)
	b.Free()                          // now pooled
	f.fail = func(c failing) status { // no memory until the pool gives its own back
		if c.name == "clCreateBuffer" && len(f.live) > 2 {
			return memAllocationFailure
		}
		return success
	}
	big, err := d.Alloc(500_000)
	require.NoError(t, err)
	_, err = d.Alloc(500_000)
	require.ErrorAs(t, err, &oom)
	assert.ErrorIs(t, err, device.ErrOutOfMemory)
	big.Free()
	f.fail = func(c failing) status { // the driver's word for too large
		if c.name == "clCreateBuffer" {
			return invalidBufferSize
		}
		return success
	}
	_, err = d.Alloc(900_000)
	assert.ErrorAs(t, err, &oom)
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
	f.fail = failNth("clEnqueueNDRangeKernel", 0, outOfResources)
	require.NoError(t, d.Run(l))
	assert.Zero(t, d.PoolStats().Pooled)
	f.fail = func(c failing) status {
		if c.name == "clEnqueueNDRangeKernel" {
			return outOfResources
		}
		return success
	}
	err = d.Run(l)
	assert.ErrorIs(t, err, device.ErrOutOfMemory)
	assert.NotErrorIs(t, err, device.ErrLost, "nothing was enqueued")
}

// A launch of several kernels that fails after the first has written already.
func TestHalfEnqueuedIsLost(t *testing.T) {
	f := newFake()
	d := f.open(t)
	l, bufs, err := task{kernels.Sum, dtype.Float32, broadcast.Shape{5000}, 1}.launch(t, d)
	require.NoError(t, err)
	f.fail = failNth("clSetKernelArg", 4, -51) // the second kernel's
	err = d.Run(l)
	var lost *device.LostError
	require.ErrorAs(t, err, &lost)
	assert.Equal(t, []string{"sum"}, lost.Ops)
	assert.Contains(t, err.Error(), "clSetKernelArg: code -51: CL_INVALID_ARG_SIZE")
	_, err = d.Alloc(8)
	assert.ErrorIs(t, err, device.ErrLost)
	require.NoError(t, d.Close(), "a lost device closes with live buffers")
	free(bufs)
	assert.Empty(t, f.leaked())
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
	require.NoError(t, d.Run(add))
	require.NoError(t, d.Run(add))
	require.NoError(t, d.Run(neg))
	f.fail = failNth("clEnqueueReadBuffer", 0, illegalAccess)
	err = d.Read(make([]byte, 4), neg.Outputs[0].Buffer, 0)
	var lost *device.LostError
	require.ErrorAs(t, err, &lost)
	assert.Equal(t, []string{"add", "add", "neg"}, lost.Ops, "what Sync saw done is not among them")
	assert.ErrorIs(t, err, illegalAccess)
}

func TestSyncModeNamesTheOne(t *testing.T) {
	t.Setenv("STRIDE0_SYNC", "1")
	f := newFake()
	d := f.open(t)
	add, bufs, err := task{kernels.Add, dtype.Float32, broadcast.Shape{8}, 0}.launch(t, d)
	require.NoError(t, err)
	defer free(bufs)
	require.NoError(t, d.Run(add))
	f.fail = failNth("clFinish", 1, outOfResources)
	neg, more, err := task{kernels.Neg, dtype.Float32, broadcast.Shape{8}, 0}.launch(t, d)
	require.NoError(t, err)
	defer free(more)
	err = d.Run(neg)
	var lost *device.LostError
	require.ErrorAs(t, err, &lost)
	assert.Equal(t, []string{"neg"}, lost.Ops)
}
