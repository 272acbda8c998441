package cpu

import (
	"fmt"
	"testing"

	"github.com/stride0/stride0/broadcast"
	"github.com/stride0/stride0/kernels"
)

// BenchmarkGrain shows from which size on a helper pays: run it with -cpu 1,2.
func BenchmarkGrain(b *testing.B) {
	for _, op := range []kernels.Op{kernels.Add, kernels.Exp} {
		p := benchProgram(b, op, op.Row().Arity)
		for n := 1 << 10; n <= 1<<17; n *= 2 {
			b.Run(fmt.Sprintf("%s/float32/flat/n=%d", op, n), func(b *testing.B) {
				shape := broadcast.Shape{n}
				var in []view
				for range op.Row().Arity {
					in = append(in, rowMajor(ramp(n), n))
				}
				l := launch(p, shape, 0, in, []view{rowMajor(make([]float32, n), n)})
				b.SetBytes(int64(4 * n * (len(in) + 1)))
				for b.Loop() {
					_ = Default().Run(l)
				}
			})
		}
	}
}
