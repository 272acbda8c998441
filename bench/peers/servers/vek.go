package servers

import (
	"github.com/viterin/vek/vek32"

	"github.com/stride0/stride0/bench/peers/protocol"
)

// vek adds vectors with AVX2 on one thread. It knows no shapes: rows, columns
// and channels are loops over vectors, as its users write them. The tiny
// workloads measure what shapes cost, so it has no part in them.
func vek(int) (protocol.Maker, error) {
	return func(w string) (map[string]protocol.Run, error) {
		switch w {
		case "W1":
			return vekAdd(1e6), nil
		case "W2":
			return vekAdd(1 << 25), nil
		case "W8":
			x := random(1e6)
			return slices(1e6, func(out []float32) { vek32.MulNumber_Into(out, x, 1.7) }), nil
		case "W9exp":
			x := random(1e6)
			return slices(1e6, func(out []float32) { vek32.Exp_Into(out, x) }), nil
		case "W14a":
			return vekMatMul(512), nil
		case "W14b":
			return vekMatMul(1024), nil
		case "W3", "W4", "W5", "W6", "W11", "W12b", "W15":
			return vekRows(w), nil
		}
		return vekReduce(w), nil
	}, nil
}

func vekAdd(n int) map[string]protocol.Run {
	x, y := random(n), random(n)
	return slices(n, func(out []float32) { vek32.Add_Into(out, x, y) })
}

func vekMatMul(n int) map[string]protocol.Run {
	x, y := random(n*n), random(n*n)
	return slices(n*n, func(out []float32) { vek32.MatMul_Into(out, x, y, n) })
}

// vekRows are the workloads that are a loop over the rows of a matrix, or over
// the planes of images.
func vekRows(w string) map[string]protocol.Run {
	switch w {
	case "W6":
		channels := random(64)
		return eachRow(32*64, 56*56, func(i int, o, x []float32) { vek32.MulNumber_Into(o, x, channels[i%64]) })
	case "W15":
		return eachRow(4096, 1024, func(_ int, o, x []float32) {
			vek32.SubNumber_Into(o, x, vek32.Max(x))
			vek32.Exp_Inplace(o)
			vek32.DivNumber_Inplace(o, vek32.Sum(o))
		})
	}
	a, b, column := random(4096), positive(4096), random(4096)
	switch w {
	case "W3":
		return eachRow(4096, 4096, func(_ int, o, x []float32) { vek32.Add_Into(o, x, a) })
	case "W4":
		return eachRow(4096, 4096, func(i int, o, x []float32) { vek32.AddNumber_Into(o, x, column[i]) })
	case "W5":
		return slices(4096*4096, func(out []float32) {
			for i, c := range column {
				vek32.AddNumber_Into(out[i*4096:(i+1)*4096], a, c)
			}
		})
	case "W11":
		return eachRow(4096, 4096, func(_ int, o, x []float32) {
			vek32.Sub_Into(o, x, a)
			vek32.Div_Inplace(o, b)
		})
	}
	return eachRow(1024, 4096, func(_ int, o, x []float32) { // W12b
		vek32.Mul_Into(o, x, a)
		vek32.Add_Inplace(o, b)
		vek32.Neg_Inplace(o)
		vek32.Exp_Inplace(o)
		vek32.AddNumber_Inplace(o, 1)
		vek32.Inv_Inplace(o)
		vek32.Mul_Inplace(o, column)
		vek32.Add_Inplace(o, x)
	})
}

// eachRow computes a matrix row by row from another.
func eachRow(rows, width int, compute func(i int, out, x []float32)) map[string]protocol.Run {
	x := random(rows * width)
	return slices(len(x), func(out []float32) {
		for i := range rows {
			compute(i, out[i*width:(i+1)*width], x[i*width:(i+1)*width])
		}
	})
}

// vekReduce are the reductions; nil for any other workload.
func vekReduce(w string) map[string]protocol.Run {
	const width = 4096
	var compute func(out, x []float32)
	n := width
	switch w {
	case "W10sum":
		n, compute = 1, func(out, x []float32) { out[0] = vek32.Sum(x) }
	case "W10sum0":
		compute = func(out, x []float32) {
			copy(out, x)
			for i := width; i < len(x); i += width {
				vek32.Add_Inplace(out, x[i:i+width])
			}
		}
	case "W10sum1":
		compute = func(out, x []float32) {
			for i := range out {
				out[i] = vek32.Sum(x[i*width : (i+1)*width])
			}
		}
	case "W10max1":
		compute = func(out, x []float32) {
			for i := range out {
				out[i] = vek32.Max(x[i*width : (i+1)*width])
			}
		}
	default:
		return nil
	}
	size := width * width
	if w == "W10sum" {
		size = 1 << 25
	}
	x := random(size)
	return slices(n, func(out []float32) { compute(out, x) })
}
