//go:build !(cgo && (linux || darwin || freebsd))

package dl

const (
	hasLoader     = false
	processHandle = 0
)

func open(string) (handle uintptr, reason string) { return 0, "" }

func find(uintptr, string) uintptr { return 0 }
