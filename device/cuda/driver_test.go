package cuda

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/internal/dl"
)

func TestNoDriver(t *testing.T) {
	t.Setenv(libraryVariable, "")
	d := &driver{libraries: []string{"libstride0-absent.so.1", "libstride0-absent.so"}}
	_, err := d.List()
	require.ErrorIs(t, err, device.ErrUnavailable)
	var notFound *dl.OpenError
	if errors.As(err, &notFound) {
		assert.Contains(t, err.Error(), "found none of libstride0-absent.so.1, libstride0-absent.so: ")
	}
	_, again := d.Open(0)
	assert.Equal(t, err.Error(), again.Error(), "looked for once")
}

func TestAnotherLibraryIsTakenInstead(t *testing.T) {
	t.Setenv(libraryVariable, "/nowhere/libsim.so")
	_, err := (&driver{libraries: libraries}).List()
	require.ErrorIs(t, err, device.ErrUnavailable)
	var notFound *dl.OpenError
	if errors.As(err, &notFound) {
		assert.Equal(t, []string{"/nowhere/libsim.so"}, notFound.Names)
	}
}

// TestReasons: what List says when something is wrong with CUDA here.
func TestReasons(t *testing.T) {
	with := func(key, v int) map[int]int {
		about := goodDevice()
		about[key] = v
		return about
	}
	tests := []struct {
		name    string
		about   []map[int]int
		failing string // a function that returns code
		code    status
		devices int
		reason  string
	}{
		{"no start", nil, "cuInit", 803, 0, "cuInit: CUDA_ERROR_SYSTEM_DRIVER_MISMATCH"},
		{"no count", nil, "cuDeviceGetCount", 3, 0, "cuDeviceGetCount: CUDA_ERROR_NOT_INITIALIZED"},
		{"none", []map[int]int{}, "", 0, 0, "the NVIDIA driver has no device"},
		{"no handle", nil, "cuDeviceGet", 101, 0, "device 0: cuDeviceGet: CUDA_ERROR_INVALID_DEVICE"},
		{"no memory told", nil, "cuDeviceTotalMem", 101, 0, "Chip does not tell its memory: cuDeviceTotalMem: CUDA_ERROR_INVALID_DEVICE"},
		{"tells nothing", nil, "cuDeviceGetAttribute", 1, 0, "Chip does not tell its compute capability: cuDeviceGetAttribute: CUDA_ERROR_INVALID_VALUE"},
		{"no version", nil, "cuDriverGetVersion", 1, 0, "cuDriverGetVersion: CUDA_ERROR_INVALID_VALUE"},
		{"too old", []map[int]int{with(attrComputeMajor, 3), goodDevice()}, "", 0, 1, "device 0: Chip has compute capability 3.5; 5.2 is needed"},
		{"prohibited", []map[int]int{goodDevice(), with(attrComputeMode, computeProhibited)}, "", 0, 1, "device 1: Chip is in the prohibited compute mode"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f := newFake(test.about...)
			if test.about != nil {
				f.devices = test.about
			}
			f.fail = failAll(test.failing, test.code)
			infos, err := f.driver().List()
			assert.Len(t, infos, test.devices)
			require.ErrorIs(t, err, device.ErrUnavailable)
			assert.Contains(t, err.Error(), test.reason)
			assert.Empty(t, f.leaked())
		})
	}
}

func TestListAndInfo(t *testing.T) {
	second := goodDevice()
	second[attrComputeMajor], second[attrComputeMinor] = 12, 0
	f := newFake(goodDevice(), second)
	drv := f.driver()
	infos, err := drv.List()
	require.NoError(t, err)
	require.Len(t, infos, 2)
	matmul := "no matrix product, gather, scatter, running sum or sort of its own: device.AllowHost lets them go through the CPU"
	assert.Equal(t, device.Info{Name: "cuda:0", Kind: device.GPUKind, Model: "Chip", Driver: "CUDA 12.2, compute capability 7.5, NVRTC 11.8",
		Memory: 1 << 22, Float64: true, Notes: []string{matmul}}, infos[0])
	assert.Equal(t, "cuda:1", infos[1].Name)
	assert.Contains(t, infos[1].Driver, "compute capability 12.0")

	f.fail = failAll("cuDeviceGetName", 1)
	infos, err = drv.List()
	require.NoError(t, err)
	assert.Equal(t, "unknown", infos[0].Model, "a device works without a name")

	drv.compilers, drv.noCompiler = nil, errors.New("found none of libnvrtc.so")
	infos, err = drv.List()
	require.NoError(t, err)
	assert.Contains(t, infos[0].Notes[1], "no compiler (found none of libnvrtc.so)")
}

func TestOpenBeyondTheLast(t *testing.T) {
	_, err := newFake().driver().Open(1)
	require.Error(t, err)
	assert.Contains(t, err.Error(), "there are 1 CUDA devices, the last is cuda:0")
}

func TestStatusNames(t *testing.T) {
	assert.Equal(t, "CUDA_ERROR_OUT_OF_MEMORY", outOfMemory.Error())
	assert.Equal(t, "unknown CUDA error 7777", status(7777).Error())
}
