package tensor_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

// numpyPrints is a program that prints arrays as NumPy does: a JSON list of
// {dtype, sizes, values as text} in, texts with a line of = after each out.
const numpyPrints = `
import json, sys, numpy
for a in json.load(sys.stdin):
    values = numpy.array([float(v) for v in a["Values"]]).astype(a["DType"])
    print(numpy.array(values.reshape(a["Sizes"])), "=", sep="\n")
`

// sample is a tensor for both sides.
type sample struct {
	DType  string
	Sizes  []int
	Values []string
	x      *tensor.Tensor
}

func sampleOf(d dtype.DType, v []float64, sizes ...int) sample {
	s := sample{DType: d.String(), Sizes: sizes, x: tensor.New(v).Cast(d).Reshape(sizes...)}
	for _, f := range v {
		s.Values = append(s.Values, fmt.Sprint(f))
	}
	return s
}

// samples are of many shapes, with values near and far apart, of few and of
// many digits, with and without specials.
func samples() (all []sample) {
	rng := rand.New(rand.NewPCG(11, 12))
	number := []func() float64{
		func() float64 { return rng.NormFloat64() },
		func() float64 { return math.Round(rng.NormFloat64() * 40) },
		func() float64 { return math.Round(rng.NormFloat64()*400) / 8 },
		func() float64 { return rng.NormFloat64() * math.Pow(10, rng.Float64()*40-20) },
		func() float64 { return 1000 + rng.Float64()*1e5 },
		func() float64 { return rng.Float64() * 3e7 },
		func() float64 { return math.Pow(10, float64(rng.IntN(9)-4)) },
		func() float64 { return 1e-4 * (1.01 + rng.Float64()) },
		func() float64 { return []float64{0, math.Copysign(0, -1), 1, -0.5, 1e9}[rng.IntN(5)] },
		func() float64 { return []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1, 0.25}[rng.IntN(5)] },
		func() float64 { return []float64{math.NaN(), math.Inf(-1)}[rng.IntN(2)] },
	}
	shapes := [][]int{{}, {1}, {2}, {5}, {30}, {1000}, {1001}, {3, 4}, {7, 1}, {2, 3, 4}, {40, 40}, {2, 20, 60}, {1, 2, 3, 4}, {2, 3, 4, 50}, {5000, 1}}
	for i, next := range number {
		for _, sizes := range shapes {
			n := 1
			for _, s := range sizes {
				n *= s
			}
			v := make([]float64, n)
			for i := range v {
				v[i] = next()
			}
			all = append(all, sampleOf(dtype.Float64, v, sizes...), sampleOf(dtype.Float32, v, sizes...), sampleOf(dtype.Float16, v, sizes...))
			if i == 1 {
				all = append(all, sampleOf(dtype.Int32, v, sizes...), sampleOf(dtype.Int64, v, sizes...), sampleOf(dtype.Int16, v, sizes...))
			}
		}
	}
	return all
}

// TestStringIsThatOfNumPy runs where Python has NumPy; TestString holds the
// same layout without it.
func TestStringIsThatOfNumPy(t *testing.T) {
	python := ""
	for _, p := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(p, "-c", "import numpy").Run() == nil {
			python = p
			break
		}
	}
	if python == "" {
		t.Skip("no Python with NumPy here")
	}
	all := samples()
	in, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(python, "-c", numpyPrints)
	cmd.Stdin = bytes.NewReader(in)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	texts := strings.Split(string(out), "\n=\n")
	if len(texts) != len(all)+1 {
		t.Fatalf("%d texts for %d arrays", len(texts), len(all))
	}
	for i, s := range all {
		got := s.x.String()
		if s.DType != "float32" {
			got = strings.TrimSuffix(got, " ("+s.DType+")")
		}
		if got != texts[i] {
			t.Errorf("%s %v: got\n%s\nNumPy prints\n%s", s.DType, s.Sizes, got, texts[i])
		}
	}
}
