package cuda

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/stride0/stride0/device"
)

// compilers are the names of NVRTC's library: that of the driver's own age is
// not known, so the newest comes first; 11.2 is what all of 11.2 to 11.8 are
// called.
var compilers = []string{"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2", "libnvrtc.so"}

// image is what NVRTC makes.
type image int

const (
	ptxImage   image = iota // text for a virtual architecture, which the driver compiles
	cubinImage              // machine code for a real one
)

// nvrtc is NVIDIA's compiler of CUDA C. Its functions are fields, so that tests
// can put a fake in their place. It is safe for concurrent use.
type nvrtc struct {
	version string // "11.8"
	archs   []int  // compute capabilities that it compiles for, ascending: 75 is 7.5

	// build compiles a source. code is NVRTC's nvrtcResult, log what the
	// compiler says.
	build func(source string, options []string, kind image) (out []byte, log string, code int)
}

// errNoArchs says that NVRTC is older than 11.2, which had no such function.
var errNoArchs = errors.New("NVRTC tells no architectures; 11.2 or later is needed")

// target returns the newest architecture up to a device's that NVRTC knows, or
// its oldest, which the device will then refuse.
func (n *nvrtc) target(capability int) int {
	best := n.archs[0]
	for _, a := range n.archs {
		if a <= capability {
			best = max(best, a)
		}
	}
	return best
}

// options returns the compiler's. Nothing that trades accuracy is among them,
// and nothing is fused that the source does not fuse.
func options(arch int, kind image) []string {
	prefix := "compute_"
	if kind == cubinImage {
		prefix = "sm_"
	}
	return []string{fmt.Sprintf("--gpu-architecture=%s%d", prefix, arch), "--std=c++14",
		"--fmad=false", "--ftz=false", "--prec-div=true", "--prec-sqrt=true"}
}

// compile makes an image of a source, known by the name of its first kernel.
// The compiler's log is in the error.
func (n *nvrtc) compile(dev, name, source string, arch int, kind image) ([]byte, error) {
	out, log, code := n.build(source, options(arch, kind), kind)
	switch {
	case code == 0 && kind == ptxImage:
		return bytes.TrimRight(out, "\x00"), nil // NVRTC counts the zero that ends the text
	case code == 0:
		return out, nil
	}
	err := error(nvrtcError(code))
	if log != "" {
		err = fmt.Errorf("%w; the compiler says: %s", err, log)
	}
	return nil, &device.Error{Device: dev, Call: "nvrtcCompileProgram of " + name, Code: code, Err: err}
}

// nvrtcError is an nvrtcResult other than 0.
type nvrtcError int

var nvrtcNames = []string{1: "OUT_OF_MEMORY", 2: "PROGRAM_CREATION_FAILURE", 3: "INVALID_INPUT", 4: "INVALID_PROGRAM", 5: "INVALID_OPTION",
	6: "COMPILATION", 7: "BUILTIN_OPERATION_FAILURE", 11: "INTERNAL_ERROR"}

// Error returns the code's name in nvrtc.h.
func (e nvrtcError) Error() string {
	if int(e) < len(nvrtcNames) && e > 0 && nvrtcNames[e] != "" {
		return "NVRTC_ERROR_" + nvrtcNames[e]
	}
	return fmt.Sprintf("unknown NVRTC error %d", int(e))
}

// newNVRTC checks what the library told.
func newNVRTC(major, minor int, archs []int) (*nvrtc, error) {
	if len(archs) == 0 {
		return nil, errNoArchs
	}
	return &nvrtc{version: fmt.Sprintf("%d.%d", major, minor), archs: slices.Sorted(slices.Values(archs))}, nil
}
