package bench

import "math"

func twinSum(out []float32, in []array) {
	out[0] = 0
	for _, x := range in[0].v {
		out[0] += x
	}
}

func twinSum0(out []float32, in []array) {
	clear(out)
	for x := in[0].v; len(x) > 0; x = x[len(out):] {
		for j := range out {
			out[j] += x[j]
		}
	}
}

func twinSum1(out []float32, in []array) {
	width := in[0].sizes[1]
	for i := range out {
		var sum float32
		for _, x := range in[0].v[i*width : (i+1)*width] {
			sum += x
		}
		out[i] = sum
	}
}

func twinMax1(out []float32, in []array) {
	width := in[0].sizes[1]
	for i := range out {
		most := in[0].v[i*width]
		for _, x := range in[0].v[i*width : (i+1)*width] {
			most = max(most, x)
		}
		out[i] = most
	}
}

func twinStandardize(out []float32, in []array) {
	mu, sigma := in[1].v, in[2].v
	for i, x := range in[0].v {
		j := i % len(mu)
		out[i] = (x - mu[j]) / sigma[j]
	}
}

func twinTanhAffine(out []float32, in []array) {
	a, b, c := in[1].v, in[2].v, in[3].v
	for i, x := range in[0].v {
		j := i % len(a)
		out[i] = float32(math.Tanh(float64(a[j]*x+b[j])))*c[j] + x
	}
}

func twinGate(out []float32, in []array) {
	a, b, c := in[1].v, in[2].v, in[3].v
	for i, x := range in[0].v {
		j := i % len(a)
		out[i] = c[j]/(1+float32(math.Exp(-float64(a[j]*x+b[j])))) + x
	}
}

func twinMatMul(out []float32, in []array) {
	x, y, n := in[0].v, in[1].v, in[0].sizes[1]
	clear(out)
	for i := range n {
		for k, v := range x[i*n : (i+1)*n] {
			for j, w := range y[k*n : (k+1)*n] {
				out[i*n+j] += v * w
			}
		}
	}
}

func twinSoftmax(out []float32, in []array) {
	width := in[0].sizes[1]
	for i := 0; i < len(out); i += width {
		x, o := in[0].v[i:i+width], out[i:i+width]
		most, sum := x[0], 0.0
		for _, v := range x {
			most = max(most, v)
		}
		for j, v := range x {
			e := math.Exp(float64(v - most))
			o[j], sum = float32(e), sum+e
		}
		for j := range o {
			o[j] /= float32(sum)
		}
	}
}
