package dl

import (
	"errors"
	"strings"
)

// ErrNoLoader says that this build cannot open libraries at all.
var ErrNoLoader = errors.New("this build cannot load libraries: it needs cgo, and Linux, macOS or FreeBSD")

// Library is an open shared library. It is safe for concurrent use.
type Library struct {
	name   string
	handle uintptr
}

// Name returns the name under which the library was found.
func (l *Library) Name() string { return l.name }

// OpenError says which libraries were looked for, and what the loader said of each.
type OpenError struct {
	Names   []string
	Reasons []string // as many as Names, or one for all
	Err     error    // ErrNoLoader, or nil
}

// Error returns "found none of libA.so, libB.so: libA.so: cannot open shared object file; ...".
func (e *OpenError) Error() string {
	reasons := strings.Join(e.Reasons, "; ")
	if e.Err != nil {
		reasons = e.Err.Error()
	}
	return "found none of " + strings.Join(e.Names, ", ") + ": " + reasons
}

// Unwrap returns Err.
func (e *OpenError) Unwrap() error { return e.Err }

// SymbolError says that a library lacks a function.
type SymbolError struct{ Library, Symbol string }

// Error returns "libA.so has no function f".
func (e *SymbolError) Error() string { return e.Library + " has no function " + e.Symbol }

// Open opens the first of the named libraries that the system's loader finds.
// A name with a slash is a path. A library stays open for the life of the
// process: drivers keep threads and handlers, so none is ever closed. Errors:
// *OpenError.
func Open(names ...string) (*Library, error) {
	failed := &OpenError{Names: names}
	if !hasLoader {
		failed.Err = ErrNoLoader
		return nil, failed
	}
	for _, name := range names {
		handle, reason := open(name)
		if handle != 0 {
			return &Library{name, handle}, nil
		}
		failed.Reasons = append(failed.Reasons, reason)
	}
	return nil, failed
}

// Process returns what is loaded already, if the given symbol is among it:
// linked in, or put there with LD_PRELOAD by a tool that checks a driver's
// callers. Such a tool only works when its functions are preferred to those
// of a library opened by name.
func Process(symbol string) (*Library, bool) {
	l := &Library{name: "the process", handle: processHandle}
	return l, hasLoader && find(l.handle, symbol) != 0
}

// Symbol returns the address of a function. Errors: *SymbolError.
func (l *Library) Symbol(name string) (uintptr, error) {
	if p := find(l.handle, name); p != 0 {
		return p, nil
	}
	return 0, &SymbolError{l.name, name}
}
