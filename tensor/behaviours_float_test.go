package tensor_test

import (
	"math"
	"testing"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

// The tests of behaviours_*_test.go state what libraries of arrays disagree on
// or got wrong, each once, as the user sees it.

func f32(v ...float32) *tensor.Tensor { return tensor.New(v) }

// floatCase is a call and its float32 elements.
type floatCase struct {
	name string
	got  *tensor.Tensor
	want []float32
}

func checkFloats(t *testing.T, cases []floatCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) { wantData(t, c.got, tensor.Shape{len(c.want)}, c.want...) })
	}
}

func TestNaNWinsExceptInFMaxAndFMin(t *testing.T) {
	x, y := f32(nan, 1, nan), f32(1, nan, nan)
	checkFloats(t, []floatCase{
		{"maximum", x.Maximum(y), []float32{nan, nan, nan}},
		{"minimum", x.Minimum(y), []float32{nan, nan, nan}},
		{"fmax", x.FMax(y), []float32{1, 1, nan}},
		{"fmin", x.FMin(y), []float32{1, 1, nan}},
		{"relu", f32(nan, minus0).Relu(), []float32{nan, 0}},
		{"clip of NaN", f32(nan).Clip(tensor.Scalar(0), tensor.Scalar(1)), []float32{nan}},
		{"clip from NaN", f32(0.5).Clip(f32(nan), f32(1)), []float32{nan}},
		{"clip to NaN", f32(0.5).Clip(f32(0), f32(nan)), []float32{nan}},
		{"clip with min above max", f32(-9, 2, 9).Clip(tensor.Scalar(3), tensor.Scalar(1)), []float32{1, 1, 1}},
	})
}

// TestNaNAtEveryPosition puts a NaN at each place of rows as long as vectors
// and blocks are, also behind them.
func TestNaNAtEveryPosition(t *testing.T) {
	for _, n := range []int{1, 7, 8, 17, 33, 65, 1025} {
		for at := range n {
			if n > 100 && at%97 != 0 && at != n-1 {
				continue
			}
			v := make([]float32, n)
			v[at] = nan
			x := tensor.New(v)
			for name, r := range map[string]*tensor.Tensor{
				"max": x.Max(), "min": x.Min(), "sum": x.Sum(), "prod": x.Prod(), "mean": x.Mean(), "var": x.Var(), "logsumexp": x.LogSumExp(),
			} {
				if got := data[float32](t, r)[0]; got == got {
					t.Fatalf("%s of %d elements with NaN at %d is %v", name, n, at, got)
				}
			}
			wantData(t, x.ArgMax(), tensor.Shape{}, int64(at))
			wantData(t, x.ArgMin(), tensor.Shape{}, int64(at))
			e := data[float32](t, x.Exp().Add(x.Maximum(f32(-1))))
			for i, got := range e {
				if (got != got) != (i == at) {
					t.Fatalf("of %d elements with NaN at %d, element %d is %v", n, at, i, got)
				}
			}
		}
	}
}

func TestSignsOfZero(t *testing.T) {
	z, tiny := f32(minus0), f32(-0.4)
	checkFloats(t, []floatCase{
		{"neg", f32(0).Neg(), []float32{minus0}},
		{"abs", z.Abs(), []float32{0}},
		{"ceil", tiny.Ceil(), []float32{minus0}},
		{"round", tiny.Round(), []float32{minus0}},
		{"trunc", tiny.Trunc(), []float32{minus0}},
		{"sqrt", z.Sqrt(), []float32{minus0}},
		{"cbrt", z.Cbrt(), []float32{minus0}},
		{"tanh", z.Tanh(), []float32{minus0}},
		{"sin", z.Sin(), []float32{minus0}},
		{"tan", z.Tan(), []float32{minus0}},
		{"sinh", z.Sinh(), []float32{minus0}},
		{"asinh", z.Asinh(), []float32{minus0}},
		{"atan", z.Atan(), []float32{minus0}},
		{"expm1", z.Expm1(), []float32{minus0}},
		{"log1p", z.Log1p(), []float32{minus0}},
		{"erf", z.Erf(), []float32{minus0}},
		{"gelu", z.Gelu(), []float32{minus0}},
		{"sign", f32(nan, 0, minus0, -3).Sign(), []float32{nan, 0, 0, -1}},
		{"maximum", z.Maximum(f32(0)), []float32{0}},
		{"minimum", f32(0).Minimum(z), []float32{minus0}},
	})
}

func TestDivisionByZeroOfFloats(t *testing.T) {
	x, y := f32(1, -1, 0, 1), f32(0, 0, 0, minus0)
	checkFloats(t, []floatCase{
		{"div", x.Div(y), []float32{inf, -inf, nan, -inf}},
		{"reciprocal", y.Reciprocal(), []float32{inf, inf, inf, -inf}},
		{"floordiv", x.FloorDiv(y), []float32{inf, -inf, nan, -inf}},
		{"floordiv rounds down", f32(-7.5, minus0, inf).FloorDiv(f32(2, 3, 2)), []float32{-4, minus0, nan}},
		{"mod", f32(-7.5, 1, 6).Mod(f32(2, 0, -3)), []float32{0.5, nan, minus0}},
		{"rem", f32(-7.5, 1).Rem(f32(2, 0)), []float32{-1.5, nan}},
	})
	for _, d := range []dtype.DType{dtype.Float16, dtype.BFloat16, dtype.Float64} {
		wantData(t, x.Cast(d).Div(y.Cast(d)).Cast(dtype.Float32), tensor.Shape{4}, inf, -inf, nan, -inf)
	}
}

// TestQuotientAndRemainderRebuildTheDividend also takes subnormal halves, whose
// quotient must not be flushed.
func TestQuotientAndRemainderRebuildTheDividend(t *testing.T) {
	x, y := f32(7, -7, 7, -7), f32(2, 2, -2, -2)
	wantData(t, x.FloorDiv(y), tensor.Shape{4}, float32(3), -4, -4, 3)
	wantData(t, x.FloorDiv(y).Mul(y).Add(x.Mod(y)), tensor.Shape{4}, float32(7), -7, 7, -7)
	wantData(t, tensor.New([]float64{78 * 6e-8, 6e-8}).Cast(dtype.Float16).Div(tensor.New([]float64{6e-8, 2}).Cast(dtype.Float16)).Cast(dtype.Float32),
		tensor.Shape{2}, float32(79), 0) // 4.68e-6 is 79 units of 2^-24, half of one ties to 0
}

func TestPowersHypotAndAngles(t *testing.T) {
	checkFloats(t, []floatCase{
		{"pow", f32(nan, 1, -1, -1, 2, -inf, minus0, -8).Pow(f32(0, nan, inf, -inf, -inf, 3, -1, 1.0/3)), []float32{1, 1, 1, 1, 0, -inf, -inf, nan}},
		{"hypot", f32(inf, nan, 3e38, 3).Hypot(f32(nan, -inf, 1, 4)), []float32{inf, inf, 3e38, 5}},
	})
	wantData(t, tensor.New([]float64{3e200}).Hypot(tensor.New([]float64{4e200})), tensor.Shape{1}, 5e200)
	edges := []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1)}
	for _, y := range edges {
		for _, x := range edges {
			got := data[float64](t, tensor.New([]float64{y}).Atan2(tensor.New([]float64{x})))[0]
			if want := math.Atan2(y, x); math.Float64bits(got) != math.Float64bits(want) {
				t.Errorf("atan2(%v, %v) is %v, want %v", y, x, got, want)
			}
		}
	}
}

func TestComparisonsWithNaN(t *testing.T) {
	x, y := f32(nan, 1, nan), f32(1, nan, nan)
	for _, c := range comparisons {
		ne := c.name == "ne"
		wantData(t, c.apply(x, y), tensor.Shape{3}, ne, ne, ne)
		wantData(t, c.apply(x.Cast(dtype.Float16), y.Cast(dtype.BFloat16)), tensor.Shape{3}, ne, ne, ne)
	}
}

func TestClassesOfFloats(t *testing.T) {
	for _, d := range []dtype.DType{dtype.Float16, dtype.BFloat16, dtype.Float32, dtype.Float64} {
		least := map[dtype.DType]float64{dtype.Float16: 0x1p-24, dtype.BFloat16: 0x1p-133, dtype.Float32: 0x1p-149, dtype.Float64: 0x1p-1074}[d]
		x := tensor.New([]float64{math.NaN(), math.Inf(1), math.Inf(-1), least, -least, math.Copysign(0, -1)}).Cast(d)
		wantData(t, x.IsNaN(), tensor.Shape{6}, true, false, false, false, false, false)
		wantData(t, x.IsInf(), tensor.Shape{6}, false, true, true, false, false, false)
		wantData(t, x.IsFinite(), tensor.Shape{6}, false, false, false, true, true, true)
		wantData(t, x.Signbit(), tensor.Shape{6}, false, false, true, false, true, true)
		wantData(t, x.Ne(tensor.Scalar(0)), tensor.Shape{6}, true, true, true, true, true, false)
	}
}
