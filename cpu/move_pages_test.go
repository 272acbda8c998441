//go:build linux

package cpu

import (
	"os"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// newLonePages is memory of some pages between two without access.
func newLonePages(t *testing.T, pages int) []byte {
	t.Helper()
	page := os.Getpagesize()
	b, err := mapPages(int64((pages + 2) * page))
	require.NoError(t, err)
	t.Cleanup(func() { unmapPages(b, 0) })
	require.NoError(t, unix.Mprotect(b[:page], unix.PROT_NONE))
	require.NoError(t, unix.Mprotect(b[(pages+1)*page:], unix.PROT_NONE))
	return b[page : (pages+1)*page]
}

// TestMovesStayInsideTheirPages: what lies before or behind the elements that
// are moved may not even be read.
func TestMovesStayInsideTheirPages(t *testing.T) {
	src, dst := newLonePages(t, 4), newLonePages(t, 4)
	ends := func(b []byte, bytes int) [2]unsafe.Pointer {
		return [2]unsafe.Pointer{unsafe.Pointer(&b[0]), unsafe.Pointer(&b[len(b)-bytes])}
	}
	var m move
	for _, elem := range []int{1, 2, 4, 8} {
		for n := 1; n < 100; n++ {
			for _, step := range []int{-3, -2, -1, 1, 2, 3, 4, 5} {
				reach := (n - 1) * step * elem
				for k, from := range ends(src, max(reach, -reach)+elem) {
					if step < 0 {
						from = unsafe.Add(from, -reach)
					}
					m.reset()
					m.add(n, 1, step)
					m.run(elem, ends(dst, n*elem)[k], from)
				}
			}
		}
		for rows := 1; rows < 24; rows++ {
			for cols := 1; cols < 24; cols++ {
				for k, from := range ends(src, rows*cols*elem) {
					m.reset()
					m.add(rows, cols, 1)
					m.add(cols, 1, rows)
					m.run(elem, ends(dst, rows*cols*elem)[k], from)
				}
			}
		}
	}
}
