package devicetest

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stride0/stride0/dtype"
)

// literal is the canonical tree with every missing element written out.
func literal(seq []float32) float32 {
	blocks := (len(seq) + 1023) / 1024
	if blocks == 0 {
		blocks = 1
	}
	padded := make([]float32, 1024*blocks)
	copy(padded, seq)
	results := make([]float32, blocks)
	for b := range results {
		var lane [32]float32
		for k := range 32 {
			for l := range 32 {
				lane[l] += padded[1024*b+32*k+l]
			}
		}
		for l := range 16 {
			lane[l] += lane[l+16]
		}
		for l := range 8 {
			lane[l] += lane[l+8]
		}
		for l := range 4 {
			lane[l] += lane[l+4]
		}
		lane[0] += lane[2]
		lane[1] += lane[3]
		results[b] = lane[0] + lane[1]
	}
	if blocks == 1 {
		return results[0]
	}
	return literal(results)
}

func TestCanonicalTree(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	add := func(s, t float32) float32 { return s + t }
	for _, n := range []int{0, 1, 2, 31, 32, 33, 1023, 1024, 1025, 2048, 5000, 1 << 20, 1<<20 + 1} {
		seq := make([]float32, n)
		for i := range seq {
			seq[i] = float32(rng.NormFloat64())
		}
		if got, want := canonical(seq, 0, add), literal(seq); got != want {
			t.Errorf("n=%d: %v, want %v", n, got, want)
		}
	}
	negative := float32(math.Copysign(0, -1))
	if got := canonical([]float32{negative, negative}, 0, add); math.Signbit(float64(got)) {
		t.Error("the sum of -0 and -0 is -0, want +0")
	}
}

func TestCanonicalKeepsOrder(t *testing.T) {
	seq := make([]string, 70)
	for i := range seq {
		seq[i] = string(rune('!' + i))
	}
	got := canonical(seq, "", func(s, t string) string { return s + t })
	// Lane 0 takes elements 0, 32, 64; lane 16 (16, 48) follows it, then lanes 8 and 24.
	want := seq[0] + seq[32] + seq[64] + seq[16] + seq[48] + seq[8] + seq[40] + seq[24] + seq[56]
	if got[:len(want)] != want {
		t.Errorf("the tree starts %q, want %q", got[:len(want)], want)
	}
}

func TestOdometer(t *testing.T) {
	var got [][]int
	odometer([]int{2, 1, 3}, func(index []int) { got = append(got, slices.Clone(index)) })
	want := [][]int{{0, 0, 0}, {0, 0, 1}, {0, 0, 2}, {1, 0, 0}, {1, 0, 1}, {1, 0, 2}}
	if !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("got %v", got)
	}
	calls := 0
	odometer(nil, func([]int) { calls++ })
	odometer([]int{3, 0}, func([]int) { calls += 100 })
	if calls != 1 {
		t.Errorf("rank 0 and an empty shape made %d calls, want 1", calls)
	}
}

func TestPlacementsPlaceEachElementOnce(t *testing.T) {
	for name, place := range map[string]placement{"dense": dense, "shifted": shifted(5), "stepped": stepped, "padded": padded,
		"reversed": reversed, "reversedInner": reversedInner, "transposed": transposed, "swirled": swirled, "oddOnes": oddOnes} {
		for _, sizes := range [][]int{{}, {1}, {7}, {3, 5}, {1, 4, 1}, {2, 3, 4}, {2, 3, 1, 4, 5}, {3, 0, 2}} {
			v := place(sizes)
			if !v.injective() {
				t.Errorf("%s of %v has two elements in one cell: %v", name, sizes, v)
			}
			if lo, _ := v.span(); lo < 0 {
				t.Errorf("%s of %v reaches below 0: %v", name, sizes, v)
			}
			if _, err := v.layout(); err != nil {
				t.Errorf("%s of %v is no Layout: %v", name, sizes, err)
			}
		}
	}
}

func TestFormsBroadcast(t *testing.T) {
	for _, f := range slices.Concat(mapForms(), reduceForms(), indexForms(), someReduceForms()) {
		for i, s := range f.in {
			for k := range s.sizes {
				if want := f.space[len(f.space)-len(s.sizes)+k]; s.sizes[k] != want && s.sizes[k] != 1 {
					t.Errorf("%s: input %d of %v does not broadcast to %v", f.name, i, s.sizes, f.space)
				}
			}
		}
		if !f.out.operandView().injective() {
			t.Errorf("%s: two results share a cell", f.name)
		}
	}
}

func TestUlps(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		got, want, ulps float64
	}{
		{1, 1, 0},
		{1 + 0x1p-23, 1, 1},
		{1, 1 + 0x1p-23, 1},
		{1 - 0x1p-24, 1, 0.5},
		{0, 0x1p-149, 1},
		{0x1p-149, 0x1p-150, 0.5},
		{math.NaN(), math.NaN(), 0},
		{math.NaN(), 1, inf},
		{1, inf, inf},
		{inf, 0x1p128, 0},
		{inf, math.MaxFloat32, 1},
		{-inf, math.MaxFloat32, 0x1p25},
	} {
		got := ulps(dtype.Float32, fromFloat(dtype.Float32, c.got), c.want)
		if got != c.ulps && !(c.ulps == 0x1p25 && got >= c.ulps-2) {
			t.Errorf("%v is %v units from %v, want %v", c.got, got, c.want, c.ulps)
		}
	}
	if got := ulps(dtype.Float64, fromFloat(dtype.Float64, 1+0x1p-52), 1); got != 1 {
		t.Errorf("float64: %v units, want 1", got)
	}
}

func TestSpecialValuesCoverTheCorners(t *testing.T) {
	for d, want := range map[dtype.DType][]uint64{
		dtype.Bool:    {0, 1},
		dtype.Uint8:   {0, 1, 127, 128, 255},
		dtype.Int32:   {0, 1<<31 - 1, 1 << 31, 1<<32 - 1},
		dtype.Int64:   {0, 1<<63 - 1, 1 << 63, 1<<64 - 1},
		dtype.Float32: {0, 1 << 31, 1, 0x7f7fffff, 0x7f800000, 0xff800000, 0x7fc00000},
		dtype.Float64: {0, 1 << 63, 1, 0x7fefffffffffffff, 0x7ff0000000000000, 0xfff0000000000000},
	} {
		have := special(d)
		for _, v := range want {
			if !slices.ContainsFunc(have, func(h uint64) bool { return same(d, h, v) }) {
				t.Errorf("%v: %#x is missing", d, v)
			}
		}
		for _, v := range have {
			if v != trim(d, v) {
				t.Errorf("%v: %#x is too wide", d, v)
			}
		}
	}
}

func TestEncodeRoundTrip(t *testing.T) {
	for _, size := range []int{1, 2, 4, 8} {
		cells := []uint64{0, 1, 0x80, 0xff}
		if got := decode(size, encode(size, cells)); !slices.Equal(got, cells) {
			t.Errorf("size %d: %v", size, got)
		}
	}
}

func TestIntegersRoundOnce(t *testing.T) {
	for x, want := range map[int64]float32{1<<62 + 1<<38 + 1: 0x1.000002p62, 1<<61 + 3<<37 - 1: 0x1.000002p61, -3: -3, 1<<24 + 1: 1 << 24, 112207330713781: 0x1.983538p46} {
		if got := float32(toFloat(dtype.Float32, roundNumber(dtype.Float32, dtype.IntNumber(x)))); got != want {
			t.Errorf("%d as float32 is %v, want %v", x, got, want)
		}
	}
}

func TestReferenceConversions(t *testing.T) {
	for _, c := range []struct {
		d    dtype.DType
		x    float64
		want uint64
	}{
		{dtype.Uint8, -3, 0}, {dtype.Uint8, 300.7, 255}, {dtype.Uint8, -0.9, 0}, {dtype.Uint8, math.NaN(), 0}, {dtype.Uint8, 254.9, 254},
		{dtype.Int32, 3e9, 1<<31 - 1}, {dtype.Int32, -3e9, 1 << 31}, {dtype.Int32, -7.5, 1<<32 - 7},
		{dtype.Int64, math.Inf(1), 1<<63 - 1}, {dtype.Int64, math.Inf(-1), 1 << 63}, {dtype.Int64, -1 << 63, 1 << 63},
		{dtype.Bool, math.NaN(), 1}, {dtype.Bool, 0, 0}, {dtype.Bool, 0.1, 1},
	} {
		if got := fromFloatTo(c.d, c.x); got != c.want {
			t.Errorf("%v as %v is %#x, want %#x", c.x, c.d, got, c.want)
		}
	}
}
