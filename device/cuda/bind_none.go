//go:build !(cgo && linux)

package cuda

import (
	"errors"
	"runtime"
)

// bind fails: the CUDA binding is for Linux and built with cgo.
func bind([]string) (*api, error) {
	if runtime.GOOS != "linux" {
		return nil, errors.New("CUDA is supported on Linux only")
	}
	return nil, errors.New("this program was built without cgo, which CUDA needs")
}
