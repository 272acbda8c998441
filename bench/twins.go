package bench

import "math"

// The twins are loops over slices, one index a dimension, without a tensor
// library: the code that a program would hold instead.

func twinFlat(out []float32, in []array) {
	x, y := in[0].v, in[1].v
	for i := range out {
		out[i] = x[i] + y[i]
	}
}

func twinScalar(out []float32, in []array) {
	for i, x := range in[0].v {
		out[i] = x * 1.7
	}
}

func twinRow(out []float32, in []array) {
	row := in[1].v
	for ; len(out) > 0; out = out[len(row):] {
		x := in[0].v[len(in[0].v)-len(out):]
		for j, y := range row {
			out[j] = x[j] + y
		}
	}
}

func twinColumn(out []float32, in []array) {
	width := in[0].sizes[1]
	for i, y := range in[1].v {
		x, o := in[0].v[i*width:(i+1)*width], out[i*width:(i+1)*width]
		for j := range o {
			o[j] = x[j] + y
		}
	}
}

func twinOuter(out []float32, in []array) {
	row := in[1].v
	for i, x := range in[0].v {
		o := out[i*len(row) : (i+1)*len(row)]
		for j, y := range row {
			o[j] = x + y
		}
	}
}

// twinChannel combines every plane of x with one element: a product for four
// axes (n, c, h, w), a sum for three (n, c, w).
func twinChannel(out []float32, in []array) {
	channels, sizes := in[1].v, in[0].sizes
	plane := product(sizes[2:])
	for p := range len(out) / plane {
		c, x, o := channels[p%len(channels)], in[0].v[p*plane:(p+1)*plane], out[p*plane:(p+1)*plane]
		for j := range o {
			if len(sizes) == 4 {
				o[j] = x[j] * c
			} else {
				o[j] = x[j] + c
			}
		}
	}
}

func twinTransposed(out []float32, in []array) {
	x, y, n := in[0].v, in[1].v, in[0].sizes[1]
	for i := range n {
		for j := range n {
			out[i*n+j] = x[i*n+j] + y[j*n+i]
		}
	}
}

func twinStrided(out []float32, in []array) {
	x, y, wide := in[0].v, in[1].v, in[0].sizes[1]
	n := (wide + 2) / 3
	for i := range len(out) / n {
		for j := range n {
			out[i*n+j] = x[2*i*wide+3*j] * y[i*n+j]
		}
	}
}

func twinGap(out []float32, in []array) {
	x, y, wide := in[0].v, in[1].v, in[0].sizes[1]
	n := wide / 2
	for i := range len(out) / n {
		for j := range n {
			out[i*n+j] = x[i*wide+j] + y[i*n+j]
		}
	}
}

func twinExp(out []float32, in []array) {
	for i, x := range in[0].v {
		out[i] = float32(math.Exp(float64(x)))
	}
}

func twinTanh(out []float32, in []array) {
	for i, x := range in[0].v {
		out[i] = float32(math.Tanh(float64(x)))
	}
}

func twinGelu(out []float32, in []array) {
	for i, x := range in[0].v {
		out[i] = x / 2 * float32(1+math.Erf(float64(x)*math.Sqrt2/2))
	}
}
