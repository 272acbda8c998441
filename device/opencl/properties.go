package opencl

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/stride0/stride0/device"
)

// properties are what decides how work is put to a device.
type properties struct {
	cpu          bool
	float64      bool
	exactDivide  bool   // float32 division and square root are correctly rounded
	maxAlloc     int64  // bytes in one buffer
	maxParameter int    // bytes of all arguments of a kernel
	maxGroup     int    // work-items in a group
	maxSides     [3]int // of them along x, y, z
}

// describe fills in what the driver tells about l.device.
func (l *located) describe(a *api, platform string, index int) error {
	ask := func(key uint32) func([]byte) (int, status) {
		return func(out []byte) (int, status) { return a.getDeviceInfo(l.device, key, out) }
	}
	name := text(ask(deviceName))
	var missing error
	told := func(s status, what string) {
		if s != success && missing == nil {
			missing = fmt.Errorf("device %s does not tell %s: clGetDeviceInfo: %w", name, what, s)
		}
	}
	get := func(key uint32, what string) uint64 {
		v, s := number(ask(key))
		told(s, what)
		return v
	}
	kind, memory := get(deviceType, "its type"), get(deviceGlobalMemSize, "its memory")
	single := get(deviceSingleFPConfig, "its float32")
	double, s := doubleConfig(ask)
	told(s, "its float64")
	sides, s := sizes(ask(deviceMaxWorkItemSizes))
	told(s, "the largest sides of a group")
	l.props = properties{
		cpu: kind&deviceTypeCPU != 0, float64: double != 0, exactDivide: single&fpCorrectDivideSqr != 0,
		maxAlloc: int64(get(deviceMaxMemAllocSize, "its largest buffer")), maxGroup: int(get(deviceMaxWorkGroupSize, "its largest group")),
		maxParameter: int(get(deviceMaxParameterSize, "its largest argument")), maxSides: sides,
	}
	available, compiler, little := get(deviceAvailable, "whether it works"), get(deviceCompiler, "whether it compiles"), get(deviceEndianLittle, "its byte order")
	version, s := textOf(ask(deviceVersion))
	told(s, "its version")
	switch {
	case missing != nil:
		return missing
	case available == 0:
		return fmt.Errorf("device %s is not available", name)
	case compiler == 0:
		return fmt.Errorf("device %s has no compiler", name)
	case little == 0:
		return fmt.Errorf("device %s is big-endian", name)
	case !atLeast12(version):
		return fmt.Errorf("device %s has %s; 1.2 is needed", name, version)
	case single&(fpRoundToNearest|fpInfNaN) != fpRoundToNearest|fpInfNaN:
		return fmt.Errorf("device %s does not compute float32 as IEEE 754 does", name)
	}
	l.info = device.Info{Name: "opencl:" + strconv.Itoa(index), Kind: kindOf(kind), Model: name,
		Driver: platform + ", " + version + ", driver " + text(ask(driverVersion)),
		Memory: int64(memory), Float64: l.props.float64, Notes: notes(single, double)}
	return nil
}

// doubleConfig returns what the device can do in float64, 0 for nothing. Two
// answers must agree that it has float64 at all: the configuration, which a
// driver without float64 may call an invalid value, and the list of extensions,
// which names cl_khr_fp64 also where that is no longer optional. Less than IEEE
// 754's rounding and infinities does not count.
func doubleConfig(ask func(key uint32) func([]byte) (int, status)) (uint64, status) {
	config, s := number(ask(deviceDoubleFPConfig))
	if s == invalidValue {
		return 0, success
	}
	if s != success {
		return 0, s
	}
	extensions, s := textOf(ask(deviceExtensions))
	if s != success {
		return 0, s
	}
	const needed = fpRoundToNearest | fpInfNaN
	if config&needed != needed || !slices.Contains(strings.Fields(extensions), "cl_khr_fp64") {
		return 0, success
	}
	return config, success
}

// sizes returns the first three of a list of size_t.
func sizes(get func([]byte) (int, status)) (out [3]int, s status) {
	const width = strconv.IntSize / 8 // of a size_t
	n, s := get(nil)
	if s != success {
		return out, s
	}
	raw := make([]byte, max(n, 3*width))
	if _, s = get(raw); s != success {
		return out, s
	}
	for i := range out {
		var word [8]byte
		copy(word[:], raw[i*width:(i+1)*width])
		out[i] = int(min(binary.LittleEndian.Uint64(word[:]), math.MaxInt32))
	}
	return out, success
}

func kindOf(t uint64) device.Kind {
	switch {
	case t&deviceTypeGPU != 0:
		return device.GPUKind
	case t&deviceTypeCPU != 0:
		return device.CPUKind
	}
	return device.OtherKind
}

// notes says in what the device differs from the CPU.
func notes(single, double uint64) []string {
	var out []string
	if single&fpDenorm == 0 {
		out = append(out, "float32 subnormals become 0")
	}
	if single&fpCorrectDivideSqr == 0 {
		out = append(out, "float32 division and square root are computed with integers, which is slow, to round correctly")
	}
	if single&fpFMA == 0 {
		out = append(out, "fused multiply-add is emulated, which is slow")
	}
	if double == 0 {
		out = append(out, "no float64")
	}
	return append(out, "no matrix product, gather, scatter, running sum or sort of its own: device.AllowHost lets them go through the CPU")
}

// atLeast12 reports whether a version string, "OpenCL 3.0 ...", is 1.2 or later.
func atLeast12(version string) bool {
	var major, minor int
	if _, err := fmt.Sscanf(strings.TrimPrefix(version, "OpenCL "), "%d.%d", &major, &minor); err != nil {
		return false
	}
	return major > 1 || major == 1 && minor >= 2
}
