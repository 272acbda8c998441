package cpu

import (
	"fmt"
	"testing"

	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/kernels"
)

// benchProgram is one row of float32 operands.
func benchProgram(b *testing.B, op kernels.Op, operands int) *kernels.Program {
	build := kernels.NewBuilder()
	args := make([]kernels.Value, operands)
	for i := range args {
		args[i] = build.Input(dtype.Float32)
	}
	build.Output(must(build, op, args...))
	p, err := build.Program()
	if err != nil {
		b.Fatal(err)
	}
	return p
}

func BenchmarkAdd(b *testing.B) {
	p := benchProgram(b, kernels.Add, 2)
	for _, c := range []struct {
		form       string
		shape, rhs broadcast.Shape
	}{
		{"flat", broadcast.Shape{16}, broadcast.Shape{16}},
		{"flat", broadcast.Shape{4096}, broadcast.Shape{4096}},
		{"flat", broadcast.Shape{1 << 20}, broadcast.Shape{1 << 20}},
		{"row", broadcast.Shape{1024, 1024}, broadcast.Shape{1024}},
		{"column", broadcast.Shape{1024, 1024}, broadcast.Shape{1024, 1}},
		{"short_row", broadcast.Shape{100000, 3}, broadcast.Shape{3}},
	} {
		b.Run(fmt.Sprintf("float32/%s/n=%d", c.form, c.shape.Size()), func(b *testing.B) {
			n := c.shape.Size()
			out := rowMajor(make([]float32, n), c.shape...)
			l := launch(p, c.shape, 0, []view{rowMajor(ramp(n), c.shape...), rowMajor(ramp(c.rhs.Size()), c.rhs...)}, []view{out})
			b.SetBytes(int64(4 * (2*n + c.rhs.Size())))
			b.ReportAllocs()
			for b.Loop() {
				_ = Default().Run(l)
			}
		})
	}
	b.Run("float32/naive/n=4096", func(b *testing.B) {
		x, y, z := ramp(4096), ramp(4096), make([]float32, 4096)
		b.SetBytes(3 * 4 * 4096)
		for b.Loop() {
			for i := range z {
				z[i] = x[i] + y[i]
			}
		}
	})
}

func BenchmarkSum(b *testing.B) {
	p := benchProgram(b, kernels.Sum, 1)
	for _, c := range []struct {
		form    string
		shape   broadcast.Shape
		reduced broadcast.AxisMask
		out     broadcast.Shape
	}{
		{"all", broadcast.Shape{1 << 20}, 1, broadcast.Shape{1}},
		{"block", broadcast.Shape{1024, 1024}, 2, broadcast.Shape{1024, 1}},
		{"lead", broadcast.Shape{1024, 1024}, 1, broadcast.Shape{1, 1024}},
		{"tiny_rows", broadcast.Shape{1 << 18, 4}, 2, broadcast.Shape{1 << 18, 1}},
		{"few_columns", broadcast.Shape{1 << 18, 4}, 1, broadcast.Shape{1, 4}},
		{"short_rows", broadcast.Shape{1 << 15, 31}, 2, broadcast.Shape{1 << 15, 1}},
		{"rows_of_64", broadcast.Shape{1 << 14, 64}, 2, broadcast.Shape{1 << 14, 1}},
	} {
		b.Run(fmt.Sprintf("float32/%s/n=%d", c.form, c.shape.Size()), func(b *testing.B) {
			n := c.shape.Size()
			l := launch(p, c.shape, c.reduced, []view{rowMajor(ramp(n), c.shape...)}, []view{rowMajor(make([]float32, c.out.Size()), c.out...)})
			b.SetBytes(int64(4 * (n + c.out.Size())))
			b.ReportAllocs()
			for b.Loop() {
				_ = Default().Run(l)
			}
		})
	}
	b.Run("float32/three_of_four_columns/n=1572864", func(b *testing.B) { // (1, 512, 1024, 4)[..., :3]
		x := over(b, ramp(512*1024*4), broadcast.Shape{512 * 1024, 3}, []int{4, 1}, 0)
		for name, c := range map[string]struct {
			reduced broadcast.AxisMask
			out     broadcast.Shape
		}{"rows": {2, broadcast.Shape{512 * 1024, 1}}, "columns": {1, broadcast.Shape{1, 3}}, "all": {3, broadcast.Shape{1, 1}}} {
			b.Run(name, func(b *testing.B) {
				l := launch(p, broadcast.Shape{512 * 1024, 3}, c.reduced, []view{x}, []view{rowMajor(make([]float32, c.out.Size()), c.out...)})
				b.SetBytes(4 * 512 * 1024 * 3)
				for b.Loop() {
					_ = Default().Run(l)
				}
			})
		}
	})
	b.Run("float32/naive/n=1048576", func(b *testing.B) {
		x, s := ramp(1<<20), float32(0)
		b.SetBytes(4 << 20)
		for b.Loop() {
			s = 0
			for _, v := range x {
				s += v
			}
		}
		_ = s
	})
}
