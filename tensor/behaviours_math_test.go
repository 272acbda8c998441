package tensor_test

import (
	"math"
	"testing"

	"github.com/stride0/stride0/dtype"
	"github.com/stride0/stride0/tensor"
)

// nearTo checks float32 elements to within n units in the last place.
func nearTo(t *testing.T, name string, x *tensor.Tensor, n float64, want ...float64) {
	t.Helper()
	got := data[float32](t, x)
	if len(got) != len(want) {
		t.Fatalf("%s: %d elements, want %d", name, len(got), len(want))
	}
	for i, w := range want {
		g := float64(got[i])
		if g == w || g != g && w != w {
			continue
		}
		if !(math.Abs(g-w) <= n*math.Abs(w)*0x1p-23) {
			t.Errorf("%s: element %d is %v, want %v", name, i, g, w)
		}
	}
}

func TestLogarithmsOfSums(t *testing.T) {
	neg, pos := -inf, inf
	x := tensor.New([]float32{1, 2, neg, neg, pos, pos, 1000, 1000, nan, 0, neg, 5}, 6, 2)
	l := math.Log1p(math.Exp(-1))
	nearTo(t, "logsumexp", x.LogSumExp(-1), 1, 2+l, math.Inf(-1), math.Inf(1), 1000+math.Ln2, math.NaN(), 5)
	a, b := x.Slice(tensor.All, tensor.R(0, 1, 1)).Reshape(6), x.Slice(tensor.All, tensor.R(1, 2, 1)).Reshape(6)
	nearTo(t, "logaddexp", a.LogAddExp(b), 1, 2+l, math.Inf(-1), math.Inf(1), 1000+math.Ln2, math.NaN(), 5)
}

func TestSoftmaxOfExtremes(t *testing.T) {
	x := tensor.New([]float32{1000, 1000, -inf, -inf, inf, 0, -inf, 3}, 4, 2)
	nearTo(t, "softmax", x.Softmax(-1).Reshape(8), 0, 0.5, 0.5, math.NaN(), math.NaN(), math.NaN(), math.NaN(), 0, 1)
	nearTo(t, "logsoftmax", x.LogSoftmax(-1).Reshape(8), 1, -math.Ln2, -math.Ln2, math.NaN(), math.NaN(), math.NaN(), math.NaN(), math.Inf(-1), 0)
}

func TestSoftplusIsStable(t *testing.T) {
	x := f32(20, 50, 100, -1e7, 1e30, -inf, inf)
	nearTo(t, "softplus", x.Softplus(), 1, 20+math.Log1p(math.Exp(-20)), 50, 100, 0, float64(float32(1e30)), 0, math.Inf(1))
	beta := f32(20, 50, 100).MulScalar(5).Softplus().DivScalar(5)
	nearTo(t, "softplus with beta 5", beta, 1, 20, 50, 100)
	half := tensor.New([]float32{12, 20}).Cast(dtype.Float16).Softplus().Cast(dtype.Float32)
	nearTo(t, "softplus of halves", half, 0, 12, 20)
}

func TestActivationsFarOut(t *testing.T) {
	checkFloats(t, []floatCase{
		{"sigmoid", f32(-1000, 1000, -inf, inf, 0).Sigmoid(), []float32{0, 1, 0, 1, 0.5}},
		{"silu", f32(-1000, -inf, 1000).Silu(), []float32{minus0, minus0, 1000}},
		{"mish", f32(100, -inf, -1e30).Mish(), []float32{100, minus0, minus0}},
		{"tanh", f32(1e30, -1e30).Tanh(), []float32{1, -1}},
		{"gelu", f32(0, minus0, 100, -100, -inf, inf, nan, 1e-40).Gelu(), []float32{0, minus0, 100, minus0, minus0, inf, nan, 5e-41}},
		{"gelutanh", f32(0, 100, -100, -inf, inf).GeluTanh(), []float32{0, 100, minus0, minus0, inf}},
		{"relu", f32(minus0, 1e-40).Relu(), []float32{0, 1e-40}},
		{"selu", f32(0, minus0).Selu(), []float32{0, minus0}},
		{"hardsigmoid", f32(-3, 3, 0, -1e30, 1e30).HardSigmoid(), []float32{0, 1, 0.5, 0, 1}},
		{"erf", f32(0, 1e-45, 10, -10).Erf(), []float32{0, 1e-45, 1, -1}},
	})
	nearTo(t, "gelu", f32(-1, 1, -5).Gelu(), 1, -0.15865525393145707, 0.8413447460685429, -1.4332578591891527e-06)
	nearTo(t, "selu", f32(-1e30, 1).Selu(), 1, -1.7580993408473766, 1.0507009873554805)
}

func TestSmallArgumentsKeepTheirDigits(t *testing.T) {
	nearTo(t, "expm1", f32(1e-10).Expm1(), 1, float64(float32(1e-10)))
	nearTo(t, "log1p", f32(1e-10).Log1p(), 1, float64(float32(1e-10)))
	wide := data[float64](t, tensor.New([]float64{1e-10}).Expm1())[0]
	if math.Abs(wide-1.00000000005e-10) > 1e-25 {
		t.Errorf("expm1(1e-10) is %v", wide)
	}
}

// TestFunctionsFollowStrides has one element among others that a function on
// vectors would put elsewhere, or compute by another path.
func TestFunctionsFollowStrides(t *testing.T) {
	nearTo(t, "exp of every second", iota32(4).Slice(tensor.R(0, 4, 2)).Exp(), 1, 1, math.Exp(2))
	v := make([]float32, 40)
	v[4] = 72000
	for _, step := range []int{1, 2, 4} {
		got := data[float32](t, tensor.New(v).Slice(tensor.R(0, 40, step)).Cos())
		for i, g := range got {
			want := float32(1)
			if i*step == 4 {
				want = 0.5573837
			}
			if g != want {
				t.Errorf("cos with step %d: element %d is %v, want %v", step, i, g, want)
			}
		}
	}
	m := iota32(2, 3).AddScalar(1).T()
	nearTo(t, "digamma of a transposed matrix", m.Digamma().Reshape(6), 2,
		-0.5772156649015329, 1.2561176684318003, 0.42278433509846714, 1.5061176684318003, 0.9227843350984671, 1.7061176684318003)
	nearTo(t, "lgamma of a transposed matrix", m.Lgamma().Reshape(6), 2,
		0, math.Log(6), 0, math.Log(24), math.Log(2), math.Log(120))
}

// TestTheDtypeDoesNotDependOnRank takes every pair of dtypes at several ranks.
func TestTheDtypeDoesNotDependOnRank(t *testing.T) {
	for _, a := range dtype.All() {
		for _, b := range dtype.All() {
			want, err := dtype.Promote(a, b)
			for _, sizes := range [][]int{{}, {1}, {2, 1}} {
				x, y := tensor.Ones(a, 2), tensor.Ones(b, sizes...)
				for _, r := range []*tensor.Tensor{x.Maximum(y), y.Maximum(x)} {
					if (r.Err() != nil) != (err != nil) || err == nil && r.DType() != want {
						t.Errorf("%v with %v%v: %v (%v), want %v (%v)", a, b, sizes, r.DType(), r.Err(), want, err)
					}
				}
				for _, r := range []*tensor.Tensor{x.Lt(y), y.Ne(x), x.LogicalAnd(y), x.IsNaN()} {
					if r.Err() != nil || r.DType() != dtype.Bool {
						t.Errorf("a truth of %v with %v%v is %v (%v)", a, b, sizes, r.DType(), r.Err())
					}
				}
			}
		}
	}
}

func TestScalarsAreWeak(t *testing.T) {
	for _, c := range []struct {
		name string
		got  *tensor.Tensor
		want dtype.DType
	}{
		{"float32 * 2.5", f32(1).MulScalar(2.5), dtype.Float32},
		{"uint8 + 1", tensor.Ones(dtype.Uint8, 1).AddScalar(1), dtype.Uint8},
		{"int32 + 1.5", tensor.Ones(dtype.Int32, 1).AddScalar(1.5), dtype.Float32},
		{"bool + 1", tensor.Ones(dtype.Bool, 1).AddScalar(1), dtype.Int64},
		{"bool + 1.5", tensor.Ones(dtype.Bool, 1).AddScalar(1.5), dtype.Float32},
		{"float16 * 0.1", tensor.Ones(dtype.Float16, 1).MulScalar(0.1), dtype.Float16},
		{"int64 / 2", longs(1).DivScalar(2), dtype.Float32},
	} {
		if c.got.Err() != nil || c.got.DType() != c.want {
			t.Errorf("%s is %v (%v), want %v", c.name, c.got.DType(), c.got.Err(), c.want)
		}
	}
	u := tensor.New([]uint8{200})
	wantError(t, u.AddScalar(300).Err(), nil, "300 is outside the range of uint8")
	wantError(t, u.AddScalar(-1).Err(), nil, "-1 is outside the range of uint8")
	wantData(t, f32(1).MulScalar(1e200), tensor.Shape{1}, inf)
	wantData(t, tensor.Ones(dtype.Float16, 1).AddScalar(70000).Cast(dtype.Float32), tensor.Shape{1}, inf)
	wantData(t, u.Ge(tensor.Scalar(-1)), tensor.Shape{1}, true)
	wantData(t, u.Eq(tensor.Scalar(300)), tensor.Shape{1}, false)
	x := tensor.Ones(dtype.Int32, 1)
	wantError(t, x.AddAssign(tensor.Scalar(1.5)), nil, "cannot write float32 into int32")
	wantData(t, x, tensor.Shape{1}, int32(1))
}

// TestThreeOperandsPromoteAsASet has the triples that pairwise promotion gives
// two answers for.
func TestThreeOperandsPromoteAsASet(t *testing.T) {
	all := dtype.All()
	for _, a := range all {
		for _, b := range all {
			for _, c := range all {
				x, y, z := tensor.Ones(a, 1), tensor.Ones(b, 1), tensor.Ones(c, 1)
				want, err := dtype.Promote(a, b, c)
				for _, r := range []*tensor.Tensor{x.Clip(y, z), z.Clip(x, y), y.Clip(z, x)} {
					if (err != nil) != (r.Err() != nil) || err == nil && r.DType() != want {
						t.Fatalf("%v, %v and %v: %v (%v), want %v (%v)", a, b, c, r.DType(), r.Err(), want, err)
					}
				}
			}
		}
	}
}
