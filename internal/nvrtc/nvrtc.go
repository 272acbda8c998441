package nvrtc

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
)

// Libraries are the names of NVRTC's library. The newest comes first; 11.2 is
// what all of 11.2 to 11.8 are called. The last one is where CUDA's own
// installer puts it, which the loader may not have been told.
var Libraries = []string{"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2", "libnvrtc.so", "/usr/local/cuda/lib64/libnvrtc.so"}

// Image is what the compiler makes.
type Image int

// The images.
const (
	PTX   Image = iota // text for a virtual architecture, which the driver compiles
	Cubin              // machine code for a real one
)

// Compiler is an open NVRTC. It is safe for concurrent use.
type Compiler struct {
	Version string // "11.8"
	Release int    // the same as drivers count: 11080
	Archs   []int  // compute capabilities that it compiles for, ascending: 75 is 7.5

	// Build compiles a source; tests put a fake in its place. code is an
	// nvrtcResult, log what the compiler says.
	Build func(source string, options []string, kind Image) (out []byte, log string, code int)
}

var errNoArchs = errors.New("NVRTC tells no architectures; CUDA 11.2 or later is needed")

// New returns a Compiler, without Build, that knows some architectures. Errors:
// it knows none.
func New(major, minor int, archs []int) (*Compiler, error) {
	if len(archs) == 0 {
		return nil, errNoArchs
	}
	return &Compiler{Version: fmt.Sprintf("%d.%d", major, minor), Release: 1000*major + 10*minor, Archs: slices.Sorted(slices.Values(archs))}, nil
}

// OpenAll opens every library of names that is there. Errors: those of Open,
// when none is.
func OpenAll(names ...string) (all []*Compiler, err error) {
	for _, name := range names {
		if c, err := Open(name); err == nil {
			all = append(all, c)
		}
	}
	if len(all) == 0 {
		_, err = Open(names...)
	}
	return all, err
}

// Choose returns the compiler for a driver, 12020 being that of CUDA 12.2, and
// a device. Those that do not compile for the device are left out: CUDA 13's
// compiles for 7.5 and later only. Of the others it is the newest that is not
// newer than the driver, since that takes no newer PTX; else the oldest, whose
// machine code the driver may take. Nil: there is none.
func Choose(all []*Compiler, driver, capability int) *Compiler {
	var best *Compiler
	for _, c := range all {
		switch {
		case c.Archs[0] > capability:
		case best == nil:
			best = c
		case best.Release > driver:
			if c.Release < best.Release {
				best = c
			}
		case c.Release <= driver && c.Release > best.Release:
			best = c
		}
	}
	return best
}

// Target returns the newest architecture up to a device's that the compiler
// knows; else its oldest, which the device would refuse.
func (c *Compiler) Target(capability int) int {
	best := c.Archs[0]
	for _, a := range c.Archs {
		if a <= capability {
			best = a
		}
	}
	return best
}

// Options returns how kernels are compiled. Nothing that trades accuracy is
// among them, and nothing is fused that the source does not fuse.
func Options(arch int, kind Image) []string {
	prefix := "compute_"
	if kind == Cubin {
		prefix = "sm_"
	}
	return []string{fmt.Sprintf("--gpu-architecture=%s%d", prefix, arch),
		"--fmad=false", "--ftz=false", "--prec-div=true", "--prec-sqrt=true"}
}

// Compile makes an image of a source with the Options and more. It returns what
// the compiler says even if it succeeds. Errors: *Error.
func (c *Compiler) Compile(source string, arch int, kind Image, more ...string) (out []byte, log string, err error) {
	out, log, code := c.Build(source, append(Options(arch, kind), more...), kind)
	switch {
	case code != 0:
		return nil, log, &Error{code, log}
	case kind == PTX:
		return bytes.TrimRight(out, "\x00"), log, nil // NVRTC counts the zero that ends the text
	}
	return out, log, nil
}

// Error is a compilation that failed.
type Error struct {
	Code int    // nvrtcResult
	Log  string // what the compiler says
}

var names = []string{1: "OUT_OF_MEMORY", 2: "PROGRAM_CREATION_FAILURE", 3: "INVALID_INPUT", 4: "INVALID_PROGRAM", 5: "INVALID_OPTION",
	6: "COMPILATION", 7: "BUILTIN_OPERATION_FAILURE", 11: "INTERNAL_ERROR"}

// Error returns the code's name in nvrtc.h and the compiler's words.
func (e *Error) Error() string {
	text := fmt.Sprintf("unknown NVRTC error %d", e.Code)
	if e.Code > 0 && e.Code < len(names) && names[e.Code] != "" {
		text = "NVRTC_ERROR_" + names[e.Code]
	}
	if e.Log != "" {
		text += "; the compiler says: " + e.Log
	}
	return text
}
