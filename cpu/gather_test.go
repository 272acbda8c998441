package cpu

import (
	"errors"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"unsafe"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/dtype"
)

// bufferOf returns the memory of s as a Buffer.
func bufferOf[T any](s []T) *Buffer {
	var zero T
	return NewBuffer(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(zero))))
}

// strode is s as an operand, from its first element on.
func strode[T any](s []T, strides ...int) device.Strided {
	return device.Strided{Operand: device.Operand{Buffer: bufferOf(s)}, Strides: strides}
}

// rowsAt is the walk over rows of d of a table at n indices.
func rowsAt(values, table []float32, index []int64, d int) *device.Indexed {
	return &device.Indexed{DType: dtype.Float32, IndexDType: dtype.Int64, Sizes: []int{len(index), d},
		Values: strode(values, d, 1), Table: strode(table, 0, 1), Index: strode(index, 1, 0),
		Limits: []int{len(table) / d}, Jumps: []int{d}, Axes: []int{0}, IndexRank: 1, Label: "rows"}
}

func TestGatherReportsTheFirstIndex(t *testing.T) {
	const n = 100_000 // many units, on many cores
	index := make([]int64, n)
	values, table := slices.Repeat([]float32{9}, n), []float32{1, 2, 3}
	for _, wrong := range []int{70_000, 12_345, 99_999} {
		index[wrong] = 3
	}
	err := Default().Gather(rowsAt(values, table, index, 1))
	var e *device.IndexError
	if !errors.As(err, &e) || e.Place[0] != 12_345 || e.Value != 3 || e.Size != 3 {
		t.Fatalf("got %v", err)
	}
	if values[12_345] != 0 || values[99_999] != 0 || values[99_998] != 1 {
		t.Errorf("elements out of range are %v, %v, one beside them %v", values[12_345], values[99_999], values[99_998])
	}
}

func TestWalksOutOfBounds(t *testing.T) {
	x := func() *device.Indexed {
		return rowsAt(make([]float32, 6), make([]float32, 8), make([]int64, 3), 2)
	}
	for name, change := range map[string]func(x *device.Indexed){
		"values too short": func(x *device.Indexed) { x.Values = strode(make([]float32, 5), 2, 1) },
		"table too short":  func(x *device.Indexed) { x.Limits[0]++ },
		"index too short":  func(x *device.Indexed) { x.Index = strode(make([]int64, 2), 1, 0) },
		"before the start": func(x *device.Indexed) { x.Values.Strides[0] = -2 },
		"negative offset":  func(x *device.Indexed) { x.Table.Offset = -4 },
		"a negative size":  func(x *device.Indexed) { x.Sizes[0] = -1 },
		"missing stride":   func(x *device.Indexed) { x.Index.Strides = []int{1} },
		"missing jump":     func(x *device.Indexed) { x.Jumps = nil },
		"missing axis":     func(x *device.Indexed) { x.Axes = nil },
		"index of float32": func(x *device.Indexed) { x.IndexDType = dtype.Float32 },
		"no dtype":         func(x *device.Indexed) { x.DType = dtype.Invalid },
	} {
		bad := x()
		change(bad)
		if err := Default().Gather(bad); err == nil {
			t.Errorf("Gather: %s: no error", name)
		}
		if err := Default().Scatter(bad, device.MergeAdd); err == nil {
			t.Errorf("Scatter: %s: no error", name)
		}
	}
	if err := Default().Scatter(x(), device.MergeMax+1); !errors.Is(err, device.ErrUnsupported) {
		t.Errorf("an unknown merge: %v", err)
	}
	half := x()
	half.DType = dtype.Float16
	if err := Default().Scatter(half, device.MergeAdd); !errors.Is(err, device.ErrUnsupported) {
		t.Errorf("a sum of halves: %v", err)
	}
}

// Elements that meet in one place are added in order, however many cores work.
func TestScatterDoesNotDependOnGOMAXPROCS(t *testing.T) {
	const n, d, rows = 3000, 70, 5
	rng := rand.New(rand.NewPCG(1, 2))
	values, index := make([]float32, n*d), make([]int64, n)
	for i := range values {
		values[i] = rng.Float32()
	}
	for i := range index {
		index[i] = rng.Int64N(2*rows) - rows
	}
	want := make([]float32, rows*d)
	for i, r := range index {
		for k := range d {
			want[int(r+rows)%rows*d+k] += values[i*d+k]
		}
	}
	for _, procs := range []int{1, 2, 7} {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
		got := make([]float32, rows*d)
		if err := Default().Scatter(rowsAt(values, got, index, d), device.MergeAdd); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, want) {
			t.Errorf("GOMAXPROCS %d gives other sums than adding in order", procs)
		}
	}
}
