//go:build unix

package cpu

import (
	"bufio"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"unsafe"

	"github.com/stride0/stride0/device"
)

// TestBlocksAreOddPagesApart: blocks of one size do not lie at distances that
// are powers of two.
func TestBlocksAreOddPagesApart(t *testing.T) {
	if device.PoolMode() == device.ModeExact {
		t.Skip("exact blocks lie where they are mapped")
	}
	page := os.Getpagesize()
	for _, size := range []int64{1, 4096, 100_000, hugeBlock - 1, hugeBlock, 4 << 20, 4<<20 + 1} {
		align := page
		if size >= hugeBlock {
			align = hugePage
		}
		var last int
		for range 10 {
			b, err := mapPages(size)
			if err != nil {
				t.Fatal(err)
			}
			defer unmapPages(b, size)
			if int64(len(b)) != size || cap(b) != len(b) {
				t.Errorf("%d bytes, capacity %d, want %d", len(b), cap(b), size)
			}
			b[0], b[size-1] = 1, 1 // both ends are there
			at := int(uintptr(unsafe.Pointer(&b[0])) % uintptr(align))
			if at%page != 0 {
				t.Errorf("a block of %d bytes at %d within a page", size, at%page)
			}
			if size >= hugeBlock {
				if at/page%2 == 0 || at == last {
					t.Errorf("a block of %d bytes begins at page %d of a huge one, the one before at page %d", size, at/page, last/page)
				}
				last = at
			}
		}
	}
}

func TestUnmapPagesForgetsTheMapping(t *testing.T) {
	count := func() int {
		mappings.Lock()
		defer mappings.Unlock()
		return len(mappings.of)
	}
	before := count()
	for _, size := range []int64{100, hugeBlock} {
		b, err := mapPages(size)
		if err != nil {
			t.Fatal(err)
		}
		unmapPages(b, size)
	}
	if after := count(); after != before {
		t.Errorf("%d mappings are remembered, before %d", after, before)
	}
}

// TestLargeBlocksLieOnHugePages reads what the kernel gave a block that was
// written to, where it gives huge pages at all.
func TestLargeBlocksLieOnHugePages(t *testing.T) {
	if mode, err := os.ReadFile("/sys/kernel/mm/transparent_hugepage/enabled"); err != nil || strings.Contains(string(mode), "[never]") {
		t.Skip("no transparent huge pages here")
	}
	const size = 64 << 20
	b, err := mapPages(size)
	if err != nil {
		t.Fatal(err)
	}
	defer unmapPages(b, size)
	for i := 0; i < size; i += 4096 {
		b[i] = 1
	}
	if got := hugeBytes(t, uintptr(unsafe.Pointer(&b[0]))); got == 0 {
		t.Skip("the kernel had no huge page left")
	} else if got < size*3/4 {
		t.Errorf("%d of %d bytes lie on huge pages", got, size)
	}
	runtime.KeepAlive(b)
}

// hugeBytes returns how much of the mapping around an address lies on huge pages.
func hugeBytes(t *testing.T, address uintptr) (total int) {
	f, err := os.Open("/proc/self/smaps")
	if err != nil {
		t.Skip(err)
	}
	defer f.Close()
	inside := false
	for lines := bufio.NewScanner(f); lines.Scan(); {
		field := strings.Fields(lines.Text())
		if from, to, ok := strings.Cut(field[0], "-"); ok && len(field) >= 5 {
			lo, err1 := strconv.ParseUint(from, 16, 64)
			hi, err2 := strconv.ParseUint(to, 16, 64)
			inside = err1 == nil && err2 == nil && lo <= uint64(address) && uint64(address) < hi
		} else if inside && field[0] == "AnonHugePages:" {
			kb, _ := strconv.Atoi(field[1])
			total += kb << 10
		}
	}
	return total
}
