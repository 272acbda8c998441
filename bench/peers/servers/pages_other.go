//go:build !linux

package servers

// hugePages returns n bytes and a function that has nothing to give back.
func hugePages(n int64) (v []byte, free func()) { return make([]byte, n), func() {} }
