package cuda

import (
	"fmt"
	"os"
	"strings"

	"github.com/stride0/stride0/internal/nvrtc"
)

// visibleVariable names the environment variable that hides GPUs from a
// process (CUDA C++ Programming Guide, "CUDA Environment Variables").
const visibleVariable = "CUDA_VISIBLE_DEVICES"

// startHints say what to do when cuInit fails.
var startHints = map[status]string{
	stubLibrary:    "the library is the toolkit's stub, to link with; install the GPU's driver",
	noDevice:       "the NVIDIA driver finds no GPU; nvidia-smi tells whether its kernel module is loaded",
	systemNotReady: "the GPUs are not ready; those behind NVSwitch need the service nvidia-fabricmanager",
	driverMismatch: "libcuda and the kernel module are of different versions; restart the machine after an update of the driver",
	unknown:        "the kernel module nvidia_uvm may not be loaded, or /dev/nvidia* not open to this user; nvidia-smi tells",
}

// start is cuInit, which fails where there is no GPU.
func start(a *api) error {
	s := a.init()
	if s == success {
		return nil
	}
	if list, ok := os.LookupEnv(visibleVariable); ok && s == noDevice {
		return fmt.Errorf("%s=%q hides all GPUs, or there is none: cuInit: %w", visibleVariable, list, s)
	}
	if hint, ok := startHints[s]; ok {
		return fmt.Errorf("%s: cuInit: %w", hint, s)
	}
	return fmt.Errorf("cuInit: %w", s)
}

// equip gives a device the compiler that suits it, and says so.
func (d *driver) equip(l *located) {
	l.compiler = nvrtc.Choose(d.compilers, l.props.driver, l.props.capability)
	if l.compiler != nil {
		l.info.Driver += ", NVRTC " + l.compiler.Version
		return
	}
	l.info.Notes = append(l.info.Notes, "no compiler ("+d.missingCompiler()+"): single operations run as kernels of this program, others are not supported")
	if l.props.driver < archiveRelease {
		l.info.Notes = append(l.info.Notes, "those kernels need the driver of CUDA 11.0 or later")
	}
}

// missingCompiler says why there is no compiler, on one line.
func (d *driver) missingCompiler() string {
	if d.noCompiler != nil {
		return strings.ReplaceAll(d.noCompiler.Error(), "\n", " ")
	}
	for _, c := range d.compilers {
		return fmt.Sprintf("NVRTC %s compiles for compute capability %s and later", c.Version, capability(c.Archs[0]))
	}
	return "no NVRTC"
}
