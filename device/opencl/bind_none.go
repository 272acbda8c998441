//go:build !(cgo && linux)

package opencl

import (
	"errors"
	"runtime"
)

// bind fails: the OpenCL binding is for Linux and built with cgo.
func bind([]string) (*api, error) {
	if runtime.GOOS != "linux" {
		return nil, errors.New("OpenCL is supported on Linux only")
	}
	return nil, errors.New("this program was built without cgo, which OpenCL needs")
}
