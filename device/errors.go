package device

import (
	"errors"
	"fmt"
	"strings"
)

// The reasons a device call fails, for errors.Is.
var (
	ErrUnavailable = errors.New("device unavailable")
	ErrUnsupported = errors.New("not supported by the device")
	ErrOutOfMemory = errors.New("out of memory")
	ErrLost        = errors.New("device lost")
	ErrIndex       = errors.New("index out of range")
	ErrBusy        = errors.New("device has live buffers")
	ErrClosed      = errors.New("device is closed")
	ErrFreed       = errors.New("buffer is freed")
)

// Error is a failed call to a device or its driver.
type Error struct {
	Device string // "opencl:0"
	Call   string // the driver's function or the device's method: "clBuildProgram"
	Code   int    // the driver's code, 0 when there is none
	Err    error  // a sentinel of this package, or what the driver said
}

// Error returns "opencl:0: clBuildProgram: code -11: ...".
func (e *Error) Error() string {
	var b strings.Builder
	if e.Device != "" {
		b.WriteString(e.Device + ": ")
	}
	if e.Call != "" {
		b.WriteString(e.Call + ": ")
	}
	if e.Code != 0 {
		fmt.Fprintf(&b, "code %d: ", e.Code)
	}
	fmt.Fprint(&b, e.Err)
	return b.String()
}

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

// OutOfMemoryError says what an allocation needed and what there was. It is ErrOutOfMemory.
type OutOfMemoryError struct {
	Device            string
	Need, Free, Limit int64 // bytes
}

// Error returns "cpu: out of memory: need 4.0 GB, free 1.2 GB of the limit 2.0 GB; ...".
func (e *OutOfMemoryError) Error() string {
	return fmt.Sprintf("%s: out of memory: need %s, free %s of the limit %s; free tensors or use smaller ones",
		e.Device, Bytes(e.Need), Bytes(e.Free), Bytes(e.Limit))
}

// Is reports whether target is ErrOutOfMemory.
func (e *OutOfMemoryError) Is(target error) bool { return target == ErrOutOfMemory }

// LostError says that a device failed asynchronously. It is ErrLost.
type LostError struct {
	Device string
	Ops    []string // the last operations not known to be done, oldest first, at most 16
	Err    error    // what the driver said
}

// Error names the device and the operations under suspicion.
func (e *LostError) Error() string {
	if len(e.Ops) == 0 {
		return fmt.Sprintf("%s: device lost: %v; open it again", e.Device, e.Err)
	}
	return fmt.Sprintf("%s: device lost during one of %s: %v; set STRIDE0_SYNC=1 to find which, and open the device again",
		e.Device, strings.Join(e.Ops, ", "), e.Err)
}

// Is reports whether target is ErrLost.
func (e *LostError) Is(target error) bool { return target == ErrLost }

// Unwrap returns Err.
func (e *LostError) Unwrap() error { return e.Err }

// Bytes returns n as people read it: "512 B", "4.0 GB" (powers of 1,000).
func Bytes(n int64) string {
	if n < 1000 {
		return fmt.Sprintf("%d B", n)
	}
	x, unit := float64(n)/1000, 0
	for x >= 999.95 && unit < 4 {
		x, unit = x/1000, unit+1
	}
	return fmt.Sprintf("%.1f %cB", x, "kMGTP"[unit])
}
