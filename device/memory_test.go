package device

import (
	"math"
	"math/bits"
	"testing"
)

func TestDefaultLimit(t *testing.T) {
	for total, want := range map[int64]int64{
		0: 4e9, -1: 4e9, 10_000: 8_000, 1 << 40: 1 << 40 / 5 * 4, math.MaxInt64: math.MaxInt64 / 5 * 4,
	} {
		if got := DefaultLimit(total); got != want {
			t.Errorf("DefaultLimit(%d) = %d, want %d", total, got, want)
		}
	}
}

func TestHostMemory(t *testing.T) {
	n := HostMemory()
	if n != 0 && n < 1<<20 {
		t.Errorf("this machine has %d bytes", n)
	}
	if bits.UintSize == 32 && (n == 0 || n > 1<<31) {
		t.Errorf("%d bytes on a 32-bit machine", n)
	}
}

func TestPoolMode(t *testing.T) {
	for value, want := range map[string]Mode{
		"": ModePooled, "exact": ModeExact, "heap": ModeHeap, "Exact": ModePooled, "heap,exact": ModePooled,
	} {
		t.Setenv("STRIDE0_POOL", value)
		if got := PoolMode(); got != want {
			t.Errorf("STRIDE0_POOL=%s: mode %d, want %d", value, got, want)
		}
	}
}
