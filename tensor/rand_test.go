package tensor_test

import (
	"math"
	"slices"
	"sync"
	"testing"

	"github.com/stride0/stride0/device/devicetest"
	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

// normals returns n numbers as float64, sorted.
func normals(t *testing.T, d dtype.DType, n int) []float64 {
	x := data[float64](t, tensor.NewRand(2024).Normal(d, n).Cast(dtype.Float64))
	slices.Sort(x)
	return x
}

// Mean 0, variance 1, skewness 0 and kurtosis 3, within four standard errors
// of 100,000 numbers; the seed is fixed.
func TestNormalMoments(t *testing.T) {
	const n = 100_000
	for _, d := range []dtype.DType{dtype.Float32, dtype.Float64} {
		var m [5]float64
		for _, v := range normals(t, d, n) {
			for k, p := 1, v; k <= 4; k, p = k+1, p*v {
				m[k] += p / n
			}
		}
		for k, c := range map[int]struct{ want, variance float64 }{1: {0, 1}, 2: {1, 2}, 3: {0, 15}, 4: {3, 96}} {
			if off := math.Abs(m[k] - c.want); off > 4*math.Sqrt(c.variance/n) {
				t.Errorf("%v: moment %d is %v, want %v", d, k, m[k], c.want)
			}
		}
	}
}

// TestNormalFollowsTheDistribution is the test of Kolmogorov and Smirnov at
// the level of 1 %: the greatest distance of the empirical distribution from
// the true one stays below 1.63/sqrt(n).
func TestNormalFollowsTheDistribution(t *testing.T) {
	const n = 50_000
	for _, d := range []dtype.DType{dtype.Float32, dtype.Float64} {
		x := normals(t, d, n)
		if apart := distance(x, 0); apart > 1.63/math.Sqrt(n) {
			t.Errorf("%v: the distributions are %v apart", d, apart)
		}
		if apart := distance(x, 0.03); apart < 1.63/math.Sqrt(n) {
			t.Errorf("%v: the test does not see a mean of 0.03", d)
		}
	}
}

// distance is that of the sorted numbers x, shifted, from the normal distribution.
func distance(x []float64, shift float64) (most float64) {
	n := float64(len(x))
	for i, v := range x {
		p := math.Erfc(-(v+shift)/math.Sqrt2) / 2
		most = max(most, math.Abs(p-float64(i)/n), math.Abs(float64(i+1)/n-p))
	}
	return most
}

// A device that computes late gives the same bits, whatever the shape.
func TestRandHasTheSameBitsOnEveryDevice(t *testing.T) {
	dev := lagging(t, devicetest.LagOptions{Seed: 6})
	here, there := tensor.NewRand(5), tensor.NewRand(5).On(dev)
	for _, d := range []dtype.DType{dtype.Float32, dtype.Float64} {
		for _, draw := range []func(g *tensor.Rand, sizes ...int) *tensor.Tensor{
			func(g *tensor.Rand, sizes ...int) *tensor.Tensor { return g.Uniform(d, sizes...) },
			func(g *tensor.Rand, sizes ...int) *tensor.Tensor { return g.Normal(d, sizes...) },
		} {
			x, y := draw(here, 3000), draw(there, 30, 100)
			if y.Device() != dev || !y.Shape().Equal(tensor.Shape{30, 100}) {
				t.Fatalf("%v of shape %v on %v", y.Err(), y.Shape(), y.Device())
			}
			want := data[float64](t, x.Cast(dtype.Float64))
			wantData(t, y.Cast(dtype.Float64).Reshape(3000), tensor.Shape{3000}, want...)
		}
	}
}

// Generators split before the goroutines start give them the same numbers in
// whatever order they run, and each others.
func TestSplitForGoroutines(t *testing.T) {
	draw := func() [][]float32 {
		g := tensor.NewRand(9)
		out := make([][]float32, 8)
		var all sync.WaitGroup
		for i := range out {
			own := g.Split()
			all.Go(func() { out[i] = data[float32](t, own.Normal(dtype.Float32, 50)) })
		}
		all.Wait()
		return out
	}
	a, b := draw(), draw()
	seen := map[float32]int{}
	for i := range a {
		if !slices.Equal(a[i], b[i]) {
			t.Errorf("goroutine %d got other numbers the second time", i)
		}
		if j, ok := seen[a[i][0]]; ok {
			t.Errorf("goroutines %d and %d got the same numbers", i, j)
		}
		seen[a[i][0]] = i
	}
}

func TestNormalShapesAndErrors(t *testing.T) {
	g := tensor.NewRand(1)
	if x := g.Normal(dtype.Float64); x.Rank() != 0 || x.Size() != 1 || x.Err() != nil {
		t.Errorf("without sizes: %v", x)
	}
	if x := g.Normal(dtype.Float32, 0, 3); x.Size() != 0 || x.Err() != nil {
		t.Errorf("an empty one: %v", x)
	}
	wantError(t, g.Normal(dtype.Int64, 3).Err(), nil, "normal", "float")
	wantError(t, g.Normal(dtype.Float32, -3).Err(), nil, "normal", "-3")
	wantError(t, g.On(nil).Normal(dtype.Float32, 3).Err(), nil, "normal", "nil device")
	wantError(t, new(tensor.Rand).Normal(dtype.Float32, 3).Err(), nil, "normal", "NewRand")
}
