package cuda

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/internal/nvrtc"
	"github.com/stride0/stride0/kernels"
)

// seen hides or shows GPUs as the environment does, for one test.
func seen(t *testing.T, list string, set bool) {
	t.Setenv(visibleVariable, list) // which restores it
	if !set {
		require.NoError(t, os.Unsetenv(visibleVariable))
	}
}

func TestStartSaysWhatToDo(t *testing.T) {
	for _, test := range []struct {
		name    string
		code    status
		visible bool // CUDA_VISIBLE_DEVICES is set, to nothing
		want    string
	}{
		{"no GPU", noDevice, false, "finds no GPU; nvidia-smi tells whether its kernel module is loaded: cuInit: CUDA_ERROR_NO_DEVICE"},
		{"hidden", noDevice, true, `CUDA_VISIBLE_DEVICES="" hides all GPUs, or there is none: cuInit: CUDA_ERROR_NO_DEVICE`},
		{"no kernel module", unknown, true, "the kernel module nvidia_uvm may not be loaded, or /dev/nvidia* not open to this user; nvidia-smi tells: cuInit: CUDA_ERROR_UNKNOWN"},
		{"after an update", driverMismatch, false, "restart the machine after an update of the driver: cuInit: CUDA_ERROR_SYSTEM_DRIVER_MISMATCH"},
		{"the toolkit's stub", stubLibrary, false, "install the GPU's driver: cuInit: CUDA_ERROR_STUB_LIBRARY"},
		{"another code", 102, false, "cuInit: CUDA_ERROR_DEVICE_NOT_LICENSED"},
	} {
		t.Run(test.name, func(t *testing.T) {
			seen(t, "", test.visible)
			f := newFake()
			f.fail = failAll("cuInit", test.code)
			_, err := f.driver().Open(0)
			require.ErrorIs(t, err, device.ErrUnavailable)
			assert.ErrorIs(t, err, test.code)
			assert.Contains(t, err.Error(), test.want)
		})
	}
}

// A GPU that the only NVRTC has dropped runs the kernels of this program; its
// neighbour has all.
func TestCompilerOfEachDevice(t *testing.T) {
	old := goodDevice()
	old[attrComputeMajor], old[attrComputeMinor] = 6, 1
	f := newFake(old, goodDevice())
	recent, err := nvrtc.New(12, 0, []int{75, 90})
	require.NoError(t, err)
	drv := f.driver()
	drv.compilers = []*nvrtc.Compiler{recent}
	infos, err := drv.List()
	require.NoError(t, err)
	assert.Contains(t, infos[0].Notes[1], "no compiler (NVRTC 12.0 compiles for compute capability 7.5 and later)")
	assert.Contains(t, infos[1].Driver, "NVRTC 12.0")
	for i, want := range []kernels.SplitMode{kernels.SplitSingle, kernels.SplitRunnable} {
		dev, err := drv.Open(i)
		require.NoError(t, err)
		assert.Equal(t, want, device.SplitMode(dev))
		require.NoError(t, dev.Close())
	}
}

func TestOldDriverWithoutCompiler(t *testing.T) {
	f := newFake()
	f.version = 10_020
	drv := f.driver()
	drv.compilers = nil
	infos, err := drv.List()
	require.NoError(t, err)
	assert.Contains(t, infos[0].Notes[2], "need the driver of CUDA 11.0")
}

// NVRTC that is newer than the driver is asked for machine code once that is
// known, which it makes for GPUs of an own major capability only.
func TestMachineCode(t *testing.T) {
	mean := func(n int) task { return task{kernels.Mean, dtype.Float32, broadcast.Shape{n}, 1} }
	run := func(d *Device, n int) error {
		l, bufs, err := mean(n).launch(t, d)
		require.NoError(t, err)
		defer free(bufs)
		l.Scalars = make([]uint64, 1)
		return d.Run(l)
	}
	f := newFake()
	d := f.open(t)
	f.fail = failNth("cuModuleLoadDataEx", 0, ptxTooNew)
	require.NoError(t, run(d, 8))
	require.NoError(t, run(d, 3000), "another build")
	assert.Equal(t, 3, f.count("nvrtcCompileProgram"), "PTX once, machine code twice")
	require.NoError(t, d.Close())
	assert.Empty(t, f.leaked())

	later := goodDevice()
	later[attrComputeMajor], later[attrComputeMinor] = 12, 0
	f = newFake(later)
	d = f.open(t)
	f.fail = failNth("cuModuleLoadDataEx", 0, ptxTooNew)
	err := run(d, 8)
	assert.ErrorIs(t, err, device.ErrUnsupported)
	assert.ErrorContains(t, err, "no machine code for compute capability 12.0; update the driver")
	require.NoError(t, d.Close())
	assert.Empty(t, f.leaked())
}

// A module that finds too little memory is tried again without the pool's surplus.
func TestModuleTriedAgainWithoutThePoolsSurplus(t *testing.T) {
	f := newFake()
	d := f.open(t)
	l, bufs, err := task{kernels.Add, dtype.Float32, broadcast.Shape{8}, 0}.launch(t, d)
	require.NoError(t, err)
	surplus, err := d.Alloc(1 << 19)
	require.NoError(t, err)
	surplus.Free()
	f.fail = failNth("cuModuleLoadDataEx", 0, outOfMemory)
	require.NoError(t, d.Run(l))
	assert.Zero(t, d.PoolStats().Pooled)
	free(bufs)
	require.NoError(t, d.Close())
	assert.Empty(t, f.leaked())
}

// What still holds a dead context is named when a device cannot be opened again.
func TestDeadContext(t *testing.T) {
	f := newFake()
	f.fail = failAll("cuStreamCreate", illegalAddress)
	_, err := f.driver().Open(0)
	assert.ErrorIs(t, err, illegalAddress)
	assert.ErrorContains(t, err, "restart the program")
	assert.Empty(t, f.leaked())
}
