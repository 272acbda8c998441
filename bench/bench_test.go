package bench

import (
	"fmt"
	"math"
	"testing"

	"github.com/stride0/stride0/device"
	"github.com/stride0/stride0/tensor"
)

// sides are small enough to see the cost of a call, that of the L2 cache, and
// that of memory.
var sides = []int{8, 256, 2048}

// maxNaiveMatMul is the side above which the naive product would take seconds.
const maxNaiveMatMul = 256

func workloads(tb testing.TB, side int) []Workload {
	tb.Helper()
	dev, err := device.Open("cpu")
	if err != nil {
		tb.Fatal(err)
	}
	w, err := Workloads(dev, side)
	if err != nil {
		tb.Fatal(err)
	}
	return w
}

func BenchmarkTensor(b *testing.B) {
	for _, side := range sides {
		for _, w := range workloads(b, side) {
			b.Run(w.Name, func(b *testing.B) {
				b.SetBytes(w.Bytes)
				b.ReportAllocs()
				for b.Loop() {
					if _, err := w.Run(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkNaive(b *testing.B) {
	for _, side := range sides {
		for _, w := range workloads(b, side) {
			b.Run(w.Name, func(b *testing.B) {
				if side > maxNaiveMatMul && w.Name[:6] == "matmul" {
					b.Skip("takes seconds")
				}
				b.SetBytes(w.Bytes)
				b.ReportAllocs()
				for b.Loop() {
					w.Naive()
				}
			})
		}
	}
}

// TestTwinsAgree proves that both sides of every comparison do the same work:
// equal results, one float32 rounding apart for exp.
func TestTwinsAgree(t *testing.T) {
	for _, side := range []int{1, 5, 40} {
		for _, w := range workloads(t, side) {
			result, err := w.Run()
			if err != nil {
				t.Fatalf("%s: %v", w.Name, err)
			}
			got, err := tensor.Data[float32](result)
			if err != nil {
				t.Fatalf("%s: %v", w.Name, err)
			}
			want := w.Naive()
			if len(got) != len(want) {
				t.Fatalf("%s: %d elements, want %d", w.Name, len(got), len(want))
			}
			for i := range want {
				if math.Abs(float64(got[i]-want[i])) > math.Abs(float64(want[i]))*0x1p-23 {
					t.Fatalf("%s: element %d is %v, want %v", w.Name, i, got[i], want[i])
				}
			}
		}
	}
}

func ExampleWorkloads() {
	dev, err := device.Open("cpu")
	if err != nil {
		fmt.Println(err)
		return
	}
	workloads, err := Workloads(dev, 256)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, w := range workloads[:3] {
		fmt.Println(w.Name, w.Bytes)
	}
	// Output:
	// add/float32/flat/n=65536 786432
	// add/float32/new/n=65536 786432
	// add/float32/row/n=65536 525312
}
