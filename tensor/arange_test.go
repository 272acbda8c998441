package tensor_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

const least, most = int64(math.MinInt64), int64(math.MaxInt64)

// What NumPy 1.24 gives for the same calls.
func TestArangeIsThatOfNumPy(t *testing.T) {
	a, d := tensor.Arange, dtype.Float64
	for name, c := range map[string]struct {
		start, stop, step any
		want              []float64
	}{
		"a step that does not divide":        {0, 1, 0.3, []float64{0, 0.3, 0.6, 0.8999999999999999}},
		"whole numbers, not dividing":        {0, 10, 4, []float64{0, 4, 8}},
		"negative step":                      {0, -1, -0.25, []float64{0, -0.25, -0.5, -0.75}},
		"negative, not dividing":             {5, 0.5, -2, []float64{5, 3, 1}},
		"a count that rounding makes larger": {1, 1.3, 0.1, []float64{1, 1.1, 1.2, 1.3}},
		"a count that rounding leaves":       {0, 1, 0.1, nil}, // 10, below
		"away from stop":                     {0, 1, -0.25, []float64{}},
		"away from stop, downwards":          {0, -3, 1, []float64{}},
		"start is stop":                      {2.5, 2.5, 1, []float64{}},
		"stop beside start":                  {0, math.SmallestNonzeroFloat64, 1e-320, []float64{0}},
		"a quotient that underflows":         {0, 1e-300, 1e300, []float64{0}},
		"one that underflows, away":          {0, 1e-300, -1e300, []float64{}},
		"a step beyond stop":                 {-1, 1, 1e308, []float64{-1}},
		"bools count as 0 and 1":             {false, 3, true, []float64{0, 1, 2}},
	} {
		t.Run(name, func(t *testing.T) {
			got := a(d, c.start, c.stop, c.step)
			if c.want == nil {
				if got.Size() != 10 {
					t.Errorf("%d elements, want 10", got.Size())
				}
				return
			}
			values := data[float64](t, got)
			if len(values) != len(c.want) {
				t.Fatalf("%v, want %v", values, c.want)
			}
			for i, v := range values { // NumPy rounds i*step and the sum apart
				if math.Abs(v-c.want[i]) > 2e-16 {
					t.Errorf("element %d is %v, want %v", i, v, c.want[i])
				}
			}
		})
	}
	wantData(t, a(dtype.Float32, 16777216, 16777220, 1), tensor.Shape{4}, float32(16777216), 16777216, 16777218, 16777220)
	wantData(t, a(dtype.Float32, 0, 4e38, 1e38), tensor.Shape{4}, float32(0), 1e38, 2e38, 3e38)
	wantData(t, a(dtype.Float32, 0, 5e38, 2e38), tensor.Shape{3}, float32(0), 2e38, inf)
}

// Integers count exactly, at either end of their range, also in steps that the
// dtype does not hold.
func TestArangeOfIntegers(t *testing.T) {
	a := tensor.Arange
	wantData(t, a(dtype.Uint8, 3, -1, -1), tensor.Shape{4}, uint8(3), 2, 1, 0)
	wantData(t, a(dtype.Uint8, 255, 0, -100), tensor.Shape{3}, uint8(255), 155, 55)
	wantData(t, a(dtype.Uint8, 5, 6, 1000), tensor.Shape{1}, uint8(5))
	wantData(t, a(dtype.Int32, math.MinInt32, math.MaxInt32, int64(1)<<31), tensor.Shape{2}, int32(math.MinInt32), 0)
	wantData(t, a(dtype.Int32, math.MaxInt32, int64(math.MinInt32-1), -int64(1)<<31), tensor.Shape{2}, int32(math.MaxInt32), -1)
	wantData(t, a(dtype.Int64, most-2, most, 1), tensor.Shape{2}, int64(math.MaxInt64-2), math.MaxInt64-1)
	wantData(t, a(dtype.Int64, most-2, uint64(1)<<63, 1), tensor.Shape{3}, int64(math.MaxInt64-2), math.MaxInt64-1, math.MaxInt64)
	wantData(t, a(dtype.Int64, least, most, uint64(1)<<63), tensor.Shape{2}, int64(math.MinInt64), 0)
	wantData(t, a(dtype.Int64, 0, 2.5, 1), tensor.Shape{3}, int64(0), 1, 2)
	wantData(t, a(dtype.Int64, 2, -0.5, -1), tensor.Shape{3}, int64(2), 1, 0)
	wantData[int64](t, a(dtype.Int64, 0, -1e300, 1), tensor.Shape{0})
}

func TestArangeRefuses(t *testing.T) {
	a := tensor.Arange
	for name, c := range map[string]struct {
		got  *tensor.Tensor
		text string
	}{
		"no step":                {a(dtype.Float32, 0, 1, 0), "no steps of 0 lead from 0 to 1"},
		"no step, nowhere to go": {a(dtype.Int32, 0, 0, 0), "no steps of 0 lead from 0 to 0"},
		"infinite step":          {a(dtype.Float32, 0, 1, math.Inf(1)), "no steps of +Inf lead from 0 to 1"},
		"infinite start":         {a(dtype.Float64, math.Inf(-1), 1, 1), "no steps of 1 lead from -Inf to 1"},
		"NaN stop":               {a(dtype.Float64, 0, math.NaN(), 1), "no steps of 1 lead from 0 to NaN"},
		"infinite stop":          {a(dtype.Float64, 0, math.Inf(1), 1), "too many elements"},
		"all int64":              {a(dtype.Int64, least, most, 1), "too many elements"},
		"all float64":            {a(dtype.Float64, -math.MaxFloat64, math.MaxFloat64, 1e300), "too many elements"},
		"a stop of any size":     {a(dtype.Int64, 0, 1e300, 1), "too many elements"},
		"fractions as integers":  {a(dtype.Uint8, 0, 10, 2.5), "uint8 cannot hold the float 2.5"},
		"beyond uint8":           {a(dtype.Uint8, 0, 300, 1), "299 is outside the range of uint8"},
		"below uint8":            {a(dtype.Uint8, 3, -2, -1), "-1 is outside the range of uint8"},
		"beyond int64":           {a(dtype.Int64, 0, 1e21, int64(1)<<62), "int64 cannot hold the float 9.9"},
		"just beyond int64":      {a(dtype.Int64, 0, 1e19, uint64(1)<<63), "9223372036854775808 is outside the range of int64"},
		"in few steps":           {a(dtype.Int64, 0, 2e19, uint64(1)<<63), "int64 cannot hold the float 1.8446744073709552e+19"},
	} {
		t.Run(name, func(t *testing.T) { wantError(t, c.got.Err(), nil, "arange: "+c.text) })
	}
	if math.MaxInt > math.MaxInt32 {
		wantError(t, a(dtype.Float32, 0, 1e18, 1).Err(), nil, "arange: (1000000000000000000) float32 is 4000.0 PB; limit")
	} else {
		wantError(t, a(dtype.Float32, 0, 1e18, 1).Err(), nil, "arange: too many elements")
	}
}

// Any range of uint8 holds what a loop finds.
func TestArangeFindsWhatALoopFinds(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		start, stop, step := rng.IntN(256), rng.IntN(300)-20, rng.IntN(600)-300
		var want []uint8
		fits := step != 0
		for v := start; fits && (step > 0 && v < stop || step < 0 && v > stop); v += step {
			want = append(want, uint8(v))
			fits = v >= 0 && v < 256
		}
		got := tensor.Arange(dtype.Uint8, start, stop, step)
		if !fits {
			if got.Err() == nil {
				t.Errorf("Arange(%d, %d, %d) = %v", start, stop, step, got)
			}
			continue
		}
		wantData(t, got, tensor.Shape{len(want)}, want...)
	}
}
