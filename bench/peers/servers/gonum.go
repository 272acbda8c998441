package servers

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"

	"github.com/stride0/stride0/bench/peers/protocol"
)

// gonum computes with BLAS in float32: sums are Copy and Axpy, products Gemm,
// which uses all threads. The rest of gonum is float64 only,
// and like vek it takes no part in the tiny workloads.
func gonum(int) (protocol.Maker, error) {
	return func(w string) (map[string]protocol.Run, error) {
		switch w {
		case "W1":
			return gonumAdd(1e6), nil
		case "W2":
			return gonumAdd(1 << 25), nil
		case "W3":
			row := vector(random(4096))
			return eachRow(4096, 4096, func(_ int, o, x []float32) { sum(o, x, row) }), nil
		case "W8":
			x := random(1e6)
			return slices(1e6, func(out []float32) {
				copy(out, x)
				blas32.Scal(1.7, vector(out))
			}), nil
		case "W14a":
			return gonumMatMul(512), nil
		case "W14b":
			return gonumMatMul(1024), nil
		}
		return nil, nil
	}, nil
}

func gonumAdd(n int) map[string]protocol.Run {
	x, y := random(n), vector(random(n))
	return slices(n, func(out []float32) { sum(out, x, y) })
}

func sum(out, x []float32, y blas32.Vector) {
	copy(out, x)
	blas32.Axpy(1, y, vector(out))
}

func gonumMatMul(n int) map[string]protocol.Run {
	matrix := func(v []float32) blas32.General { return blas32.General{Rows: n, Cols: n, Stride: n, Data: v} }
	x, y := matrix(random(n*n)), matrix(random(n*n))
	return slices(n*n, func(out []float32) {
		blas32.Gemm(blas.NoTrans, blas.NoTrans, 1, x, y, 0, matrix(out))
	})
}

func vector(v []float32) blas32.Vector { return blas32.Vector{N: len(v), Inc: 1, Data: v} }
