package tensor

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/dtype"
)

// The reasons an operation refuses a tensor, for errors.Is. Reasons that come
// from a device are sentinels of package device.
var (
	// ErrFreed: the tensor was freed, by Free or by its Scope.
	ErrFreed = errors.New("tensor is freed")
	// ErrEmpty: a nil *Tensor or a zero Tensor.
	ErrEmpty = errors.New("nil or zero Tensor; make one with New, Zeros or Full")
	// ErrShared: a write to a view in which one cell serves several elements.
	ErrShared = errors.New("elements share memory; write to a Clone")
	// ErrDevices: operands on different devices.
	ErrDevices = errors.New("operands on different devices")
)

// Error is a failed operation: what failed, where the program asked for it
// and on what operands. Err is the reason: a *broadcast.ShapeError, a
// *dtype.Error, a *MemoryError, an error of package device or a sentinel of this package; use
// errors.Is and errors.As.
type Error struct {
	Op     string            // "add", "reshape"
	At     string            // file:line of the call, outside this package
	Shapes []broadcast.Shape // of the operands
	DTypes []dtype.DType     // of the operands
	Err    error
}

// Error returns "add: cannot broadcast (2, 3) with (4): axis -1 is 3 and 4; ... (main.go:12)".
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Op + ": " + e.Err.Error())
	if e.At != "" {
		b.WriteString(" (" + filepath.Base(e.At) + ")")
	}
	return b.String()
}

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

// newError describes the failure of op on the operands. It is the only place
// that looks for the caller, so that success never pays for it.
func newError(op string, err error, in ...*Tensor) *Error {
	e := &Error{Op: op, At: caller(), Err: err}
	for _, t := range in {
		if t.live() {
			e.Shapes = append(e.Shapes, t.Shape())
			e.DTypes = append(e.DTypes, t.DType())
		}
	}
	if m, ok := err.(*MemoryError); ok && len(in) == 0 { // a constructor: what it was to make
		e.Shapes, e.DTypes = []Shape{m.Shape}, []dtype.DType{m.DType}
	}
	return e
}

// fail returns the failed tensor of an operation.
func fail(op string, err error, in ...*Tensor) *Tensor {
	return failed(newError(op, err, in...))
}

// reason returns what an operation that served another one failed of, so that
// the error the caller sees names the operation the caller asked for.
func reason(err error) error {
	if e, ok := err.(*Error); ok {
		return e.Err
	}
	return err
}

// errorf is an error whose text says everything.
func errorf(format string, args ...any) error { return fmt.Errorf(format, args...) }

// inPackages begin the names of the functions of this package and of the one
// that composes its operations.
var inPackages = [...]string{"github.com/stride0/stride0/tensor.", "github.com/stride0/stride0/nn."}

// ours reports whether a function is not of the program that uses the module.
func ours(function string) bool {
	return strings.HasPrefix(function, inPackages[0]) || strings.HasPrefix(function, inPackages[1])
}

// caller returns file:line of the innermost frame outside these packages;
// their own tests count as outside.
func caller() string {
	var pcs [32]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	for {
		f, more := frames.Next()
		if f.File != "" && (!ours(f.Function) || strings.HasSuffix(f.File, "_test.go")) {
			return f.File + ":" + strconv.Itoa(f.Line)
		}
		if !more {
			return ""
		}
	}
}
