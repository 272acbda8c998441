package cuda

import (
	"fmt"
	"strconv"

	"github.com/stride0/stride0/device"
)

// properties are what decides how work is put to a device.
type properties struct {
	driver     int    // the CUDA that the driver is of: 12020 is 12.2
	capability int    // compute capability: 75 is 7.5
	maxThreads int    // in a block
	maxSides   [3]int // of them along x, y, z
}

// maxParameter is the bytes of all arguments of a kernel (CUDA C++ Programming
// Guide, "Function Parameters").
const maxParameter = 4096

// leastCapability is Maxwell's, for which the embedded PTX is made.
const leastCapability = 52

// describe fills in what the driver tells about l.device.
func (l *located) describe(a *api, index int) error {
	model, s := a.deviceGetName(l.device)
	if s != success || model == "" {
		model = "unknown"
	}
	var missing error
	get := func(key int, what string) int {
		v, s := a.deviceGetAttr(l.device, key)
		if s != success && missing == nil {
			missing = fmt.Errorf("%s does not tell %s: cuDeviceGetAttribute: %w", model, what, s)
		}
		return v
	}
	memory, s := a.deviceTotalMem(l.device)
	if s != success {
		missing = fmt.Errorf("%s does not tell its memory: cuDeviceTotalMem: %w", model, s)
	}
	version, s := a.driverGetVersion()
	if s != success && missing == nil {
		missing = fmt.Errorf("cuDriverGetVersion: %w", s)
	}
	l.props = properties{
		driver:     version,
		capability: 10*get(attrComputeMajor, "its compute capability") + get(attrComputeMinor, "its compute capability"),
		maxThreads: get(attrMaxThreads, "its largest block"),
	}
	for i := range l.props.maxSides {
		l.props.maxSides[i] = get(attrMaxBlockX+i, "the largest sides of a block")
	}
	mode := get(attrComputeMode, "who may use it")
	switch {
	case missing != nil:
		return missing
	case mode == computeProhibited:
		return fmt.Errorf("%s is in the prohibited compute mode; nvidia-smi -c 0 ends it", model)
	case l.props.capability < leastCapability:
		return fmt.Errorf("%s has compute capability %s; %s is needed", model, capability(l.props.capability), capability(leastCapability))
	}
	l.info = device.Info{Name: "cuda:" + strconv.Itoa(index), Kind: device.GPUKind, Model: model,
		Driver: fmt.Sprintf("CUDA %d.%d, compute capability %s", version/1000, version%1000/10, capability(l.props.capability)),
		Memory: memory, Float64: true,
		Notes: []string{"no matrix product, gather, scatter, running sum or sort of its own: device.AllowHost lets them go through the CPU"}}
	return nil
}

// capability returns 75 as "7.5".
func capability(c int) string { return fmt.Sprintf("%d.%d", c/10, c%10) }
