package tensor_test

import (
	"testing"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
	"github.com/stride0/stride0/tensor"
)

// What an operation costs besides its elements: each size with a fresh result
// and into an existing one, beside the loop alone.
func BenchmarkAdd(b *testing.B) {
	for _, c := range []struct {
		name string
		x, y *tensor.Tensor
	}{
		{"float32/same/n=1", iota32(1), iota32(1)},
		{"float32/same/n=16", iota32(16), iota32(16)},
		{"float32/row/n=64", iota32(8, 8), iota32(8)},
		{"float32/same/n=65536", iota32(65536), iota32(65536)},
	} {
		bytes := int64(8*c.x.Size() + 4*c.y.Size())
		b.Run("fresh/"+c.name, func(b *testing.B) {
			b.SetBytes(bytes)
			b.ReportAllocs()
			for b.Loop() {
				c.x.Add(c.y)
			}
		})
		dst := tensor.Zeros(dtype.Float32, c.x.Shape()...)
		b.Run("into/"+c.name, func(b *testing.B) {
			b.SetBytes(bytes)
			b.ReportAllocs()
			for b.Loop() {
				if err := tensor.Into(dst, kernels.Add, c.x, c.y); err != nil {
					b.Fatal(err)
				}
			}
		})
		x, y, z := data[float32](b, c.x), data[float32](b, c.y), make([]float32, c.x.Size())
		b.Run("naive/"+c.name, func(b *testing.B) {
			b.SetBytes(bytes)
			for b.Loop() {
				for i := range z {
					z[i] = x[i] + y[i%len(y)]
				}
			}
		})
	}
}
