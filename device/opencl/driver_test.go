package opencl

import (
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/internal/dl"
)

func TestNoLoader(t *testing.T) {
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

// TestReasons: what List says when something is wrong with OpenCL here.
func TestReasons(t *testing.T) {
	with := func(key uint32, v uint64) fakePlatform {
		about := goodDevice()
		about[key] = v
		return fakePlatform{devices: []map[uint32]uint64{about}}
	}
	good := fakePlatform{devices: []map[uint32]uint64{goodDevice(), goodDevice()}}
	tests := []struct {
		name      string
		platforms []fakePlatform
		failing   string // a function that returns code
		code      status
		devices   int
		reason    string
	}{
		{"no driver", []fakePlatform{}, "clGetPlatformIDs", platformNotFound, 0, "the OpenCL loader found no driver; install"},
		{"no platform", []fakePlatform{}, "", 0, 0, "the OpenCL loader found no driver; install"},
		{"loader fails", []fakePlatform{good}, "clGetPlatformIDs", -6, 0, "clGetPlatformIDs: CL_OUT_OF_HOST_MEMORY"},
		{"platform without devices", []fakePlatform{{status: deviceNotFound}}, "", 0, 0, "platform Platform 1 has no device"},
		{"one platform fails", []fakePlatform{good, {status: -32}}, "", 0, 2, "platform Platform 2: clGetDeviceIDs: CL_INVALID_PLATFORM"},
		{"first platform fails", []fakePlatform{{status: -1}, good}, "", 0, 2, "platform Platform 1 has no device"},
		{"not available", []fakePlatform{with(deviceAvailable, 0)}, "", 0, 0, "device Chip is not available"},
		{"no compiler", []fakePlatform{with(deviceCompiler, 0), good}, "", 0, 2, "device Chip has no compiler"},
		{"big-endian", []fakePlatform{with(deviceEndianLittle, 0)}, "", 0, 0, "device Chip is big-endian"},
		{"too old", []fakePlatform{with(deviceVersion, 11)}, "", 0, 0, "has OpenCL 1.1 fake; 1.2 is needed"},
		{"no NaN", []fakePlatform{with(deviceSingleFPConfig, fpRoundToNearest)}, "", 0, 0, "does not compute float32 as IEEE 754 does"},
		{"tells nothing", []fakePlatform{good}, "clGetDeviceInfo", -33, 0, "does not tell its type: clGetDeviceInfo: CL_INVALID_DEVICE"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f := newFake(test.platforms...)
			f.fail = func(c failing) status {
				if c.name == test.failing {
					return test.code
				}
				return success
			}
			infos, err := f.driver().List()
			assert.Len(t, infos, test.devices)
			require.ErrorIs(t, err, device.ErrUnavailable)
			assert.Contains(t, err.Error(), test.reason)
			assert.Empty(t, f.leaked())
		})
	}
}

func TestListAndInfo(t *testing.T) {
	cpu, weak := goodDevice(), goodDevice()
	cpu[deviceType] = deviceTypeCPU | 1
	weak[deviceType], weak[deviceVersion] = 1<<3, 30
	weak[deviceSingleFPConfig], weak[deviceDoubleFPConfig] = fpRoundToNearest|fpInfNaN, 0
	f := newFake(fakePlatform{devices: []map[uint32]uint64{goodDevice(), cpu}}, fakePlatform{devices: []map[uint32]uint64{weak}})
	infos, err := f.driver().List()
	require.NoError(t, err)
	require.Len(t, infos, 3)
	matmul := "no matrix product, gather, scatter, running sum or sort of its own: device.AllowHost lets them go through the CPU"
	assert.Equal(t, device.Info{Name: "opencl:0", Kind: device.GPUKind, Model: "Chip", Driver: "Platform 1, OpenCL 1.2 fake, driver 1.0",
		Memory: 1 << 22, Float64: true, Notes: []string{matmul}}, infos[0])
	assert.Equal(t, "opencl:1", infos[1].Name)
	assert.Equal(t, device.CPUKind, infos[1].Kind)
	assert.Equal(t, "opencl:2", infos[2].Name)
	assert.Equal(t, device.OtherKind, infos[2].Kind)
	assert.False(t, infos[2].Float64)
	assert.Equal(t, []string{"float32 subnormals become 0",
		"float32 division and square root are computed with integers, which is slow, to round correctly",
		"fused multiply-add is emulated, which is slow", "no float64", matmul}, infos[2].Notes)
}

// A device has float64 if its configuration and its list of extensions say so.
func TestFloat64NeedsTwoAnswers(t *testing.T) {
	const all = fpDenorm | fpInfNaN | fpRoundToNearest | fpFMA
	for name, test := range map[string]struct {
		config, extension uint64
		refused           bool // clGetDeviceInfo of the configuration is CL_INVALID_VALUE
		want              bool
	}{
		"both":                     {config: all, extension: 1, want: true},
		"no configuration":         {extension: 1},
		"no extension":             {config: all},
		"refused":                  {config: all, extension: 1, refused: true},
		"less than IEEE 754":       {config: fpRoundToNearest, extension: 1},
		"refused and no extension": {refused: true},
	} {
		t.Run(name, func(t *testing.T) {
			about := goodDevice()
			about[deviceDoubleFPConfig], about[deviceExtensions] = test.config, test.extension
			f := newFake(fakePlatform{devices: []map[uint32]uint64{about}})
			if test.refused {
				f.refuse = deviceDoubleFPConfig
			}
			infos, err := f.driver().List()
			require.NoError(t, err)
			require.Len(t, infos, 1)
			assert.Equal(t, test.want, infos[0].Float64)
			assert.Equal(t, !test.want, slices.Contains(infos[0].Notes, "no float64"))
		})
	}
}

func TestOpenBeyondTheLast(t *testing.T) {
	_, err := newFake().driver().Open(1)
	require.Error(t, err)
	assert.Contains(t, err.Error(), "there are 1 OpenCL devices, the last is opencl:0")
}

func TestVersions(t *testing.T) {
	for version, want := range map[string]bool{"OpenCL 1.1": false, "OpenCL 1.2 x": true, "OpenCL 2.0 y": true, "OpenCL 3.0": true, "OpenGL 4.6": false, "": false} {
		assert.Equal(t, want, atLeast12(version), version)
	}
}
