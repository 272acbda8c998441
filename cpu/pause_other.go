//go:build noasm || !amd64

package cpu

// pause waits for some nanoseconds.
func pause() {
	for range 8 {
	}
}
