//go:build linux

package cpu

import (
	"math/rand/v2"
	"os"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/stride0/stride0/dtype"
)

// pageEnd is memory that ends where a page without access begins.
type pageEnd []byte

func newPageEnd(t *testing.T) pageEnd {
	t.Helper()
	page := os.Getpagesize()
	b, err := mapPages(int64(2 * page))
	require.NoError(t, err)
	t.Cleanup(func() { unmapPages(b, 0) })
	require.NoError(t, unix.Mprotect(b[page:], unix.PROT_NONE))
	return b[:page]
}

// last returns the place of n elements of type d that end at the end, set to
// anything if r is not nil.
func (p pageEnd) last(d dtype.DType, n int, r *rand.Rand) unsafe.Pointer {
	size := d.Size()
	at := unsafe.Pointer(unsafe.SliceData(p))
	from := len(p) - n*size
	for i := range n {
		if r != nil {
			put(unsafe.Add(at, from+i*size), size, anyPattern(r, d))
		}
	}
	if n == 0 {
		from -= size // a pointer behind the last page is not one
	}
	return unsafe.Add(at, from)
}

// TestVectorLoopsStayInsideTheirPages: what lies behind an operand may not even
// be read.
func TestVectorLoopsStayInsideTheirPages(t *testing.T) {
	dst, src := newPageEnd(t), [3]pageEnd{newPageEnd(t), newPageEnd(t), newPageEnd(t)}
	eachVector(t, func(_ *testing.T, v *vectorLoops, l *mapLoops, form int, asm, _ mapLoop) {
		r := rand.New(rand.NewPCG(uint64(v.op), 3))
		for n := range 100 {
			p := [4]unsafe.Pointer{dst.last(v.to, n, nil)}
			for k, d := range l.args[:v.op.Row().Arity] {
				size := n
				if form == k+1 {
					size = 1
				}
				p[k+1] = src[k].last(d, size, r)
			}
			asm(n, &p)
		}
	})
}

// TestLoopsPastTheCacheStayInsideTheirPages: nor by loops that store whole lines.
func TestLoopsPastTheCacheStayInsideTheirPages(t *testing.T) {
	dst, src := newPageEnd(t), [3]pageEnd{newPageEnd(t), newPageEnd(t), newPageEnd(t)}
	eachPast(t, func(_ *testing.T, v *vectorLoops, l *mapLoops, form int, asm, _ mapLoop) {
		r := rand.New(rand.NewPCG(uint64(v.op), 3))
		for lines := 1; lines < 10; lines++ {
			n := lines * alignment / v.to.Size()
			p := [4]unsafe.Pointer{dst.last(v.to, n, nil)}
			for k, d := range l.args[:v.op.Row().Arity] {
				size := n
				if form == k+1 {
					size = 1
				}
				p[k+1] = src[k].last(d, size, r)
			}
			asm(n, &p)
		}
	})
}

// TestStreamStaysInsideItsPages: nor what lies behind a copy past the cache.
func TestStreamStaysInsideItsPages(t *testing.T) {
	dst, src := newPageEnd(t), newPageEnd(t)
	eachStreamer(t, func(_ *testing.T, s streamer) {
		for n := range 300 {
			s.copy(n, &[4]unsafe.Pointer{dst.last(dtype.Uint8, n, nil), src.last(dtype.Uint8, n, nil)})
		}
	})
}
