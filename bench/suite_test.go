package bench

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

func host(tb testing.TB) device.Device {
	tb.Helper()
	dev, err := device.Open("cpu")
	if err != nil {
		tb.Fatal(err)
	}
	return dev
}

// eachCase runs f on every case, with operands that are garbage after it.
func eachCase(b *testing.B, f func(b *testing.B, r *Runs)) {
	dev := host(b)
	for _, c := range Suite() {
		b.Run(c.Name, func(b *testing.B) {
			runs, err := c.Make(dev, 1)
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(c.Bytes())
			b.ReportAllocs()
			f(b, runs)
		})
	}
}

// BenchmarkFresh allocates the result and frees it, as libraries do that count
// references.
func BenchmarkFresh(b *testing.B) {
	eachCase(b, func(b *testing.B, r *Runs) {
		for b.Loop() {
			t, err := r.Fresh(true)
			if err != nil {
				b.Fatal(err)
			}
			if err := t.Free(); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkGarbage allocates the result and leaves it to the collector.
func BenchmarkGarbage(b *testing.B) {
	eachCase(b, func(b *testing.B, r *Runs) {
		for b.Loop() {
			if _, err := r.Fresh(false); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkInto writes an existing result.
func BenchmarkInto(b *testing.B) {
	eachCase(b, func(b *testing.B, r *Runs) {
		if r.Into == nil {
			b.Skip("no Into form")
		}
		for b.Loop() {
			if _, err := r.Into(); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkTwin is the hand-written loop into an existing slice.
func BenchmarkTwin(b *testing.B) {
	eachCase(b, func(b *testing.B, r *Runs) {
		if r.Twin == nil {
			b.Skip("no twin")
		}
		for b.Loop() {
			r.Twin()
		}
	})
}

// BenchmarkFlat is the contiguous addition of as many bytes, for the cases
// that are measured against it.
func BenchmarkFlat(b *testing.B) {
	dev := host(b)
	for _, c := range Suite() {
		if !strings.HasPrefix(c.ID, "X") {
			continue
		}
		b.Run(c.Name, func(b *testing.B) {
			flat := c.Flat()
			runs, err := flat.Make(dev, 1)
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(flat.Bytes())
			b.ReportAllocs()
			for b.Loop() {
				if _, err := runs.Into(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestSuiteRunsAgree proves that all ways to run a case compute the same:
// equal bits from package tensor, a few roundings apart in the twin.
func TestSuiteRunsAgree(t *testing.T) {
	dev := host(t)
	for _, c := range Suite() {
		t.Run(c.ID, func(t *testing.T) {
			runs, err := c.Make(dev, 64)
			if err != nil {
				t.Fatal(err)
			}
			freed := elements(t, func() (*tensor.Tensor, error) { return runs.Fresh(true) })
			kept := elements(t, func() (*tensor.Tensor, error) { return runs.Fresh(false) })
			if !slices.Equal(freed, kept) {
				t.Error("freeing intermediate results changes the result")
			}
			if runs.Into != nil && !slices.Equal(freed, elements(t, runs.Into)) {
				t.Error("Into gives another result")
			}
			if runs.Twin == nil {
				return
			}
			twin := runs.Twin()
			if len(twin) != len(freed) {
				t.Fatalf("%d elements, the twin has %d", len(freed), len(twin))
			}
			for i, want := range twin {
				if diff := math.Abs(float64(freed[i] - want)); !(diff <= 1e-5*max(1, math.Abs(float64(want)))) {
					t.Fatalf("element %d is %v, the twin has %v", i, freed[i], want)
				}
			}
		})
	}
}

// elements runs f and returns the elements of its result as float32.
func elements(t *testing.T, f func() (*tensor.Tensor, error)) []float32 {
	t.Helper()
	r, err := f()
	if err != nil {
		t.Fatal(err)
	}
	v, err := tensor.Data[float32](r.Cast(dtype.Float32))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestSuiteNames holds the names of cases unique, by ID and by benchmark, and
// every case of the peers' list in float32.
func TestSuiteNames(t *testing.T) {
	ids, names := map[string]bool{}, map[string]bool{}
	for _, c := range Suite() {
		if ids[c.ID] || names[c.Name] {
			t.Errorf("%s %s is there twice", c.ID, c.Name)
		}
		ids[c.ID], names[c.Name] = true, true
		if c.ID[0] == 'W' && !strings.Contains(c.Name, "/float32/") {
			t.Errorf("%s is %s, peers compute in float32", c.ID, c.Name)
		}
		if flat := c.Flat(); c.Bytes() >= 12 && (c.Bytes()-flat.Bytes() >= 12 || flat.Bytes() > c.Bytes()) {
			t.Errorf("%s moves %d bytes, its contiguous form %d", c.ID, c.Bytes(), flat.Bytes())
		}
	}
}

// TestSuiteBytes holds what is counted as moved against sums done by hand.
func TestSuiteBytes(t *testing.T) {
	want := map[string][2]int64{
		"W1":     {8e6, 4e6},
		"W3":     {4 * (4096*4096 + 4096), 4 * 4096 * 4096},
		"W5":     {8 * 4096, 4 * 4096 * 4096},
		"W8":     {4e6, 4e6},
		"W10sum": {4 << 25, 4},
		"W16":    {4 * (4096*6144 + 4096*2048), 4 * 4096 * 2048}, // every line of every other row
		"Xgap":   {8 << 20, 4 << 20},
		"Xint8":  {8e6, 4e6},
	}
	for _, c := range Suite() {
		if w, ok := want[c.ID]; ok && (c.Read != w[0] || c.Write != w[1]) {
			t.Errorf("%s reads %d and writes %d bytes, want %v", c.ID, c.Read, c.Write, w)
		}
		delete(want, c.ID)
	}
	if len(want) > 0 {
		t.Errorf("not in the suite: %v", want)
	}
}
