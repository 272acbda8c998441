//go:build !(cgo && linux)

package nvrtc

import "github.com/stride0/stride0/internal/dl"

// Open fails: the binding is for Linux and built with cgo.
func Open(names ...string) (*Compiler, error) {
	return nil, &dl.OpenError{Names: names, Err: dl.ErrNoLoader}
}
